"""More tokens than a budget, a cap or an allowance gives; pins and the best chunk left out."""

from __future__ import annotations

from typing import Any

import pytest
from diagnosed_runs import ANSWER, broke_at, chunk, codes, found, only, packed, run, skipped

from ctxpack import Record
from ctxpack.findings import Finding

NO_ANSWER: dict[str, Any] = {"answer": {"expected": []}}


def plain(*candidates: dict[str, Any], **fields: Any) -> Record:
    return run(*candidates, **(NO_ANSWER | fields))


def section(name: str, tokens: int, **fields: Any) -> dict[str, Any]:
    return {"name": name, "tokens": tokens} | fields


# over_limit


def test_a_window_over_the_limit_less_the_reserve_names_both_and_the_largest_section() -> None:
    record = plain(sections=[section("system", 40)], limit=8192, reserved_output=8192)
    finding = only(record, "over_limit")
    assert finding.severity == "cause"
    assert finding.detail == {
        "limit": 8192, "reserve": 8192, "room": 0, "total": 40, "section": "system",
    }  # fmt: skip
    for words in ("window of 40", "reserve of 8192", "limit of 8192", "system, 40"):
        assert words in finding.title


def test_a_budget_that_is_not_below_the_limit_is_told() -> None:
    record = plain(sections=[section("system", 40)], limit=4096, budget=4096)
    assert "budget of 4096 tokens is not below" in only(record, "over_limit").title


@pytest.mark.parametrize(
    "fields",
    [
        {"limit": 4096, "reserved_output": 4056},
        {"limit": 4096, "budget": 4095},
        {"reserved_output": 8192},
        {"limit": 10, "sections": []},
    ],
)
def test_a_window_below_its_limit_or_without_one_is_no_cause(fields: dict[str, Any]) -> None:
    assert codes(plain(**({"sections": [section("system", 40)]} | fields))) == []


# over_budget


def test_a_window_that_with_its_reserve_is_over_the_budget() -> None:
    record = plain(
        sections=[section("system", 300), section("evidence", 500)],
        window={"framing": 20, "separators": 5, "notes": 3},
        reserved_output=200,
        budget=1000,
    )
    finding = only(record, "over_budget")
    assert finding.severity == "fault"
    assert finding.detail == {"what": "window", "total": 828, "reserve": 200, "budget": 1000}
    assert "28 tokens over" in finding.title
    assert codes(record) == ["over_budget"]


@pytest.mark.parametrize(
    "fields",
    [
        {"window": {"total": 800}, "reserved_output": 200},
        {"window": {"total": 800}, "reserved_output": 201, "budget": None},
        {"reserved_output": 2000},
        {"sections": [section("system", 1000)]},
        {"sections": []},
    ],
)
def test_a_window_within_its_budget_or_of_unknown_size_is_no_fault(fields: dict[str, Any]) -> None:
    assert codes(plain(**({"budget": 1000} | fields))) == []


def test_the_logged_total_of_the_window_rules_over_the_sum_of_its_sections() -> None:
    record = plain(sections=[section("system", 900)], window={"total": 1100}, budget=1000)
    assert only(record, "over_budget").detail["total"] == 1100


def test_packed_evidence_over_the_budget_of_its_packing() -> None:
    record = plain(packed("a", 0, tokens=300), packed("b", 1, tokens=250), settings={"budget": 500})
    finding = only(record, "over_budget")
    assert finding.detail == {"what": "evidence", "total": 550, "budget": 500}
    assert "50 tokens over" in finding.title
    exact = plain(packed("a", 0, tokens=250), packed("b", 1, tokens=250), settings={"budget": 500})
    assert codes(exact) == []


def test_what_stands_between_the_chunks_is_evidence_too() -> None:
    record = plain(
        packed("a", 0, tokens=250, start=0),
        packed("b", 1, tokens=250, start=253),
        settings={"budget": 500},
    )
    assert only(record, "over_budget").detail["total"] == 503


def test_chunks_that_are_out_or_undecided_cost_nothing() -> None:
    record = plain(
        packed("a", 0, tokens=450),
        skipped("b", 2, "no_room", tokens=300),
        chunk("c", tokens=300, outcome="unknown"),
        settings={"budget": 500},
    )
    assert codes(record) == []


def test_a_window_and_its_evidence_can_both_be_over() -> None:
    record = plain(
        packed("a", 0, tokens=600),
        settings={"budget": 500},
        window={"total": 1200},
        budget=1000,
    )
    assert [finding.detail["what"] for finding in found(record)] == ["window", "evidence"]


# over_allowance


def allowance(record: Record) -> dict[str, Any]:
    return only(record, "over_allowance").detail


