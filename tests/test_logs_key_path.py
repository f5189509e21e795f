"""Records inside the JSON lines of another log, found by the keys that lead to them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxpack import InputError, encode
from logs import open_log
from logs.key_path import key_path
from tests.command import ctxpack
from tests.logged_runs import record

RECORDS = [record(f"r{number}") for number in range(3)]


@pytest.fixture
def lines(tmp_path: Path) -> str:
    """A service's own log: records among other lines, as an object, as a text, in a list."""
    first, second, third = (json.loads(encode(one)) for one in RECORDS)
    written = [
        "started on port 80",
        json.dumps({"level": "info", "log": {"msg": "hello"}}),
        json.dumps({"level": "info", "log": {"record": first}}),
        json.dumps({"level": "info", "log": {"record": json.dumps(second)}}),
        json.dumps({"level": "info", "log": {"record": {"schema": 1, "id": "bad"}}}),
        json.dumps({"log": {"record": None}}),
        json.dumps({"log": ["record"]}),
        json.dumps({"log": {"record": third}}),
    ]
    path = tmp_path / "service.log.jsonl"
    path.write_text("\n".join(written) + "\n", encoding="utf-8")
    return str(path)


def test_records_are_read_and_other_lines_are_no_fault(lines: str) -> None:
    with open_log([lines], ("log", "record")) as reader:
        assert sorted(reader.ids()) == ["r0", "r1", "r2"]
        assert encode(reader.get("r1")) == encode(RECORDS[1])
        (bad,) = reader.quarantined
        assert (bad.line, "time" in bad.reason) == (5, True)


def test_keys_have_dots_between_them_and_numbers_count_in_lists() -> None:
    assert key_path("log.record") == ("log", "record")
    assert key_path(r"a\.b.c") == ("a.b", "c")
    for typed in ("", "a..b", "."):
        with pytest.raises(InputError, match="key path"):
            key_path(typed)


def test_a_record_in_a_list_is_found_by_its_place(tmp_path: Path) -> None:
    path = tmp_path / "listed.jsonl"
    path.write_text(json.dumps({"a": [1, json.loads(encode(RECORDS[0]))]}), encoding="utf-8")
    with open_log([str(path)], ("a", "1")) as reader:
        assert reader.ids() == ["r0"]


def test_the_commands_take_the_keys(lines: str, tmp_path: Path) -> None:
    assert ctxpack("list", lines, "--record-at", "log.record", "--json").json["total"] == 3
    shown = ctxpack("show", lines, "r2", "--record-at", "log.record", "--json")
    assert shown.json["id"] == "r2"
    into = str(tmp_path / "into.db")
    done = ctxpack("import", lines, "--into", into, "--record-at", "log.record", "--json")
    assert (done.code, done.json["read"], done.json["records"]) == (1, 4, 3)
    nothing = ctxpack("list", lines, "--record-at", "no.such")
    assert (nothing.code, "no line with a record under no.such" in nothing.err) == (2, True)
    assert ctxpack(lines, "--record-at", "log.record").out.count("refund") >= 3
