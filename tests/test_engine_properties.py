"""What holds for every packing, over random candidates, settings and texts."""

from __future__ import annotations

import json
import math
from collections import Counter as Tally
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from engine_inputs import awkward, counter, packed_ids, scored, settings, sized, texts
from hypothesis import assume, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from ctxpack import PLACEMENTS, STRATEGIES, Candidate, InputError, PackResult, Settings, pack
from ctxpack import result_json as as_json
from ctxpack.filters.filtering import filter_candidates
from ctxpack.placement import place
from ctxpack.rendering import join, render
from ctxpack.value.calibration import Calibration
from ctxpack.weighing import weigh

many = effort(max_examples=400, deadline=None, derandomize=True)
few = effort(max_examples=150, deadline=None, derandomize=True)
FILTERS_AND_ROOM = {
    "invalid",
    "banned",
    "duplicate",
    "below_cutoff",
    "below_cliff",
    "over_count",
    "too_long",
    "no_room",
    "after_stop",
    "not_chosen",
}


FILTERS = st.fixed_dictionaries(
    {
        "cutoff": st.none() | st.floats(0, 1),
        "margin": st.none() | st.floats(0, 60),
        "cliff": st.booleans(),
        "dedupe": st.none() | st.floats(0, 1),
        "calibration": st.just(Calibration(ranks=(0.5, 0.2), coefficients={"lead": 1.0})),
    }
)


@st.composite
def asked(
    draw: st.DrawFn, source: st.SearchStrategy[list[Candidate]]
) -> tuple[list[Candidate], Settings]:
    candidates = draw(source)
    return candidates, draw(settings(candidates))


def check(candidates: Sequence[Candidate], result: PackResult) -> None:
    packed, skipped = packed_ids(result), [chunk.id for chunk in result.skipped]
    assert len(candidates) == result.considered == len(packed) + len(skipped)
    assert max(Tally(packed + skipped).values(), default=1) == 1
    assert {chunk.reason for chunk in result.skipped} <= FILTERS_AND_ROOM
    assert sum(chunk.tokens for chunk in result.packed) <= result.used <= result.budget
    on_value = result.bound_on == "value"
    assert on_value == (result.settings.strategy != "ordered")
    reached = result.value if on_value else result.expected_use
    assert result.bound >= reached
    assert result.gap == result.bound - reached
    assert result.gap == 0 or not result.proven
    assert [chunk.position for chunk in result.packed] == list(range(len(packed)))
    for chunk in result.packed:
        assert 0 < chunk.x < 1
        assert 0.55 <= chunk.p <= 0.75
    for chunk in result.skipped:
        if chunk.reason in ("too_long", "no_room"):
            room = chunk.detail["budget" if chunk.reason == "too_long" else "left"]
            assert 0 <= room < chunk.detail["needed"] == chunk.tokens
            assert room <= result.budget
    expected_use = math.fsum(chunk.value * chunk.p for chunk in result.packed)
    assert result.expected_use == pytest.approx(expected_use)
    assert "NaN" not in json.dumps(as_json(result))


@many
@given(asked(sized()))
def test_used_is_within_the_budget_and_every_candidate_is_packed_or_skipped_with_one_reason(
    given_: tuple[list[Candidate], Settings],
) -> None:
    candidates, chosen = given_
    check(candidates, pack(candidates, chosen))


@many
@given(asked(scored()), st.sampled_from(["gain", "score", "calibrated"]), FILTERS)
def test_the_same_holds_for_scores_of_every_kind_and_under_every_filter(
    given_: tuple[list[Candidate], Settings], value: str, filters: dict[str, Any]
) -> None:
    candidates, chosen = given_
    chosen = msgspec.structs.replace(chosen, value=value, **filters)
    check(candidates, pack(candidates, chosen))


@many
@given(
    asked(awkward()),
    st.sampled_from([None, "score", "bm25", "calibrated"]),
    FILTERS,
    st.booleans(),
)
def test_the_same_holds_for_whatever_an_application_hands_over(
    given_: tuple[list[Candidate], Settings],
    value: str | None,
    filters: dict[str, Any],
    counted: bool,
) -> None:
    candidates, chosen = given_
    chosen = msgspec.structs.replace(chosen, value=value, **filters)
    try:
        result = pack(
            candidates, chosen, query="refund in 30 days", count=counter() if counted else None
        )
    except InputError:
        # Scores whose direction nobody told are refused in words, never by another error.
        assume(False)
        return
    check(candidates, result)


