"""Proven upper bounds on what any choice within a room can be worth."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.errors import Stop
from ctxpack.knapsack.core import break_solution, by_density, dantzig_bound
from ctxpack.knapsack.solving import upper_bound
from ctxpack.value.valuation import WHOLE
from ctxpack.weighed import Weighed

STATES = 20_000
"""States that the solver may keep where only a bound is wanted: a few milliseconds."""


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


def best_bound(
    candidates: Sequence[Weighed], room: int, reached: int, should_stop: Stop | None = None
) -> int:
    """The lowest bound on the worth of any set within `room` that is had for little work.

    Dantzig's, where `reached` is already as much; else what the exact search proves in STATES.
    """
    bound = worth_bound(candidates, room)
    if reached >= bound:
        return bound
    costs = [candidate.cost for candidate in candidates]
    worths = [candidate.worth for candidate in candidates]
    searched = upper_bound(costs, worths, room, states=STATES, should_stop=should_stop)
    return min(bound, searched)


def as_value(bound: int, chunks: int, largest: float) -> float:
    """A bound on the worth as one on the real value of any set among so many chunks.

    `largest` is the value that is WHOLE as worth; the rounding to whole numbers may have taken
    half a unit off each chunk.
    """
    return (bound + chunks / 2) * (largest / WHOLE)
