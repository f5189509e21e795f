"""Many processes write one log at once, and a reader beside them never sees an error."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import threading
from pathlib import Path

import pytest

from ctxpack import InputError
from logs import RunLog, open_log
from logs.schema import APPLICATION_ID, SCHEMA_VERSION
from tests.logged_runs import record

PROCESSES, RUNS = 8, 25


def _write(path: str, writer: int) -> None:
    with RunLog(path) as log:
        for run in range(RUNS):
            assert log.append(record(f"w{writer}-{run}"))
            log.append(record("shared"))


def _start(path: str) -> list[multiprocessing.process.BaseProcess]:
    spawning = multiprocessing.get_context("spawn")
    writers = [spawning.Process(target=_write, args=(path, writer)) for writer in range(PROCESSES)]
    for writer in writers:
        writer.start()
    return writers


def test_eight_processes_make_and_fill_one_log_while_it_is_read(tmp_path: Path) -> None:
    path = str(tmp_path / "log.db")
    writers = _start(path)
    seen = [0]
    try:
        while any(writer.is_alive() for writer in writers):
            if not os.path.exists(path) or os.path.getsize(path) == 0:
                continue
            with open_log([path]) as reader:
                seen.append(reader.count())
                for summary in reader.page(limit=3):
                    assert len(reader.get(summary.id).candidates) == 3
    finally:
        for writer in writers:
            writer.join()
    assert [writer.exitcode for writer in writers] == [0] * PROCESSES
    assert seen == sorted(seen)
    with open_log([path]) as reader:
        assert reader.count() == PROCESSES * RUNS + 1


def test_threads_may_share_one_writer(tmp_path: Path) -> None:
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        threads = [
            threading.Thread(
                target=lambda first=first: log.append_many(
                    record(f"t{first}-{run}") for run in range(30)
                )
            )
            for first in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    with open_log([path]) as reader:
        assert reader.count() == 120


def test_a_writer_made_before_a_fork_writes_after_it(tmp_path: Path) -> None:
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        log.append(record("parent"))
        child = os.fork()
        if not child:
            code = 1
            try:
                log.append(record("child"))
                log.close()
                code = 0
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        log.append(record("parent-2"))
    with open_log([path]) as reader:
        assert sorted(reader.ids()) == ["child", "parent", "parent-2"]


def test_texts_that_runs_share_are_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with RunLog(path) as log:
        log.append_many(record(f"r{run}") for run in range(20))
    stored = sqlite3.connect(path)
    assert stored.execute("SELECT count(*) FROM texts").fetchone() == (4,)
    assert stored.execute("SELECT count(*) FROM candidates").fetchone() == (60,)
    assert stored.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert stored.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    stored.close()


def test_a_snapshot_is_one_clean_file_of_the_whole_log(tmp_path: Path) -> None:
    path, out = str(tmp_path / "log.db"), str(tmp_path / "out" / "copy.db")
    with RunLog(path) as log:
        log.append_many(record(f"r{run}") for run in range(5))
        with pytest.raises(InputError, match="folder"):
            log.snapshot(out)
        os.mkdir(tmp_path / "out")
        log.snapshot(out)
        with pytest.raises(InputError, match="there already"):
            log.snapshot(out)
    with open_log([out]) as reader:
        assert reader.count() == 5
        assert reader.get("r3") == record("r3")
    assert os.listdir(tmp_path / "out") == ["copy.db"]


@pytest.mark.parametrize("content", [b"no database", b"\x89PNG\r\n\x1a\n\0\0"])
def test_a_writer_leaves_a_file_that_is_no_log_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a log"):
        RunLog(path)
    assert path.read_bytes() == content


def test_a_writer_refuses_a_foreign_database_a_newer_log_and_a_folder(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE mine (x)")
    connection.close()
    before = foreign.read_bytes()
    with pytest.raises(InputError, match="not a ctxpack log"):
        RunLog(foreign)
    assert foreign.read_bytes() == before
    newer = tmp_path / "newer.db"
    RunLog(newer).close()
    connection = sqlite3.connect(newer)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    with pytest.raises(InputError, match="newer version"):
        RunLog(newer)
    with pytest.raises(InputError, match="is a folder"):
        RunLog(tmp_path)
    with pytest.raises(InputError, match="does not exist"):
        RunLog(tmp_path / "no" / "log.db")
