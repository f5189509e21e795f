"""Every number that a finding compares with, in one settable table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Thresholds:
    """Shares are from 0 to 1; p is a chance of being used."""

    buried_share: float = 0.25
    """Buried: p below the curve's lowest plus this share of its span."""

    buried_gain: float = 0.05
    """Buried only where another place would give at least this much more p."""

    buried_others: int = 2
    """Buried only where at least this many other chunks are packed."""

    weighed: int = 40_000
    """How many candidates may be weighed, all packings together, to find a smallest budget."""


DEFAULT = Thresholds()
