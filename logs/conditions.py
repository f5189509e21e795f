"""A filter's conditions as SQL: asked of one run at a time, or for all the runs that meet one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from logs.canonical import EPOCH, as_json
from logs.filtering import RunFilter
from logs.schema import BLOCK_BITS
from logs.searching import search_terms

Ask = Callable[[str, tuple[Any, ...]], Sequence[Sequence[Any]]]
"""Runs a query with its values and gives the rows."""

FEW = 2_000
"""So many runs are fetched and sorted at once; a condition that more meet is asked run by run."""

FEW_FOUND = 5_000
"""The same for words: full-text search finds all runs quickly and asks about one slowly."""

# What a log holds, never what was typed, so that it may stand in the SQL.
_MOST_CHUNKS = 400

# The newest block comes first: whoever wants few runs mostly wants the last.
_BLOCKS = f"""
    WITH RECURSIVE ends (first, last) AS (
      SELECT {{first}} >> {BLOCK_BITS}, {{last}} >> {BLOCK_BITS}
    ), blocks (block) AS (
      SELECT last FROM ends
      UNION ALL SELECT block - 1 FROM blocks, ends WHERE block > first
    )
    SELECT DISTINCT c.run FROM blocks CROSS JOIN candidates AS c
      ON c.run >> {BLOCK_BITS} = blocks.block AND c.chunk IN ({{chunks}})
"""
_LISTED = "SELECT value FROM json_each(?)"
_HAD = f"""
    EXISTS (SELECT 1 FROM candidates AS c WHERE c.run >> {BLOCK_BITS} = runs.run >> {BLOCK_BITS}
    AND c.chunk IN ({{chunks}}) AND c.run = runs.run)
"""


class Condition(NamedTuple):
    """One condition. `probe` is true of a row of runs that meets it.

    `gather` selects the numbers of all runs that meet it, None where that is no quicker; it is
    worth while for at most `few` of them. `within` selects those whose numbers lie between two
    values that come before the condition's own; `among` those of a JSON list of numbers.
    """

    name: str
    probe: str
    gather: str | None
    values: tuple[Any, ...]
    few: int = FEW
    within: str | None = None
    among: str | None = None


def conditions(ask: Ask, wanted: RunFilter, found_in: str = "flagged") -> list[Condition]:
    """The conditions of a filter; every value that was typed travels as a value, never as SQL.

    `found_in` is the table of the findings that are asked for.
    """
    given = []
    if wanted.since is not None or wanted.until is not None:
        given.append(_time(wanted.since, wanted.until))
    if wanted.request_type is not None:
        given.append(_equal("request_type", wanted.request_type))
    if wanted.version is not None:
        given.append(_equal("assembler_version", wanted.version))
    if wanted.finding is not None:
        given.append(_finding(found_in, wanted.finding))
    if wanted.chunk is not None:
        given.append(_had(ask, "id", wanted.chunk))
    if wanted.doc is not None:
        given.append(_had(ask, "doc_id", wanted.doc))
    if wanted.ids is not None:
        given.append(_among(wanted.ids))
    if wanted.search is not None:
        given.extend(_search(wanted.search))
    return given


def _time(since: datetime | None, until: datetime | None) -> Condition:
    ends = [(sign, _microseconds(end)) for sign, end in ((">=", since), ("<=", until)) if end]
    # The plus keeps SQLite from walking by time where the order is another.
    probe = " AND ".join(f"+time_us {sign} ?" for sign, _ in ends)
    gather = "SELECT run FROM runs WHERE " + " AND ".join(f"time_us {sign} ?" for sign, _ in ends)
    return Condition("time", probe, gather, tuple(end for _, end in ends))


def _equal(column: str, value: str) -> Condition:
    gather = f"SELECT run FROM runs WHERE {column} = ?"
    return Condition(column, f"+{column} = ?", gather, (value,))


def _finding(table: str, code: str) -> Condition:
    probe = (
        f"EXISTS (SELECT 1 FROM {table} AS f WHERE f.code = ? AND f.time_us = runs.time_us "
        "AND f.run = runs.run)"
    )
    return Condition("finding", probe, f"SELECT run FROM {table} WHERE code = ?", (code,))


def _had(ask: Ask, column: str, value: str) -> Condition:
    numbers = [row[0] for row in ask(f"SELECT chunk FROM chunks WHERE {column} = ?", (value,))]
    if len(numbers) <= _MOST_CHUNKS:
        return _had_any(column, ", ".join(map(str, map(int, numbers))), ())
    return _had_any(column, f"SELECT chunk FROM chunks WHERE {column} = ?", (value,))


def _had_any(column: str, chunks: str, values: tuple[Any, ...]) -> Condition:
    had = _HAD.format(chunks=chunks)
    return Condition(
        column,
        had,
        _BLOCKS.format(first="0", last="(SELECT max(run) FROM runs)", chunks=chunks),
        values,
        within=_BLOCKS.format(first="?", last="?", chunks=chunks),
        among=f"SELECT run FROM runs WHERE run IN ({_LISTED}) AND {had}",
    )


def _among(ids: tuple[str, ...]) -> Condition:
    # SQLite takes too few values; its JSON cannot hold an id with a NUL, which none has by chance.
    gather = f"SELECT run FROM runs WHERE id IN ({_LISTED})"
    return Condition("ids", f"id IN ({_LISTED})", gather, (as_json(ids),), few=max(FEW, len(ids)))


def _search(typed: str) -> list[Condition]:
    terms = search_terms(typed)
    listed = [
        Condition(
            "search",
            "run IN (SELECT rowid FROM runs_fts WHERE runs_fts MATCH ?)",
            "SELECT rowid AS run FROM runs_fts WHERE runs_fts MATCH ?",
            (match,),
            FEW_FOUND,
            "SELECT rowid FROM runs_fts WHERE rowid BETWEEN ? AND ? AND runs_fts MATCH ?",
            f"SELECT rowid FROM runs_fts WHERE rowid IN ({_LISTED}) AND runs_fts MATCH ?",
        )
        for match in terms.matches
    ]
    listed += [
        Condition(
            "part",
            "(instr(lower(query), lower(?)) > 0 OR instr(lower(answer), lower(?)) > 0)",
            None,
            (part, part),
        )
        for part in terms.substrings
    ]
    return listed


def _microseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)
