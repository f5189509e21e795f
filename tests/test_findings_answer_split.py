"""The answer is split over two neighbouring chunks of one document."""

from __future__ import annotations

from typing import Any

import pytest
from diagnosed_runs import chunk, codes, only, packed, run, skipped

from ctxpack import Record
from ctxpack.findings import open_case

LOST = ("answer_not_retrieved", "answer_filtered", "answer_split", "answer_skipped")


def part(name: str, ordinal: int, text: str, made: dict[str, Any], **more: Any) -> dict[str, Any]:
    return made | {"id": name, "ordinal": ordinal, "text": text, "doc_id": "terms"} | more


FIRST = "Returns are taken within"
SECOND = "30 days of delivery."


def split(first: dict[str, Any], second: dict[str, Any], *others: Any, **fields: Any) -> Record:
    return run(first, second, *others, reply="No.", **fields)


def test_an_answer_over_two_neighbours_of_which_one_is_out_is_split() -> None:
    record = split(
        part("k", 4, FIRST, packed("", 0)),
        part("k+1", 5, SECOND, skipped("", 2, "no_room", detail={"needed": 100, "left": 9})),
    )
    finding = only(record, "answer_split")
    assert (finding.severity, finding.chunks, finding.detail) == (
        "cause",
        ("k", "k+1"),
        {"packed": ["k"]},
    )
    assert "rank 1 (k) and rank 2 (k+1)" in finding.title
    assert "no room: 100 tokens needed, 9 left" in finding.title
    assert "verlap" in finding.advice
    assert codes(record) == ["answer_split"]


def test_two_neighbours_that_stand_apart_in_the_window_are_split() -> None:
    apart = split(
        part("k", 4, FIRST, packed("", 0)),
        part("k+1", 5, SECOND, packed("", 2)),
        packed("between", 1),
    )
    assert "they stand apart" in only(apart, "answer_split").title
    wrong = split(part("k", 4, FIRST, packed("", 1)), part("k+1", 5, SECOND, packed("", 0)))
    assert "wrong order" in only(wrong, "answer_split").title


def test_two_neighbours_side_by_side_are_not_split() -> None:
    record = split(part("k", 4, FIRST, packed("", 0)), part("k+1", 5, SECOND, packed("", 1)))
    assert not set(LOST) & set(codes(record))


def test_the_overlap_of_two_neighbours_is_removed_before_they_are_joined() -> None:
    cut = split(
        part("k", 4, "Returns are taken within 30 da", packed("", 0)),
        part("k+1", 5, "thin 30 days of delivery", skipped("", 2, "no_room")),
    )
    assert codes(cut) == ["answer_split"]


def test_a_letter_that_ends_one_and_begins_the_other_by_chance_is_no_overlap() -> None:
    record = run(
        part("k", 1, "The fee", packed("", 0)),
        part("k+1", 2, "each day is 5 EUR", skipped("", 2, "no_room")),
        answer={"expected": ["fee each day"]},
    )
    assert codes(record) == ["answer_split"]


@pytest.mark.parametrize(
    "changed",
    [
        {"doc_id": "another"},
        {"ordinal": 6},
        {"ordinal": None},
        {"doc_id": None},
        {"version": "v2"},
    ],
)
def test_only_neighbours_of_one_document_are_joined(changed: dict[str, Any]) -> None:
    record = split(
        part("k", 4, FIRST, packed("", 0)),
        part("k+1", 5, SECOND, skipped("", 2, "no_room")) | changed,
    )
    assert "answer_split" not in codes(record)
    assert "answer_not_retrieved" in codes(record)


def test_without_a_doc_id_one_source_and_section_are_one_document() -> None:
    same = {"doc_id": None, "source": "terms.md", "section": "Returns"}
    first = part("k", 4, FIRST, packed("", 0), **same)
    out = skipped("", 2, "no_room")
    assert codes(split(first, part("k+1", 5, SECOND, out, **same))) == ["answer_split"]
    other = part("k+1", 5, SECOND, out, **(same | {"section": "Fees"}))
    assert "answer_split" not in codes(split(first, other))


def test_a_pair_side_by_side_elsewhere_makes_up_for_one_that_is_split() -> None:
    record = split(
        part("k", 4, FIRST, packed("", 0)),
        part("k+1", 5, SECOND, skipped("", 2, "no_room")),
        part("m", 1, FIRST, packed("", 1), doc_id="copy"),
        part("m+1", 2, SECOND, packed("", 2), doc_id="copy"),
    )
    assert "answer_split" not in codes(record)


@pytest.mark.parametrize(
    "fields",
    [
        {"second": {"outcome": "unknown"}},
        {"second": {"outcome": None}},
        {"trace": {"truncated": True}},
    ],
)
def test_a_split_that_cannot_be_known_is_not_told(fields: dict[str, Any]) -> None:
    second = part("k+1", 5, SECOND, skipped("", 2, "no_room")) | fields.pop("second", {})
    record = split(part("k", 4, FIRST, packed("", 0)), second, **fields)
    assert not set(LOST) & set(codes(record))


def test_two_packed_neighbours_without_positions_may_stand_side_by_side() -> None:
    record = split(
        part("k", 4, FIRST, packed("", 0), position=None),
        part("k+1", 5, SECOND, packed("", 1), position=None),
    )
    assert codes(record) == []


def test_the_way_of_a_split_answer_goes_on_past_retrieval() -> None:
    together = split(part("k", 4, FIRST, packed("", 0)), part("k+1", 5, SECOND, packed("", 1)))
    apart = split(
        part("k", 4, FIRST, packed("", 0)), part("k+1", 5, SECOND, skipped("", 2, "no_room"))
    )
    unknown = split(
        part("k", 4, FIRST, packed("", 0)), part("k+1", 5, SECOND, chunk("", outcome="unknown"))
    )
    for record, ok, broke in (
        (together, True, "in the reply"),
        (apart, False, "packed"),
        (unknown, None, "in the reply"),
    ):
        trace = open_case(record).trace
        assert trace is not None
        retrieved, _, in_window, *_ = trace.steps
        assert (retrieved.ok, retrieved.said) == (True, "split over k and k+1")
        assert (in_window.ok, in_window.chunks, trace.broke_at) == (ok, ("k", "k+1"), broke)
