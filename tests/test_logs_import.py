"""Importing: every line read is a new record, one that was there already, or quarantined."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ctxpack import InputError
from logs import RunLog, import_files, import_json, open_log
from tests.logged_runs import line, record


def test_the_counts_add_up_and_every_bad_line_is_named(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "log.db"
    source.write_bytes(
        line("a") + line("b") + b"bad\n" + line("a") + line("b", model="other") + line("c")[:50]
    )
    report = import_files([str(source)], target)
    assert report.read == report.records + report.already + len(report.quarantined) == 6
    assert (report.records, report.already) == (2, 1)
    assert [(bad.file, bad.line) for bad in report.quarantined] == [
        (str(source), 3),
        (str(source), 5),
        (str(source), 6),
    ]
    conflict = report.quarantined[1].reason
    assert "run 'b' stands in" in conflict
    assert "they differ in model" in conflict
    again = import_files([str(source)], target)
    assert (again.records, again.already) == (0, 3)
    assert import_json(again).keys() == {"read", "records", "already", "quarantined", "missing"}


def test_missing_fields_are_counted_by_record(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    bare = b'{"schema": 1, "id": "z", "time": "2026-03-01T10:00:00Z", "query": "q"}\n'
    untold = line(
        "y", candidates=[{"id": "c"}, {"id": "d", "rank": 1}], trace={"missing": ["rank"]}
    )
    source.write_bytes(bare + untold)
    report = import_files([str(source)], tmp_path / "log.db")
    assert report.missing["candidates"] == 1
    assert report.missing["candidates.rank"] == 1
    assert report.missing["candidates.text"] == 1
    assert report.missing["answer"] == 1
    assert report.missing["encoding"] == 2
    assert report.missing["rank"] == 1


def test_quarantined_lines_are_kept_with_their_text(tmp_path: Path) -> None:
    source, kept = tmp_path / "in.jsonl", tmp_path / "bad.jsonl"
    source.write_bytes(line("a") + b"b\xffad \x1b[0m\n")
    import_files([str(source)], tmp_path / "log.db", str(kept))
    (bad,) = [json.loads(text) for text in kept.read_text().splitlines()]
    assert bad["file"] == str(source)
    assert bad["line"] == 2
    assert bad["text"] == "b\ufffdad \x1b[0m"
    source.write_bytes(line("a"))
    kept.unlink()
    import_files([str(source)], tmp_path / "log.db", str(kept))
    assert not kept.exists()


def test_a_database_and_a_folder_are_imported_like_lines(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    with RunLog(tmp_path / "logs" / "a.db") as log:
        log.append_many([record("a"), record("b")])
    (tmp_path / "logs" / "b.jsonl").write_bytes(line("b") + line("c"))
    report = import_files([str(tmp_path / "logs")], tmp_path / "all.db")
    assert (report.read, report.records, report.already) == (4, 3, 1)
    with open_log([str(tmp_path / "all.db")]) as reader:
        assert reader.get("a") == record("a")


@pytest.mark.parametrize("content", [b"", b"bad\n", b"\x89PNG\0\0", b'{"id": 1}\n{"id": 2}\n'])
def test_bad_input_makes_no_log_and_no_quarantine(tmp_path: Path, content: bytes) -> None:
    source = tmp_path / "in"
    source.write_bytes(content)
    with pytest.raises(InputError):
        import_files([str(source)], tmp_path / "log.db")
    with pytest.raises(InputError):
        import_files([str(source), str(tmp_path / "none")], tmp_path / "log.db")
    assert os.listdir(tmp_path) == ["in"]


def test_no_file_goes_in_where_one_of_them_is_no_log(tmp_path: Path) -> None:
    (tmp_path / "good").write_bytes(line("a"))
    (tmp_path / "bad").write_bytes(b"\x89PNG\0\0")
    with pytest.raises(InputError, match="bad is not a log"):
        import_files([str(tmp_path / "good"), str(tmp_path / "bad")], tmp_path / "log.db")
    assert sorted(os.listdir(tmp_path)) == ["bad", "good"]


def test_a_log_is_not_imported_into_itself_or_into_what_is_no_log(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with RunLog(path) as log:
        log.append(record())
    with pytest.raises(InputError, match="into itself"):
        import_files([str(path)], path)
    (tmp_path / "lines").write_bytes(line())
    with pytest.raises(InputError, match="into itself"):
        import_files([str(tmp_path / "lines")], tmp_path / "lines")
    (tmp_path / "words").write_text("words")
    with pytest.raises(InputError, match="words is not a log"):
        import_files([str(path)], tmp_path / "words")
    with pytest.raises(InputError, match="folder"):
        import_files([str(path)], tmp_path / "no" / "log.db")
