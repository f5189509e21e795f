"""Reading a log: lists of runs, one whole run, and nothing that changes a byte."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ctxpack.errors import InputError
from logs.bad_lines import BadLine
from logs.canonical import as_json
from logs.chunk_use import ChunkUse, use_of
from logs.conditions import Ask
from logs.faults import in_words
from logs.filtering import ALL, NEWEST_FIRST, RunFilter, Sort
from logs.hours import HourCount, counts_by, hour_counts
from logs.lists import Lists
from logs.walking import Key

if TYPE_CHECKING:
    from ctxpack.record import Record

_RUN = "SELECT run, id, time, request_type, query, answer, model, rest FROM runs WHERE id = ?"
_SECTIONS = """
    SELECT s.name, s.tokens, s.allowance, s.cap, t.text, s.rest, s.text AS hash
    FROM sections AS s LEFT JOIN texts AS t ON t.hash = s.text WHERE s.run = ? ORDER BY s.seq
"""
_CANDIDATES = """
    SELECT k.id, k.doc_id, c.rank, c.score, c.tokens, c.outcome, c.reason, c.position, c.start,
           c.needed, c.left,
           t.text, c.rest, k.rest AS about, k.text AS hash, k.hash AS chunk
    FROM candidates AS c LEFT JOIN chunks AS k ON k.chunk = c.chunk
    LEFT JOIN texts AS t ON t.hash = k.text
    WHERE c.run = ? ORDER BY c.seq
"""


class RunSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A run's line in a list. `time` is as logged; budget and used are tokens of evidence.

    `packed` is None where no candidate's outcome is known. `flags` are the codes of what was found
    by numbers alone when the run was written, with blanks between them.
    """

    id: str
    time: str
    request_type: str | None
    query: str
    model: str | None
    assembler: str | None
    assembler_version: str | None
    budget: int | None
    used: int | None
    packed: int | None
    considered: int
    flags: str = ""


_COLUMNS = ", ".join(RunSummary.__struct_fields__)
_SUMMARY = f"SELECT {_COLUMNS} FROM runs"

_AT_ONCE = 1_000
"""Ids that are read at once."""


class Page(NamedTuple):
    """Runs in their order, with the keys of the first and the last of them."""

    runs: list[RunSummary]
    first: Key | None
    last: Key | None


class Appendix(NamedTuple):
    """Runs that were appended, and the mark after the last of them."""

    runs: list[RunSummary]
    mark: int


class TypeCount(NamedTuple):
    """A kind of request, None where it is not named, and how many runs it has."""

    request_type: str | None
    runs: int


