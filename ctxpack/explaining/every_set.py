"""The sets that a strategy packs over all rooms: where another begins, and what each holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from ctxpack.choosing.fill import in_turn
from ctxpack.deciding import Contest
from ctxpack.errors import Stop
from ctxpack.explaining.every_room import blocks, left_after
from ctxpack.weighed import Weighed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.explaining.every_room import Rooms

    Wholes = NDArray[np.int64]

SLICE = 2_000
"""Rooms whose sets are read off a table at a time: a bit a chunk and room is held."""


@dataclass(frozen=True)
class Sets:
    """What each of some rooms holds: the sum of values, of costs, and how many chunks."""

    rooms: Wholes
    values: NDArray[np.float64]
    costs: Wholes
    packed: Wholes


def filling_changes(
    who: Contest, strategy: str, first: int, last: int, should_stop: Stop | None = None
) -> Wholes:
    """`first`, and every room up to `last` at which a filling packs another set than one below.

    That is where a set takes all of its room: what one leaves free can be taken off the room, and
    the same set is filled in again.
    """
    import numpy as np

    pins = [pin.cost for pin in who.pins.taken]
    costs = [chunk.cost for chunk in in_turn(who.free, strategy)]
    found = [np.array([first], dtype=np.int64)]
    for rooms in blocks(first + 1, last, should_stop):
        left = left_after(pins, rooms)
        left = _first_fit_left(costs, left) if strategy == "first-fit" else left_after(costs, left)
        found.append(rooms[left == 0].astype(np.int64))
    return np.concatenate(found)


def filled_sets(who: Contest, strategy: str, rooms: Wholes) -> Sets:
    """What a filling puts into each of these rooms."""
    sets = _offered(_empty(rooms), who.pins.taken, stops=False)
    return _offered(sets, in_turn(who.free, strategy), stops=strategy == "first-fit")


def best_changes(who: Contest, first: int, last: int, should_stop: Stop | None = None) -> Wholes:
    """As `filling_changes`, of the exact optimum."""
    import numpy as np

    from ctxpack.knapsack.profile import profile

    costs, worths = _to_solve(who)
    used = profile(costs, worths, sum(costs), should_stop).used
    pins = [pin.cost for pin in who.pins.taken]
    found = [np.array([first], dtype=np.int64)]
    for rooms in blocks(first + 1, last, should_stop):
        left = left_after(pins, rooms)
        full = used[np.minimum(left, len(used) - 1)] == left
        found.append(rooms[full].astype(np.int64))
    return np.concatenate(found)


def best_sets(who: Contest, rooms: Wholes, should_stop: Stop | None = None) -> Sets:
    """What the exact optimum puts into each of these rooms."""
    import numpy as np

    from ctxpack.knapsack.rows import decide_rows

    beside = _offered(_empty(rooms), who.pins.taken, stops=False)
    costs, worths = _to_solve(who)
    everything = sum(costs)
    table = decide_rows(costs, worths, everything, should_stop)
    left = np.minimum(rooms - beside.costs, everything)
    real = np.array([chunk.value for chunk in in_turn(who.free, "optimal")])
    weights = np.array(costs, dtype=np.int64)
    for begin in range(0, len(rooms), SLICE):
        part = slice(begin, begin + SLICE)
        held = table.walk_back_all(left[part].tolist())
        beside.values[part] += real @ held
        beside.costs[part] += weights @ held
        beside.packed[part] += held.sum(axis=0)
    return beside


def _to_solve(who: Contest) -> tuple[list[int], list[int]]:
    free = in_turn(who.free, "optimal")
    return [chunk.cost for chunk in free], [chunk.worth for chunk in free]


def _empty(rooms: Wholes) -> Sets:
    import numpy as np

    return Sets(rooms, np.zeros(len(rooms)), np.zeros_like(rooms), np.zeros_like(rooms))


def _offered(sets: Sets, offered: Sequence[Weighed], *, stops: bool) -> Sets:
    """With these chunks put in, each where it fits; `stops` ends it at the first that does not."""
    import numpy as np

    values, costs, packed = sets.values.copy(), sets.costs.copy(), sets.packed.copy()
    going = np.ones(len(sets.rooms), dtype=np.bool_)
    for chunk in offered:
        fits = sets.rooms - costs >= chunk.cost
        if stops:
            going &= fits
            fits = going
        values += chunk.value * fits
        costs += chunk.cost * fits
        packed += fits
    return Sets(sets.rooms, values, costs, packed)


def _first_fit_left(costs: Sequence[int], left: Rooms) -> Rooms:
    """What is left where the first that does not fit ends it."""
    import numpy as np

    ends = np.array([0, *accumulate(costs)], dtype=np.int64)
    place = np.searchsorted(ends, left, side="right") - 1
    return (left - ends[place]).astype(np.uint32)
