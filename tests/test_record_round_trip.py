"""A record that is decoded and encoded is the same record, unknown fields at every level."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack import Decoded, Record, decode, encode
from ctxpack.record import LEVELS, UNKNOWN

many = settings(max_examples=300, deadline=None, derandomize=True)

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
WHOLE = st.integers(0, 2**53)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | NUMBERS | WORDS,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(WORDS, parts, max_size=3),
    max_leaves=5,
)
NEW_NAMES = st.sampled_from(["reranker", "x-team", "unknown", UNKNOWN, "", "from_ids", "Budget"])
NEW = st.dictionaries(NEW_NAMES, ANYTHING, max_size=2)


def level(
    required: dict[str, st.SearchStrategy[Any]], optional: dict[str, st.SearchStrategy[Any]]
) -> st.SearchStrategy[dict[str, Any]]:
    known = st.fixed_dictionaries(required, optional=optional)
    return st.builds(lambda new, fields: new | fields, NEW, known)


CANDIDATES = level(
    {"id": WORDS.filter(bool)},
    {
        "doc_id": WORDS,
        "ordinal": st.integers(-5, 2**53),
        "rank": st.integers(1, 2**53),
        "score": NUMBERS,
        "score_kind": st.sampled_from(["similarity", "distance", "rerank", "bm25", "unknown"]),
        "tokens": WHOLE,
        "text": WORDS,
        "vector": st.lists(NUMBERS, max_size=3),
        "pinned": st.just(True),
        "outcome": st.sampled_from(["packed", "skipped", "unknown"]),
        "detail": st.dictionaries(WORDS | st.just(UNKNOWN), ANYTHING, max_size=2),
        "position": WHOLE,
        "placed_in": WHOLE,
    },
)
ITEMS = level({"id": WORDS}, {"text": WORDS, "tokens": WHOLE, "safety": st.booleans()})
SECTIONS = level(
    {"name": WORDS, "tokens": WHOLE},
    {"cap": WHOLE, "items": st.lists(ITEMS, min_size=1, max_size=2)},
)
RECORDS = level(
    {
        "schema": st.just(1),
        "id": WORDS.filter(bool),
        "time": st.sampled_from(["2026-11-30T09:00:00Z", "1999-01-01t00:00:00-11:00"]),
        "query": WORDS,
    },
    {
        "budget": WHOLE,
        "assembler": level({}, {"version": WORDS}),
        "usage": level({}, {"input_tokens": WHOLE}),
        "window": level({}, {"total": WHOLE}),
        "settings": level(
            {},
            {
                "strategy": WORDS,
                "calibration": st.dictionaries(WORDS, ANYTHING, min_size=1, max_size=2),
                "pins": st.lists(WORDS, min_size=1, max_size=2),
            },
        ),
        "sections": st.lists(SECTIONS, min_size=1, max_size=2),
        "candidates": st.lists(
            CANDIDATES, min_size=1, max_size=3, unique_by=lambda candidate: candidate["id"]
        ),
        "drops": st.lists(level({}, {"section": WORDS, "tokens": WHOLE}), min_size=1, max_size=2),
        "compactions": st.lists(
            level({}, {"from": st.lists(WORDS, min_size=1, max_size=2)}), min_size=1, max_size=2
        ),
        "answer": level(
            {},
            {
                "correct": st.booleans(),
                "expected": st.lists(
                    WORDS | st.lists(WORDS, min_size=1, max_size=2), min_size=1, max_size=2
                ),
            },
        ),
        "trace": level({}, {"truncated": st.booleans()}),
    },
)


@many
@given(RECORDS)
def test_what_was_read_is_written_back_field_for_field(raw: dict[str, Any]) -> None:
    record = decode(json.dumps(raw)).record
    assert json.loads(encode(record)) == raw


@many
@given(RECORDS)
def test_a_record_that_was_written_reads_as_itself(raw: dict[str, Any]) -> None:
    record = decode(json.dumps(raw)).record
    line = encode(record)
    assert decode(line) == Decoded(record, ())
    assert line.splitlines() == [line]


def test_a_field_that_is_not_known_is_kept_at_every_level() -> None:
    raw: dict[str, Any] = {
        "schema": 1,
        "id": "r",
        "time": "2026-11-30T09:00:00Z",
        "query": "q",
        "new": 1,
    }
    lists = {"sections", "candidates", "drops", "compactions"}
    needed = {"sections": {"name": "s", "tokens": 1}, "candidates": {"id": "a"}}
    for name in LEVELS[Record]:
        inner = {**needed.get(name, {}), "new": {"of": name}}
        raw[name] = [inner] if name in lists else inner
    raw["sections"][0]["items"] = [{"id": "turn-1", "new": [1, None]}]
    record = decode(json.dumps(raw)).record
    assert json.loads(encode(record)) == raw
    assert record.candidates[0].unknown == {"new": {"of": "candidates"}}
    assert record.sections[0].items[0].unknown == {"new": [1, None]}


def test_whatever_an_application_logs_of_a_page_comes_back_unchanged() -> None:
    line = json.dumps(
        {
            "schema": 1,
            "id": "r",
            "time": "2026-11-30T09:00:00Z",
            "query": "q",
            "candidates": [{"id": f"c{n}", "page": 7, "pages": 9} for n in range(3)],
        }
    )
    written = json.loads(encode(decode(line).record))
    assert [(c["page"], c["pages"]) for c in written["candidates"]] == [(7, 9)] * 3
