"""A log of an older version: read by nobody unasked, made new whole or not at all."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

import pytest

from ctxpack import InputError, encode
from logs import RunFilter, RunLog, open_log
from logs.migrating import Migrated, migrate
from logs.schema import SCHEMA_VERSION
from tests.command import ctxpack
from tests.logged_runs import candidate, record
from tests.old_stores import write_store_1

RECORDS = [
    record(
        f"run-{number}",
        time=f"2026-03-01T{number % 24:02}:00:00Z",
        candidates=[
            candidate("refunds-1", 1, 400, "skipped", reason="too_long", **{"x-own": [number]}),
            candidate(f"returns-{number}", 2, 90, "packed", position=0, start=0, source="wiki"),
        ],
    )
    for number in range(1_203)
]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.db"
    write_store_1(path, RECORDS)
    return path


def test_a_reader_and_a_writer_of_an_older_log_say_what_to_type_and_change_nothing(
    old: Path,
) -> None:
    before = hashlib.sha256(old.read_bytes()).hexdigest()
    for opened in (lambda: open_log([str(old)]), lambda: RunLog(old)):
        with pytest.raises(InputError, match=r"type 'ctxpack migrate .*old\.db'"):
            opened()
    assert hashlib.sha256(old.read_bytes()).hexdigest() == before


def test_a_migrated_log_holds_every_record_as_it_was_and_answers_every_question(old: Path) -> None:
    told: list[tuple[int, int]] = []
    assert migrate(old, lambda done, of: told.append((done, of))) == Migrated(
        1, SCHEMA_VERSION, len(RECORDS)
    )
    assert told == [(500, 1_203), (1_000, 1_203), (1_203, 1_203)]
    with open_log([str(old)]) as reader:
        assert reader.count() == len(RECORDS)
        for one in RECORDS[::100]:
            assert encode(reader.get(one.id)) == encode(one)
        assert reader.ids(RunFilter(chunk="returns-7")) == ["run-7"]
        assert reader.count(RunFilter(search="refunds")) == len(RECORDS)
    with RunLog(old) as log:
        assert log.append_many([*RECORDS[:3], record("one-more")]) == (1, 3)


def test_migrating_twice_changes_nothing_the_second_time(old: Path) -> None:
    migrate(old)
    before = hashlib.sha256(old.read_bytes()).hexdigest()
    assert migrate(old).before == SCHEMA_VERSION
    assert hashlib.sha256(old.read_bytes()).hexdigest() == before


def test_a_fault_on_the_way_leaves_the_old_log_whole(old: Path) -> None:
    connection = sqlite3.connect(old)
    connection.execute("UPDATE candidates SET tokens = 1 WHERE run = 1100 AND seq = 0")
    connection.commit()
    connection.close()
    with pytest.raises(InputError, match="run 'run-1099' is not what was written"):
        migrate(old)
    connection = sqlite3.connect(old)
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    assert connection.execute("SELECT count(*) FROM candidates").fetchone() == (2_406,)
    assert connection.execute("SELECT count(*) FROM runs_fts").fetchone() == (1_203,)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_what_is_no_log_is_not_migrated(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE x (y)").connection.close()
    with pytest.raises(InputError, match="not a ctxpack log"):
        migrate(other)
    with pytest.raises(InputError, match="does not exist"):
        migrate(tmp_path / "none.db")
    with RunLog(tmp_path / "newer.db"):
        pass
    connection = sqlite3.connect(tmp_path / "newer.db")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    with pytest.raises(InputError, match="newer version"):
        migrate(tmp_path / "newer.db")


def test_the_command_says_what_it_did(old: Path) -> None:
    done = ctxpack("migrate", str(old))
    assert (done.code, done.out) == (0, f"{old}: 1,203 runs, from store version 1 to 2.\n")
    again = ctxpack("migrate", str(old))
    assert "nothing was changed" in again.out
