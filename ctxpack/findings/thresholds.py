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

    same_text: float = 0.8
    """Near-duplicates: the Jaccard similarity from which two texts say the same."""

    padding_chunks: int = 2
    """Padding: packed chunks below the cliff from which it counts."""

    shingle: int = 5
    """Words in a shingle; a shorter text is compared whole."""

    longest_text: int = 200_000
    """Characters; longer texts are not compared and not searched for instructions."""

    cliff_medians: float = 3.0
    """A cliff: the largest fall of the sorted scores is at least this many median falls."""

    cliff_share: float = 0.2
    """A cliff: the largest fall is at least this share of the scores' range."""

    cliff_above: int = 2
    """A cliff leaves at least this many chunks above it."""

    quoted: int = 60
    """Characters of an instruction that are quoted."""


DEFAULT = Thresholds()
