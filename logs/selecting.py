"""How the runs of a filter are found: fetched at once where they are few, else walked in order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from logs.canonical import as_json
from logs.conditions import Ask, Condition, conditions
from logs.filtering import SORT_COLUMNS, RunFilter, Sort
from logs.walking import Key, Segment, order_of, segments

FIRST_BLOCK, BLOCK = 500, 4_000
"""Runs that are walked before it is asked at once which of them have the words or the chunk."""

_FAR = 16
"""A block whose numbers spread over so many times its length is no part of the log's own order."""


class Selection(NamedTuple):
    """What a filter comes down to: `runs` where they are few, and the conditions still to ask."""

    runs: tuple[int, ...] | None
    asked: tuple[Condition, ...]
    found_in: str


def select(ask: Ask, wanted: RunFilter, found_in: str = "flagged") -> Selection:
    """Look which conditions so few runs meet that they are fetched; the others stay to be asked."""
    few: set[int] | None = None
    asked = []
    for condition in conditions(ask, wanted, found_in):
        runs = _gathered(ask, condition)
        if runs is None:
            asked.append(condition)
        else:
            few = runs if few is None else few & runs
    return Selection(None if few is None else tuple(sorted(few)), tuple(asked), found_in)


def _gathered(ask: Ask, condition: Condition) -> set[int] | None:
    if condition.gather is None:
        return None
    limited = f"SELECT run FROM ({condition.gather}) LIMIT ?"
    runs = {row[0] for row in ask(limited, (*condition.values, condition.few + 1))}
    return runs if len(runs) <= condition.few else None


def count(ask: Ask, selection: Selection, most: int | None = None) -> int:
    """How many runs; with `most` no more than that are looked for."""
    asked = selection.asked
    if selection.runs is not None and not asked:
        found = len(selection.runs)
        return found if most is None else min(found, most)
    if selection.runs is None and len(asked) == 1 and asked[0].gather is not None:
        inner, values = asked[0].gather, asked[0].values
    else:
        condition, values = _where(selection)
        inner = f"SELECT 1 FROM runs WHERE {condition}"
    if most is not None:
        inner, values = f"SELECT 1 FROM ({inner}) LIMIT ?", (*values, most)
    total: int = ask(f"SELECT count(*) FROM ({inner})", values)[0][0]
    return total


def in_order(ask: Ask, selection: Selection, sort: Sort) -> list[Key]:
    """All runs of a selection that were fetched, as their keys, in order."""
    column, _ = SORT_COLUMNS[sort.column]
    condition, values = _where(selection)
    sql = f"SELECT {column}, time_us, run FROM runs WHERE {condition} ORDER BY {order_of(sort)}"
    return [Key(*row) for row in ask(sql, values)]


def walk(
    ask: Ask,
    selection: Selection,
    sort: Sort,
    *,
    beyond: Key | None = None,
    back: bool = False,
    skip: int = 0,
    limit: int,
) -> list[Key]:
    """At most `limit` runs of a selection in an order, right beyond a key, after skipping `skip`.

    For a selection that is not fetched. With `back` the runs lie before the key, the nearest first.
    """
    apart = [condition for condition in selection.asked if condition.within]
    if apart and sort.column == "time":
        rest = tuple(part for part in selection.asked if not part.within)
        blocks = _blocks(ask, selection._replace(asked=rest), sort, beyond, back)
        having = (key for block in blocks for key in _meeting(ask, apart, block))
        return list(islice(having, skip, skip + limit))
    found: list[Key] = []
    for segment in segments(sort, beyond, back=back, table=_table(selection, sort)):
        sql, values = _walked(selection, sort, segment)
        rows = ask(sql, (*values, limit - len(found), skip))
        found += [Key(*row) for row in rows]
        if len(found) == limit:
            break
        if rows:
            skip = 0
        elif skip:
            # What was passed over in this part counts for the next.
            skip -= ask(f"SELECT count(*) FROM ({sql})", (*values, -1, 0))[0][0]
    return found


def _blocks(
    ask: Ask, selection: Selection, sort: Sort, beyond: Key | None, back: bool
) -> Iterator[list[Key]]:
    length = FIRST_BLOCK
    while block := walk(ask, selection, sort, beyond=beyond, back=back, limit=length):
        yield block
        beyond, length = block[-1], BLOCK


def _meeting(ask: Ask, apart: list[Condition], block: list[Key]) -> list[Key]:
    """Those of a block that meet conditions which are quicker to ask of many runs at once."""
    for condition in apart:
        if not block:
            break
        runs = [key.run for key in block]
        low, high = min(runs), max(runs)
        # Times out of the order of appending spread a block over much of the log.
        if high - low <= _FAR * BLOCK:
            met = ask(str(condition.within), (low, high, *condition.values))
        else:
            met = ask(str(condition.among), (as_json(runs), *condition.values))
        having = {row[0] for row in met}
        block = [key for key in block if key.run in having]
    return block


def _walked(selection: Selection, sort: Sort, segment: Segment) -> tuple[str, tuple[Any, ...]]:
    """The SQL that walks a part of an order; its last two values are the limit and the skip."""
    column, _ = SORT_COLUMNS[sort.column]
    table = _table(selection, sort)
    value = f"{table}.time_us" if column == "time_us" else column
    select = f"SELECT {value}, {table}.time_us, {table}.run"
    if table != "runs":
        (code,) = [part for part in selection.asked if part.name == "finding"]
        rest = tuple(part for part in selection.asked if part.name != "finding")
        condition, values = _where(selection._replace(asked=rest), table, walked=True)
        source = f"{selection.found_in} AS f" + ("" if condition == "1" else _RUNS_OF_FOUND)
        sql = (
            f"{select} FROM {source} WHERE f.code = ? AND {segment.condition} AND {condition} "
            f"ORDER BY {segment.order} LIMIT ? OFFSET ?"
        )
        return sql, (*code.values, *segment.values, *values)
    condition, values = _where(selection, walked=sort.column == "time")
    sql = (
        f"{select} FROM runs WHERE {segment.condition} AND {condition} "
        f"ORDER BY {segment.order} LIMIT ? OFFSET ?"
    )
    return sql, (*segment.values, *values)


_RUNS_OF_FOUND = " CROSS JOIN runs ON runs.run = f.run"


def _table(selection: Selection, sort: Sort) -> str:
    """What is walked by time: the runs with a finding where one is asked for, else all."""
    has_code = any(condition.name == "finding" for condition in selection.asked)
    return "f" if has_code and selection.runs is None and sort.column == "time" else "runs"


def _where(
    selection: Selection, table: str = "runs", *, walked: bool = False
) -> tuple[str, tuple[Any, ...]]:
    """All conditions; where the order is by time, an index that has it may find type and time."""
    parts, values = [], list[Any]()
    if selection.runs is not None:
        parts.append("runs.run IN (SELECT value FROM json_each(?))")
        values.append(as_json(selection.runs))
    for condition in selection.asked:
        probe = condition.probe
        if walked and selection.runs is None and condition.name in _WITH_TIME:
            probe = probe.replace("+", "runs." if condition.name != "time" else f"{table}.")
        elif condition.name == "search":
            probe = f"+{probe}"
        parts.append(probe)
        values += condition.values
    return " AND ".join(parts) or "1", tuple(values)


_WITH_TIME = ("time", "request_type", "assembler_version")
