"""Runs for the tests of findings, written as an application logs them."""

from __future__ import annotations

import json
from typing import Any

from ctxpack import Record, decode
from ctxpack.findings import Finding, diagnose, open_case

ANSWER = "within 30 days"
OTHER = "Something else."


def chunk(name: str, text: str | None = OTHER, **fields: Any) -> dict[str, Any]:
    """A candidate of 100 tokens."""
    # Texts that differ: equal ones would be near-duplicates, which is a finding of its own.
    said = f"Something else: {name}." if text == OTHER else text
    return {"id": name, "tokens": 100, "text": said} | fields


def packed(name: str, at: int, text: str | None = OTHER, **more: Any) -> Any:
    """A packed candidate, ranked by its place unless a rank is given."""
    return chunk(name, text, rank=at + 1, outcome="packed", position=at) | more


def skipped(
    name: str, rank: int, reason: str | None, text: str | None = ANSWER, **more: Any
) -> Any:
    """A skipped candidate that holds the answer unless another text is given."""
    return chunk(name, text, rank=rank, outcome="skipped", reason=reason) | more


def run(*candidates: dict[str, Any], reply: str | None = None, **fields: Any) -> Record:
    """A record that expects the answer; `reply` is what the model said."""
    answer = {"expected": [ANSWER], "text": reply} | fields.pop("answer", {})
    whole = {
        "schema": 1,
        "id": "r1",
        "time": "2026-11-30T09:00:00Z",
        "query": "How long?",
        "candidates": list(candidates),
        "answer": answer,
    }
    return decode(json.dumps(whole | fields)).record


def found(record: Record, expect: str | None = None) -> tuple[Finding, ...]:
    """All findings of a run."""
    return diagnose(open_case(record, expect))


def codes(record: Record, expect: str | None = None) -> list[str]:
    """The codes of all findings of a run."""
    return [finding.code for finding in found(record, expect)]


def only(record: Record, code: str, expect: str | None = None) -> Finding:
    """The one finding of that code."""
    (finding,) = [finding for finding in found(record, expect) if finding.code == code]
    return finding


def broke_at(record: Record, expect: str | None = None) -> str | None:
    """The step of the answer's way at which it broke."""
    trace = open_case(record, expect).trace
    assert trace is not None
    return trace.broke_at
