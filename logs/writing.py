"""Writing a log: many processes and threads may append to one at the same time."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Sequence
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple

from ctxpack.errors import InputError
from ctxpack.record import Record
from logs.canonical import Canonical, canonical
from logs.faults import DAMAGED, FOREIGN, NEWER, OLDER, in_words
from logs.folders import check_folder
from logs.inserting import conflict, insert
from logs.known_chunks import Known
from logs.read_only import MAGIC
from logs.reading import LogReader
from logs.rows import run_rows
from logs.schema import SCHEMA, identify
from logs.strangers import refuse_strangers

if TYPE_CHECKING:
    from logs.privacy import Privacy

WAIT_SECONDS = 30.0
"""How long a writer waits for its turn before it says that the log is locked."""

BATCH = 500
"""Records that go in with one transaction."""


CACHE_KIBIBYTES = 32 * 1024
"""Memory that a writer's pages may take."""

CHECKPOINT_PAGES = 8_000
"""Pages of 4 KiB that the -wal gathers before they go into the log: 32 MB."""


class Appended(NamedTuple):
    """How many records were new, and how many stood in the log already."""

    new: int
    already: int


class RunLog:
    """A log to append to; it is made where there is none, and its folder must be there.

    Safe for many processes and threads on one host, not on a network file system. Raises
    InputError, in words, for what is not a log, is locked for 30 s, damaged, or may not be
    written. With `privacy` only what it keeps is stored.
    """

    def __init__(self, path: str | os.PathLike[str], *, privacy: Privacy | None = None) -> None:
        if privacy is not None:
            privacy.check()
        self._privacy = privacy
        self.path = os.fspath(path)
        self._lock = threading.RLock()
        self._abandoned: list[sqlite3.Connection] = []
        self._process = os.getpid()
        self._connection = open_to_write(self.path)
        self._known = Known()

    def __enter__(self) -> RunLog:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; the last writer to close folds the -wal into it."""
        with self._lock, in_words(self.path):
            self._own().close()

    def append(self, record: Record) -> bool:
        """Append one record; False where the same record was there already.

        Raises InputError where the record is not valid, or where its id stands in the log with
        other content, naming both.
        """
        (outcome,) = self.append_each((record,))
        if isinstance(outcome, InputError):
            raise outcome
        return outcome

    def append_many(self, records: Iterable[Record]) -> Appended:
        """Append records in batches.

        Raises InputError for the first that is refused, once the others of its batch are in.
        """
        counted = {True: 0, False: 0}
        waiting = iter(records)
        while batch := tuple(islice(waiting, BATCH)):
            for outcome in self.append_each(batch):
                if isinstance(outcome, InputError):
                    raise outcome
                counted[outcome] += 1
        return Appended(counted[True], counted[False])

    def append_each(self, records: Sequence[Record | Canonical]) -> list[bool | InputError]:
        """Append records in one transaction: True if new, False if there already, or the error."""
        prepared = [_prepared(record, self._privacy) for record in records]
        whole = [part for part in prepared if isinstance(part, Canonical)]
        rows = [run_rows(part) for part in whole]
        with self._lock, in_words(self.path):
            connection = self._own()
            outcomes = insert(connection, rows, self._known)
            reader = LogReader(connection, self.path)
            said: list[bool | InputError] = [
                conflict(reader, part.record, part.digest)
                if outcome == "conflict"
                else outcome == "new"
                for part, outcome in zip(whole, outcomes, strict=True)
            ]
        decided = iter(said)
        return [part if isinstance(part, InputError) else next(decided) for part in prepared]

    def snapshot(self, out: str | os.PathLike[str]) -> None:
        """Write the log as one clean file, with nothing beside it, to hand to a colleague.

        Raises InputError where `out` is there already or cannot be written.
        """
        from logs.snapshots import write_snapshot

        with self._lock, in_words(self.path):
            write_snapshot(self._own(), out)

    def _own(self) -> sqlite3.Connection:
        if os.getpid() != self._process:
            # After a fork the parent's connection must be neither used nor closed.
            self._abandoned.append(self._connection)
            self._process = os.getpid()
            self._connection = open_to_write(self.path)
            self._known = Known()
        return self._connection


def _prepared(record: Record | Canonical, privacy: Privacy | None) -> Canonical | InputError:
    if isinstance(record, Canonical):
        if privacy is None:
            return record
        record = record.record
    try:
        if privacy is not None:
            from logs.privacy import private

            record = private(record, privacy)
        return canonical(record)
    except InputError as error:
        return error


def open_to_write(path: str) -> sqlite3.Connection:
    """A connection to a log to write to, which is made where there is none.

    Raises InputError, in words, for what is not a log of this version, locked, damaged, or may not
    be written.
    """
    check_folder(path)
    with in_words(path):
        if os.path.isdir(path):
            raise IsADirectoryError
        if os.path.exists(path):
            with open(path, "rb") as file:
                start = file.read(len(MAGIC))
            if start and start != MAGIC:
                raise InputError(f"{path} is not a log: it is no SQLite database.")
        connection = sqlite3.connect(
            path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            _make_ready(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _make_ready(connection: sqlite3.Connection, path: str) -> None:
    connection.execute("PRAGMA trusted_schema = OFF")
    match identify(connection):
        case "foreign":
            raise InputError(FOREIGN.format(name=path))
        case "newer":
            raise InputError(NEWER.format(name=path))
        case "older":
            raise InputError(OLDER.format(name=path))
        case "damaged":
            raise InputError(DAMAGED.format(name=path, what="some of its tables are missing"))
        case "empty":
            _create(connection)
    refuse_strangers(connection, path)
    # Only now: a copy of the main file alone is known as a log from its first moment.
    _switch_to_wal(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    # Pages of indexes are written once for many runs, not again for each.
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIBIBYTES}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")


def _create(connection: sqlite3.Connection) -> None:
    from sqlite_utils import Database

    connection.execute("BEGIN IMMEDIATE")
    try:
        if identify(connection) == "empty":
            database = Database(connection, execute_plugins=False, recursive_triggers=False)
            for statement in SCHEMA:
                database.execute(statement)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    # SQLite does not wait by itself where several processes switch a new file at once.
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(0.01)
