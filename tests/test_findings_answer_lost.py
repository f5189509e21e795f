"""The answer was in no candidate, fell to a filter, or is there in part only."""

from __future__ import annotations

import json
from typing import Any

import pytest
from diagnosed_runs import ANSWER, broke_at, chunk, codes, found, only, packed, run, skipped

from ctxpack import Record, decode
from ctxpack.decoding import to_builtins

OTHER = packed("x", 0)
NONE: dict[str, Any] = {"expected": []}
LOST = ("answer_not_retrieved", "answer_filtered", "answer_split", "answer_skipped")


# answer_not_retrieved


def test_an_answer_in_no_candidate_was_not_retrieved() -> None:
    record = run(OTHER, packed("y", 1), skipped("z", 3, "no_room", "Nothing."), reply="I think 14.")
    finding = only(record, "answer_not_retrieved")
    assert (finding.severity, finding.detail, finding.basis) == (
        "cause",
        {"considered": 3},
        "recorded",
    )
    assert "none of 3 candidates" in finding.title
    assert "chunking" in finding.advice
    assert codes(record) == ["answer_not_retrieved"]
    assert broke_at(record) == "retrieved"


def test_no_candidates_at_all_is_not_retrieved_either() -> None:
    assert only(run(), "answer_not_retrieved").detail == {"considered": 0}


def test_a_gold_id_outside_the_candidates_counts_as_not_retrieved() -> None:
    record = run(OTHER, gold=["elsewhere"], answer={"expected": []})
    assert codes(record) == ["answer_not_retrieved"]
    among = run(OTHER, gold=["elsewhere", "x"], answer={"expected": []})
    assert codes(among) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"trace": {"truncated": True}},
        {"trace": {"dropped_attributes": 77}},
        {"trace": {"missing": ["candidates"]}},
        {"drops": [{"section": "history", "id": "turn-1", "tokens": 90}]},
        {"drops": [{"section": "history", "tokens": 90}]},
        {"compactions": [{"section": "history", "from": ["turn-1"]}]},
        {
            "sections": [
                {
                    "name": "history",
                    "tokens": 9,
                    "items": [{"id": "t", "outcome": "dropped", "text": f"It is {ANSWER}."}],
                }
            ]
        },
        {
            "sections": [
                {
                    "name": "memory",
                    "tokens": 9,
                    "items": [{"id": "t", "outcome": "compacted", "text": ANSWER.upper()}],
                }
            ]
        },
        {
            "sections": [
                {"name": "memory", "tokens": 9, "items": [{"id": "t", "outcome": "dropped"}]}
            ]
        },
        {"answer": {"expected": []}},
        {"answer": {"expected": ["", "  "]}},
        {"answer": {"expected": [[], [""]]}},
        {"answer": None},
    ],
)
def test_what_cannot_be_known_or_went_elsewhere_is_not_called_not_retrieved(
    fields: dict[str, Any],
) -> None:
    record = run(OTHER, reply="No idea.")
    changed = decode(json.dumps(to_builtins(record) | fields)).record
    assert "answer_not_retrieved" in codes(record)
    assert "answer_not_retrieved" not in codes(changed)


def test_a_dropped_turn_whose_text_is_known_and_lacks_it_hides_nothing() -> None:
    turn = {"id": "turn-1", "outcome": "dropped", "text": "Good morning."}
    record = run(
        OTHER,
        sections=[{"name": "history", "tokens": 9, "items": [turn]}],
        drops=[{"section": "history", "id": "turn-1"}],
    )
    assert "answer_not_retrieved" in codes(record)


def test_one_candidate_without_its_text_silences_it() -> None:
    for unknown in (packed("y", 1, None), skipped("y", 2, "no_room", None)):
        assert not set(LOST) & set(codes(run(OTHER, unknown, reply="No.")))


# answer_filtered


