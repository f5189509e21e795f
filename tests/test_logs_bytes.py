"""The main file's bytes are the same before and after every command that only reads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from logs import RunLog
from tests.command import ctxpack
from tests.logged_runs import record
from tui.cli.main import COMMANDS

READING = {
    "list": [
        ["{log}"],
        ["{log}", "--all", "--json"],
        ["{log}", "--search", "refund", "--type", "support", "--version", "1.2"],
        ["{log}", "--chunk", "refunds-1", "--doc", "refunds", "--since", "2020-01-01"],
        ["{log}", "--finding", "top_skipped_for_size"],
        ["{log}", "--finding", "duplicates_packed"],
    ],
    "show": [["{log}", "r1"], ["{log}", "@last", "--json", "--expect", "thirty"]],
    "why": [["{log}", "r1", "refunds-2"]],
    "repack": [["{log}", "r1", "--budget", "500"]],
    "export": [["{log}"], ["{log}", "r2"]],
    "snapshot": [["{log}", "{folder}/snapshot.db"]],
    "analyse": [["{log}"], ["{log}", "--json"]],
    "prune": [["{log}", "--before", "2030-01-01", "--dry-run"]],
    "migrate": [["{log}"]],
    "import": [["{log}", "--into", "{folder}/other.db"]],
}
"""Every command that takes a log and is not asked to change it; migrate has nothing to do here."""

NO_LOG = {"pack", "eval"}


@pytest.fixture(params=["closed", "being written"])
def log(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "logs").mkdir()
    path = tmp_path / "logs" / "log.db"
    writer = RunLog(path)
    writer.append_many(record(f"r{number}") for number in range(30))
    if request.param == "closed":
        writer.close()
        yield path
    else:
        yield path
        writer.close()


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _calls() -> list[list[str]]:
    return [[name, *arguments] for name, calls in READING.items() for arguments in calls]


@pytest.mark.parametrize("call", _calls(), ids=lambda call: json.dumps(call[:1] + call[2:]))
def test_a_reading_command_changes_no_byte_of_the_log(
    call: list[str], log: Path, tmp_path: Path
) -> None:
    before = _digest(log)
    done = ctxpack(*(part.format(log=log, folder=tmp_path) for part in call))
    assert done.code == 0, done.err
    assert _digest(log) == before
    assert {file.name for file in log.parent.iterdir()} <= {"log.db", "log.db-wal", "log.db-shm"}


def test_the_list_of_runs_without_a_terminal_changes_no_byte(log: Path) -> None:
    before = _digest(log)
    assert ctxpack(str(log)).code == ctxpack(str(log), "--run", "r1").code == 0
    assert _digest(log) == before


def test_no_command_is_left_out() -> None:
    assert set(READING) | NO_LOG >= set(COMMANDS)
