"""The answer was a candidate and not packed, and what would let it in."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from diagnosed_runs import ANSWER, broke_at, chunk, codes, only, packed, run, skipped

from ctxpack import Candidate, Record, Settings, pack
from ctxpack.findings import diagnose, open_case
from ctxpack.replay import logged_settings, repack

OTHER = packed("x", 0)


@pytest.mark.parametrize(
    ("reason", "detail", "words"),
    [
        ("no_room", {"needed": 100, "left": 38}, "no room: 100 tokens needed, 38 left"),
        ("too_long", {"needed": 100, "budget": 90}, "too long: 100 tokens needed"),
        ("after_stop", {"stopped_at": "x"}, "after the stop at x"),
        ("not_chosen", {"loss": 0.25}, "not chosen"),
        ("dropped", None, "dropped"),
        ("over_cap", None, "over the section's cap"),
        ("not_in_prompt", None, "not found in the prompt"),
        ("our own rule 7", None, "our own rule 7"),
        (None, None, "no reason logged"),
    ],
)
def test_an_answer_that_was_a_candidate_and_is_not_packed_was_skipped(
    reason: str | None, detail: dict[str, Any] | None, words: str
) -> None:
    record = run(OTHER, skipped("g", 4, reason, detail=detail), reply="No.")
    finding = only(record, "answer_skipped")
    assert (finding.severity, finding.chunks) == ("cause", ("g",))
    assert finding.detail == {"rank": 4, "reason": reason, **(detail or {})}
    assert "rank 4 (g)" in finding.title
    assert words in finding.title
    assert codes(record) == ["answer_skipped"]
    assert broke_at(record) == "packed"


def test_the_best_ranked_chunk_that_holds_it_decides() -> None:
    record = run(
        OTHER,
        skipped("late", 9, "no_room", detail={"needed": 100, "left": 5}),
        skipped("soon", 3, "no_room", detail={"needed": 100, "left": 9}),
        skipped("fell", 2, "banned"),
    )
    finding = only(record, "answer_skipped")
    assert (finding.detail["rank"], finding.chunks) == (3, ("soon", "late"))


@pytest.mark.parametrize(
    "others",
    [
        [packed("h", 1, f"Yes, {ANSWER}.")],
        [packed("h", 1, None)],
        [chunk("h", ANSWER, rank=2, outcome="unknown")],
        [chunk("h", ANSWER, rank=2)],
        [chunk("h", None, rank=2)],
    ],
)
def test_a_packed_or_undecided_chunk_that_may_hold_it_silences_answer_skipped(
    others: list[dict[str, Any]],
) -> None:
    assert "answer_skipped" not in codes(run(OTHER, skipped("g", 4, "no_room"), *others))


def test_a_cut_trace_silences_answer_skipped_unless_the_chunk_is_known_by_its_id() -> None:
    lost = skipped("g", 4, "no_room")
    assert "answer_skipped" not in codes(run(OTHER, lost, trace={"truncated": True}))
    by_id = run(OTHER, lost, trace={"truncated": True}, gold=["g"], answer={"expected": []})
    assert "answer_skipped" in codes(by_id)


def test_what_an_import_inferred_is_said_to_be_inferred() -> None:
    record = run(OTHER, skipped("g", 4, "not_in_prompt", basis="text_match"))
    assert only(record, "answer_skipped").basis == "inferred"


def logged_run(strategy: str, budget: int, sizes: dict[str, int], **settings: Any) -> Record:
    """A run as `strategy` packs it, the answer in the chunk named gold."""
    candidates = [
        Candidate(id=name, rank=rank, tokens=size)
        for rank, (name, size) in enumerate(sizes.items(), start=1)
    ]
    result = pack(candidates, Settings(budget=budget, strategy=strategy))
    places = {one.id: one.position for one in result.packed}
    out = {one.id: one for one in result.skipped}
    return run(
        *(
            packed(c.id, places[c.id], rank=c.rank, tokens=c.tokens)
            if c.id in places
            else skipped(
                c.id,
                c.rank or 0,
                out[c.id].reason,
                ANSWER if c.id == "gold" else "Nothing.",
                tokens=c.tokens,
                detail=out[c.id].detail,
            )
            for c in candidates
        ),
        settings={"budget": budget, "strategy": strategy} | settings,
        reply="No.",
    )


@pytest.mark.parametrize(
    ("record", "changes"),
    [
        (logged_run("top", 200, {"a": 150, "gold": 90, "c": 40}), {"budget": 240}),
        (logged_run("top", 100, {"gold": 180, "b": 60}), {"budget": 180}),
        (logged_run("first-fit", 200, {"a": 150, "b": 90, "gold": 40}), {"strategy": "top"}),
        (logged_run("density", 100, {"gold": 100, "b": 40, "c": 40}), {"strategy": "optimal"}),
        (logged_run("optimal", 100, {"gold": 100, "b": 50, "c": 50}), {"strategy": "top"}),
    ],
)
def test_the_advised_change_really_lets_the_answer_in(
    record: Record, changes: dict[str, Any]
) -> None:
    advice = only(record, "answer_skipped").advice
    settings = logged_settings(record).settings
    assert "gold" not in [one.id for one in repack(record, settings).packed]
    told = [f"budget of {v}" if k == "budget" else f"strategy {v}" for k, v in changes.items()]
    assert ("gold" in packed_with(record, **changes)) == all(words in advice for words in told)
    for strategy in ("first-fit", "top", "density", "optimal"):
        is_in = "gold" in packed_with(record, strategy=strategy)
        assert (f"strategy {strategy}" in advice) == is_in
    assert ("pinning it" in advice) == ("gold" in packed_with(record, pins=("gold",)))


def packed_with(record: Record, **changes: Any) -> list[str]:
    settings = msgspec.structs.replace(logged_settings(record).settings, **changes)
    return [one.id for one in repack(record, settings).packed]


def test_a_skip_that_packing_again_does_not_repeat_is_laid_at_the_assemblers_door() -> None:
    record = run(
        packed("x", 0), skipped("g", 2, "no_room"), settings={"budget": 500, "strategy": "top"}
    )
    assert "the assembler did something else" in only(record, "answer_skipped").advice


def test_a_list_of_runs_may_leave_the_advice_out() -> None:
    record = logged_run("top", 200, {"a": 150, "gold": 90})
    (finding,) = diagnose(open_case(record, advise=False))
    assert (finding.code, finding.advice) == ("answer_skipped", "")
