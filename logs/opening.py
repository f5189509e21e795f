"""Opening a log, whatever it comes as; nothing is left beside it, and nothing is made."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.errors import InputError
from logs.key_path import KeyPath
from logs.read_only import open_database
from logs.reading import LogReader
from logs.sources import STDIN, log_files, opened


def open_log(paths: Sequence[str], record_at: KeyPath = ()) -> LogReader:
    """Open one log: a database, JSON Lines, either of them in several files or a folder, or '-'.

    One database is read in place. All else is read into memory, and above 64 MB into a temporary
    file without a name that is gone with the reader. Lines that could not be read are in the
    reader's `quarantined`, and said in its `notes`. With `record_at` the records of lines stand
    under these keys. Raises InputError, in words, for what is
    missing, empty, locked, damaged, not a log, or may not be read.
    """
    files = log_files(paths)
    if not files:
        raise InputError("no log was named: give a database, JSON Lines, a folder, or '-'.")
    if len(files) == 1 and _is_database(files[0]):
        return _in_place(files[0])
    # A database in place needs nothing of what reads and inserts lines.
    from logs.in_memory import read_into_memory

    return read_into_memory(files, record_at)


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
        path=path,
        notes=(database.note,) if database.note else (),
        reopen=lambda: open_database(path).connection,
    )