class LogReader:
    """An opened log. Every method raises InputError, in words, where the log cannot be read.

    A reader may be used from several threads; calls wait for each other. `clone()` gives a worker
    thread a reader of its own, so that a long search does not hold up the screen. `notes` are
    sentences for people about the log itself; `quarantined` the lines that could not be read.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        name: str,
        *,
        notes: tuple[str, ...] = (),
        quarantined: tuple[BadLine, ...] = (),
        path: str | None = None,
        reopen: Callable[[], sqlite3.Connection] | None = None,
        lock: threading.RLock | None = None,
    ) -> None:
        self.name = name
        self.path = path
        self.notes = notes
        self.quarantined = quarantined
        self._connection = connection
        self._reopen = reopen
        self._shared = lock is not None
        self._lock = lock or threading.RLock()
        self._known = Lists(self._rows)
        self._analysed = False

    def __enter__(self) -> LogReader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; a log that was read from lines is gone then."""
        if not self._shared:
            with self._lock:
                self._connection.close()

    def clone(self) -> LogReader:
        """A reader of the same log for another thread; close it as well.

        A log that is held in memory has one connection, which its clones share.
        """
        said = {"notes": self.notes, "quarantined": self.quarantined}
        if self._reopen is None:
            return LogReader(self._connection, self.name, lock=self._lock, **said)  # type: ignore[arg-type]
        return LogReader(self._reopen(), self.name, path=self.path, reopen=self._reopen, **said)  # type: ignore[arg-type]

    def count(self, wanted: RunFilter = ALL) -> int:
        """How many runs a filter lets through."""
        return self._lists().count(wanted)

    def count_to(self, wanted: RunFilter, most: int) -> int:
        """The same, but no more than `most + 1` are looked for: that many mean more than `most`."""
        return self._lists().count(wanted, most + 1)

    def page(
        self,
        wanted: RunFilter = ALL,
        offset: int = 0,
        limit: int = 50,
        sort: Sort = NEWEST_FIRST,
    ) -> list[RunSummary]:
        """At most `limit` runs from `offset` on, newest first unless `sort` says otherwise."""
        with self._one_state():
            return self._summaries(self._lists().at(wanted, sort, offset, limit))

    def page_beyond(
        self,
        key: Key | None,
        wanted: RunFilter = ALL,
        limit: int = 50,
        sort: Sort = NEWEST_FIRST,
        *,
        back: bool = False,
    ) -> Page:
        """At most `limit` runs right after the key of another page, or from the start.

        With `back` those right before it, or the last of all; they stand in their order all the
        same. However many runs lie before them, it takes the same time.
        """
        with self._one_state():
            keys = self._lists().beyond(wanted, sort, key, limit, back)
            return Page(self._summaries(keys), keys[0] if keys else key, keys[-1] if keys else key)

    def ids(self, wanted: RunFilter = ALL, sort: Sort = NEWEST_FIRST) -> list[str]:
        """The ids of the runs that a filter lets through, in order."""
        return list(self.each_id(wanted, sort))

    def each_id(self, wanted: RunFilter = ALL, sort: Sort = NEWEST_FIRST) -> Iterator[str]:
        """The same, read a page at a time: the log may be of any length and grow meanwhile."""
        key = None
        while keys := self._lists().beyond(wanted, sort, key, _AT_ONCE):
            yield from self._ids_of(keys)
            key = keys[-1]

    def forget(self) -> None:
        """Remember nothing of the lists that were asked for."""
        self._known.seen(-1)

    def mark(self) -> int:
        """A number for all that is in the log now; `appended` tells what came after it."""
        found: int = self._rows("SELECT coalesce(max(run), 0) FROM runs")[0][0]
        return found

    def appended(self, mark: int, limit: int = 1_000) -> Appendix:
        """The runs that were appended after a mark, in that order, and the mark after them."""
        rows = self._rows(
            f"SELECT run, {_COLUMNS} FROM runs WHERE run > ? ORDER BY run LIMIT ?", (mark, limit)
        )
        return Appendix([_summary(row) for row in rows], rows[-1]["run"] if rows else mark)

    @property
    def ask(self) -> Ask:
        """A query with its values, for the store's own modules: it can change nothing."""
        return self._rows

    def sidecar(self) -> Path:
        """The file of the user's own with the findings of this log: see `analyse`."""
        from logs.sidecars import sidecar_path

        return sidecar_path(self._identity())

    def use_sidecar(self) -> int | None:
        """Take the findings of the log's sidecar; how many runs it knows, None without one."""
        from logs.sidecars import SCHEMA_NAME, attach

        path = self.sidecar()
        with self._lock, in_words(self.name):
            self._analysed = self._analysed or attach(self._connection, path)
        if not self._analysed:
            return None
        self._known.analysed = f"{SCHEMA_NAME}.found"
        known: int = self._rows(f"SELECT count(*) FROM {SCHEMA_NAME}.done")[0][0]
        return known

    def analysed_codes(self, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The codes of the findings of those runs that the sidecar knows as they are now."""
        from logs.sidecars import DIGEST_BYTES, SCHEMA_NAME

        if not self._analysed:
            return {}
        rows = self._rows(
            f"SELECT r.id, d.codes FROM runs AS r JOIN {SCHEMA_NAME}.done AS d ON d.run = r.run "
            f"WHERE r.id IN (SELECT value FROM json_each(?)) "
            f"AND d.digest = substr(r.digest, 1, {DIGEST_BYTES})",
            (as_json(list(ids)),),
        )
        return {row["id"]: tuple(row["codes"].split()) for row in rows}

    def types(self) -> list[TypeCount]:
        """The kinds of request in the log, the most frequent first."""
        counts = counts_by(self._rows, "request_type")
        types = [TypeCount(name, runs) for name, code, runs in counts if code == ""]
        return sorted(types, key=lambda one: (-one.runs, one.request_type or ""))

    def hours(self, first: int | None = None, last: int | None = None) -> list[HourCount]:
        """Runs and flags by hour and kind: what signatures are made of."""
        return hour_counts(self._rows, first, last)

    def use_of(self, chunk: str) -> ChunkUse:
        """How many runs had a chunk as a candidate, how many packed it, and since when."""
        return use_of(self._rows, chunk)

    def summary(self, run_id: str) -> RunSummary:
        """A run's line by its whole id; raises InputError where there is none."""
        rows = self._rows(f"{_SUMMARY} WHERE id = ?", (run_id,))
        if not rows:
            raise InputError(f"no run {run_id!r} in {self.name}.")
        return _summary(rows[0])

    def get(self, run_id: str) -> Record:
        """The whole record of a run, as it was appended; raises InputError where there is none."""
        from logs.rows import record_of

        with self._one_state():
            rows = self._rows(_RUN, (run_id,))
            if not rows:
                raise InputError(f"no run {run_id!r} in {self.name}.")
            sections = self._rows(_SECTIONS, (rows[0]["run"],))
            candidates = self._rows(_CANDIDATES, (rows[0]["run"],))
        if any(part["chunk"] is None for part in candidates):
            raise InputError(f"run {run_id!r} in {self.name} is damaged: a chunk of it is missing.")
        if any(part["hash"] and part["text"] is None for part in sections + candidates):
            raise InputError(f"run {run_id!r} in {self.name} is damaged: a text of it is missing.")
        try:
            return record_of(dict(rows[0]), map(dict, sections), map(dict, candidates))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"run {run_id!r} in {self.name} is damaged: {error}") from None

    def snapshot(self, out: str | os.PathLike[str]) -> None:
        """Write the log as it is now into one clean file, with nothing beside it.

        Raises InputError where `out` is there already or cannot be written; then nothing is left.
        """
        from logs.snapshots import write_snapshot

        with self._lock:
            write_snapshot(self._connection, out)

    def resolve(self, name: str) -> str:
        """The id of the run that `name` means: an id, `@last`, a trace id or a unique prefix.

        Raises InputError where no run or more than one is meant, with up to three near ids.
        """
        from logs.resolving import resolve

        return resolve(self._rows, name, self.name)

    def _identity(self) -> str:
        """The name of this log among others; of one that was read from lines, by its content."""
        if self.path is not None:
            rows = self._rows("SELECT value FROM upkeep WHERE name = 'log'")
            return str(rows[0][0]) if rows else ""
        import hashlib

        content, last = hashlib.blake2b(digest_size=16), 0
        sql = "SELECT run, digest FROM runs WHERE run > ? ORDER BY run LIMIT ?"
        while rows := self._rows(sql, (last, _AT_ONCE)):
            content.update(b"".join(row["digest"] for row in rows))
            last = rows[-1]["run"]
        return content.hexdigest()

    def _lists(self) -> Lists:
        with self._lock, in_words(self.name):
            self._known.seen(self._connection.execute("PRAGMA data_version").fetchone()[0])
        return self._known

    def _summaries(self, keys: Sequence[Key]) -> list[RunSummary]:
        rows = self._rows(
            f"SELECT run, {_COLUMNS} FROM runs WHERE run IN (SELECT value FROM json_each(?))",
            (as_json([key.run for key in keys]),),
        )
        by_run = {row["run"]: row for row in rows}
        return [_summary(by_run[key.run]) for key in keys if key.run in by_run]

    def _ids_of(self, keys: Sequence[Key]) -> list[str]:
        rows = self._rows(
            "SELECT run, id FROM runs WHERE run IN (SELECT value FROM json_each(?))",
            (as_json([key.run for key in keys]),),
        )
        by_run = dict(map(tuple, rows))
        return [by_run[key.run] for key in keys if key.run in by_run]

    @contextmanager
    def _one_state(self) -> Iterator[None]:
        """Within it, every query sees the log as it was at the first."""
        with self._lock, in_words(self.name):
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def _rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[sqlite3.Row]:
        with self._lock, in_words(self.name):
            cursor = self._connection.cursor()
            cursor.row_factory = sqlite3.Row
            try:
                return cursor.execute(sql, tuple(map(_stored, values))).fetchall()
            finally:
                cursor.close()


def _summary(row: sqlite3.Row) -> RunSummary:
    return RunSummary(**{name: row[name] for name in RunSummary.__struct_fields__})


def _stored(value: Any) -> Any:
    # What a terminal hands over may hold half a character pair, which SQLite refuses.
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
