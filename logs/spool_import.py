"""Reading spools that are being written: from where the last import stopped, whole lines only."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

import msgspec

from ctxpack.decoding import Decoded, decode
from ctxpack.errors import InputError
from logs.faults import in_words
from logs.lines import LONGEST_LINE, Line
from logs.spool import LOST, NAME

_FIRST_BYTES = 64 * 1024


class Place(NamedTuple):
    """How far a file was read: bytes and lines from its beginning."""

    offset: int
    line: int


class Part(NamedTuple):
    """Lines of a spool, the place after them, and whether the last one is not whole yet."""

    lines: list[Line]
    after: Place
    waiting: bool


def is_spool(path: str) -> bool:
    """Whether a path is one of a spool's files, by its name."""
    return NAME.fullmatch(os.path.basename(path)) is not None and os.path.isfile(path)


def identity(path: str) -> str | None:
    """What a file is known by: its path and its first line; None until that line is whole."""
    with in_words(path), open(path, "rb") as file:
        first = file.readline(_FIRST_BYTES)
    if not first.endswith(b"\n") and len(first) < _FIRST_BYTES:
        return None
    name = os.path.abspath(path).encode("utf-8", "surrogateescape")
    return hashlib.blake2b(name + b"\0" + first, digest_size=16).hexdigest()


def resume(connection: sqlite3.Connection, path: str) -> tuple[Place, str | None]:
    """Where to go on in a file, and a sentence where it is not the file that was read before.

    A file that shrank, was replaced or changed under what was read is read from its beginning:
    records that stand in the log already are known again.
    """
    name = _shown(path)
    rows = connection.execute(
        "SELECT file, offset, line FROM imports WHERE name = ?", (name,)
    ).fetchall()
    if not rows:
        return Place(0, 0), None
    known = identity(path)
    for file, offset, line in rows:
        if file == known:
            if _ends_line(path, offset):
                return Place(offset, line), None
            return Place(0, 0), f"{path} shrank since it was read: read from its beginning."
    return Place(0, 0), f"{path} was replaced since it was read: read from its beginning."


def keep_place(connection: sqlite3.Connection, path: str, place: Place) -> None:
    """Remember in the log how far a file was read."""
    known = identity(path)
    if known is None:
        return
    name = _shown(path)
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("DELETE FROM imports WHERE name = ?", (name,))
        connection.execute("INSERT INTO imports VALUES (?, ?, ?, ?)", (known, name, *place))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def parts(path: str, start: Place, most: int, longest: int = LONGEST_LINE) -> Iterator[Part]:
    """The lines from a place on, `most` at a time; a last line without its end is left to wait."""
    with in_words(path), open(path, "rb") as file:
        file.seek(start.offset)
        offset, number = start
        lines: list[Line] = []
        while raw := file.readline(longest + 1):
            whole = raw.endswith(b"\n")
            length = len(raw)
            if not whole:
                rest, whole = _to_end(file) if length > longest else (0, False)
                length += rest
                if not whole:
                    break
                raw = b""
            offset, number = offset + length, number + 1
            text = raw.strip()
            if not raw:
                lines.append(Line(number, b"", f"longer than {longest:,} bytes."))
            elif text:
                lines.append(Line(number, raw, _found(text)))
            if len(lines) >= most:
                yield Part(lines, Place(offset, number), False)
                lines = []
        yield Part(lines, Place(offset, number), bool(raw))


def _found(text: bytes) -> Decoded | str:
    try:
        found = decode(text)
    except InputError as error:
        return str(error)
    except RecursionError:
        return "not a record: nested too deep to be read."
    if LOST not in found.record.unknown:
        return found
    unknown = dict(found.record.unknown)
    lost = unknown.pop(LOST)
    # The loss is the spool's, not the record's: the same record again is the same run.
    record = msgspec.structs.replace(found.record, unknown=unknown)
    said: tuple[str, ...] = ()
    if isinstance(lost, dict):
        told = ", ".join(f"{count} {reason}" for reason, count in lost.items())
        said = (f"the spool lost records before this one: {told}.",)
    return Decoded(record, found.warnings + said)


def _to_end(file: BinaryIO) -> tuple[int, bool]:
    length = 0
    while raw := file.readline(1024 * 1024):
        length += len(raw)
        if raw.endswith(b"\n"):
            return length, True
    return length, False


def _ends_line(path: str, offset: int) -> bool:
    if not offset:
        return True
    with in_words(path), open(path, "rb") as file:
        file.seek(offset - 1)
        return file.read(1) == b"\n"


def _shown(path: str) -> str:
    return os.path.abspath(path).encode("utf-8", "replace").decode()
