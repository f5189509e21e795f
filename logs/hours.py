"""The hourly roll-ups of a log: how many runs, and where in time the nth of them stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from logs.conditions import Ask
from logs.filtering import RunFilter
from logs.schema import HOUR_US


class HourCount(NamedTuple):
    """Runs of an hour (hours since 1970 in UTC) of one kind; `code` is '' for all of them."""

    hour: int
    request_type: str | None
    assembler: str | None
    assembler_version: str | None
    code: str
    runs: int


class Hours(NamedTuple):
    """Hours, newest first, and how many runs there are down to the end of each."""

    hours: tuple[int, ...]
    sums: tuple[int, ...]

    @property
    def total(self) -> int:
        """All runs."""
        return self.sums[-1] if self.sums else 0

    def before(self, offset: int) -> tuple[int, int]:
        """The time at the end of the hour that holds the run at `offset`, newest first from 0, and
        how many runs are newer than that; where there is no such run, those of the last hour."""
        place = min(bisect_right(self.sums, offset), len(self.hours) - 1)
        newer = self.sums[place - 1] if place else 0
        return (self.hours[place] + 1) * HOUR_US, newer


def rolled_up(wanted: RunFilter) -> bool:
    """Whether the roll-ups alone tell how many runs a filter lets through."""
    rest = (wanted.since, wanted.until, wanted.search, wanted.chunk, wanted.doc, wanted.ids)
    return all(condition is None for condition in rest)


def hours_of(ask: Ask, wanted: RunFilter) -> Hours:
    """The hours of the runs that such a filter lets through."""
    condition, values = _where(wanted)
    rows = ask(
        f"SELECT hour, sum(runs) FROM hours WHERE {condition} GROUP BY hour ORDER BY hour DESC",
        values,
    )
    return Hours(tuple(row[0] for row in rows), tuple(accumulate(row[1] for row in rows)))


def total_of(ask: Ask, wanted: RunFilter) -> int:
    """How many runs such a filter lets through."""
    condition, values = _where(wanted)
    found: int = ask(f"SELECT coalesce(sum(runs), 0) FROM hours WHERE {condition}", values)[0][0]
    return found


def hour_counts(ask: Ask, first: int | None = None, last: int | None = None) -> list[HourCount]:
    """Every hour, kind and code of the log, or those of the hours from `first` to `last`."""
    rows = ask(
        "SELECT h.hour, k.request_type, k.assembler, k.assembler_version, h.code, h.runs "
        "FROM hours AS h JOIN kinds AS k ON k.kind = h.kind "
        "WHERE (? IS NULL OR h.hour >= ?) AND (? IS NULL OR h.hour <= ?) ORDER BY h.hour",
        (first, first, last, last),
    )
    return [HourCount(*row) for row in rows]


def counts_by(ask: Ask, *columns: str) -> list[tuple[Any, ...]]:
    """Counts summed over time by columns of the kind, and by code: (column…, code, runs)."""
    named = "".join(f"k.{column}, " for column in columns)
    rows: Sequence[Sequence[Any]] = ask(
        f"SELECT {named}c.code, sum(c.runs) FROM (SELECT kind, code, sum(runs) AS runs FROM hours "
        f"GROUP BY kind, code) AS c JOIN kinds AS k ON k.kind = c.kind GROUP BY {named}c.code",
        (),
    )
    return [tuple(row) for row in rows]


def _where(wanted: RunFilter) -> tuple[str, tuple[Any, ...]]:
    parts, values = ["code = ?"], [wanted.finding or ""]
    kinds = {"request_type": wanted.request_type, "assembler_version": wanted.version}
    for column, value in kinds.items():
        if value is not None:
            parts.append(f"kind IN (SELECT kind FROM kinds WHERE {column} = ?)")
            values.append(value)
    return " AND ".join(parts), tuple(values)
