"""The answer was in the window and was not used: buried, or ignored."""

from __future__ import annotations

from typing import Any

import pytest
from diagnosed_runs import ANSWER, broke_at, codes, only, packed, run

from ctxpack import Record
from ctxpack.curves import ASSUMED
from ctxpack.findings import Thresholds, diagnose, open_case

GOLD = f"Returned {ANSWER}."


def sizes(*tokens: int, gold: int, rank: int = 1, **fields: Any) -> Record:
    """Packed chunks of these sizes in window order, the answer in one of them."""
    others = iter(n for n in range(1, 99) if n != rank)
    return run(
        *(
            packed(f"c{at}", at, GOLD if at == gold else f"No {at}.", rank=None, tokens=size)
            | {"rank": rank if at == gold else next(others)}
            for at, size in enumerate(tokens)
        ),
        **fields,
    )


def p(x: float) -> float:
    return ASSUMED.p(x)


def test_the_best_chunk_in_the_middle_of_three_is_buried() -> None:
    record = sizes(100, 100, 100, gold=1, reply="I do not know.")
    finding = only(record, "answer_buried")
    assert finding.severity == "cause"
    assert finding.chunks == ("c1",)
    assert finding.detail == {
        "p": pytest.approx(0.55),
        "x": 0.5,
        "position": 1,
        "packed": 3,
        "best_p": pytest.approx(p(1 / 6)),
    }
    assert "2 of 3" in finding.title
    assert "assumed curve" in finding.title
    assert "p 0.55" in finding.title
    assert "0.64" in finding.title
    assert codes(record) == ["answer_buried"]
    assert broke_at(record) == "placed"


def test_it_is_only_told_as_information_where_the_reply_is_right_all_the_same() -> None:
    record = sizes(100, 100, 100, gold=1, reply="A month.", answer={"correct": True})
    assert only(record, "answer_buried").severity == "info"
    assert broke_at(record) is None


def test_an_unknown_or_a_wrong_reply_makes_it_the_cause() -> None:
    for answer in ({}, {"correct": False}, {"correct": None}):
        record = sizes(100, 100, 100, gold=1, answer=answer)
        assert only(record, "answer_buried").severity == "cause"


def test_with_fewer_than_two_others_nothing_is_buried() -> None:
    assert "answer_buried" not in codes(sizes(100, 300, gold=0))
    assert "answer_buried" not in codes(sizes(100, gold=0))


def test_p_must_be_below_a_quarter_of_the_curves_span() -> None:
    # x = 0.25 is p = 0.60: the lowest, 0.55, and a quarter of the span of 0.20.
    assert p(0.25) == pytest.approx(0.60)
    at_the_edge = sizes(0, 200, 200, gold=1, rank=2)
    assert "answer_buried" not in codes(at_the_edge)
    below = sizes(90, 40, 135, 135, gold=1, rank=1)
    assert only(below, "answer_buried").detail["p"] == pytest.approx(p(110 / 400))


def test_a_place_that_gives_less_than_five_hundredths_more_does_not_count() -> None:
    # A chunk that is nearly all of the evidence stands in the middle wherever it is put.
    assert "answer_buried" not in codes(sizes(10, 900, 10, gold=1))


def test_the_threshold_can_be_set() -> None:
    record = sizes(100, 100, 100, gold=1)
    for strict in (Thresholds(buried_others=3), Thresholds(buried_share=0.0)):
        assert diagnose(open_case(record, thresholds=strict)) == ()
    assert diagnose(open_case(record, thresholds=Thresholds(buried_gain=0.2))) == ()


def sections(*named: tuple[str, int], **fields: Any) -> dict[str, Any]:
    return {"sections": [{"name": name, "tokens": tokens} for name, tokens in named]} | fields


def test_where_section_tokens_are_known_the_place_in_the_whole_window_counts() -> None:
    # First of the evidence, and still in the middle of the window.
    window = sections(
        ("system", 100), ("history", 1400), ("evidence", 300), ("memory", 1300), ("question", 50)
    )
    record = sizes(100, 100, 100, gold=0, **window)
    finding = only(record, "answer_buried")
    x = (1500 + 50) / 3150
    moved = (100 + 50) / 3150
    assert finding.detail["x"] == pytest.approx(x)
    assert finding.detail["p"] == pytest.approx(p(x))
    assert finding.detail["best_p"] == pytest.approx(p(moved))
    assert "right after the instructions" in finding.advice
    plain = sizes(100, 100, 100, gold=0)
    assert codes(plain) == []


def test_evidence_next_to_the_question_can_be_the_better_place() -> None:
    window = sections(("system", 4000), ("evidence", 300), ("history", 4000), ("question", 20))
    record = sizes(100, 100, 100, gold=2, **window)
    finding = only(record, "answer_buried")
    before_question = 8320 - 20 - 300
    assert finding.detail["best_p"] == pytest.approx(p((before_question + 250) / 8320))
    assert "right before the question" in finding.advice


