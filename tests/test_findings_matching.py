"""Matching an expected answer, the answer's way, and a run as plain data."""

from __future__ import annotations

import json
import time
import unicodedata
from typing import Any

import pytest
from diagnosed_runs import ANSWER, chunk, codes, packed, run, skipped
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack import decode
from ctxpack.answer import AnswerTrace
from ctxpack.findings import CAUSES, CODES, SEVERITIES, diagnose, open_case  # type: ignore[attr-defined]
from ctxpack.matching import holds, normal, spans
from ctxpack.record import Record
from ctxpack.showing import show_json

many = settings(max_examples=300, deadline=None, derandomize=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Returned WITHIN 30 Days.", "within 30 days"),
        ("within\n   30\tdays", "within 30 days"),
        ("within\u00a030\u2009days", "within 30 days"),
        ("caf\u0065\u0301", "café"),
        ("café", "caf\u0065\u0301"),
        ("Die STRASSE", "straße"),
        ("ﬁne print", "fine print"),
        ("Ｎｏ．５", "No.5"),
        ("costs 1,234 EUR", "1234"),
        ("costs 1234 EUR", "1,234"),
        ("costs 1 234 EUR", "1,234"),
        ("costs 1 234 EUR", "1234"),
        ("costs 1\u202f234\u202f567 EUR", "1,234,567"),
        ("costs 1'234'567.50", "1234567.50"),
        ("costs 1_234", "1 234"),
        ("１，２３４", "1234"),
        ("1,234", "１２３４"),
        ("zone 3 120 EUR", "120"),
        ("zone 3 120 EUR", "3"),
        ("in 2020 300 people", "2020"),
        ("30km", "30"),
        ("(30)", "30"),
        ("30, 40 or 50", "40"),
        ("in 30.", "30"),
        ("返品は30日以内です", "30日以内"),
        ("返品は三十日以内です", "三十日"),
        ("a.b|within 30 days|c", "within 30 days"),
        ("[30]", "[30]"),
        ("3.14159", "3.14159"),
    ],
)
def test_case_space_form_and_thousands_do_not_matter(text: str, expected: str) -> None:
    assert holds(text, expected)
    assert spans(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cafés", "café"),
        ("unpacked", "packed"),
        ("packaging", "pack"),
        ("naïveté", "naïve"),
        ("300 days", "30"),
        ("130 days", "30"),
        ("30.5", "30"),
        ("30.5", "5"),
        ("1,234", "1"),
        ("1,234", "234"),
        ("1\u00a0234", "234"),
        ("1,234,567", "1234"),
        ("12345", "1,234"),
        ("0,125", "0125"),
        ("2020 300", "2020300"),
        ("within 30 hours", "within 30 days"),
        ("anything", ""),
        ("anything", "   "),
        ("", "within"),
    ],
)
def test_a_part_of_a_longer_word_or_number_is_no_match(text: str, expected: str) -> None:
    assert not holds(text, expected)
    assert spans(text, expected) == []


def test_every_match_is_shown_in_characters_of_the_text_as_it_is() -> None:
    text = "Within  30 days; or WITHIN\n30 DAYS, caf\u0065\u0301 1\u202f234."
    assert [text[a:b] for a, b in spans(text, "within 30 days")] == [
        "Within  30 days",
        "WITHIN\n30 DAYS",
    ]
    assert [text[a:b] for a, b in spans(text, "café")] == ["caf\u0065\u0301"]
    assert [text[a:b] for a, b in spans(text, "1,234")] == ["1\u202f234"]


WORD = st.text(st.sampled_from("aé1 ,.\u00a0漢ß\u0301'"), max_size=12)


@many
@given(WORD, WORD, WORD)
def test_where_a_text_holds_it_the_spans_hold_it_too(before: str, word: str, after: str) -> None:
    text = f"{before} | {word} | {after}"
    if normal(word):
        for start, end in spans(text, word):
            assert 0 <= start < end <= len(text)
        assert bool(spans(text, word)) == holds(text, word)


