"""What it would take to have a chunk in that the optimal set leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ctxpack.errors import Stop, stop_if
from ctxpack.knapsack.rows import Rows
from ctxpack.knapsack.solving import solve


class Forced(NamedTuple):
    """The worth lost by having one chunk in, and who leaves for it: places by rank."""

    loss: int
    took_room: tuple[int, ...]


def forced_with(
    costs: Sequence[int],
    worths: Sequence[int],
    room: int,
    taken: Sequence[int],
    place: int,
    should_stop: Stop | None = None,
) -> Forced:
    """The best set that holds one chunk, against the set taken: the rest is solved anew.

    Without that chunk the rest has its own best set in the room that is left beside it. Where the
    set taken is not proven the forced one may be worth more: nothing is lost then.
    """
    others = [other for other in range(len(costs)) if other != place]
    found = solve(
        [costs[other] for other in others],
        [worths[other] for other in others],
        room - costs[place],
        should_stop=should_stop,
    )
    beside = {others[other] for other in found.taken}
    best = sum([worths[other] for other in taken])
    loss = best - worths[place] - found.value
    return Forced(max(0, loss), tuple([other for other in taken if other not in beside]))


def forced_sets(
    costs: Sequence[int],
    worths: Sequence[int],
    room: int,
    table: Rows,
    taken: Sequence[int],
    should_stop: Stop | None = None,
) -> dict[int, Forced]:
    """`forced_with` for all chunks left out at once, from the table over all of them.

    The table's best set in the room beside a chunk is the answer where it does not hold that
    chunk itself; the few that it does hold are solved one by one.
    """
    import numpy as np

    stop_if(should_stop)
    inside = set(taken)
    outside = [place for place in range(len(costs)) if place not in inside]
    sets = table.walk_back_all([room - costs[place] for place in outside])
    held = sets[outside, np.arange(len(outside))]
    best = sum([worths[place] for place in taken])
    beside = (np.array(worths, dtype=np.int64) @ sets).tolist()
    leaving: list[list[int]] = [[] for _ in outside]
    for column, row in zip(*np.nonzero(~sets[list(taken)].T), strict=True):
        leaving[column].append(taken[row])
    found = {}
    for column, place in enumerate(outside):
        if held[column]:
            found[place] = forced_with(costs, worths, room, taken, place, should_stop)
        else:
            loss = best - worths[place] - beside[column]
            found[place] = Forced(loss, tuple(leaving[column]))
    return found