def test_framing_and_separators_count_into_the_window() -> None:
    window = sections(("system", 100), ("evidence", 300), ("question", 50))
    record = sizes(100, 100, 100, gold=1, **window, window={"total": 900})
    assert open_case(record).placed[1].window_x == pytest.approx((100 + 150) / 900)


def test_evidence_in_two_sections_is_placed_in_the_one_where_it_stands() -> None:
    record = run(
        packed("a", 0, placed_in=1),
        packed("b", 1, placed_in=1),
        packed("c", 2, GOLD, placed_in=3),
        **sections(("system", 50), ("evidence", 200), ("history", 600), ("evidence", 100)),
    )
    places = [place.window_x for place in open_case(record).placed]
    assert places == pytest.approx([100 / 950, 200 / 950, 900 / 950])
    assert codes(record) == []


def test_the_best_ranked_chunk_that_holds_it_decides_whether_it_is_buried() -> None:
    record = run(
        packed("a", 0, GOLD, rank=5),
        packed("b", 1, GOLD, rank=1),
        packed("c", 2, rank=2),
        packed("d", 3, rank=3),
    )
    assert [place.x for place in open_case(record).placed][1] == pytest.approx(0.375)
    assert only(record, "answer_buried").chunks == ("b",)


def three(**changed: Any) -> list[dict[str, Any]]:
    """Three packed chunks, the best-ranked one with the answer between the others."""
    chunks = [
        packed("a", 0, rank=2, start=0),
        packed("b", 1, GOLD, rank=1, start=100),
        packed("c", 2, rank=3, start=200),
    ]
    return [one | changed for one in chunks]


def test_positions_or_starts_alone_tell_the_order() -> None:
    for changed in ({}, {"position": None}, {"start": None}):
        assert codes(run(*three(**changed))) == ["answer_buried"]


@pytest.mark.parametrize(
    "record",
    [
        run(*three(position=None, start=None), reply="No."),
        run(*three(position=0, start=None), reply="No."),
        run(*three(position=None, start=0), reply="No."),
        run(*three(tokens=None), reply="No."),
        run(three()[0] | {"text": None}, *three()[1:], reply="No."),
        run(*three(), trace={"truncated": True}, reply="No."),
        run(*three(outcome="unknown"), reply="No."),
        run(*three(outcome=None), reply="No."),
        run(*three(), answer={"expected": []}, reply="No."),
    ],
)
def test_where_the_place_or_the_text_is_not_known_nothing_is_called_buried_or_ignored(
    record: Record,
) -> None:
    assert codes(record) == []


# answer_ignored


def test_an_answer_in_a_good_place_that_the_reply_lacks_was_ignored() -> None:
    record = sizes(100, 100, 100, gold=0, reply="Two weeks.")
    finding = only(record, "answer_ignored")
    assert (finding.severity, finding.chunks) == ("cause", ("c0",))
    assert finding.detail == {"p": pytest.approx(p(1 / 6)), "position": 0, "packed": 3}
    assert "1 of 3" in finding.title
    assert "prompt or the model" in finding.advice
    assert codes(record) == ["answer_ignored"]
    assert broke_at(record) == "in the reply"


def test_one_packed_chunk_has_no_place_to_be_buried_in() -> None:
    assert codes(sizes(100, gold=0, reply="Two weeks.")) == ["answer_ignored"]
    unplaced = run(packed("a", 0, GOLD, tokens=None, position=None), reply="Two weeks.")
    assert codes(unplaced) == ["answer_ignored"]


@pytest.mark.parametrize(
    "fields",
    [
        {"reply": f"You have it, {ANSWER.upper()}!"},
        {"reply": None},
        {"reply": "A month.", "answer": {"correct": True}},
        {"reply": "Two wee", "trace": {"truncated": True}},
        {"answer": {"expected": []}, "reply": "Two weeks."},
    ],
)
def test_a_reply_that_says_it_or_is_right_or_is_not_known_ignored_nothing(
    fields: dict[str, Any],
) -> None:
    assert codes(sizes(100, 100, 100, gold=0, **fields)) == []


def test_where_only_gold_ids_are_known_the_grade_tells_whether_the_reply_lacks_it() -> None:
    for correct, told in ((False, ["answer_ignored"]), (True, []), (None, [])):
        record = run(packed("a", 0, None), gold=["a"], answer={"expected": [], "correct": correct})
        assert codes(record) == told


def test_buried_and_ignored_are_never_told_together() -> None:
    buried = sizes(100, 100, 100, gold=1, reply="Two weeks.")
    assert codes(buried) == ["answer_buried"]
    beside = sizes(10, 900, 10, gold=1, reply="Two weeks.")
    assert codes(beside) == ["answer_ignored"]
