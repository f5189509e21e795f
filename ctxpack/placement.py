"""Placement: where each chosen chunk goes. It never decides what is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

Chunk = TypeVar("Chunk")


def place(best_first: Sequence[Chunk], placement: str) -> list[Chunk]:
    """The chunks, given best first, in window order.

    `ends` puts the best first, the second best last and the weakest in the middle, for odd and
    even counts alike; `middle` buries the best the same way (for measuring).
    """
    if placement == "best-last":
        return list(reversed(best_first))
    if placement == "ends":
        return _ends(best_first)
    if placement == "middle":
        return _ends(list(reversed(best_first)))
    return list(best_first)


def starts(tokens: Iterable[int], separator: int = 0) -> list[int]:
    """Tokens of packed evidence before each chunk, separators included."""
    at = 0
    before = []
    for size in tokens:
        before.append(at)
        at += size + separator
    return before


def relative(start: float, tokens: float, total: float) -> float:
    """x of a chunk: (start + tokens / 2) / total, from 0 to 1; 0.5 in an empty window."""
    return (start + tokens / 2) / total if total > 0 else 0.5


def _ends(best_first: Sequence[Chunk]) -> list[Chunk]:
    return [*best_first[::2], *reversed(best_first[1::2])]
