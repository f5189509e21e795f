"""Findings of a whole log: kept beside no log, gone on with, right for what is in the log now."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ctxpack import InputError, Record
from ctxpack.findings import diagnose, open_case
from logs import RunFilter, RunLog, open_log
from logs.analysing import Analysed, analyse
from logs.pruning import prune
from tests.command import ctxpack
from tests.logged_runs import candidate, line, record

START = datetime(2026, 3, 1, tzinfo=UTC)
SAME = "The same words stand in both of these chunks, one after the other, all of them. " * 3


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "ctxpack" / "analysed"


def _record(number: int) -> Record:
    second: dict[str, Any] = {"text": SAME} if number % 5 == 0 else {}
    return record(
        f"r{number}",
        time=(START + timedelta(minutes=number)).isoformat(),
        candidates=[
            candidate("a-1", 1, 100, "packed", position=0, start=0, text=SAME),
            candidate("b-1", 2, 90, "packed", position=1, start=100, **second),
        ],
    )


RECORDS = [_record(number) for number in range(600)]
WANTED = RunFilter(finding="duplicates_packed")


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        log.append_many(RECORDS)
    return path


@pytest.mark.parametrize("workers", [1, 2])
def test_every_run_has_the_findings_that_opening_it_gives(log: str, workers: int) -> None:
    told: list[tuple[int, int]] = []
    with open_log([log]) as reader:
        done = analyse(reader, workers, lambda done, of: told.append((done, of)))
        assert done == Analysed(600, 0, {"duplicates_packed": 120})
        assert (told[0], told[-1]) == ((0, 600), (600, 600))
        assert reader.ids(WANTED) == [f"r{number}" for number in range(595, -1, -5)]
        codes = reader.analysed_codes(["r0", "r1"])
    for number in (0, 1):
        found = diagnose(open_case(RECORDS[number], advise=False))
        assert codes[f"r{number}"] == tuple(dict.fromkeys(one.code for one in found))


def test_without_an_analysis_the_reader_says_what_to_type(log: str) -> None:
    with open_log([log]) as reader:
        assert reader.use_sidecar() is None
        with pytest.raises(InputError, match="not analysed: type 'ctxpack analyse LOG'"):
            reader.count(WANTED)


def test_it_goes_on_where_it_was_stopped_and_with_what_was_appended(log: str) -> None:
    def stop(done: int, _of: int) -> None:
        if done >= 128:
            raise KeyboardInterrupt

    with open_log([log]) as reader, pytest.raises(KeyboardInterrupt):
        analyse(reader, 1, stop)
    with RunLog(log) as writer:
        writer.append(_record(1_000))
    with open_log([log]) as reader:
        assert analyse(reader, 1)[:2] == (473, 128)
        assert analyse(reader, 1)[:2] == (0, 601)


def test_runs_that_are_gone_or_other_runs_by_now_are_analysed_anew(log: str) -> None:
    with open_log([log]) as reader:
        analyse(reader, 1)
    prune(log, START + timedelta(days=1))
    with RunLog(log) as writer:
        # The numbers of the pruned runs are given again.
        writer.append_many([_record(number) for number in range(2_001, 2_011)])
    with open_log([log]) as reader:
        assert reader.use_sidecar() == 600
        assert reader.analysed_codes(["r2001"]) == {}
        assert analyse(reader, 1) == Analysed(10, 0, {"duplicates_packed": 2})
        assert reader.count(WANTED) == 2


def test_the_sidecar_is_the_users_own_and_the_log_keeps_its_bytes(log: str, data: Path) -> None:
    before = hashlib.sha256(Path(log).read_bytes()).hexdigest()
    with open_log([log]) as reader:
        analyse(reader, 2)
    (sidecar,) = data.iterdir()
    assert (sidecar.stat().st_mode & 0o777, data.stat().st_mode & 0o777) == (0o600, 0o700)
    assert hashlib.sha256(Path(log).read_bytes()).hexdigest() == before


def test_findings_of_another_version_are_not_taken(
    log: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_log([log]) as reader:
        analyse(reader, 1)
    monkeypatch.setattr("logs.sidecars.findings_version", lambda: "other")
    with open_log([log]) as reader:
        assert reader.use_sidecar() is None
        assert analyse(reader, 1)[:2] == (600, 0)
    assert len(list(data.iterdir())) == 1


def test_a_log_of_lines_is_known_by_its_content(tmp_path: Path) -> None:
    lines = tmp_path / "runs.jsonl"
    lines.write_bytes(b"".join(line(f"r{number}") for number in range(3)))
    assert ctxpack("analyse", str(lines), "--json").json["new"] == 3
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(lines.read_bytes())
    assert ctxpack("analyse", str(copy), "--json").json["already"] == 3


def test_a_long_list_takes_the_analysis_or_says_that_there_is_none(
    log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.cli.run_list.AT_ONCE", 100)
    refused = ctxpack("list", log, "--finding", "duplicates_packed")
    assert (refused.code, "ctxpack analyse" in refused.err) == (2, True)
    said = ctxpack("list", log, "--all", "--json")
    assert "not analysed" in said.err
    assert {code for run in said.json["runs"] for code in run["findings"]} == set()
    assert ctxpack("analyse", log).code == 0
    found = ctxpack("list", log, "--finding", "duplicates_packed", "--limit", "3", "--json")
    assert (found.json["total"], found.json["shown"], found.err) == (120, 3, "")
    whole = ctxpack("list", log, "--all", "--json").json["runs"]
    assert sum("duplicates_packed" in run["findings"] for run in whole) == 120
