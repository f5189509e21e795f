"""Which filter let a chunk fall, and the value that lets it through."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ctxpack.record import LoggedCandidate


def loosening(chunk: LoggedCandidate) -> str:
    """One sentence of advice for a chunk that a filter left out."""
    detail = chunk.detail or {}
    if chunk.reason == "over_count":
        place = detail.get("place", chunk.rank)
        return f"Raise max_chunks to {place}." if place else "Raise max_chunks."
    if chunk.reason == "banned":
        return "Take it off the bans."
    if chunk.reason == "invalid":
        return "Give the chunk its text, or its tokens: a chunk without either cannot be packed."
    if chunk.reason == "duplicate":
        similarity = detail.get("similarity")
        if isinstance(similarity, int | float) and similarity < 1:
            return f"Raise dedupe above {similarity:.2f}: at that similarity it counts as a copy."
        return "Look at the chunk that was kept in its place: it should hold the answer as well."
    if chunk.reason == "below_cutoff":
        return _raised(detail)
    return "Switch the cut at the score cliff off."


def _raised(detail: Mapping[str, Any]) -> str:
    """How far the cut-off, the margin or both have to be raised, rounded up to be enough."""
    ways = []
    for name in ("cutoff", "margin"):
        least = detail.get(name)
        if isinstance(least, int | float) and math.isfinite(least):
            ways.append(f"{name} to {_rounded_up(least)}")
    if not ways:
        return "Raise the cut-off until it reaches this chunk's score, or switch it off."
    return f"Raise {' and '.join(ways)}, or switch {'them' if ways[1:] else 'it'} off."


def _rounded_up(number: float) -> str:
    """Three digits, and never less than the number."""
    step = 10.0 ** (math.floor(math.log10(number)) - 2) if number > 0 else 1.0
    shown = f"{math.ceil(number / step) * step:.3g}"
    return shown if float(shown) >= number else f"{number:.17g}"
