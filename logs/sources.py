"""The files that a log may be given as, told apart by their first bytes."""

from __future__ import annotations

import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ctxpack.errors import InputError
from logs.faults import in_words
from logs.read_only import MAGIC
from logs.schema import APPLICATION_ID

STDIN = "-"
STDIN_NAME = "standard input"
ENDINGS = (".db", ".sqlite", ".sqlite3", ".jsonl", ".ndjson", ".json", ".gz")
"""How the files of a folder have to end to be taken for logs."""

DAMAGED_PACKING = (EOFError, zlib.error, gzip.BadGzipFile)
"""What reading a cut or damaged packed file raises."""

_GZIP = b"\x1f\x8b"
_LOOKED_AT = 4_096
_READ_AT_ONCE = 1024 * 1024


class Source(NamedTuple):
    """A file to read: `lines` is None where it is a database, which is opened by its name."""

    name: str
    lines: BinaryIO | None


def log_files(paths: Sequence[str]) -> list[str]:
    """The files that are meant: a folder stands for the logs that lie directly in it.

    Raises InputError for what does not exist, a folder without a log, and '-' given twice.
    """
    files: list[str] = []
    for path in paths:
        if path != STDIN and os.path.isdir(path):
            files += _in_folder(path)
        else:
            files.append(path)
    if files.count(STDIN) > 1:
        raise InputError("standard input (-) can be read once: name it once.")
    for path in files:
        if path != STDIN:
            with in_words(path):
                os.stat(path)
    return files


@contextmanager
def opened(path: str) -> Iterator[Source]:
    """The file as a source, unpacked where it is gzip; '-' is standard input.

    Raises InputError for what is missing, empty or neither a database nor text.
    """
    name = STDIN_NAME if path == STDIN else path
    with _bytes(path, name) as raw:
        start, lines = _look(raw)
        if not start:
            raise InputError(f"{name} is empty: a log is a database or lines of JSON.")
        if start.startswith(MAGIC):
            if not stat.S_ISREG(os.fstat(raw.fileno()).st_mode) or path == STDIN:
                raise InputError(f"{name} is a database from a pipe: give its file name instead.")
            yield Source(name, None)
            return
        if start.startswith(_GZIP):
            start, lines = _unpacked(lines, name)
        if b"\0" in start:
            raise InputError(f"{name} is not a log: it is neither a database nor lines of JSON.")
        yield Source(name, lines)


def _in_folder(folder: str) -> list[str]:
    with in_words(folder):
        files = sorted(
            str(path)
            for path in Path(folder).iterdir()
            if path.name.lower().endswith(ENDINGS)
            and not path.name.startswith(".")
            and path.is_file()
            and _may_be_log(path)
        )
    if not files:
        raise InputError(
            f"{folder} holds no log: no file in it is one that ends in {', '.join(ENDINGS)}."
        )
    return files


def _may_be_log(path: Path) -> bool:
    """Whether a folder's file is worth opening: empty ones and others' databases are not."""
    with open(path, "rb") as file:
        start = file.read(_LOOKED_AT)
    if start.startswith(MAGIC):
        return int.from_bytes(start[68:72], "big") == APPLICATION_ID
    return bool(start) and (start.startswith(_GZIP) or b"\0" not in start)


@contextmanager
def _bytes(path: str, name: str) -> Iterator[BinaryIO]:
    if path == STDIN:
        if sys.stdin is None or sys.stdin.closed:
            raise InputError("standard input is closed: nothing can be read from it.")
        yield sys.stdin.buffer
        return
    with in_words(name):
        file = open(path, "rb", buffering=0)  # noqa: SIM115 - closed below, errors told apart
    with file:
        yield file


def _look(raw: BinaryIO) -> tuple[bytes, BinaryIO]:
    start = b""
    try:
        while len(start) < _LOOKED_AT and (part := raw.read(_LOOKED_AT - len(start))):
            start += part
    except DAMAGED_PACKING:
        # What came before the damage is still worth reading; its reader meets the damage again.
        if not start:
            raise
    return start, io.BufferedReader(Rejoined(start, raw), _READ_AT_ONCE)


def _unpacked(packed: BinaryIO, name: str) -> tuple[bytes, BinaryIO]:
    try:
        start, lines = _look(gzip.GzipFile(fileobj=packed, mode="rb"))  # type: ignore[arg-type]
    except DAMAGED_PACKING:
        raise InputError(f"{name} is damaged: it cannot be unpacked.") from None
    if start.startswith(MAGIC):
        raise InputError(f"{name} is a packed database: unpack it first.")
    if not start:
        raise InputError(f"{name} is empty: a log is a database or lines of JSON.")
    return start, lines


class Rejoined(io.RawIOBase):
    """A stream of which the start was read already, whole again."""

    def __init__(self, start: bytes, rest: BinaryIO) -> None:
        self._start = start
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, room: memoryview) -> int:  # type: ignore[override]
        part = self._start[: len(room)] or self._rest.read(len(room))
        self._start = self._start[len(room) :]
        room[: len(part)] = part
        return len(part)
