"""Making a log of an older version one of this version, in place and in one transaction."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ctxpack.errors import InputError
from ctxpack.record import Record
from logs.canonical import canonical
from logs.faults import DAMAGED, FOREIGN, NEWER, in_words
from logs.inserting import insert_rows
from logs.known_chunks import Known
from logs.rows import record_of, run_rows
from logs.schema import SCHEMA, SCHEMA_VERSION, identify
from logs.strangers import refuse_strangers

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations

WAIT_SECONDS = 30.0
"""How long a migration waits for writers to be done."""

BATCH = 500

_OLD_TABLES = ("runs", "sections", "candidates", "texts")

_RUNS = "SELECT run, id, time, request_type, query, answer, model, rest, digest FROM old_runs"
_SECTIONS = """
    SELECT s.name, s.tokens, s.allowance, s.cap, t.text, s.rest, s.text AS hash
    FROM old_sections AS s LEFT JOIN old_texts AS t ON t.hash = s.text
    WHERE s.run = ? ORDER BY s.seq
"""
_CANDIDATES = """
    SELECT c.id, c.doc_id, c.rank, c.score, c.tokens, c.outcome, c.reason,
           NULL AS position, NULL AS start, NULL AS needed, t.text, c.rest, NULL AS about
    FROM old_candidates AS c LEFT JOIN old_texts AS t ON t.hash = c.text
    WHERE c.run = ? ORDER BY c.seq
"""

Tell = Callable[[int, int], None]
"""Is told of the runs that are done, and of all."""


class Migrated(NamedTuple):
    """The versions of the store before and after, and how many runs it has."""

    before: int
    after: int
    runs: int


def migrate(path: str | os.PathLike[str], tell: Tell = lambda _done, _of: None) -> Migrated:
    """Make the log one that this version reads and writes; all of it or, on any fault, nothing.

    Every record is written anew and compared by its digest with what stood there. A log of this
    version is left as it is. Raises InputError, in words, for what is no log, is from a newer
    version, locked, damaged, or may not be written.
    """
    name = os.fspath(path)
    with in_words(name):
        if not os.path.isfile(name):
            raise FileNotFoundError
        connection = sqlite3.connect(name, timeout=WAIT_SECONDS, isolation_level=None)
        try:
            return _migrate(connection, name, tell)
        finally:
            connection.close()


def _migrate(connection: sqlite3.Connection, name: str, tell: Tell) -> Migrated:
    connection.execute("PRAGMA trusted_schema = OFF")
    before: int = connection.execute("PRAGMA user_version").fetchone()[0]
    match identify(connection):
        case "foreign" | "empty":
            raise InputError(FOREIGN.format(name=name))
        case "newer":
            raise InputError(NEWER.format(name=name))
        case "damaged":
            raise InputError(DAMAGED.format(name=name, what="some of its tables are missing"))
        case "older":
            refuse_strangers(connection, name)
            from sqlite_utils import Database

            database = Database(connection, execute_plugins=False, recursive_triggers=False)
            _migrations(name, tell).apply(database)
            # What the old tables took is given back; a full disk here costs no run.
            connection.execute("VACUUM")
    runs: int = connection.execute("SELECT count(*) FROM runs").fetchone()[0]
    return Migrated(before, SCHEMA_VERSION, runs)


def _migrations(name: str, tell: Tell) -> Migrations:
    from sqlite_utils import Migrations

    steps = Migrations("ctxpack")

    @steps(name="store_2")
    def _store_2(database: Database) -> None:
        connection = database.conn
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 1:
            _to_2(connection, name, tell)

    return steps


def _to_2(connection: sqlite3.Connection, name: str, tell: Tell) -> None:
    """Chunks apart from what each run says of them, flags, hours: every run is written anew."""
    connection.execute("DROP TABLE runs_fts")
    indexes = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    for (index,) in connection.execute(indexes).fetchall():
        if index.startswith(("runs_", "candidates_")):
            connection.execute(f"DROP INDEX {index}")
    for table in _OLD_TABLES:
        connection.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    for statement in SCHEMA:
        connection.execute(statement)
    of: int = connection.execute("SELECT count(*) FROM old_runs").fetchone()[0]
    done, known = 0, Known()
    for batch in _batches(connection):
        records = []
        for row in batch:
            whole = canonical(_old_record(connection, row))
            if whole.digest != row["digest"]:
                what = f"run {row['id']!r} is not what was written"
                raise InputError(DAMAGED.format(name=name, what=what))
            records.append(run_rows(whole))
        insert_rows(connection, records, known)
        done += len(batch)
        tell(done, of)
    for table in _OLD_TABLES:
        connection.execute(f"DROP TABLE old_{table}")


def _batches(connection: sqlite3.Connection) -> Iterator[list[sqlite3.Row]]:
    last = 0
    while batch := _asked(connection, f"{_RUNS} WHERE run > ? ORDER BY run LIMIT {BATCH}", last):
        yield batch
        last = batch[-1]["run"]


def _old_record(connection: sqlite3.Connection, row: sqlite3.Row) -> Record:
    sections = _asked(connection, _SECTIONS, row["run"])
    candidates = _asked(connection, _CANDIDATES, row["run"])
    try:
        return record_of(dict(row), map(dict, sections), map(dict, candidates))
    except (ValueError, KeyError, TypeError, msgspec.MsgspecError) as error:
        raise InputError(f"run {row['id']!r} is damaged: {error}") from None


def _asked(connection: sqlite3.Connection, sql: str, value: int) -> list[sqlite3.Row]:
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    return cursor.execute(sql, (value,)).fetchall()
