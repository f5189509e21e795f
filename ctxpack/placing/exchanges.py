"""An order made better by exchanging and moving single chunks, until none makes it better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.errors import Stop, stop_if
from ctxpack.placing.spans import Spans

LEAST = 1e-12
"""A move counts where it gains more than this share of all value."""

PLACED = 600_000
"""The most chunks that are placed while orders are tried; about a fifth of a second."""


def moved_while_better(
    spans: Spans, order: Sequence[int], should_stop: Stop | None = None, placed: int = PLACED
) -> tuple[int, ...]:
    """The order, or one of more use that two chunks exchanged, or one moved, lead to from it.

    `placed` caps the work: chunks placed while orders are tried. Raises Stopped.
    """
    tried = _Tried(spans)
    best = list(order)
    least = LEAST * sum(spans.values)
    found = True
    while found and placed > 0:
        found = False
        for first, part in _neighbours(best):
            placed -= len(part)
            if placed <= 0:
                break
            if tried.gain(best, first, part) > least:
                best[first : first + len(part)] = part
                found = True
                stop_if(should_stop)
    return tuple(best)


class _Tried:
    """The use of a part of an order, from the curve at every half token."""

    def __init__(self, spans: Spans) -> None:
        import numpy as np

        total = spans.total
        self.spans = spans
        self.sizes = [tokens + spans.separator for tokens in spans.tokens]
        halves = np.arange(2 * total + 1) / (2 * total or 1)
        self.chances: list[float] = spans.curve.chances(halves).tolist()

    def gain(self, order: list[int], first: int, part: list[int]) -> float:
        """What is used more where `part` stands in the order from `first` on."""
        sizes = self.sizes
        before = self.spans.ahead + sum([sizes[chunk] for chunk in order[:first]])
        return self._use(before, part) - self._use(before, order[first : first + len(part)])

    def _use(self, before: int, part: list[int]) -> float:
        tokens, values, sizes = self.spans.tokens, self.spans.values, self.sizes
        used = 0.0
        for chunk in part:
            used += values[chunk] * self.chances[2 * before + tokens[chunk]]
            before += sizes[chunk]
        return used


def _neighbours(order: list[int]) -> Iterator[tuple[int, list[int]]]:
    """What stands otherwise, and from where, after one exchange or one move of the order now."""
    places = range(len(order))
    for one in places:
        for two in places[one + 1 :]:
            yield one, [order[two], *order[one + 1 : two], order[one]]
    for one in places:
        for two in places[one + 2 :]:
            yield one, [*order[one + 1 : two + 1], order[one]]
            yield one, [order[two], *order[one:two]]
