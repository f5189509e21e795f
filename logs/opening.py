"""Opening a log, whatever it comes as; nothing is left beside it, and nothing is made."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from ctxpack.errors import InputError
from logs.canonical import Canonical
from logs.faults import in_words
from logs.inserting import conflict, insert
from logs.read_only import open_database
from logs.reading import LogReader
from logs.rows import run_rows
from logs.schema import create_tables
from logs.sources import STDIN, STDIN_NAME, log_files, opened
from logs.taking_in import ImportReport, take_in

MEMORY_KIBIBYTES = 64 * 1024
"""Above it, a log that was read from lines goes on in a temporary file."""


def open_log(paths: Sequence[str]) -> LogReader:
    """Open one log: a database, JSON Lines, either of them in several files or a folder, or '-'.

    One database is read in place. All else is read into memory, and above 64 MB into a temporary
    file without a name that is gone with the reader. Lines that could not be read are in the
    reader's `quarantined`, and said in its `notes`. Raises InputError, in words, for what is
    missing, empty, locked, damaged, not a log, or may not be read.
    """
    files = log_files(paths)
    if not files:
        raise InputError("no log was named: give a database, JSON Lines, a folder, or '-'.")
    if len(files) == 1 and _is_database(files[0]):
        return _in_place(files[0])
    return _in_memory(files)


def _is_database(path: str) -> bool:
    if path == STDIN:
        return False
    with opened(path) as source:
        return source.lines is None


def _in_place(path: str) -> LogReader:
    database = open_database(path)
    return LogReader(
        database.connection,
        path,
        notes=(database.note,) if database.note else (),
        reopen=lambda: open_database(path).connection,
    )


def _in_memory(files: Sequence[str]) -> LogReader:
    name = STDIN_NAME if files[0] == STDIN else files[0]
    if len(files) > 1:
        name = f"{name} and {len(files) - 1} more"
    # A database without a name: SQLite keeps it in its cache, and what does not fit there in a
    # temporary file that has no name either.
    connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA cache_size = -{MEMORY_KIBIBYTES}")
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("PRAGMA trusted_schema = OFF")
        create_tables(connection)

        def append(batch: Sequence[Canonical]) -> Sequence[bool | InputError]:
            with in_words(name):
                outcomes = insert(connection, [run_rows(whole) for whole in batch])
            reader = LogReader(connection, name)
            return [
                conflict(reader, whole.record, whole.digest)
                if outcome == "conflict"
                else outcome == "new"
                for whole, outcome in zip(batch, outcomes, strict=True)
            ]

        report = take_in(files, append)
        connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return LogReader(connection, name, notes=_notes(report), quarantined=report.quarantined)


def _notes(report: ImportReport) -> tuple[str, ...]:
    bad = report.quarantined
    if not bad:
        return report.warnings
    count = "1 line was" if len(bad) == 1 else f"{len(bad):,} lines were"
    return (f"{count} left out; {bad[0]}", *report.warnings)
