"""JSON Lines: the good are read, each bad one has its line and its reason."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
from pathlib import Path

import pytest

from ctxpack import Decoded, InputError, decode
from logs import open_log, read_lines
from tests.logged_runs import line, record


def _read(content: bytes, longest: int = 10_000) -> list[tuple[int, str]]:
    """Each line's number, and its record's id or the reason that it is none."""
    lines = read_lines(io.BytesIO(content), longest=longest)
    return [
        (read.number, read.found.record.id if isinstance(read.found, Decoded) else read.found)
        for read in lines
    ]


def test_bad_lines_among_good_ones_are_named_and_cost_none_of_them() -> None:
    content = line("a") + b"\n  \r\ngarbage\n" + line("b") + b'{"id": 5}\n' + line("c")[:-1]
    assert _read(content) == [
        (1, "a"),
        (4, "not JSON: Expecting value at character 1."),
        (5, "b"),
        (6, "field id: expected str, got int."),
        (7, "c"),
    ]


def test_a_last_line_that_is_cut_is_torn_but_a_whole_one_needs_no_newline() -> None:
    torn = "torn: the file ends before the line's JSON does."
    for cut in (1, 30, len(line("b")) // 2, len(line("b")) - 2):
        assert _read(line("a") + line("b")[:cut])[1:] == [(2, torn)]
    split = line("b", query="é")
    place = split.index("é".encode()) + 1
    assert _read(line("a") + split[:place])[1:] == [(2, torn)]


def test_a_line_that_is_too_long_is_refused_and_the_next_is_read() -> None:
    content = line("a") + b'{"x": "' + b"y" * 5_000_000 + b'"}\n' + line("b")
    assert _read(content) == [(1, "a"), (2, "longer than 10,000 bytes."), (3, "b")]
    assert _read(b"z" * 20_000) == [(1, "longer than 10,000 bytes.")]


@pytest.mark.parametrize("indent", [None, 0, 1, 4])
def test_json_that_is_spread_over_lines_is_read_too(indent: int | None) -> None:
    plain = [json.loads(line(name)) for name in ("a", "b")]
    array = json.dumps(plain, indent=indent).encode()
    assert [found for _, found in _read(array)] == ["a", "b"]
    one_by_one = "\n".join(json.dumps(part, indent=indent) for part in plain).encode()
    assert [found for _, found in _read(one_by_one)] == ["a", "b"]


def test_objects_of_a_document_are_found_by_the_line_where_they_begin() -> None:
    wrong = json.dumps({"schema": 1}, indent=1)
    content = f"\n\n{json.dumps(json.loads(line('a')), indent=1)}\n{wrong}\n".encode()
    (first, _), (second, reason) = _read(content)
    assert first == 3
    assert content.decode().splitlines()[second - 1] == "{"
    assert reason.startswith("missing required field")


@pytest.mark.parametrize("start", [b"[oops\n", b"{\n", b'{"a": 1,\n', b"[1]\n[2,\n"])
def test_lines_after_a_first_one_that_only_looks_like_a_document_are_read(start: bytes) -> None:
    content = start + line("a") + b"bad\n" + line("b")
    assert {found for _, found in _read(content)} >= {"a", "b"}


def test_a_document_that_is_too_long_is_read_line_by_line() -> None:
    content = b"{\n" + b"".join(line(f"r{number}") for number in range(40))
    assert [found for _, found in _read(content)][1:] == [f"r{number}" for number in range(40)]


def test_a_packed_file_that_is_cut_gives_what_came_before_the_cut(tmp_path: Path) -> None:
    chance = [os.urandom(300).hex() for _ in range(200)]
    packed = gzip.compress(b"".join(line(f"r{n}", x=part) for n, part in enumerate(chance)))
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(packed[: len(packed) // 2])
    with open_log([str(path)]) as reader:
        assert 0 < reader.count() < 200
        assert reader.quarantined[-1].reason == "the packed file is cut or damaged from here on."
        assert "left out" in reader.notes[0]


def test_a_byte_order_mark_and_windows_line_ends_are_no_part_of_a_record() -> None:
    content = b"\xef\xbb\xbf" + line("a").replace(b"\n", b"\r\n") + line("b")
    assert _read(content) == [(1, "a"), (2, "b")]


def test_several_files_are_one_log_and_a_second_content_of_an_id_is_left_out(
    tmp_path: Path,
) -> None:
    (tmp_path / "a").write_bytes(line("a") + line("b"))
    (tmp_path / "b").write_bytes(line("b") + line("a", model="other"))
    with open_log([str(tmp_path / "a"), str(tmp_path / "b")]) as reader:
        assert sorted(reader.ids()) == ["a", "b"]
        assert reader.get("a") == record("a")
        (bad,) = reader.quarantined
    assert (bad.file, bad.line) == (str(tmp_path / "b"), 2)
    assert "run 'a' stands in" in bad.reason
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_standard_input_is_a_log_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(line("a")))))
    with open_log(["-"]) as reader:
        assert (reader.name, reader.ids()) == ("standard input", ["a"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(InputError, match="standard input is empty"):
        open_log(["-"])
    with pytest.raises(InputError, match="read once"):
        open_log(["-", "-"])


def test_what_was_mended_is_said_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(line("a") + line("b", x=1).replace(b'"x":1', b'"x":NaN'))
    with open_log([str(path)]) as reader:
        assert reader.notes == (f"{path} line 2: a number was NaN or infinite: read as null.",)
        assert reader.get("b").unknown == {"x": None}


def test_a_record_reads_the_same_from_a_line_and_from_show() -> None:
    shown = json.loads(line()) | {"findings": [], "answer_trace": [], "computed": {"used": 1}}
    assert decode(json.dumps(shown)).record == record()
