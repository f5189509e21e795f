"""Keeping a log small: old runs go, and with them what no other run needs."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from ctxpack.errors import InputError
from logs.canonical import EPOCH
from logs.faults import in_words
from logs.schema import HOUR_US
from logs.writing import open_to_write

BATCH = 1_000
"""Runs that go with one transaction: writers wait no longer than for one."""

Tell = Callable[[int, int], None]
"""Is told of the runs that are gone, and of all that will be."""


class Pruned(NamedTuple):
    """What went, or with a dry run would go; bytes of the main file before and after."""

    runs: int
    left: int
    chunks: int
    texts: int
    bytes_before: int
    bytes_after: int


_OLD = "SELECT run, time_us, request_type, assembler, assembler_version, query, answer, flags"
_ORPHAN_CHUNKS = "chunk NOT IN (SELECT chunk FROM candidates)"
_ORPHAN_TEXTS = """
    hash NOT IN (SELECT text FROM chunks WHERE text IS NOT NULL
                 UNION ALL SELECT text FROM sections WHERE text IS NOT NULL)
"""


def prune(
    path: str | os.PathLike[str],
    before: datetime,
    *,
    dry_run: bool = False,
    tell: Tell = lambda _done, _of: None,
) -> Pruned:
    """Delete the runs from before a moment, then what only they needed, and shrink the file.

    Runs go in batches, each a transaction of its own: whoever writes meanwhile waits for one at
    most, and a pruning that is stopped leaves a whole log. A dry run counts what would go and
    changes nothing. Raises InputError, in words, for what is no log, locked, damaged, or may not
    be written.
    """
    name = os.fspath(path)
    if not os.path.isfile(name):
        raise InputError(f"{name} does not exist.")
    end = (before - EPOCH) // timedelta(microseconds=1)
    if dry_run:
        return _counted(name, end)
    connection = open_to_write(name)
    try:
        with in_words(name):
            size = os.path.getsize(name)
            runs = _delete(connection, end, tell)
            chunks, texts = _delete_orphans(connection) if runs else (0, 0)
            if runs:
                # The file is written anew without what went, and the -wal is folded into it.
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            left: int = connection.execute("SELECT count(*) FROM runs").fetchone()[0]
            return Pruned(runs, left, chunks, texts, size, os.path.getsize(name))
    finally:
        connection.close()


def _counted(name: str, end: int) -> Pruned:
    from logs.read_only import open_database

    connection = open_database(name).connection
    try:
        with in_words(name):
            kept = "SELECT run FROM runs WHERE time_us >= ?"
            chunks = f"SELECT chunk FROM candidates WHERE run IN ({kept})"
            runs = _number(connection, "SELECT count(*) FROM runs WHERE time_us < ?", end)
            total = _number(connection, "SELECT count(*) FROM runs")
            gone = f"SELECT count(*) FROM chunks WHERE chunk NOT IN ({chunks})"
            texts = (
                "SELECT count(*) FROM texts WHERE hash NOT IN ("
                f"SELECT text FROM chunks WHERE text IS NOT NULL AND chunk IN ({chunks}) UNION ALL "
                f"SELECT text FROM sections WHERE text IS NOT NULL AND run IN ({kept}))"
            )
            size = os.path.getsize(name)
            return Pruned(
                runs,
                total - runs,
                _number(connection, gone, end) if runs else 0,
                _number(connection, texts, end, end) if runs else 0,
                size,
                size,
            )
    finally:
        connection.close()


def _delete(connection: sqlite3.Connection, end: int, tell: Tell) -> int:
    of = _number(connection, "SELECT count(*) FROM runs WHERE time_us < ?", end)
    done = 0
    while True:
        connection.execute("BEGIN IMMEDIATE")
        try:
            sql = f"{_OLD} FROM runs WHERE time_us < ? ORDER BY time_us LIMIT ?"
            rows = connection.execute(sql, (end, BATCH)).fetchall()
            if rows:
                _delete_batch(connection, rows)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        if not rows:
            return done
        done += len(rows)
        tell(done, max(of, done))


def _delete_batch(connection: sqlite3.Connection, rows: list[tuple[object, ...]]) -> None:
    numbers = [(row[0],) for row in rows]
    # An index of another table's text has to be told what stood there.
    connection.executemany(
        "INSERT INTO runs_fts (runs_fts, rowid, query, answer) VALUES ('delete', ?, ?, ?)",
        [(row[0], row[5], row[6]) for row in rows],
    )
    for table in ("candidates", "sections", "runs"):
        connection.executemany(f"DELETE FROM {table} WHERE run = ?", numbers)
    gone = Counter[tuple[object, ...]]()
    flagged = []
    for run, time_us, *kind, _query, _answer, flags in rows:
        assert isinstance(time_us, int)
        assert isinstance(flags, str)
        codes = flags.split()
        flagged += [(code, time_us, run) for code in codes]
        for code in ("", *codes):
            gone[time_us // HOUR_US, code, *kind] += 1
    connection.executemany(
        "DELETE FROM flagged WHERE code = ? AND time_us = ? AND run = ?", flagged
    )
    hour = (
        "hour = ? AND code = ? AND kind = (SELECT kind FROM kinds WHERE request_type IS ? "
        "AND assembler IS ? AND assembler_version IS ?)"
    )
    taken = [(runs, *place) for place, runs in gone.items()]
    connection.executemany(f"UPDATE hours SET runs = runs - ? WHERE {hour}", taken)
    connection.executemany(f"DELETE FROM hours WHERE {hour} AND runs <= 0", list(gone))


def _delete_orphans(connection: sqlite3.Connection) -> tuple[int, int]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Writers that remember numbers of chunks see that they have to ask again.
        connection.execute("UPDATE upkeep SET value = value + 1 WHERE name = 'pruned'")
        chunks = connection.execute(f"DELETE FROM chunks WHERE {_ORPHAN_CHUNKS}").rowcount
        texts = connection.execute(f"DELETE FROM texts WHERE {_ORPHAN_TEXTS}").rowcount
        connection.execute(
            "DELETE FROM kinds WHERE kind NOT IN (SELECT kind FROM hours WHERE code = '')"
        )
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return chunks, texts


def _number(connection: sqlite3.Connection, sql: str, *values: int) -> int:
    found: int = connection.execute(sql, values).fetchone()[0]
    return found
