"""The page about recording does what it says: its blocks are run as they stand."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from logs import open_log, read_privacy
from logs.redaction import SECONDS
from logs.spool import MOST_BYTES
from tests.command import ctxpack

PAGE = Path(__file__).parents[1] / "docs" / "recording.md"


def _block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def test_ten_lines_record_a_run_that_the_command_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = {
        "hits": [SimpleNamespace(id="a", text="one two"), SimpleNamespace(id="b", text="three")],
        "question": "which?",
        "request_id": "r1",
        "now": "2026-11-19T09:30:00+01:00",
    }
    exec(_block("python"), given)
    command = _block("sh").split()
    assert command[0] == "ctxpack"
    assert ctxpack(*command[1:]).code == 0
    with open_log(["runs.db"]) as reader:
        assert [chunk.id for chunk in reader.get("r1").candidates] == ["a", "b"]


def test_the_policy_of_the_page_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "log.key").write_bytes(b"0123456789abcdef")
    (tmp_path / "privacy.toml").write_text(_block("toml"))
    policy = read_privacy(tmp_path / "privacy.toml")
    assert (policy.answer, policy.candidates, policy.section) == (
        "none",
        "hash",
        {"memory": "none"},
    )
    assert [one.name for one in policy.redact] == ["mail"]


def test_the_page_has_the_bounds_of_the_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert f"{MOST_BYTES // 1024**2} MB at most" in page
    assert f"{SECONDS} s" in page
