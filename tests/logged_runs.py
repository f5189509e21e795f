"""Records for the tests of the store and the command, made by hand and by chance."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from ctxpack import Record, decode, encode

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
HUGE = st.integers(min_value=0, max_value=2**53)
UNKNOWN = st.dictionaries(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).map("x-{}".format),
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXT | st.floats(allow_nan=False),
        lambda parts: st.lists(parts, max_size=3) | st.dictionaries(TEXT, parts, max_size=3),
        max_leaves=6,
    ),
    max_size=2,
)


def _level(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    known = st.fixed_dictionaries(required, optional=optional)
    return st.builds(lambda fields, unknown: fields | unknown, known, UNKNOWN)


_FLOATS = st.floats(allow_nan=False, allow_infinity=False)
_CANDIDATE = _level(
    {"id": st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)},
    {
        "doc_id": TEXT,
        "rank": st.integers(1, 2**53),
        "score": _FLOATS,
        "tokens": HUGE,
        "text": TEXT,
        "header": TEXT,
        "outcome": st.sampled_from(["packed", "skipped", "unknown"]),
        "reason": TEXT,
        "detail": UNKNOWN,
        "vector": st.lists(_FLOATS, max_size=3),
        "partial": st.booleans(),
    },
)
_SECTION = _level(
    {"name": TEXT, "tokens": HUGE},
    {
        "allowance": HUGE,
        "cap": HUGE,
        "text": TEXT,
        "items": st.lists(_level({"id": TEXT}, {"text": TEXT, "tokens": HUGE}), max_size=2),
    },
)
RAW_RECORDS = _level(
    {
        "schema": st.just(1),
        "id": st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12),
        "time": st.datetimes()
        .map("{:%Y-%m-%dT%H:%M:%S}".format)
        .map(lambda time: time.rjust(19, "0") + "+00:00"),
        "query": TEXT,
    },
    {
        "request_type": TEXT,
        "model": TEXT,
        "budget": HUGE,
        "assembler": _level({}, {"name": TEXT, "version": TEXT}),
        "settings": _level({}, {"budget": HUGE, "pins": st.lists(TEXT, max_size=2)}),
        "sections": st.lists(_SECTION, max_size=3),
        "candidates": st.lists(_CANDIDATE, max_size=4),
        "answer": _level(
            {},
            {"text": TEXT, "expected": st.lists(TEXT | st.lists(TEXT, max_size=2), max_size=2)},
        ),
        "notes": st.lists(TEXT, max_size=2),
        "trace": _level({}, {"trace_id": TEXT}),
    },
)
RECORDS = RAW_RECORDS.map(lambda raw: decode(json.dumps(raw)).record)
"""Valid records with unknown fields at every level, odd text, the largest counts."""


def record(run: str = "run-1", **fields: Any) -> Record:
    """A record of two packed chunks and a skipped one, with `fields` put over it."""
    plain: dict[str, Any] = {
        "schema": 1,
        "id": run,
        "time": "2026-03-01T10:00:00+01:00",
        "request_type": "support",
        "query": "How do refunds work?",
        "model": "model-1",
        "assembler": {"name": "packer", "version": "1.2"},
        "settings": {"budget": 300, "strategy": "top"},
        "sections": [
            {"name": "system", "tokens": 40, "allowance": 50, "text": "Answer from the evidence."},
            {"name": "evidence", "tokens": 210, "allowance": 300},
        ],
        "candidates": [
            candidate("refunds-1", 1, 120, "packed", position=0, start=0),
            candidate("refunds-2", 2, 400, "skipped", reason="too_long"),
            candidate("returns-1", 3, 90, "packed", position=1, start=120),
        ],
        "answer": {"text": "Within thirty days."},
    }
    return decode(json.dumps(plain | fields)).record


def candidate(name: str, rank: int, tokens: int, outcome: str, **fields: Any) -> dict[str, Any]:
    """A logged candidate as it stands in JSON."""
    return {
        "id": name,
        "doc_id": name.partition("-")[0],
        "rank": rank,
        "tokens": tokens,
        "text": f"The text of {name}.",
        "outcome": outcome,
        **fields,
    }


def line(run: str = "run-1", **fields: Any) -> bytes:
    """The record as a line of a log."""
    return encode(record(run, **fields)) + b"\n"
