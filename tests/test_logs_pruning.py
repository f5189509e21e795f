"""Pruning: what is old goes with all that only it needed, and every answer stays right."""

from __future__ import annotations

import hashlib
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ctxpack import InputError, Record, encode
from logs import RunFilter, RunLog, open_log
from logs.pruning import prune
from tests.command import ctxpack
from tests.logged_runs import candidate, record

START = datetime(2026, 3, 1, tzinfo=UTC)
MIDDLE = START + timedelta(hours=150)


def _record(number: int) -> Record:
    own = candidate(f"own-{number}", 2, 90, "packed", text=f"Only run {number} has this. " * 40)
    first = candidate("shared-1", 1, 500, "skipped", reason="too_long")
    return record(
        f"r{number}",
        time=(START + timedelta(hours=number)).isoformat(),
        query=f"question number{number}",
        request_type="support" if number % 3 else "billing",
        candidates=[first, own],
    )


RECORDS = [_record(number) for number in range(300)]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.db"
    with RunLog(path) as log:
        log.append_many(RECORDS)
    return path


def _all(path: Path, sql: str) -> list[Any]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


_CONTENT = {
    "hours": "SELECT h.hour, request_type, assembler, assembler_version, code, runs FROM hours h "
    "JOIN kinds USING (kind) ORDER BY 1, 2, 5",
    "flagged": "SELECT f.code, f.time_us, r.id FROM flagged f JOIN runs r USING (run) ORDER BY 2",
    "chunks": "SELECT hash FROM chunks ORDER BY 1",
    "texts": "SELECT hash FROM texts ORDER BY 1",
    "candidates": "SELECT count(*) FROM candidates",
    "sections": "SELECT count(*) FROM sections",
}


def test_a_pruned_log_is_as_if_the_old_runs_had_never_been_there(log: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    done = prune(log, MIDDLE, tell=lambda gone, of: told.append((gone, of)))
    assert (done.runs, done.left, done.chunks, done.texts) == (150, 150, 150, 150)
    assert told[-1] == (150, 150)
    fresh = tmp_path / "fresh.db"
    with RunLog(fresh) as other:
        other.append_many(RECORDS[150:])
    for table, sql in _CONTENT.items():
        assert _all(log, sql) == _all(fresh, sql), table
    connection = sqlite3.connect(log)
    connection.execute("INSERT INTO runs_fts (runs_fts, rank) VALUES ('integrity-check', 1)")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    with open_log([str(log)]) as reader:
        assert reader.count() == 150
        assert reader.count(RunFilter(search="number7")) == 0
        assert reader.ids(RunFilter(search="number200")) == ["r200"]
        assert reader.use_of("own-7").runs == 0
        assert encode(reader.get("r299")) == encode(RECORDS[299])


def test_the_file_shrinks_and_nothing_stays_beside_it(log: Path) -> None:
    done = prune(log, MIDDLE)
    assert done.bytes_after == log.stat().st_size < 0.75 * done.bytes_before
    assert [file.name for file in log.parent.iterdir()] == ["log.db"]


def test_a_dry_run_says_the_same_numbers_and_changes_no_byte(log: Path) -> None:
    before = hashlib.sha256(log.read_bytes()).hexdigest()
    planned = prune(log, MIDDLE, dry_run=True)
    assert hashlib.sha256(log.read_bytes()).hexdigest() == before
    done = prune(log, MIDDLE)
    assert planned[:4] == done[:4]


def test_a_writer_that_was_open_meanwhile_writes_whole_runs(log: Path) -> None:
    with RunLog(log) as writer:
        writer.append(_record(1_000))
        prune(log, START + timedelta(hours=2_000))
        # Its chunks were known to the writer, and are gone.
        writer.append(_record(1_001))
        again = _record(1_000)
        writer.append(again)
    with open_log([str(log)]) as reader:
        assert encode(reader.get("r1000")) == encode(again)
        assert sorted(reader.ids()) == ["r1000", "r1001"]


def test_nothing_old_means_nothing_changed(log: Path) -> None:
    before = hashlib.sha256(log.read_bytes()).hexdigest()
    assert prune(log, START)[:4] == (0, 300, 0, 0)
    assert hashlib.sha256(log.read_bytes()).hexdigest() == before


def test_what_is_no_log_is_not_pruned_and_none_is_made(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        prune(tmp_path / "none.db", MIDDLE)
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_what_would_go_and_what_went(log: Path) -> None:
    said = ctxpack("prune", str(log), "--before", MIDDLE.isoformat(), "--dry-run")
    assert "150 runs, 150 chunks, 150 texts would go; 150 runs left" in said.out
    done = ctxpack("prune", str(log), "--before", MIDDLE.isoformat(), "--json").json
    assert (done["runs"], done["left"], done["dry_run"]) == (150, 150, False)
    assert done["bytes_after"] < done["bytes_before"]
