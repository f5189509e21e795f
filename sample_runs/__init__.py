"""The bundled sample runs: a fictional company's support assistant, logged over four days.

Skerrivane Instruments does not exist. Its handbook is chunked, ranked and packed by
`python -m sample_runs.build`; the log that this makes is shipped as `samples.db`.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["path"]


def path() -> Path:
    """Where the shipped sample log lies; opened read-only, it never changes."""
    return Path(__file__).with_name("samples.db")