@many
@given(
    st.lists(texts(), max_size=9),
    st.sampled_from([None, "", "\n", "\n---\n", " ", "ab", "1", "'"]),
    st.integers(0, 90),
    st.sampled_from(STRATEGIES),
    st.sampled_from(PLACEMENTS),
    st.sets(st.integers(0, 8), max_size=3),
)
def test_what_is_used_is_never_below_the_count_of_the_rendered_text(
    words: list[str],
    separator: str | None,
    budget: int,
    strategy: str,
    placement: str,
    pins: set[int],
) -> None:
    candidates = [
        Candidate(id=str(place_), rank=place_ + 1, text=text, pinned=place_ in pins)
        for place_, text in enumerate(words)
    ]
    chosen = Settings(budget=budget, strategy=strategy, placement=placement, separator=separator)
    result = pack(candidates, chosen, count=counter())
    check(candidates, result)
    by_id = {candidate.id: candidate for candidate in candidates}
    sent = join([render(by_id[chunk.id]) or "" for chunk in result.packed], separator)
    assert counter()(sent) <= result.used <= budget


@many
@given(st.lists(st.integers(), max_size=12, unique=True), st.sampled_from(PLACEMENTS))
def test_placements_are_permutations(best_first: list[int], placement: str) -> None:
    assert sorted(place(best_first, placement)) == sorted(best_first)


@many
@given(asked(sized(min_size=1)), st.sampled_from(STRATEGIES))
def test_placement_never_changes_what_is_chosen(
    given_: tuple[list[Candidate], Settings], strategy: str
) -> None:
    candidates, chosen = given_
    chosen = msgspec.structs.replace(chosen, strategy=strategy)
    sets = {
        frozenset(packed_ids(pack(candidates, msgspec.structs.replace(chosen, placement=name))))
        for name in PLACEMENTS
    }
    assert len(sets) == 1


@many
@given(asked(sized()), st.data())
def test_shuffled_input_with_ranks_gives_the_same_window(
    given_: tuple[list[Candidate], Settings], data: st.DataObject
) -> None:
    candidates, chosen = given_
    candidates = [
        msgspec.structs.replace(candidate, index=place_)
        for place_, candidate in enumerate(candidates)
    ]
    shuffled = data.draw(st.permutations(candidates))
    assert as_json(pack(shuffled, chosen)) == as_json(pack(candidates, chosen))


@many
@given(asked(scored()))
def test_the_same_input_gives_the_same_result_and_resolved_settings_repeat_it(
    given_: tuple[list[Candidate], Settings],
) -> None:
    candidates, chosen = given_
    first = pack(candidates, chosen)
    assert as_json(pack(candidates, chosen)) == as_json(first)
    again = pack(candidates, first.settings)
    assert as_json(again) == as_json(first)


@many
@given(
    scored(min_size=1),
    st.sampled_from([0.25, 0.5, 2.0, 4.0]),
    st.sampled_from([-8.0, 0.0, 16.0]),
    st.sampled_from(["top", "density", "optimal"]),
)
def test_scores_that_are_scaled_or_shifted_keep_their_order(
    candidates: list[Candidate], scale: float, shift: float, strategy: str
) -> None:
    unranked = [
        msgspec.structs.replace(candidate, rank=None, score_kind="similarity")
        for candidate in candidates
    ]
    moved = [msgspec.structs.replace(c, score=(c.score or 0.0) * scale + shift) for c in unranked]
    assume(len({c.score for c in moved}) == len({c.score for c in unranked}))
    everything = Settings(budget=10_000, value="score", placement="best-first")
    order = [packed_ids(pack(one, everything)) for one in (unranked, moved)]
    assert order[0] == order[1]
    if shift == 0:
        chosen = Settings(budget=100, value="score", strategy=strategy)
        assert packed_ids(pack(unranked, chosen)) == packed_ids(pack(moved, chosen))


@many
@given(asked(sized()))
def test_filters_are_idempotent(given_: tuple[list[Candidate], Settings]) -> None:
    candidates, chosen = given_
    weighing = weigh(candidates, chosen, "", None, 0)
    once = filter_candidates(weighing.candidates, chosen, weighing.named)
    again = filter_candidates(once.kept, chosen, weighing.named)
    assert again.kept == once.kept
    assert again.refused == ()


@few
@given(sized(max_size=9, largest=60), st.integers(0, 200))
def test_pins_and_bans_are_obeyed(candidates: list[Candidate], budget: int) -> None:
    assume(len(candidates) >= 2)
    pin, ban = candidates[0], candidates[1]
    for strategy in STRATEGIES:
        chosen = Settings(budget=budget, strategy=strategy, pins=(pin.id,), bans=(ban.id,))
        packed = packed_ids(pack(candidates, chosen))
        assert (pin.id in packed) == ((pin.tokens or 0) <= budget)
        assert ban.id not in packed
