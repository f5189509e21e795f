"""Value, tokens and chunks at every budget: where the packed set changes, from 0 to everything."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ctxpack.deciding import Decision
from ctxpack.errors import Stop
from ctxpack.explaining.every_room import affordable
from ctxpack.explaining.every_set import Sets, best_changes, best_sets, filled_sets, filling_changes
from ctxpack.explaining.holding import ROOMS
from ctxpack.explaining.trials import Trials, trials
from ctxpack.retrieved import Retrieved
from ctxpack.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

POINTS = 20_000
"""The most points of a curve; of more changes, so many are kept, evenly."""

CELLS = 300_000_000
"""The largest table of `optimal` that is filled and kept for a curve: a bit a cell."""

STEPS = 100
"""How many changes are walked from one to the next, where not all budgets are packed at once."""

SAMPLES = 120
"""Budgets that are packed where the changes are too many, or too dear to find."""

SEARCHED = 24
"""Budgets that are packed by ordered, where each is a search of its own."""


class Point(NamedTuple):
    """What is packed from this budget on: the sum of values, tokens, how many chunks."""

    budget: int
    value: float
    used: int
    packed: int


@dataclass(frozen=True)
class BudgetCurve:
    """What each budget packs under one strategy, as columns of points of rising budget.

    From `budgets[i]` up to the next one `values[i]`, `used[i]` tokens and `packed[i]` chunks.
    `complete`: every budget at which the set changes is a point; otherwise `said` tells what the
    points are. Counts are summed: joined text can take a few tokens more.
    """

    budgets: tuple[int, ...]
    values: tuple[float, ...]
    used: tuple[int, ...]
    packed: tuple[int, ...]
    complete: bool = True
    said: str = ""

    def at(self, budget: int) -> Point | None:
        """The last point that is not above `budget`; None below the first."""
        place = bisect_right(self.budgets, budget) - 1
        if place < 0:
            return None
        return Point(self.budgets[place], self.values[place], self.used[place], self.packed[place])


def budget_curve(
    retrieved: Retrieved, settings: Settings, should_stop: Stop | None = None
) -> BudgetCurve:
    """The curve of the settings' strategy, from a budget of 0 until all that can be in is in.

    Under strict pins it begins at the budget that holds them. Raises InputError for settings that
    are refused, Stopped where `should_stop` says so.
    """
    tried = trials(retrieved, settings, should_stop)
    who = tried.contest()
    strategy = tried.settings.strategy
    first = max(0, tried.spare)
    if tried.settings.pins_policy == "strict":
        first = max(first, who.reserved)
    chunks = len(who.free) + len(who.pins.taken)
    last = max(first, who.reserved + sum(chunk.cost for chunk in who.free))
    if strategy in ("first-fit", "top", "density"):
        if affordable(chunks, last):
            rooms = filling_changes(who, strategy, first, last, should_stop)
            return _curve(tried, filled_sets(who, strategy, _evenly(rooms, POINTS)), len(rooms))
        return _curve(tried, filled_sets(who, strategy, _spread(first, last)))
    if strategy == "optimal" and chunks * last <= CELLS and last <= ROOMS:
        rooms = best_changes(who, first, last, should_stop)
        return _curve(tried, best_sets(who, _evenly(rooms, POINTS), should_stop), len(rooms))
    walked = _walked(tried, first, last) if strategy == "mmr" else None
    samples = SEARCHED if strategy == "ordered" else SAMPLES
    return walked or _packed_at(tried, _spread(first, last, samples).tolist())


def sampled(curve: BudgetCurve, columns: int) -> tuple[Point, ...]:
    """The curve at so many budgets, evenly from its first to its last: what a chart draws."""
    if not curve.budgets:
        return ()
    first, last = curve.budgets[0], curve.budgets[-1]
    steps = max(1, columns - 1)
    budgets = [first + (last - first) * column // steps for column in range(columns)]
    found = [(budget, curve.at(budget)) for budget in budgets]
    return tuple(point._replace(budget=budget) for budget, point in found if point is not None)


def _curve(tried: Trials, sets: Sets, changes: int | None = None) -> BudgetCurve:
    """The sets as a curve; `changes` is how many there are, None where that is not known."""
    kept = len(sets.rooms)
    # Behind each chunk stands a separator, and none behind the last.
    used = sets.costs - tried.separator * (sets.packed > 0)
    return BudgetCurve(
        budgets=tuple((sets.rooms - tried.spare).tolist()),
        values=tuple(sets.values.tolist()),
        used=tuple(used.tolist()),
        packed=tuple(sets.packed.tolist()),
        complete=changes == kept,
        said="" if changes == kept else _said(kept, changes),
    )


def _walked(tried: Trials, first: int, last: int) -> BudgetCurve | None:
    """From one change to the next; None where STEPS of them do not reach everything."""
    points: list[Point] = []
    room = first
    while len(points) < STEPS:
        decision = tried.decide(budget=room - tried.spare)
        if decision is None or decision.steady is None:
            return None
        points.append(_point(tried, room, decision))
        highest = decision.steady[1]
        if highest is None or highest >= last:
            return _of_points(points, "")
        room = highest + 1
    return None


def _packed_at(tried: Trials, rooms: list[int]) -> BudgetCurve:
    """The packings of these rooms alone."""
    decided = [(room, tried.decide(budget=room - tried.spare)) for room in rooms]
    points = [_point(tried, room, decision) for room, decision in decided if decision is not None]
    return _of_points(points, _said(len(points), None))


def _point(tried: Trials, room: int, decision: Decision) -> Point:
    taken = decision.taken
    used = sum(chunk.cost for chunk in taken) - (tried.separator if taken else 0)
    return Point(room - tried.spare, sum(chunk.value for chunk in taken), used, len(taken))


def _of_points(points: list[Point], said: str) -> BudgetCurve:
    return BudgetCurve(
        budgets=tuple(point.budget for point in points),
        values=tuple(point.value for point in points),
        used=tuple(point.used for point in points),
        packed=tuple(point.packed for point in points),
        complete=not said,
        said=said,
    )


def _said(kept: int, changes: int | None) -> str:
    if changes is None:
        return f"{kept:,} budgets, evenly spaced: the set changes between them as well."
    return f"{kept:,} of {changes:,} budgets at which the set changes."


def _evenly(rooms: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """So many of them at most, evenly, the first and the last among them."""
    import numpy as np

    if len(rooms) <= most:
        return rooms
    return rooms[np.linspace(0, len(rooms) - 1, most).astype(np.int64)]


def _spread(first: int, last: int, samples: int = SAMPLES) -> NDArray[np.int64]:
    import numpy as np

    return np.unique(np.linspace(first, last, samples).astype(np.int64))
