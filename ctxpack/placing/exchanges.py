"""An order made better by moving single chunks, until no move makes it better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.errors import Stop, stop_if
from ctxpack.placing.spans import Spans

LEAST = 1e-12
"""A move counts where it gains more than this share of all value."""

PLACED = 600_000
"""The most chunks that are placed while orders are tried; about a third of a second."""


def moved_while_better(
    spans: Spans, order: Sequence[int], should_stop: Stop | None = None
) -> tuple[int, ...]:
    """The order, or one of more use that two chunks exchanged, or one moved, lead to from it."""
    best = tuple(order)
    use = spans.use(best)
    least = LEAST * sum(spans.values)
    tried = 0
    most = PLACED // max(1, len(best))
    found = True
    while found and tried < most:
        found = False
        for other in _neighbours(best):
            tried += 1
            stop_if(should_stop if tried % 256 == 0 else None)
            reached = spans.use(other)
            if reached > use + least:
                best, use, found = other, reached, True
                break
            if tried >= most:
                break
    return best


def _neighbours(order: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every order that one exchange or one move away."""
    places = range(len(order))
    for one in places:
        for two in places[one + 1 :]:
            yield (
                *order[:one],
                order[two],
                *order[one + 1 : two],
                order[one],
                *order[two + 1 :],
            )
    for one in places:
        rest = order[:one] + order[one + 1 :]
        for to in places:
            if abs(to - one) > 1:
                yield (*rest[:to], order[one], *rest[to:])
