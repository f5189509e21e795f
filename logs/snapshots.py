"""One clean file of a log, to hand to a colleague."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress

from ctxpack.errors import InputError
from logs.faults import in_words
from logs.folders import check_folder


def write_snapshot(connection: sqlite3.Connection, out: str | os.PathLike[str]) -> None:
    """Write what stands in the database now to `out`, in one file with nothing beside it.

    Raises InputError where `out` is there already or cannot be written; then nothing is left.
    """
    target = os.fspath(out)
    if os.path.lexists(target):
        raise InputError(f"{target} is there already: give the name of a new file.")
    check_folder(target)
    reads_only: int = connection.execute("PRAGMA query_only").fetchone()[0]
    try:
        with in_words(target):
            # It writes to no other file than the new one.
            connection.execute("PRAGMA query_only = OFF")
            connection.execute("VACUUM INTO ?", (target,))
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(target)
        raise
    finally:
        connection.execute(f"PRAGMA query_only = {reads_only}")