@many
@given(WORD, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_the_unicode_form_of_a_text_does_not_matter(word: str, form: Any) -> None:
    changed = unicodedata.normalize(form, word.replace(",", ";"))
    assert normal(changed) == normal(word.replace(",", ";"))


def test_a_long_text_is_searched_in_no_time() -> None:
    for text in ("1," * 100_000, "lorem 12 " * 22_000, "\u0301" * 200_000, "a" * 200_000):
        begun = time.process_time()
        holds(text, "within 30 days")
        spans(text, "30")
        assert time.process_time() - begun < 5


# The answer's way


def way(record: Record, expect: str | None = None) -> dict[str, bool | None]:
    trace = open_case(record, expect).trace
    assert isinstance(trace, AnswerTrace)
    return {step.name: step.ok for step in trace.steps}


STEPS = ["retrieved", "filters", "packed", "placed", "in the reply"]
GOLD = f"Returned {ANSWER}."


@pytest.mark.parametrize(
    ("record", "ok"),
    [
        (run(packed("a", 0), reply="No."), [False, None, None, None, False]),
        (run(skipped("a", 1, "banned"), reply="No."), [True, False, False, None, False]),
        (run(skipped("a", 1, "no_room"), reply="No."), [True, True, False, None, False]),
        (run(packed("a", 0, GOLD), reply="No."), [True, True, True, True, False]),
        (run(packed("a", 0, GOLD), reply=GOLD), [True, True, True, True, True]),
        (run(packed("a", 0, GOLD)), [True, True, True, True, None]),
        (run(packed("a", 0, GOLD, tokens=None)), [True, True, True, True, None]),
        (run(chunk("a", GOLD, outcome="unknown")), [True, None, None, None, None]),
        (run(packed("a", 0, None)), [None, None, None, None, None]),
        (
            run(packed("x", 0, rank=2), packed("a", 1, GOLD, rank=1), packed("y", 2), reply="No."),
            [True, True, True, False, False],
        ),
    ],
)
def test_the_way_of_the_answer_is_walked_step_by_step(
    record: Record, ok: list[bool | None]
) -> None:
    steps = way(record)
    assert list(steps) == STEPS
    assert list(steps.values()) == ok
    told = show_json(open_case(record), ())["answer_trace"]
    assert told["broke_at"] == next((name for name in STEPS if steps[name] is False), None)
    assert [step["step"] for step in told["steps"]] == STEPS
    assert all(step["said"] for step in told["steps"])


def test_without_an_expected_answer_there_is_no_way_to_walk() -> None:
    record = run(packed("a", 0), answer={"expected": []})
    assert open_case(record).trace is None
    assert show_json(open_case(record), ())["answer_trace"] is None


def test_a_typed_answer_is_said_to_be_typed_and_takes_no_grade_of_the_records_own() -> None:
    record = run(packed("a", 0, "The fee is 15 EUR."), answer={"correct": True}, reply="A month.")
    trace = open_case(record, "15 eur").trace
    assert trace is not None
    assert (trace.expected.source, trace.expected.alternatives) == ("typed", (("15 eur",),))
    assert trace.replied is False
    assert codes(record, "15 eur") == ["answer_ignored"]


def test_chunks_that_hold_it_are_listed_best_ranked_first() -> None:
    record = run(packed("late", 0, GOLD, rank=7), packed("soon", 1, GOLD, rank=2))
    trace = open_case(record).trace
    assert trace is not None
    assert [chunk.id for chunk in trace.gold] == ["soon", "late"]


# Whatever a log holds

OUTCOMES = st.sampled_from(["packed", "skipped", "unknown", None])
REASONS = st.sampled_from(["no_room", "too_long", "banned", "over_count", "ours", None])
SOMETHING = st.none() | st.sampled_from([GOLD, "Returned within", "30 days.", "x", ""])
CHUNKS = st.fixed_dictionaries(
    {"id": st.sampled_from("abcdef")},
    optional={
        "rank": st.integers(1, 4),
        "tokens": st.none() | st.integers(0, 300),
        "text": SOMETHING,
        "doc_id": st.just("d"),
        "ordinal": st.integers(0, 4),
        "outcome": OUTCOMES,
        "reason": REASONS,
        "detail": st.just({"needed": "much", "left": {"a": 1}, "similarity": "x", "place": []}),
        "position": st.none() | st.integers(0, 4),
        "start": st.none() | st.integers(0, 500),
        "placed_in": st.none() | st.integers(0, 3),
        "pinned": st.booleans(),
        "score": st.floats(allow_nan=False),
    },
)
RUNS = st.fixed_dictionaries(
    {"candidates": st.lists(CHUNKS, max_size=6)},
    optional={
        "sections": st.lists(
            st.fixed_dictionaries(
                {
                    "name": st.sampled_from(["system", "evidence", "question", "history", ""]),
                    "tokens": st.integers(0, 900),
                },
                optional={"cap": st.integers(0, 500), "allowance": st.integers(0, 500)},
            ),
            max_size=4,
        ),
        "window": st.fixed_dictionaries({}, optional={"total": st.integers(-5, 2000)}),
        "settings": st.fixed_dictionaries(
            {},
            optional={
                "budget": st.integers(0, 600),
                "strategy": st.sampled_from(["top", "optimal", "mmr"]),
                "separator": st.just("\n---\n"),
                "value": st.sampled_from(["score", "gain", "bm25", "calibrated"]),
                "pins": st.lists(st.sampled_from("abz"), max_size=2),
                "bans": st.lists(st.sampled_from("ab"), max_size=1),
            },
        ),
        "budget": st.integers(0, 900),
        "gold": st.lists(st.sampled_from("az"), max_size=2),
        "trace": st.fixed_dictionaries({}, optional={"truncated": st.booleans()}),
    },
)


@many
@given(RUNS, st.sampled_from([None, "No.", GOLD]), st.sampled_from([None, True, False]))
def test_any_record_is_diagnosed_with_at_most_one_cause_and_told_as_json(
    fields: dict[str, Any], reply: str | None, correct: bool | None
) -> None:
    candidates = fields.pop("candidates")
    record = run(*candidates, reply=reply, answer={"correct": correct}, **fields)
    case = open_case(record)
    findings = diagnose(case)
    severities = [SEVERITIES.index(finding.severity) for finding in findings]
    assert severities == sorted(severities)
    assert severities.count(0) <= 1
    for finding in findings:
        assert finding.code in CODES
        assert finding.severity != "cause" or finding.code in CAUSES
        assert finding.title.endswith(".")
        assert finding.advice
        assert set(finding.chunks) <= {candidate.id for candidate in record.candidates}
    told = json.dumps(show_json(case, findings), allow_nan=False)
    assert decode(told).record == record


@many
@given(RUNS)
def test_where_no_outcome_is_known_no_finding_rests_on_one(fields: dict[str, Any]) -> None:
    candidates = [one | {"outcome": "unknown"} for one in fields.pop("candidates")]
    fields.pop("settings", None)
    unpinned = [{k: v for k, v in one.items() if k != "pinned"} for one in candidates]
    told = codes(run(*unpinned, reply="No.", **fields))
    assert set(told) <= {"answer_not_retrieved", "over_budget", "over_allowance"}


def test_a_run_of_two_hundred_neighbours_is_diagnosed_quickly() -> None:
    text = "Nothing of interest stands in this sentence. " * 20
    record = run(
        *(packed(f"c{n}", n, text, doc_id="d", ordinal=n) for n in range(100)),
        *(skipped(f"s{n}", n + 1, "no_room", text, doc_id="d", ordinal=n) for n in range(100, 200)),
        reply="No.",
    )
    begun = time.process_time()
    assert codes(record) == ["answer_not_retrieved", "duplicates_packed"]
    assert time.process_time() - begun < 3
