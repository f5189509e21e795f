"""A connection to a log that cannot change a byte of it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from ctxpack.errors import InputError
from logs.faults import DAMAGED, FOREIGN, NEWER, OLDER, in_words
from logs.schema import identify

MAGIC = b"SQLite format 3\0"
WAIT_SECONDS = 3.0
"""How long a reader waits for a writer that holds the whole file."""


class Opened(NamedTuple):
    """A connection; `note` is a sentence for people where what it shows may be stale."""

    connection: sqlite3.Connection
    note: str | None


def open_database(path: str, *, wait: float = WAIT_SECONDS) -> Opened:
    """Open a log read only: the main file's bytes never change, nothing is created.

    SQLite's own -shm and -wal may appear beside a log in WAL mode where its folder is writable.
    Where it is not, the file is read as immutable, but only if no -wal with rows is beside it.
    Raises InputError for what is missing, locked, damaged, not a log or from a newer version.
    """
    with in_words(path):
        if not _is_whole(path):
            raise InputError(DAMAGED.format(name=path, what="its end is missing"))
        try:
            return Opened(_connect(path, "mode=ro", wait), None)
        except sqlite3.OperationalError as error:
            if not _refused(error):
                raise
    return _open_immutable(path, wait)


def _open_immutable(path: str, wait: float) -> Opened:
    if os.access(Path(path).resolve().parent, os.W_OK):
        raise InputError(f"{path} cannot be opened: no right to read it or the files beside it.")
    with in_words(path):
        pending = _has_rows(f"{path}-wal")
    if pending:
        raise InputError(
            f"{path} has rows that are still in its -wal file, and this folder may not be written: "
            "copy both files to a folder of your own, or ask for a snapshot."
        )
    note = (
        f"{path} stands in a folder that may not be written: it is shown as it was when its "
        "last writer closed it, and what is written from now on will not appear."
    )
    with in_words(path):
        return Opened(_connect(path, "immutable=1", wait), note)


def _connect(path: str, mode: str, wait: float) -> sqlite3.Connection:
    address = f"file:{quote(os.fsencode(os.path.abspath(path)))}?{mode}"
    connection = sqlite3.connect(
        address, uri=True, timeout=wait, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        match identify(connection):
            case "foreign" | "empty":
                raise InputError(FOREIGN.format(name=path))
            case "newer":
                raise InputError(NEWER.format(name=path))
            case "older":
                raise InputError(OLDER.format(name=path))
            case "damaged":
                raise InputError(DAMAGED.format(name=path, what="some of its tables are missing"))
        connection.execute("SELECT run FROM runs ORDER BY time_us DESC LIMIT 1").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _refused(error: Exception) -> bool:
    said = str(error).lower()
    return "readonly" in said or "unable to open" in said


def _is_whole(path: str) -> bool:
    """Whether the file is as long as its header says; a log that is being written may lag."""
    with open(path, "rb") as file:
        header = file.read(100)
        if len(header) < 100:
            return False
        # The order matters: once no -wal or -journal is there, the file has its full length.
        if _has_rows(f"{path}-wal") or _has_rows(f"{path}-journal"):
            return True
        size = os.fstat(file.fileno()).st_size
    page = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    changed, valid_for = header[24:28], header[92:96]
    # The header's page count holds only where both counters agree.
    return changed != valid_for or size >= pages * (65_536 if page == 1 else page)


def _has_rows(path: str) -> bool:
    try:
        return os.stat(path).st_size > 0
    except FileNotFoundError:
        return False
