"""Every finding of every run of a log, on all cores, into the user's own sidecar."""

from __future__ import annotations

import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ctxpack.errors import InputError
from logs.reading import LogReader
from logs.sidecars import DIGEST_BYTES, SCHEMA_NAME, open_sidecar

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

BATCH = 64
"""Runs that a worker diagnoses before it hands them over, and that are put away together."""

FEW = 256
"""Runs for which no worker is started."""

UNREADABLE = "unreadable"
"""The code of a run that is damaged."""

Tell = Callable[[int, int], None]
"""Is told of the runs that are done, and of all."""


class Analysed(NamedTuple):
    """How many runs were looked at now, and before; how many runs have each finding."""

    new: int
    already: int
    found: dict[str, int]


def analyse(
    reader: LogReader, workers: int | None = None, tell: Tell = lambda _done, _of: None
) -> Analysed:
    """Diagnose the runs that were not yet, and put the codes into the log's sidecar.

    What is done is kept at every batch: whoever stops it goes on from there the next time. Runs
    that are gone from the log go from the sidecar. Raises InputError, in words, where the sidecar
    cannot be written.
    """
    sidecar = open_sidecar(reader.sidecar())
    try:
        reader.use_sidecar()
        kept = _forget_gone(reader, sidecar)
        of = kept + reader.ask(f"SELECT count(*) {_WAITING}", (0,))[0][0]
        done = 0
        tell(kept, of)
        for batch, codes in _diagnosed(reader, of - kept, workers):
            _put(sidecar, batch, codes)
            done += len(batch)
            tell(kept + done, max(of, kept + done))
        rows = sidecar.execute("SELECT code, count(*) FROM found GROUP BY code ORDER BY 2 DESC, 1")
        return Analysed(done, kept, dict(rows.fetchall()))
    finally:
        sidecar.close()


def codes_of(reader: LogReader, run_id: str) -> str:
    """The codes of a run's findings, the cause first; a damaged run has a code of its own."""
    from ctxpack.findings import diagnose, open_case

    try:
        found = diagnose(open_case(reader.get(run_id), advise=False))
    except InputError:
        return UNREADABLE
    return " ".join(dict.fromkeys(finding.code for finding in found))


_SAME = f"d.digest = substr(r.digest, 1, {DIGEST_BYTES})"
_WAITING = f"""
    FROM runs AS r LEFT JOIN {SCHEMA_NAME}.done AS d ON d.run = r.run AND {_SAME}
    WHERE d.run IS NULL AND r.run > ?
"""
_GONE = f"""
    SELECT d.run FROM {SCHEMA_NAME}.done AS d LEFT JOIN runs AS r ON r.run = d.run AND {_SAME}
    WHERE r.run IS NULL LIMIT 10000
"""


class _Waiting(NamedTuple):
    run: int
    id: str
    time_us: int
    digest: bytes


def _forget_gone(reader: LogReader, sidecar: sqlite3.Connection) -> int:
    """Delete what is said of runs that are no longer in the log; how many are left."""
    changed = False
    while gone := [tuple(row) for row in reader.ask(_GONE, ())]:
        changed = True
        with _transaction(sidecar):
            sidecar.executemany("DELETE FROM done WHERE run = ?", gone)
    if changed:
        sidecar.execute("DELETE FROM found WHERE run NOT IN (SELECT run FROM done)")
    kept: int = sidecar.execute("SELECT count(*) FROM done").fetchone()[0]
    return kept


def _batches(reader: LogReader) -> Iterator[list[_Waiting]]:
    last = 0
    sql = f"SELECT r.run, r.id, r.time_us, r.digest {_WAITING} ORDER BY r.run LIMIT {BATCH}"
    while batch := [_Waiting(*row) for row in reader.ask(sql, (last,))]:
        yield batch
        last = batch[-1].run


def _diagnosed(
    reader: LogReader, waiting: int, workers: int | None
) -> Iterator[tuple[list[_Waiting], list[str]]]:
    batches = _batches(reader)
    workers = workers or os.cpu_count() or 1
    if workers < 2 or waiting <= FEW or reader.path is None:
        for batch in batches:
            yield batch, [codes_of(reader, one.id) for one in batch]
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Started anew, not forked: a fork would carry the log's connection with it.
    pool = ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=_begin, initargs=(reader.path,)
    )
    try:
        running = deque(_sent(pool, islice(batches, 2 * workers)))
        while running:
            batch, future = running.popleft()
            codes = future.result()
            running.extend(_sent(pool, islice(batches, 1)))
            yield batch, codes
    finally:
        pool.shutdown(cancel_futures=True)


_reader: list[LogReader] = []


def _begin(path: str) -> None:
    import signal

    from logs.opening import open_log

    # Ctrl-C is the parent's to answer: it lets the workers end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _reader.append(open_log([path]))


def _work(ids: Sequence[str]) -> list[str]:
    return [codes_of(_reader[0], run_id) for run_id in ids]


def _sent(
    pool: ProcessPoolExecutor, batches: Iterable[list[_Waiting]]
) -> Iterator[tuple[list[_Waiting], Future[list[str]]]]:
    for batch in batches:
        yield batch, pool.submit(_work, [one.id for one in batch])


def _put(sidecar: sqlite3.Connection, batch: Sequence[_Waiting], codes: list[str]) -> None:
    with _transaction(sidecar):
        sidecar.executemany(
            "INSERT OR REPLACE INTO done VALUES (?, ?, ?)",
            [(o.run, o.digest[:DIGEST_BYTES], c) for o, c in zip(batch, codes, strict=True)],
        )
        sidecar.executemany(
            "INSERT OR REPLACE INTO found VALUES (?, ?, ?)",
            [
                (code, one.time_us, one.run)
                for one, said in zip(batch, codes, strict=True)
                for code in said.split()
            ],
        )


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is written within it, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