@pytest.mark.parametrize(
    ("reason", "detail", "advice"),
    [
        ("over_count", {"place": 9, "max_chunks": 5}, "Raise max_chunks to 9."),
        ("over_count", None, "Raise max_chunks to 7."),
        ("banned", None, "Take it off the bans."),
        ("duplicate", {"of": "x", "similarity": 0.83}, "Raise dedupe above 0.83"),
        ("invalid", {"why": "empty"}, "Give the chunk its text"),
        ("below_cutoff", None, "Raise the cut-off"),
        ("below_cliff", None, "Switch the cut at the score cliff off"),
    ],
)
def test_an_answer_whose_every_chunk_fell_to_a_filter_was_filtered(
    reason: str, detail: dict[str, Any] | None, advice: str
) -> None:
    record = run(OTHER, skipped("g", 7, reason, detail=detail), reply="No.")
    finding = only(record, "answer_filtered")
    assert (finding.severity, finding.chunks) == ("cause", ("g",))
    assert finding.detail == {"rank": 7, "reason": reason, **(detail or {})}
    assert "rank 7 (g)" in finding.title
    assert finding.advice.startswith(advice)
    assert codes(record) == ["answer_filtered"]
    assert broke_at(record) == "filters"


def test_a_chunk_that_holds_it_and_passed_the_filters_silences_answer_filtered() -> None:
    fell = skipped("g", 7, "over_count")
    assert "answer_filtered" not in codes(run(fell, packed("h", 0, f"It is {ANSWER}.")))
    assert "answer_filtered" not in codes(run(OTHER, fell, skipped("h", 8, "no_room")))
    assert "answer_filtered" not in codes(run(OTHER, fell, packed("h", 1, None)))
    assert "answer_filtered" not in codes(run(OTHER, fell, trace={"truncated": True}))
    assert "answer_filtered" not in codes(run(OTHER, fell, chunk("h", ANSWER, outcome="unknown")))


# answers of several parts


def both(*candidates: dict[str, Any], **fields: Any) -> Record:
    return run(*candidates, answer={"expected": [["30 days", "15 EUR"]]} | fields.pop("answer", {}))


def test_an_item_that_is_a_list_needs_all_of_its_strings() -> None:
    one = packed("a", 0, "You have 30 days.")
    two = packed("b", 1, "The fee is 15 EUR.")
    assert codes(both(one, two)) == []
    assert codes(both(one)) == ["answer_not_retrieved"]
    assert codes(both(packed("c", 0, "30 days, 15 EUR"))) == []


def test_a_part_that_is_out_is_enough_to_lose_the_answer() -> None:
    one = packed("a", 0, "You have 30 days.")
    out = skipped("b", 2, "no_room", "The fee is 15 EUR.", detail={"needed": 100, "left": 7})
    record = both(one, out, answer={"text": "You have 30 days."})
    finding = only(record, "answer_skipped")
    assert finding.title.startswith("A part of the answer was retrieved at rank 2 (b)")
    assert finding.chunks == ("b",)
    assert codes(record) == ["answer_skipped"]
    assert broke_at(record) == "packed"
    fell = both(one, skipped("b", 2, "banned", "The fee is 15 EUR."))
    assert codes(fell) == ["answer_filtered"]


def test_two_packed_parts_make_up_for_a_skipped_whole() -> None:
    record = both(
        packed("a", 0, "You have 30 days."),
        packed("b", 1, "The fee is 15 EUR."),
        skipped("whole", 3, "no_room", "30 days and 15 EUR"),
    )
    assert codes(record) == []


def test_an_answer_that_is_in_is_not_lost_because_another_way_of_saying_it_is_out() -> None:
    record = run(
        packed("a", 0, "a month"),
        skipped("b", 2, "no_room", "You have 30 days."),
        answer={"expected": ["30 days", "a month"]},
    )
    assert codes(record) == []
    by_id = run(packed("a", 0), skipped("b", 2, "no_room", "x"), gold=["b", "a"], answer=NONE)
    assert codes(by_id) == []


def test_any_of_the_expected_items_is_enough() -> None:
    record = run(packed("a", 0, "a month"), answer={"expected": ["30 days", "a month"]})
    assert codes(record) == []


# the expected answer that is typed


def test_a_typed_answer_takes_the_place_of_the_records_own() -> None:
    record = run(OTHER, skipped("g", 4, "no_room", "The fee is 15 EUR."), reply="It is 15 EUR.")
    assert codes(record) == ["answer_not_retrieved"]
    assert codes(record, "15 eur") == ["answer_skipped"]
    assert codes(record, "  ") == ["answer_not_retrieved"]
    assert found(run(OTHER, answer={"expected": []}), None) == ()
    assert codes(run(OTHER, answer={"expected": []}), "never said") == ["answer_not_retrieved"]
