"""Filling every room at once: what is left of each, so that all budgets cost one pass together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ctxpack.errors import Stop, stop_if
from ctxpack.weighed import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rooms = NDArray[np.uint32]

WORK = 4_000_000_000
"""The most chunks times rooms that are filled; about two seconds."""

RUNS = 20_000_000
"""The most runs of rooms that are followed for one chunk, over all chunks before it."""

_FEWEST = 1_000
_BLOCK = 1 << 14
_OVERHEAD = 16
_LARGEST = (1 << 32) - 1
_FARTHEST = 1 << 61


def affordable(chunks: int, rooms: int) -> bool:
    """Whether putting so many chunks into so many rooms stays within WORK."""
    # A room costs something even where nothing is put in: as much as some chunks.
    return rooms <= min(_LARGEST, WORK // (chunks + _OVERHEAD))


def left_after(costs: Sequence[int], rooms: Rooms) -> Rooms:
    """What is left of each room once the chunks were put in, in this order, each where it fits.

    Where one does not fit the difference wraps round to a huge number, so that the smaller of
    the two is what is left in either case.
    """
    import numpy as np

    left = rooms.copy()
    less = np.empty_like(left)
    largest = int(rooms.max(initial=0))
    for cost in costs:
        if cost <= largest:
            np.subtract(left, np.uint32(cost), out=less)
            np.minimum(left, less, out=left)
    return left


def blocks(first: int, last: int, should_stop: Stop | None = None) -> Iterator[Rooms]:
    """All rooms from `first` to `last`, in runs that a processor's cache holds."""
    import numpy as np

    for begin in range(first, last + 1, _BLOCK):
        stop_if(should_stop)
        yield np.arange(begin, min(begin + _BLOCK, last + 1), dtype=np.uint32)


def rooms_with(
    before: Sequence[int], cost: int, should_stop: Stop | None = None
) -> tuple[list[Span], int | None]:
    """Rooms in which a chunk of that cost is in, where these were offered before it.

    Past the room for all of them it always is: the last span has no end, and the second number is
    None. Where following them would take more than RUNS, the spans go up to the room that the
    second number tells.

    Rooms that took the same so far are followed as one run, and part where something fits into
    the larger of them alone. Rooms that no longer hold the chunk are out for good.
    """
    import numpy as np

    if not before:
        return [(cost, None)], None
    most = max(_FEWEST, RUNS // len(before))
    all_fit = sum(before) + cost
    known = None if all_fit <= _FARTHEST else _FARTHEST
    first = np.array([min(cost, _FARTHEST)], dtype=np.int64)
    last = np.array([min(all_fit, _FARTHEST)], dtype=np.int64)
    used = np.zeros(1, dtype=np.int64)
    for place, other in enumerate(before):
        if not place & 63:
            stop_if(should_stop)
        edge = used + other
        passes, takes = first < edge, last >= edge
        begin = np.maximum(first, edge + cost)
        takes &= begin <= last
        first = np.concatenate((first[passes], begin[takes]))
        last = np.concatenate((np.minimum(last, edge - 1)[passes], last[takes]))
        used = np.concatenate((used[passes], edge[takes]))
        if len(first) > most:
            order = np.argsort(first)
            known = int(first[order[most]]) - 1
            first, last, used = first[order[:most]], last[order[:most]], used[order[:most]]
    if not len(first):
        return [], known
    order = np.argsort(first)
    first, last = first[order], last[order]
    apart = np.flatnonzero(first[1:] > last[:-1] + 1)
    begins = first[np.concatenate(([0], apart + 1))].tolist()
    spans: list[Span] = [*zip(begins, last[[*apart.tolist(), -1]].tolist(), strict=True)]
    return (spans, known) if known is not None else ([*spans[:-1], (spans[-1][0], None)], None)


def spans_of(held: NDArray[np.bool_], first: int) -> list[Span]:
    """The runs of True, as rooms, where the array begins with the room `first`."""
    import numpy as np

    edges = np.flatnonzero(np.diff(held, prepend=False, append=False))
    pairs = edges.reshape(-1, 2) + first
    return [(begin, end - 1) for begin, end in pairs.tolist()]


def joined(spans: list[Span], more: Sequence[Span]) -> list[Span]:
    """Spans with others above them; what touches becomes one."""
    if spans and more and spans[-1][1] == more[0][0] - 1:
        spans[-1] = (spans[-1][0], more[0][1])
        more = more[1:]
    return [*spans, *more]
