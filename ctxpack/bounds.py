"""Proven upper bounds on what any choice within a room can be worth."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.knapsack.core import break_solution, by_density, dantzig_bound
from ctxpack.value.valuation import WHOLE
from ctxpack.weighed import Weighed


def worth_bound(candidates: Sequence[Weighed], room: int) -> int:
    """Most worth within `room` tokens if one chunk could be cut, rounded down (Dantzig's bound).

    Chunks that are alone larger than the room count for nothing.
    """
    fitting = [c for c in candidates if c.cost <= room and c.worth > 0]
    if not fitting:
        return 0
    costs = [candidate.cost for candidate in fitting]
    worths = [candidate.worth for candidate in fitting]
    order = by_density(costs, worths, range(len(fitting)))
    return dantzig_bound(costs, worths, break_solution(costs, worths, order, room), room)


def as_value(bound: int, chunks: int, largest: float) -> float:
    """A bound on the worth as one on the real value of any set among so many chunks.

    `largest` is the value that is WHOLE as worth; the rounding to whole numbers may have taken
    half a unit off each chunk.
    """
    return (bound + chunks / 2) * (largest / WHOLE)
