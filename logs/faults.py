"""What SQLite or the file system says, in one plain sentence."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from ctxpack.errors import InputError
from logs.schema import SCHEMA_VERSION

NEWER = (
    "{name} was made by a newer version of ctxpack-tui than this one, which reads stores up to "
    f"version {SCHEMA_VERSION}: upgrade ctxpack-tui."
)
OLDER = (
    "{name} was made by an older version of ctxpack-tui, and reading never changes a log: "
    "type 'ctxpack migrate {name}' once, with a copy kept where the log matters."
)
FOREIGN = "{name} is a SQLite database, but not a ctxpack log."
DAMAGED = "{name} is damaged: {what}. Restore it from a copy, or import its lines again."


@contextmanager
def in_words(name: str) -> Iterator[None]:
    """Within it, what SQLite or the file system refuses is an InputError about `name`."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise InputError(database_fault(error, name)) from None
    except OSError as error:
        raise InputError(file_fault(error, name)) from None


def database_fault(error: Exception, name: str) -> str:
    """The sentence for an error of SQLite."""
    said = str(error)
    if isinstance(error, UnicodeDecodeError):
        return DAMAGED.format(name=name, what="a part of it is not text")
    lowered = said.lower()
    if "locked" in lowered or "busy" in lowered:
        return f"{name} is locked by another program that writes it: try again when it is done."
    if "not a database" in lowered:
        return DAMAGED.format(name=name, what="its header cannot be read, or it is encrypted")
    if "malformed" in lowered or "could not decode" in lowered or "disk i/o" in lowered:
        return DAMAGED.format(name=name, what="a part of it cannot be read")
    if "no such table" in lowered or "no such column" in lowered:
        return DAMAGED.format(name=name, what=f"{said}")
    if "readonly" in lowered or "unable to open" in lowered:
        return f"{name} cannot be opened here: no right to the file or its folder."
    if "full" in lowered:
        return f"{name} cannot be written: the disk is full."
    return f"{name} cannot be read: SQLite says {said!r}."


def file_fault(error: OSError, name: str) -> str:
    """The sentence for an error of the file system."""
    match error:
        case FileNotFoundError():
            return f"{name} does not exist."
        case PermissionError():
            return f"{name} may not be read: no right to the file or its folder."
        case IsADirectoryError():
            return f"{name} is a folder, not a file."
        case NotADirectoryError():
            return f"{name} does not exist: a part of its path is not a folder."
        case _:
            return f"{name} cannot be read: {error.strerror or error}."
