"""An order of runs walked by its key: any page is as near as the first, and none is skipped to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from logs.filtering import SORT_COLUMNS, Sort

Values = tuple[Any, ...]


class Key(NamedTuple):
    """Where a run stands in an order: the sort column's value, the time, the run's number."""

    value: Any
    time_us: int
    run: int


class Segment(NamedTuple):
    """A part of an order that one index walks: a condition, and its order."""

    condition: str
    values: Values
    order: str


def segments(
    sort: Sort, beyond: Key | None = None, *, back: bool = False, table: str = "runs"
) -> Iterator[Segment]:
    """The parts of an order, one after the other, from right after `beyond` or from the start.

    With `back` the order is walked the other way, from right before `beyond` to its start. Times
    and numbers are those of `table`.
    """
    column, direction = SORT_COLUMNS[sort.column]
    up = (direction == "ASC") ^ sort.reverse ^ back
    later = sort.reverse ^ back
    if column == "time_us":
        yield _by_time("1", later, beyond, table)
        return
    order = f"{column} {_way(up)}, {_order_of_time(later, table)}"
    known = Segment(f"{column} IS NOT NULL", (), order)
    lacking = _by_time(f"{column} IS NULL", later, None, table)
    if beyond is None:
        yield from (lacking, known) if back else (known, lacking)
    elif beyond.value is None:
        yield _by_time(f"{column} IS NULL", later, beyond, table)
        if back:
            yield known
    else:
        same = _by_time(f"{column} = ?", later, beyond, table)
        yield Segment(same.condition, (beyond.value, *same.values), same.order)
        yield Segment(f"{column} {'>' if up else '<'} ?", (beyond.value,), order)
        if not back:
            yield lacking


def order_of(sort: Sort) -> str:
    """The whole order in one, for runs that are few."""
    column, direction = SORT_COLUMNS[sort.column]
    by_time = _order_of_time(sort.reverse, "runs")
    if column == "time_us":
        return by_time
    up = (direction == "ASC") ^ sort.reverse
    return f"{column} {_way(up)} NULLS LAST, {by_time}"


def _by_time(condition: str, later: bool, beyond: Key | None, table: str) -> Segment:
    order = _order_of_time(later, table)
    if beyond is None:
        return Segment(condition, (), order)
    after = f"({table}.time_us, {table}.run) {'>' if later else '<'} (?, ?)"
    return Segment(f"{condition} AND {after}", (beyond.time_us, beyond.run), order)


def _order_of_time(later: bool, table: str) -> str:
    return f"{table}.time_us {_way(later)}, {table}.run {_way(later)}"


def _way(up: bool) -> str:
    return "ASC" if up else "DESC"
