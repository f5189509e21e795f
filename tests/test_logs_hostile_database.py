"""A log that somebody altered: read as data, written to by nobody, never a traceback."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import sample_runs
from ctxpack import InputError
from logs import RunLog, open_log
from tests.command import ctxpack


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.db"
    with open_log([str(sample_runs.path())]) as samples, RunLog(path) as made:
        for run in samples.ids()[:3]:
            made.append(samples.get(run))
    return path


def altered(log: Path, *statements: str) -> None:
    connection = sqlite3.connect(log)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


TRIGGER = "CREATE TRIGGER gone AFTER INSERT ON runs BEGIN DELETE FROM texts; END"
VIEW = "CREATE VIEW everything AS SELECT * FROM runs"


@pytest.mark.parametrize(("statement", "named"), [(TRIGGER, "gone"), (VIEW, "everything")])
def test_a_log_with_a_trigger_or_a_view_is_written_by_nobody_and_still_read(
    log: Path, statement: str, named: str
) -> None:
    altered(log, statement)
    before = log.read_bytes()
    with pytest.raises(InputError, match=f"'{named}', that ctxpack never makes"):
        RunLog(log)
    for command in (["prune", str(log), "--before", "2030-01-01"], ["import", "-", "--into"]):
        args = [*command, str(log)] if command[0] == "import" else command
        done = ctxpack(*args)
        assert (done.code, "Traceback" in done.err) == (2, False)
        assert named in done.err
    assert len(ctxpack("list", str(log), "--json").json["runs"]) == 3
    assert log.read_bytes() == before


def test_a_view_in_the_place_of_a_table_is_no_table(log: Path) -> None:
    altered(log, "DROP TABLE texts", "CREATE VIEW texts AS SELECT x'00' AS hash, 'a' AS text")
    done = ctxpack("list", str(log))
    assert done.code == 2
    assert "is damaged: some of its tables are missing" in done.err
    with pytest.raises(InputError, match="some of its tables are missing"):
        RunLog(log)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE runs SET rest = '{'",
        "UPDATE runs SET rest = x'ff00'",
        "UPDATE runs SET time = 7, time_us = 'soon'",
        "UPDATE runs SET used = 'many', packed = x'01', budget = 1.5",
        "UPDATE sections SET tokens = 'many', name = x'ff'",
        "UPDATE texts SET text = x'c328'",
        "UPDATE texts SET text = zeroblob(20000000)",
        "UPDATE candidates SET seq = seq * 1000000",
        "DELETE FROM texts",
        "DELETE FROM sections",
    ],
)
def test_wrong_types_missing_rows_and_huge_cells_are_said_in_words(
    log: Path, statement: str
) -> None:
    altered(log, statement)
    before = log.read_bytes()
    runs = ctxpack("list", str(log))
    assert runs.code in (0, 2)
    for run in ("@last", "req-nowhere"):
        done = ctxpack("show", str(log), run)
        assert done.code in (0, 2)
        assert "Traceback" not in done.err + done.out + runs.err
        assert done.code == 0 or done.err.startswith("ctxpack: ")
    assert log.read_bytes() == before
