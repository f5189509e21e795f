"""The steps of a fill are the choice itself: the same taken and passed over as pack tells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from ctxpack import Candidate, Settings
from ctxpack.errors import InputError, Stopped
from ctxpack.explaining.best_table import best_table
from ctxpack.explaining.steps import FILLS, filling
from ctxpack.retrieved import Retrieved
from tests.engine_inputs import BUDGETS, counter, scored, sized, texts

many = effort(max_examples=300, deadline=None, derandomize=True)


def check(retrieved: Retrieved, settings: Settings) -> None:
    told = filling(retrieved, settings)
    result = retrieved.pack(settings)
    assert sorted(told.taken) == sorted(chunk.id for chunk in result.packed)
    reasons = {chunk.id: chunk for chunk in result.skipped}
    used = 0
    for turn in told.turns:
        if turn.outcome == "taken":
            assert turn.needed <= turn.left or turn.left == 0
            assert turn.used > used
        else:
            assert turn.used == used
            skipped = reasons[turn.id]
            assert skipped.reason in ("no_room", "too_long")
            if skipped.reason == "no_room":
                assert skipped.detail["left"] == turn.left
            assert skipped.detail["needed"] == turn.needed
        used = turn.used
    turns = {turn.id for turn in told.turns}
    unseen = {chunk.id for chunk in result.skipped if chunk.reason == "after_stop"}
    assert not turns & unseen
    assert not turns & set(told.pins_out)
    out = len(unseen) + len(told.pins_out) + told.filtered
    assert len(turns) + out == result.considered
    assert all(turn.used <= settings.budget for turn in told.turns)


@many
@given(sized(), BUDGETS, st.sampled_from(FILLS), st.sampled_from([None, 0, 3]), st.data())
def test_turns_of_sized_candidates_are_those_of_the_packing(
    candidates: list[Candidate], budget: int, strategy: str, most: int | None, data: st.DataObject
) -> None:
    ids = st.lists(st.sampled_from([c.id for c in candidates] or ["-"]), unique=True, max_size=3)
    held = data.draw(ids) if candidates else []
    pins, bans = tuple(held[:1]), tuple(held[1:])
    settings = Settings(budget=budget, strategy=strategy, max_chunks=most, pins=pins, bans=bans)
    check(Retrieved(tuple(candidates)), settings)


@many
@given(scored(), BUDGETS, st.sampled_from(FILLS))
def test_turns_by_score_are_those_of_the_packing(
    candidates: list[Candidate], budget: int, strategy: str
) -> None:
    check(Retrieved(tuple(candidates)), Settings(budget=budget, strategy=strategy, value="score"))


@many
@given(
    st.lists(texts(), max_size=7),
    st.integers(0, 60),
    st.sampled_from(FILLS),
    st.sampled_from([None, "", "\n", "--"]),
    st.sampled_from([0.0, 0.3, 0.7, 1.0]),
)
def test_turns_of_texts_are_those_of_the_packing_joined_counts_and_separators_included(
    written: list[str], budget: int, strategy: str, separator: str | None, share: float
) -> None:
    candidates = tuple(
        Candidate(id=str(place), rank=place + 1, text=text) for place, text in enumerate(written)
    )
    settings = Settings(budget=budget, strategy=strategy, separator=separator, mmr_lambda=share)
    check(Retrieved(candidates, "refund 30 days", counter()), settings)


def test_a_turn_tells_what_decided_when_it_came() -> None:
    chunks = (
        Candidate(id="long", rank=1, tokens=100),
        Candidate(id="short", rank=2, tokens=10),
    )
    told = filling(Retrieved(chunks), Settings(budget=50, strategy="density"))
    assert [(turn.id, turn.outcome, turn.left) for turn in told.turns] == [
        ("short", "taken", 50),
        ("long", "passed", 40),
    ]
    assert told.turns[0].merit == pytest.approx(0.63093 / 10, abs=1e-4)
    ranked = filling(Retrieved(chunks), Settings(budget=50))
    assert [turn.merit for turn in ranked.turns] == [None, None]


def test_what_has_no_turns_and_what_is_not_wanted_any_more_is_said() -> None:
    with pytest.raises(InputError, match="has no turns"):
        filling(Retrieved(()), Settings(budget=1, strategy="optimal"))
    chunks = (Candidate(id="a", rank=1, text="alpha"), Candidate(id="b", rank=2, text="beta"))
    retrieved = Retrieved(chunks, "alpha", counter())
    with pytest.raises(Stopped):
        filling(retrieved, Settings(budget=9, strategy="mmr"), should_stop=lambda: True)


@many
@given(sized(), BUDGETS, st.sampled_from([None, 3]), st.booleans())
def test_the_walk_back_through_the_table_is_what_optimal_packs(
    candidates: list[Candidate], budget: int, most: int | None, pinned: bool
) -> None:
    pins = (candidates[0].id,) if candidates and pinned else ()
    settings = Settings(budget=budget, strategy="optimal", max_chunks=most, pins=pins)
    retrieved = Retrieved(tuple(candidates))
    found = best_table(retrieved, settings)
    assert found is not None
    result = retrieved.pack(settings)
    ids = {chunk.id for chunk in found.pins} | set(found.taken)
    assert ids == {chunk.id for chunk in result.packed}
    out = found.absent + len(found.pins_out)
    assert len(found.rows) + len(found.pins) + out == result.considered
    assert found.table.best.shape == (len(found.rows) + 1, found.capacity + 1)


def test_a_table_too_large_to_be_shown_is_none() -> None:
    chunks = tuple(Candidate(id=str(n), rank=n, tokens=1000) for n in range(1, 60))
    assert best_table(Retrieved(chunks), Settings(budget=40_000, strategy="optimal")) is None
