"""The table best[i][c] that `optimal` is the answer of, for one run, where it can be shown."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.deciding import contest
from ctxpack.errors import Stop, stop_if
from ctxpack.explaining.trials import trials
from ctxpack.knapsack.table import Table, fill_table
from ctxpack.retrieved import Retrieved
from ctxpack.settings import Settings
from ctxpack.weighed import Weighed

CELLS = 1_000_000
"""The largest table filled to be shown: 8 MB, twice what 40 chunks in 12,000 tokens take."""


@dataclass(frozen=True)
class BestTable:
    """One row a candidate, by rank; one column a token of what the pins leave of the budget.

    `pins` are in beside the table, `pins_out` are the ids of those that there was no room for.
    `absent` counts the other candidates that have no row: filtered, or alone larger than that. A
    row's cost is its tokens and one separator.
    """

    rows: tuple[Weighed, ...]
    capacity: int
    table: Table
    pins: tuple[Weighed, ...]
    absent: int
    pins_out: tuple[str, ...] = ()

    @property
    def taken(self) -> tuple[str, ...]:
        """Ids of the set that the walk back finds, by rank, without the pins."""
        return tuple(self.rows[place].id for place in self.table.taken)


def best_table(
    retrieved: Retrieved, settings: Settings, should_stop: Stop | None = None
) -> BestTable | None:
    """The table for these settings, whatever their strategy; None where it is too large to show.

    Raises InputError for settings that are refused, Stopped where `should_stop` says so.
    """
    tried = trials(retrieved, settings, should_stop)
    room = tried.room
    who = contest(tried.weighing, tried.settings, room)
    left = room - who.reserved
    ranked = sorted(who.free, key=lambda candidate: candidate.by_rank)
    rows = tuple(candidate for candidate in ranked if candidate.cost <= left)
    costs = [candidate.cost for candidate in rows]
    capacity = min(left, sum(costs))
    stop_if(should_stop)
    if (len(rows) + 1) * (capacity + 1) > CELLS:
        return None
    table = fill_table(costs, [candidate.worth for candidate in rows], capacity)
    absent = len(who.refused) + len(who.free) - len(rows)
    unfit = tuple(refusal.id for refusal in who.pins.refused)
    return BestTable(rows, capacity, table, who.pins.taken, absent, unfit)