def test_a_section_above_its_cap_is_over_whatever_the_others_did() -> None:
    record = plain(sections=[section("history", 900, cap=600, allowance=400)])
    finding = only(record, "over_allowance")
    assert finding.severity == "fault"
    assert finding.detail == {
        "section": "history",
        "tokens": 900,
        "limit": 600,
        "over": 300,
        "kind": "cap",
    }
    assert "900 tokens, 300 over its cap of 600" in finding.title
    assert codes(plain(sections=[section("history", 600, cap=600)])) == []


@pytest.mark.parametrize(
    "gave",
    [
        {"drops": [{"section": "memory", "id": "m1"}]},
        {
            "sections": [
                section("history", 900, allowance=400),
                section("memory", 5, items=[{"id": "m1", "outcome": "dropped"}]),
            ]
        },
        {"candidates": [skipped("a", 1, "no_room", "x") | {"rank": 2}]},
    ],
)
def test_a_section_above_its_allowance_is_over_where_others_gave_something_up(
    gave: dict[str, Any],
) -> None:
    fields = {"sections": [section("history", 900, allowance=400)]} | gave
    detail = allowance(plain(**fields))
    assert (detail["kind"], detail["limit"], detail["over"]) == ("allowance", 400, 500)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"drops": [{"section": "history", "id": "turn-1"}]},
        {"drops": [{"id": "turn-1"}]},
        {"candidates": [skipped("a", 2, "banned", "x"), skipped("b", 3, "duplicate", "x")]},
        {"candidates": [chunk("a", outcome="unknown", reason="no_room")]},
        {"sections": [section("history", 400, allowance=400)], "drops": [{"section": "memory"}]},
        {"sections": [section("history", 900)], "drops": [{"section": "memory"}]},
    ],
)
def test_borrowing_what_nobody_missed_is_no_fault(fields: dict[str, Any]) -> None:
    record = plain(**({"sections": [section("history", 900, allowance=400)]} | fields))
    assert "over_allowance" not in codes(record)


def test_evidence_that_was_skipped_is_no_reason_against_evidence_itself() -> None:
    record = plain(
        skipped("a", 2, "no_room", "x"), sections=[section("evidence", 900, allowance=400)]
    )
    assert codes(record) == []


# pinned_missing


def test_a_pin_that_is_not_in_the_window_is_a_fault() -> None:
    record = plain(
        packed("a", 0),
        skipped("terms", 9, "no_room", "x", detail={"needed": 102, "left": 12}),
        settings={"budget": 500, "pins": ["terms"]},
    )
    finding = only(record, "pinned_missing")
    assert (finding.severity, finding.chunks) == ("fault", ("terms",))
    assert finding.detail == {"missing": ["terms"], "pins": 1}
    assert "102 tokens needed, 12 left" in finding.title


def test_a_candidate_marked_as_pinned_counts_like_one_that_was_asked_for() -> None:
    record = plain(skipped("p", 2, "no_room", "x", pinned=True), packed("q", 0, pinned=True))
    assert only(record, "pinned_missing").detail == {"missing": ["p"], "pins": 2}


def test_a_pin_that_is_among_no_candidates_and_in_no_section_is_missing() -> None:
    record = plain(packed("a", 0), settings={"pins": ["ghost"]})
    finding = only(record, "pinned_missing")
    assert (finding.chunks, finding.detail) == ((), {"missing": ["ghost"], "pins": 1})
    assert "not among the candidates" in finding.title


@pytest.mark.parametrize(
    "fields",
    [
        {"candidates": [packed("p", 0)]},
        {"candidates": [chunk("p", outcome="unknown")]},
        {"candidates": [chunk("p")]},
        {"sections": [section("reference", 9, items=[{"id": "p"}])]},
        {"sections": [section("reference", 9, items=[{"id": "p", "outcome": "kept"}])]},
        {"trace": {"missing": ["candidates"]}},
        {"trace": {"dropped_attributes": 3}},
    ],
)
def test_a_pin_that_is_or_may_be_in_the_window_is_not_missing(fields: dict[str, Any]) -> None:
    assert codes(plain(**({"settings": {"pins": ["p"]}} | fields))) == []


def test_a_pin_that_was_dropped_from_its_section_is_missing() -> None:
    items = [{"id": "p", "outcome": "dropped"}]
    record = plain(sections=[section("reference", 9, items=items)], settings={"pins": ["p"]})
    assert codes(record) == ["pinned_missing"]


def test_a_missing_pin_that_holds_the_answer_is_the_cause() -> None:
    record = run(
        packed("a", 0),
        skipped("terms", 9, "no_room", detail={"needed": 102, "left": 12}),
        settings={"budget": 110, "pins": ["terms"]},
        reply="No.",
    )
    (finding,) = found(record)
    assert (finding.code, finding.severity) == ("pinned_missing", "cause")
    assert "holds the answer" in finding.title
    assert broke_at(record) == "packed"
    elsewhere = run(
        packed("a", 0, f"Also {ANSWER}."),
        skipped("terms", 9, "no_room"),
        settings={"pins": ["terms"]},
    )
    assert only(elsewhere, "pinned_missing").severity == "fault"


