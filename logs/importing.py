"""Importing files into a log on disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack, closing
from types import TracebackType
from typing import BinaryIO

from ctxpack.errors import InputError
from logs.bad_lines import BadLine
from logs.canonical import Canonical, as_json
from logs.faults import in_words
from logs.folders import check_folder
from logs.key_path import KeyPath
from logs.privacy import Privacy
from logs.sources import STDIN, log_files, opened
from logs.spool_import import Place, is_spool, keep_place, parts, resume
from logs.taking_in import BATCH, Append, ImportReport, Tally, take_files
from logs.writing import RunLog, open_to_write


def import_files(
    paths: Sequence[str],
    into: str | os.PathLike[str],
    quarantine: str | None = None,
    record_at: KeyPath = (),
    privacy: Privacy | None = None,
) -> ImportReport:
    """Read records from files, folders or '-' and append them to the log `into`.

    A bad line is left out and named; so is one whose id stands in the log with other content. With
    `quarantine`, bad lines are appended to that file as JSON lines of file, line, reason and text.
    With `record_at` the records of lines stand under these keys. Files of a spool, known by their
    names, are read from where the last import stopped; their last line waits until it is whole.
    With `privacy` only what it keeps is stored, and bad lines are kept without their text.
    Raises InputError where a file is no log or no line of all is a record; then nothing is made.
    """
    files, target = log_files(paths), os.fspath(into)
    if any(_same_file(path, target) for path in files):
        raise InputError(f"{target} cannot be imported into itself: name another log with --into.")
    for written in filter(None, (target, quarantine)):
        check_folder(written)
    spools = [path for path in files if path != STDIN and is_spool(path)]
    others = [path for path in files if path not in spools]
    for path in others:
        if path != STDIN:
            # Every file is looked at before any of them goes in.
            with opened(path):
                pass
    with ExitStack() as stack:
        logs = (
            [stack.enter_context(RunLog(target, privacy=privacy))] if os.path.exists(target) else []
        )
        kept = stack.enter_context(_Quarantine(quarantine, texts=privacy is None))

        def append(batch: Sequence[Canonical]) -> Sequence[bool | InputError]:
            # Made with the first record, so that bad input leaves nothing behind.
            if not logs:
                logs.append(stack.enter_context(RunLog(target, privacy=privacy)))
            return logs[0].append_each(batch)

        tally = Tally(kept.keep)
        if others:
            take_files(tally, others, append, record_at)
        for path in spools:
            _take_spool(tally, path, target, append)
        return tally.report()


def _take_spool(tally: Tally, path: str, target: str, append: Append) -> None:
    with ExitStack() as stack:
        places = (
            stack.enter_context(closing(open_to_write(target))) if os.path.exists(target) else None
        )
        start, said = (Place(0, 0), None) if places is None else resume(places, path)
        if said:
            tally.warnings.append(said)
        for part in parts(path, start, BATCH):
            tally.take(path, part.lines, append)
            tally.waiting += part.waiting
            if places is None and os.path.exists(target):
                places = stack.enter_context(closing(open_to_write(target)))
            # After the records: a death between the two makes some known again, never missing.
            if places is not None:
                with in_words(target):
                    keep_place(places, path, part.after)


class _Quarantine:
    """The file of bad lines; it is made with the first of them."""

    def __init__(self, path: str | None, texts: bool) -> None:
        self._texts = texts
        self._path = path
        self._file: BinaryIO | None = None

    def __enter__(self) -> _Quarantine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def keep(self, bad: BadLine, raw: bytes) -> None:
        """Append a bad line, with its text as far as it was read."""
        if self._path is None:
            return
        text = raw.decode("utf-8", "replace").rstrip("\r\n") if self._texts else ""
        plain = {"file": bad.file, "line": bad.line, "reason": bad.reason, "text": text}
        with in_words(self._path):
            if self._file is None:
                self._file = open(self._path, "ab")  # noqa: SIM115 - closed on leaving
            self._file.write(as_json(plain).encode() + b"\n")


def _same_file(path: str, target: str) -> bool:
    return path != STDIN and os.path.exists(target) and os.path.samefile(path, target)
