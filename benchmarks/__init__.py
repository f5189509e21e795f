"""Ratios of speed, measured side by side in one run by `python -m benchmarks`; none asserted."""
