"""Triggers and views in a log: ctxpack makes none, and a trigger could change what is written."""

from __future__ import annotations

import sqlite3

from ctxpack.errors import InputError

ALTERED = (
    "{name} holds a {kind}, {what!r}, that ctxpack never makes and that could change what is "
    "written: nothing is. It can still be read: 'ctxpack export {name}' gives its runs as lines, "
    "to import them into a new log."
)

_FIRST = """
    SELECT type, CAST(name AS TEXT) FROM sqlite_master WHERE type IN ('trigger', 'view') LIMIT 1
"""


def refuse_strangers(connection: sqlite3.Connection, name: str) -> None:
    """Before anything is written: raise InputError where a trigger or a view stands in the log."""
    found = connection.execute(_FIRST).fetchone()
    if found is not None:
        raise InputError(ALTERED.format(name=name, kind=found[0], what=found[1]))
