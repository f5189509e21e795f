"""Writers that are killed at any moment: the log is whole, and what was acknowledged is in it.

This is the death of a process. The loss of power is another thing, and is not promised.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ctxpack import InputError
from logs import RunLog, Spool, import_files, open_log
from tests.logged_runs import record

KILLED = 200
"""Writers of a log that are killed; half as many of a spool."""


def _killed(append: Callable[[int], bool], after: float) -> list[int]:
    """What a child had acknowledged when it was killed, `after` seconds after its first."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            for number in range(100_000):
                if append(number):
                    os.write(writing, b"%d\n" % number)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.readline()
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
        said += pipe.read()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    return [int(number) for number in said.split()]


def test_a_log_is_whole_after_its_writers_were_killed(tmp_path: Path) -> None:
    path, chance = tmp_path / "log.db", random.Random(5)
    acknowledged: set[str] = set()

    for writer in range(KILLED):
        log: list[RunLog] = []

        def append(number: int, writer: int = writer, log: list[RunLog] = log) -> bool:
            # Opened in the child, so that a death may come while the log is made.
            if not log:
                log.append(RunLog(path))
            return log[0].append(record(f"w{writer}-{number}"))

        said = _killed(append, chance.uniform(0, 0.02))
        assert said
        acknowledged |= {f"w{writer}-{number}" for number in said}
    with open_log([str(path)]) as reader:
        ids = set(reader.ids())
        assert acknowledged <= ids
        # At most the one record that each writer had no time to speak of.
        assert len(ids) <= len(acknowledged) + KILLED
        assert all(len(reader.get(name).candidates) == 3 for name in ids)
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        connection.close()


def test_a_spool_is_whole_after_its_writers_were_killed(tmp_path: Path) -> None:
    folder, log, chance = tmp_path / "spool", tmp_path / "log.db", random.Random(6)
    acknowledged: set[str] = set()
    for writer in range(KILLED // 2):
        spool = Spool(folder, service="api")

        def append(number: int, writer: int = writer, spool: Spool = spool) -> bool:
            return spool.append(record(f"w{writer}-{number}"))

        said = _killed(append, chance.uniform(0, 0.02))
        assert said
        acknowledged |= {f"w{writer}-{number}" for number in said}
    report = import_files([str(folder)], log)
    assert report.read == report.records + report.already + len(report.quarantined)
    assert report.waiting <= KILLED // 2
    with open_log([str(log)]) as reader:
        assert acknowledged <= set(reader.ids())


def test_an_import_that_was_killed_is_ended_by_the_next(tmp_path: Path) -> None:
    folder, log, chance = tmp_path / "spool", tmp_path / "log.db", random.Random(7)
    spool = Spool(folder, service="api")
    for number in range(3_000):
        assert spool.append(record(f"r{number}"))
    spool.close()
    for _ in range(5):
        child = os.fork()
        if not child:
            try:
                import_files([str(folder)], log)
            finally:
                os._exit(0)
        time.sleep(chance.uniform(0, 0.3))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    import_files([str(folder)], log)
    with open_log([str(log)]) as reader:
        assert reader.count() == 3_000


def _until_refused(log: RunLog) -> list[str]:
    kept: list[str] = []
    try:
        for number in range(2_000):
            log.append(record(f"r{number}"))
            kept.append(f"r{number}")
    except InputError:
        return kept
    raise AssertionError("the page limit was never met")


def test_a_log_on_a_full_disk_is_refused_in_words_and_stays_whole(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with RunLog(path) as log:
        log.append(record("first"))
        pages = log._connection.execute("PRAGMA page_count").fetchone()[0]
        log._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        kept = ["first"]
        kept += _until_refused(log)
        with pytest.raises(InputError, match="full"):
            log.append(record("refused"))
        log._connection.execute(f"PRAGMA max_page_count = {pages + 1_000}")
        assert log.append(record("after"))
    with open_log([str(path)]) as reader:
        assert sorted(reader.ids()) == sorted([*kept, "after"])


def test_a_log_over_the_size_that_a_file_may_have_stays_whole(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with RunLog(path) as log:
        log.append(record("first"))
    child = os.fork()
    if not child:
        code = 1
        try:
            hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
            resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, hard))
            log = RunLog(path)
            try:
                for number in range(3_000):
                    log.append(record(f"r{number}"))
            except InputError:
                code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with open_log([str(path)]) as reader:
        ids = reader.ids()
        assert "first" in ids
        assert all(len(reader.get(name).candidates) == 3 for name in ids)