# top_skipped_for_size


@pytest.mark.parametrize("reason", ["too_long", "no_room"])
def test_the_best_ranked_chunk_left_out_for_its_size_is_a_fault(reason: str) -> None:
    detail = {"needed": 912, "left": 388}
    record = plain(packed("b", 0, rank=2), skipped("a", 1, reason, "x", tokens=912, detail=detail))
    finding = only(record, "top_skipped_for_size")
    assert (finding.severity, finding.chunks) == ("fault", ("a",))
    assert finding.detail == {"tokens": 912, "reason": reason, **detail}
    assert "912 tokens needed" in finding.title
    assert "388" in finding.title
    assert "ap the size" in finding.advice


@pytest.mark.parametrize("reason", ["after_stop", "not_chosen", "banned", "duplicate", None])
def test_the_best_ranked_chunk_left_out_for_another_reason_is_not(reason: str | None) -> None:
    assert codes(plain(skipped("a", 1, reason, "x"))) == []


def test_the_second_best_or_an_undecided_best_is_not_told() -> None:
    assert codes(plain(packed("a", 0), skipped("b", 2, "too_long", "x"))) == []
    assert codes(plain(chunk("a", rank=1, outcome="unknown", reason="too_long"))) == []


# order and explanation


def test_at_most_one_cause_stands_first_then_faults_then_the_rest() -> None:
    record = run(
        skipped("a", 1, "too_long", tokens=900, detail={"needed": 900, "budget": 500}),
        packed("b", 0, rank=2, tokens=300),
        settings={"budget": 250, "pins": ["ghost"]},
        sections=[section("history", 900, cap=600), section("evidence", 300)],
        reply="No.",
    )
    severities = [finding.severity for finding in found(record)]
    assert severities == ["cause", "fault", "fault", "fault", "fault"]
    assert codes(record)[0] == "answer_skipped"


def test_a_missing_pin_that_holds_the_answer_stands_before_the_skip_that_it_is() -> None:
    record = run(
        skipped("a", 1, "too_long", pinned=True, tokens=900, detail={"needed": 900, "budget": 500}),
        reply="No.",
    )
    findings = found(record)
    assert [(f.code, f.severity) for f in findings] == [
        ("pinned_missing", "cause"),
        ("top_skipped_for_size", "fault"),
    ]


def explained(record: Record) -> Finding:
    first = found(record)[0]
    assert first.code == "answer_skipped"
    return first


def test_what_explains_the_loss_is_named_in_because_and_in_the_same_sentence() -> None:
    history = section("history", 2510, cap=600)
    record = run(packed("b", 0), skipped("a", 4, "no_room"), sections=[history], reply="No.")
    first = explained(record)
    assert first.because == ("over_allowance",)
    assert first.title.endswith("; history took 2510 tokens, 1910 over its cap of 600.")
    assert first.title.count(".") == 1


def test_an_answer_in_the_best_ranked_chunk_is_explained_by_its_size() -> None:
    first = explained(run(packed("b", 0, rank=2), skipped("a", 1, "too_long"), reply="No."))
    assert first.because == ("top_skipped_for_size",)
    another = explained(
        run(skipped("x", 1, "too_long", "x"), skipped("a", 2, "no_room"), reply="No.")
    )
    assert another.because == ()
    evidence = section("evidence", 900, cap=600)
    assert explained(run(skipped("a", 2, "no_room"), sections=[evidence])).because == ()


def test_where_no_answer_is_known_the_gravest_fault_stands_first() -> None:
    record = plain(skipped("a", 1, "too_long", "x"), window={"total": 1200}, budget=1000)
    assert {finding.severity for finding in found(record)} == {"fault"}


def test_a_healthy_run_is_silent() -> None:
    record = run(
        packed("a", 0, f"Returned {ANSWER}.", start=0),
        packed("b", 1, start=100),
        packed("c", 2, start=200),
        skipped("d", 4, "no_room", "x", detail={"needed": 100, "left": 90}),
        settings={"budget": 390, "strategy": "top", "pins": ["b"]},
        sections=[
            section("system", 100, cap=150, allowance=100),
            section("evidence", 300, allowance=390),
            section("question", 20),
        ],
        window={"total": 430, "framing": 10},
        budget=800,
        limit=4000,
        reserved_output=200,
        reply=f"You may return it {ANSWER}.",
    )
    assert found(record) == ()
    assert broke_at(record) is None


def test_an_empty_record_is_silent() -> None:
    assert found(plain()) == ()
