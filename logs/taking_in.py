"""Taking records in from any files: each line has one fate, and the fates are counted."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import Any

import msgspec

from ctxpack.decoding import Decoded
from ctxpack.errors import InputError
from ctxpack.record import Record
from logs.bad_lines import BadLine
from logs.canonical import Canonical, canonical_of
from logs.filtering import OLDEST_FIRST
from logs.key_path import KeyPath
from logs.lines import Line, read_lines
from logs.read_only import open_database
from logs.reading import LogReader
from logs.sources import opened

BATCH = 2_000
"""Records that go in with one transaction: a larger one writes the pages of indexes less often."""

BATCH_BYTES = 64 * 1024 * 1024
"""Bytes of lines at which a batch goes in, however few they are."""

MOST_WARNINGS = 100
"""Warnings of one import that are kept word for word; the rest is counted."""

Append = Callable[[Sequence[Canonical]], Sequence[bool | InputError]]
"""Puts records into a log: True if new, False if there already, or why it was refused."""

Keep = Callable[[BadLine, bytes], None]
"""Is told of each bad line, with its bytes where they were read."""

_FIELDS = (
    "request_type",
    "model",
    "encoding",
    "assembler",
    "limit",
    "budget",
    "window",
    "settings",
    "sections",
    "candidates",
    "answer",
)
_OF_CANDIDATES = [
    (name, attrgetter(name)) for name in ("rank", "score", "text", "tokens", "outcome")
]


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """What an import read: `read` is records, already and quarantined together.

    `waiting` counts last lines that a spool's writer has not ended yet: they are not read.
    `missing` counts, for each field that explains a run, the records that lack it. `warnings` are
    sentences for people about what was mended, not part of the JSON.
    """

    read: int
    records: int
    already: int
    quarantined: tuple[BadLine, ...]
    missing: dict[str, int]
    waiting: int = 0
    warnings: tuple[str, ...] = ()


def import_json(report: ImportReport) -> dict[str, Any]:
    """The report as plain JSON types, as the command prints it; `waiting` where any line does."""
    plain: dict[str, Any] = msgspec.to_builtins(report)
    del plain["warnings"]
    if not report.waiting:
        del plain["waiting"]
    return plain


def take_in(
    files: Sequence[str],
    append: Append,
    keep: Keep = lambda _line, _raw: None,
    at: KeyPath = (),
) -> ImportReport:
    """Feed every record of the files to `append`, in batches, and report.

    With `at`, the records of lines stand under these keys.

    Raises InputError where a file is no log, or where no line of all of them is a record.
    """
    tally = Tally(keep)
    take_files(tally, files, append, at)
    return tally.report()


def take_files(tally: Tally, files: Sequence[str], append: Append, at: KeyPath = ()) -> None:
    """Feed every record of the files to `append` and count them in the tally.

    Raises InputError where a file is no log, or where no line of all of them is a record.
    """
    for path in files:
        with opened(path) as source, _no_collection():
            found = _stored_lines(path) if source.lines is None else read_lines(source.lines, at=at)
            for batch in _batches(found):
                tally.take(source.name, batch, append)
    if not tally.decoded:
        raise InputError(_nothing(files, tally, at))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Within it, Python does not look for cycles: records make none, and are many at a time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class Tally:
    """Counts of one import, while it runs."""

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self.read = self.decoded = self.records = self.already = self.unsaid = self.waiting = 0
        self.quarantined: list[BadLine] = []
        self.missing: dict[str, int] = {}
        self.warnings: list[str] = []

    def take(self, name: str, batch: Sequence[Line], append: Append) -> None:
        """Append the records of a batch of lines and count what became of each line."""
        self.read += len(batch)
        good = [canonical_of(line.found) for line in batch if isinstance(line.found, Decoded)]
        outcomes = iter(append(good) if good else ())
        for line in batch:
            if isinstance(line.found, str):
                self._refuse(name, line, line.found)
                continue
            self.decoded += 1
            outcome = next(outcomes)
            if isinstance(outcome, InputError):
                self._refuse(name, line, str(outcome))
                continue
            self.records += outcome
            self.already += not outcome
            self._note(name, line, line.found)

    def report(self) -> ImportReport:
        """What was counted."""
        more = (f"{self.unsaid} more lines were mended.",) if self.unsaid else ()
        return ImportReport(
            read=self.read,
            records=self.records,
            already=self.already,
            quarantined=tuple(self.quarantined),
            missing=dict(sorted(self.missing.items())),
            waiting=self.waiting,
            warnings=(*self.warnings, *more),
        )

    def _refuse(self, name: str, line: Line, reason: str) -> None:
        bad = BadLine(file=name, line=line.number, reason=reason)
        self.quarantined.append(bad)
        self._keep(bad, line.raw)

    def _note(self, name: str, line: Line, found: Decoded) -> None:
        for field in dict.fromkeys(missing_fields(found.record)):
            self.missing[field] = self.missing.get(field, 0) + 1
        for warning in found.warnings:
            if len(self.warnings) < MOST_WARNINGS:
                self.warnings.append(f"{name} line {line.number}: {warning}")
            else:
                self.unsaid += 1


def missing_fields(record: Record) -> Iterator[str]:
    """The fields that explain a run and that a record lacks; `candidates.x` if any lacks x."""
    for name in _FIELDS:
        if getattr(record, name) in (None, ()):
            yield name
    for name, getter in _OF_CANDIDATES:
        if None in map(getter, record.candidates):
            yield f"candidates.{name}"
    if record.trace:
        yield from record.trace.missing


def _stored_lines(path: str) -> Iterator[Line]:
    """The runs of a database as lines, so that databases and lines can be read together."""
    database = open_database(path)
    with LogReader(database.connection, path) as reader:
        for number, run_id in enumerate(reader.each_id(sort=OLDEST_FIRST), 1):
            yield Line(number, b"", Decoded(reader.get(run_id), ()))


def _batches(lines: Iterable[Line]) -> Iterator[list[Line]]:
    batch: list[Line] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += len(line.raw)
        if len(batch) >= BATCH or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _nothing(files: Sequence[str], tally: Tally, at: KeyPath) -> str:
    if at and not tally.quarantined:
        return f"{', '.join(files)} has no line with a record under {'.'.join(at)}."
    if not tally.quarantined:
        return f"{', '.join(files)} holds no record: a log is a database or lines of JSON."
    first = tally.quarantined[0]
    if len(tally.quarantined) == 1:
        return f"{first.file} is not a log: line {first.line}: {first.reason}"
    lines = f"none of {len(tally.quarantined):,} lines"
    if len(files) > 1:
        return f"{lines} in {len(files):,} files is a record; {first}"
    return f"{first.file} is not a log: {lines} is a record; line {first.line}: {first.reason}"
