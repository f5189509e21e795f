"""A log that is no database: its lines are read into one that leaves nothing behind."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from ctxpack.errors import InputError
from logs.canonical import Canonical
from logs.faults import in_words
from logs.inserting import conflict, insert
from logs.key_path import KeyPath
from logs.known_chunks import Known
from logs.reading import LogReader
from logs.rows import run_rows
from logs.schema import create_tables
from logs.sources import STDIN, STDIN_NAME
from logs.taking_in import ImportReport, take_in

MEMORY_KIBIBYTES = 64 * 1024
"""Above it, a log that was read from lines goes on in a temporary file."""


def read_into_memory(files: Sequence[str], at: KeyPath = ()) -> LogReader:
    """A reader of the records in these files; it alone holds them, and they go with it.

    With `at`, the records of lines stand under these keys.

    Raises InputError, in words, where a file cannot be read or holds not one record.
    """
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
        known = Known()

        def append(batch: Sequence[Canonical]) -> Sequence[bool | InputError]:
            with in_words(name):
                outcomes = insert(connection, [run_rows(whole) for whole in batch], known)
            reader = LogReader(connection, name)
            return [
                conflict(reader, whole.record, whole.digest)
                if outcome == "conflict"
                else outcome == "new"
                for whole, outcome in zip(batch, outcomes, strict=True)
            ]

        report = take_in(files, append, at=at)
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
