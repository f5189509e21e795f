"""`import` and `export`: logs in and out."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.cli_runs import make_log
from tests.command import ctxpack
from tests.logged_runs import line


def test_what_is_exported_and_imported_is_the_same_log(tmp_path: Path) -> None:
    log, copy = make_log(tmp_path / "log.db"), tmp_path / "copy.db"
    exported = ctxpack("export", log)
    assert exported.code == 0
    assert len(exported.out.splitlines()) == 3
    done = ctxpack("import", "-", "--into", str(copy), "--json", stdin=exported.out.encode())
    assert done.code == 0
    assert done.json == {
        "read": 3,
        "records": 3,
        "already": 0,
        "quarantined": [],
        "missing": done.json["missing"],
    }
    assert ctxpack("export", str(copy), "--format", "jsonl").out == exported.out
    assert ctxpack("export", str(copy), "run-1").out == exported.out.splitlines()[0] + "\n"
    again = ctxpack("import", "-", "--into", str(copy), stdin=exported.out.encode())
    assert again.out == "3 lines read: 0 new in the log, 3 there already, 0 left out.\n"


def test_a_bad_line_among_good_ones_is_named_and_the_exit_code_is_one(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(line("a") + b"oops\n" + line("b"))
    target, kept = str(tmp_path / "log.db"), tmp_path / "bad.jsonl"
    done = ctxpack(
        *("import", str(tmp_path / "in.jsonl"), "--into", target, "--quarantine", str(kept))
    )
    assert done.code == 1
    assert done.out == "3 lines read: 2 new in the log, 0 there already, 1 left out.\n"
    assert "in.jsonl line 2: not JSON" in done.err
    assert json.loads(kept.read_text())["text"] == "oops"
    found = ctxpack("import", str(tmp_path / "in.jsonl"), "--into", target, "--json")
    assert found.code == 1
    assert found.json["quarantined"][0]["line"] == 2


def test_an_id_with_other_content_is_quarantined_and_both_are_named(tmp_path: Path) -> None:
    target = str(tmp_path / "log.db")
    ctxpack("import", "-", "--into", target, stdin=line("a"))
    done = ctxpack("import", "-", "--into", target, stdin=line("a", model="other"))
    assert done.code == 1
    assert "run 'a' stands in" in done.err
    assert "they differ in model" in done.err


def test_reading_a_log_makes_no_file_beside_lines(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(line("a"))
    ctxpack("list", str(tmp_path / "in.jsonl"))
    ctxpack("show", str(tmp_path / "in.jsonl"), "a")
    assert os.listdir(tmp_path) == ["in.jsonl"]
