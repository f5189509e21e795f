"""What a policy does not keep is nowhere in the log, and the packing is replayed as before."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec
import pytest

from ctxpack import InputError, Record, decode, encode
from ctxpack.replay import reproduces
from logs import Privacy, RunLog, Spool, export_lines, import_files, open_log, read_privacy
from logs.privacy import private, why_absent
from logs.redaction import Redaction
from tests.command import ctxpack

KEY = b"0123456789abcdef"
MAIL = Redaction("mail", r"[\w.]+@[\w.]+")


def _record(**fields: object) -> Record:
    plain = {
        "schema": 1,
        "id": "r1",
        "time": "2026-01-01T00:00:00Z",
        "query": "SECRET ask of ann@example.org",
        "settings": {"budget": 50, "strategy": "first-fit", "placement": "best-first"},
        "sections": [
            {"name": "system", "tokens": 9, "text": "SECRET rules", "note": "SECRET note"},
            {"name": "history", "tokens": 4, "items": [{"id": "h1", "text": "SECRET turn"}]},
        ],
        "candidates": [
            {"id": "a", "rank": 1, "score": 0.9, "tokens": 30, "text": "SECRET one ann@example.org"}
            | {"outcome": "packed", "position": 0, "start": 0, "copy": "SECRET copy"},
            {"id": "b", "rank": 2, "score": 0.5, "tokens": 30, "text": "SECRET two"}
            | {"outcome": "skipped", "reason": "no_room", "hash": "sha256:SECRET"},
        ],
        "answer": {"text": "SECRET said", "expected": ["SECRET"], "correct": True},
        "compactions": [{"id": "c", "section": "history", "text": "SECRET short"}],
    }
    return decode(msgspec.json.encode(plain | fields)).record


ALL_HASH = Privacy(query="hash", answer="hash", candidates="hash", sections="hash", key=KEY)
ALL_NONE = Privacy(query="none", answer="none", candidates="none", sections="none")


def _bytes(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("privacy", [ALL_HASH, ALL_NONE])
def test_what_is_not_kept_is_nowhere_in_log_or_spool(tmp_path: Path, privacy: Privacy) -> None:
    with RunLog(tmp_path / "log.db", privacy=privacy) as log:
        assert log.append(_record())
        assert not log.append(_record())
        assert b"SECRET" not in _bytes(tmp_path)
    assert Spool(tmp_path / "spool", service="api", privacy=privacy).append(_record())
    assert b"SECRET" not in _bytes(tmp_path)


@pytest.mark.parametrize("privacy", [ALL_HASH, ALL_NONE])
def test_a_packing_without_texts_is_replayed_as_before(privacy: Privacy) -> None:
    kept = private(_record(), privacy)
    assert reproduces(_record())
    assert reproduces(kept)
    for field in ("tokens", "rank", "score", "outcome", "reason", "position", "start"):
        before, after = ([getattr(c, field) for c in r.candidates] for r in (_record(), kept))
        assert before == after


def test_equal_texts_have_equal_hashes_under_one_key_only() -> None:
    one, other = (
        private(_record(), msgspec.structs.replace(ALL_HASH, key=key)) for key in (KEY, KEY + b"x")
    )
    again = private(_record(id="r2"), ALL_HASH)
    assert one.candidates[0].hash == again.candidates[0].hash
    assert one.candidates[0].hash != other.candidates[0].hash
    assert one.candidates[0].hash != one.candidates[1].hash
    assert one.query == again.query != other.query


@pytest.mark.parametrize("privacy", [ALL_HASH, ALL_NONE, Privacy(redact=(MAIL,))])
def test_a_policy_changes_nothing_the_second_time(privacy: Privacy) -> None:
    once = private(_record(), privacy)
    assert private(once, privacy) == once
    assert decode(encode(once)).record == once


def test_a_section_may_have_a_policy_of_its_own() -> None:
    kept = private(_record(), Privacy(section={"history": "none"}))
    assert kept.sections[0].text == "SECRET rules"
    assert kept.sections[1].items[0].text is None
    assert kept.compactions[0].text is None
    assert why_absent(kept, "sections", "history") == "text not kept: policy none"
    assert why_absent(kept, "sections", "system") is None


def test_patterns_are_taken_out_before_a_text_is_hashed_or_stored(tmp_path: Path) -> None:
    kept = private(_record(), Privacy(redact=(MAIL,)))
    assert kept.query == "SECRET ask of [mail]"
    assert kept.candidates[0].text == "SECRET one [mail]"
    assert kept.unknown["privacy"] == {"redacted": {"mail": 2}}
    hashed = msgspec.structs.replace(ALL_HASH, redact=(MAIL,))
    other = _record(query="SECRET ask of bob@example.org")
    assert private(other, hashed).query == private(_record(), hashed).query
    with RunLog(tmp_path / "log.db", privacy=Privacy(redact=(MAIL,))) as log:
        log.append(_record(mine={"name": "ann@example.org"}))
        assert b"example.org" not in _bytes(tmp_path)


def test_a_pattern_that_blows_up_is_stopped_and_the_text_is_not_kept() -> None:
    slow = Privacy(redact=(Redaction("slow", r"(?:a|a|b)*(?:a|b)*(?:a|aa)+c$"),))
    began = time.monotonic()
    kept = private(_record(query="a" * 5_000 + "b"), slow)
    assert time.monotonic() - began < 5
    assert kept.query == "[not kept: the pattern slow took too long]"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("query = 'hash'", "key"),
        ("query = 'some'", "query"),
        ("other = 1", "other"),
        ("key = 'abc'", "key_file"),
        ("not toml", "TOML"),
        ("[[redact]]\nname = 'x'\npattern = '('", "'x'"),
        ("[[redact]]\nname = 'x'\npattern = 'a*'", "empty text"),
    ],
)
def test_a_policy_that_cannot_be_used_is_refused(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "privacy.toml"
    file.write_text(content)
    with pytest.raises(InputError, match=said):
        read_privacy(file)


def test_import_and_export_keep_to_a_policy_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(KEY)
    policy = tmp_path / "privacy.toml"
    policy.write_text("key_file = 'key'\ncandidates = 'hash'\n[section]\nsystem = 'none'\n")
    lines = tmp_path / "lines.jsonl"
    lines.write_bytes(encode(_record()) + b'\n{"SECRET": \n')
    bad = tmp_path / "bad.jsonl"
    into = tmp_path / "log.db"
    report = import_files([str(lines)], into, str(bad), privacy=read_privacy(policy))
    assert (report.records, len(report.quarantined)) == (1, 1)
    assert b"SECRET" not in bad.read_bytes()
    with open_log([str(into)]) as reader:
        kept = reader.get("r1")
        assert why_absent(kept, "candidates") == "text not kept: policy hash"
        assert kept.candidates[0].text is None
        assert kept.answer is not None
        assert kept.answer.text == "SECRET said"
        out = b"".join(export_lines(reader, privacy=ALL_NONE))
    assert b"SECRET" not in out
    found = ctxpack("export", str(into), "--redact", str(policy))
    assert found.code == 0
    assert "SECRET one" not in found.out
