"""Which runs of a log are wanted, as a value and as SQL."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

import msgspec

from logs.canonical import EPOCH, as_json
from logs.searching import search_terms

SortColumn = Literal["time", "type", "used", "packed", "considered", "budget"]

SORT_COLUMNS: dict[SortColumn, tuple[str, str]] = {
    "time": ("time_us", "DESC"),
    "type": ("request_type", "ASC"),
    "used": ("used", "DESC"),
    "packed": ("packed", "DESC"),
    "considered": ("considered", "DESC"),
    "budget": ("budget", "DESC"),
}
"""A sort's column in the store, and the direction it has unless it is reversed."""

_MOST_VALUES = 30_000
"""Ids that are asked for one by one."""


class RunFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Runs that meet every condition that is given; the empty filter is all runs.

    `since` and `until` have an offset and are both included. `search` is words that all have to
    stand in the query or the answer, each as the beginning of a word. `chunk` and `doc` are the
    ids of a candidate and its document; `ids` the ids of runs.
    """

    since: datetime | None = None
    until: datetime | None = None
    request_type: str | None = None
    search: str | None = None
    chunk: str | None = None
    doc: str | None = None
    ids: tuple[str, ...] | None = None


ALL = RunFilter()

_HAD = (
    "EXISTS (SELECT 1 FROM candidates AS c JOIN chunks AS k ON k.chunk = c.chunk "
    "WHERE c.run = runs.run AND k.{} = ?)"
)


class Sort(msgspec.Struct, frozen=True, kw_only=True):
    """An order of runs: newest first unless told; numbers go from large to small."""

    column: SortColumn = "time"
    reverse: bool = False


NEWEST_FIRST = Sort()
OLDEST_FIRST = Sort(reverse=True)


class Where(NamedTuple):
    """A condition in SQL, with the values it is asked with."""

    sql: str
    values: tuple[Any, ...]


def where(wanted: RunFilter) -> Where:
    """The SQL of a filter; every value that was typed travels as a value, never as SQL."""
    parts: list[tuple[str, tuple[Any, ...]]] = []
    if wanted.since is not None:
        parts.append(("time_us >= ?", (_microseconds(wanted.since),)))
    if wanted.until is not None:
        parts.append(("time_us <= ?", (_microseconds(wanted.until),)))
    if wanted.request_type is not None:
        parts.append(("request_type = ?", (wanted.request_type,)))
    if wanted.chunk is not None:
        parts.append((_HAD.format("id"), (wanted.chunk,)))
    if wanted.doc is not None:
        parts.append((_HAD.format("doc_id"), (wanted.doc,)))
    if wanted.ids is not None:
        parts.append(_among(wanted.ids))
    if wanted.search is not None:
        parts.extend(_search(wanted.search))
    sql = " AND ".join(condition for condition, _ in parts)
    values = tuple(value for _, given in parts for value in given)
    return Where(f" WHERE {sql}" if sql else "", values)


def order_by(sort: Sort) -> str:
    """The SQL of an order; runs that lack the number come last, ties go to the newest."""
    column, direction = SORT_COLUMNS[sort.column]
    if sort.reverse:
        direction = "ASC" if direction == "DESC" else "DESC"
    if column == "time_us":
        return f" ORDER BY time_us {direction}, run {direction}"
    return f" ORDER BY {column} {direction} NULLS LAST, time_us DESC, run DESC"


def _among(ids: tuple[str, ...]) -> tuple[str, tuple[Any, ...]]:
    if len(ids) <= _MOST_VALUES:
        return f"id IN ({', '.join('?' * len(ids))})", ids
    # SQLite takes no more values; its JSON cannot hold an id with a NUL, which none has by chance.
    return "id IN (SELECT value FROM json_each(?))", (as_json(ids),)


def _search(typed: str) -> list[tuple[str, tuple[Any, ...]]]:
    terms = search_terms(typed)
    parts: list[tuple[str, tuple[Any, ...]]] = [
        ("run IN (SELECT rowid FROM runs_fts WHERE runs_fts MATCH ?)", (match,))
        for match in terms.matches
    ]
    parts += [
        ("(instr(lower(query), lower(?)) > 0 OR instr(lower(answer), lower(?)) > 0)", (part, part))
        for part in terms.substrings
    ]
    return parts


def _microseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)
