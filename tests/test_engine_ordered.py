"""Choice and place together: equal to the best of all subsets in all orders, with its proof."""

from __future__ import annotations

from itertools import permutations
from random import Random

import msgspec
import pytest
from engine_inputs import packed_ids
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack import Candidate, PackResult, Settings, pack
from ctxpack.curves import curve_of
from ctxpack.curves.points import BUILT_IN, CurvePoints
from ctxpack.explaining.budget_curve import budget_curve
from ctxpack.explaining.why import why
from ctxpack.retrieved import Retrieved

OWN = {
    "hump": ((0.0, 0.1), (0.4, 0.9), (1.0, 0.2)),
    "wiggle": ((0.1, 0.8), (0.3, 0.1), (0.5, 0.7), (0.7, 0.0), (0.9, 1.0)),
    "flat": ((0.0, 0.5), (1.0, 0.5)),
    "falling": ((0.0, 0.9), (1.0, 0.1)),
    "rising": ((0.0, 0.0), (0.5, 0.1), (1.0, 1.0)),
    "step": ((0.64, 0.1), (0.65, 0.9)),
}
"""Curves of one's own of every kind: measured points, x and p."""


@st.composite
def asked(draw: st.DrawFn, most: int = 5) -> tuple[list[Candidate], Settings, int]:
    """Candidates, settings of ordered, and the tokens of a separator."""
    chunks = draw(st.integers(1, most))
    sizes = draw(st.lists(st.integers(1, 300), min_size=chunks, max_size=chunks))
    scores = draw(st.lists(st.floats(0, 1, width=32), min_size=chunks, max_size=chunks))
    candidates = [
        Candidate(id=f"c{at}", tokens=size, score=score, score_kind="similarity", rank=at + 1)
        for at, (size, score) in enumerate(zip(sizes, scores, strict=True))
    ]
    separator = draw(st.sampled_from((0, 0, 5, 40)))
    budget = draw(st.integers(0, sum(sizes) + separator * chunks))
    pin = draw(st.sampled_from((None, None, candidates[0])))
    curve = draw(st.sampled_from((*BUILT_IN, *OWN)))
    fits = pin is not None and (pin.tokens or 0) <= budget
    return (
        candidates,
        Settings(
            budget=budget,
            strategy="ordered",
            value="score",
            curve=curve,
            curve_points=CurvePoints(name=curve, points=OWN[curve]) if curve in OWN else None,
            separator="--" if separator else None,
            pins=(pin.id,) if pin is not None and fits else (),
        ),
        separator,
    )


def best_of_all(candidates: list[Candidate], asked_for: Settings, separator: int) -> float:
    """The most use of any subset within the budget, pins in it, in any order."""
    curve = curve_of(asked_for)
    best = 0.0
    for chosen in range(1 << len(candidates)):
        subset = [chunk for at, chunk in enumerate(candidates) if chosen >> at & 1]
        sizes = {chunk.id: chunk.tokens or 0 for chunk in subset}
        total = sum(sizes.values()) + separator * max(0, len(subset) - 1)
        if total > asked_for.budget or not {*asked_for.pins} <= {*sizes}:
            continue
        for order in permutations(subset):
            at, used = 0, 0.0
            for chunk in order:
                used += (chunk.score or 0.0) * curve.p((at + sizes[chunk.id] / 2) / total)
                at += sizes[chunk.id] + separator
            best = max(best, used)
    return best


def check_best(candidates: list[Candidate], asked_for: Settings, separator: int) -> None:
    result = pack(candidates, asked_for, separator_size=separator)
    best = best_of_all(candidates, asked_for, separator)
    assert result.expected_use == pytest.approx(best, rel=1e-9, abs=1e-12)
    assert result.bound >= best * (1 - 1e-9)
    assert (result.bound_on, result.proven) == ("expected_use", True)
    assert (result.gap, result.settings.placement) == (0, "optimal")


@settings(max_examples=250, deadline=None)
@given(asked())
def test_no_subset_in_any_order_is_used_more_under_any_kind_of_curve(
    case: tuple[list[Candidate], Settings, int],
) -> None:
    check_best(*case)


@pytest.mark.parametrize("curve", [*BUILT_IN, *OWN])
def test_no_subset_of_seven_in_any_order_is_used_more(curve: str) -> None:
    chance = Random(7)
    candidates = [
        Candidate(
            id=f"c{at}",
            tokens=chance.choice((chance.randint(1, 40), chance.randint(1, 900))),
            score=chance.random(),
            score_kind="similarity",
            rank=at + 1,
        )
        for at in range(7)
    ]
    points = CurvePoints(name=curve, points=OWN[curve]) if curve in OWN else None
    budget = sum(chunk.tokens or 0 for chunk in candidates) * 2 // 3
    check_best(
        candidates,
        Settings(
            budget=budget, strategy="ordered", value="score", curve=curve, curve_points=points
        ),
        0,
    )


def uneven(chunks: int, seed: int) -> list[Candidate]:
    chance = Random(seed)
    return [
        Candidate(
            id=f"c{at}",
            rank=at + 1,
            tokens=min(900, max(40, round(chance.lognormvariate(5.6, 0.6)))),
        )
        for at in range(chunks)
    ]


@pytest.mark.parametrize(("chunks", "budget"), [(20, 2_500), (40, 5_000), (40, 12_000)])
def test_under_two_parabolas_the_set_of_many_chunks_is_proven(chunks: int, budget: int) -> None:
    for seed in range(3):
        candidates = uneven(chunks, seed)
        result = pack(candidates, Settings(budget=budget, strategy="ordered"))
        assert result.proven
        for strategy in ("top", "density", "optimal"):
            other = pack(
                candidates, Settings(budget=budget, strategy=strategy, placement="optimal")
            )
            assert other.expected_use <= result.expected_use * (1 + 1e-9)


def test_under_any_other_curve_the_bound_holds_and_is_near() -> None:
    for curve in BUILT_IN[1:]:
        asked_for = Settings(budget=5_000, strategy="ordered", curve=curve)
        result = pack(uneven(40, 1), asked_for)
        assert 0 <= result.gap <= 0.01 * result.expected_use


def test_a_better_placed_set_may_be_worth_less_than_the_best_set() -> None:
    differing = 0
    for seed in range(30):
        candidates = uneven(20, seed)
        ordered = pack(candidates, Settings(budget=2_500, strategy="ordered"))
        optimal = pack(candidates, Settings(budget=2_500, strategy="optimal", placement="optimal"))
        assert ordered.value <= optimal.value + 1e-12
        assert ordered.expected_use >= optimal.expected_use - 1e-12
        differing += {*packed_ids(ordered)} != {*packed_ids(optimal)}
    assert differing


def with_pins(**changes: object) -> PackResult:
    candidates = [
        msgspec.structs.replace(chunk, doc_id=f"d{at % 4}", ordinal=at)
        for at, chunk in enumerate(uneven(12, 3))
    ]
    asked_for = Settings(budget=1_500, strategy="ordered", pins=("c9",))
    return pack(candidates, msgspec.structs.replace(asked_for, **changes))


def test_pins_are_in_and_pins_first_or_documents_together_only_lower_the_use() -> None:
    free = with_pins()
    first = with_pins(pins_first=True)
    together = with_pins(group="document")
    assert "c9" in packed_ids(free)
    assert packed_ids(first)[0] == "c9"
    assert first.expected_use <= free.expected_use
    assert together.expected_use <= free.expected_use <= together.bound * (1 + 1e-9)


def test_whatever_placement_is_asked_for_it_places_what_it_chooses() -> None:
    asked_for = Settings(budget=1_500, strategy="ordered", placement="best-last")
    given_ = uneven(12, 3)
    assert pack(given_, asked_for) == pack(
        given_, msgspec.structs.replace(asked_for, placement="optimal")
    )


def test_without_a_candidate_that_fits_nothing_is_packed_and_that_is_proven() -> None:
    result = pack(uneven(3, 1), Settings(budget=10, strategy="ordered"))
    assert (result.packed, result.proven, result.bound) == ((), True, 0)
    assert {chunk.reason for chunk in result.skipped} == {"too_long"}


def test_why_tells_who_would_leave_and_what_lets_it_in_each_packed_to_make_sure() -> None:
    given_ = Retrieved(tuple(uneven(20, 3)))
    asked_for = Settings(budget=2_500, strategy="ordered")
    packing = given_.pack(asked_for)
    out = next(chunk for chunk in packing.skipped if chunk.reason == "not_chosen")
    found = why(given_, asked_for, out.id)
    assert found.took_room
    assert {*found.took_room} <= {*packed_ids(packing)}
    kinds = {change.kind: change.amount for change in found.changes}
    assert isinstance(kinds["budget"], int)
    larger = msgspec.structs.replace(asked_for, budget=2_500 + kinds["budget"])
    assert out.id in packed_ids(given_.pack(larger))
    assert out.id in packed_ids(given_.pack(msgspec.structs.replace(asked_for, pins=(out.id,))))


def test_its_budget_curve_is_some_budgets_and_says_so() -> None:
    given_ = Retrieved(tuple(uneven(8, 3)))
    curve = budget_curve(given_, Settings(budget=900, strategy="ordered"))
    assert not curve.complete
    assert curve.said.startswith("24 budgets, evenly spaced")
    for budget, value in zip(curve.budgets, curve.values, strict=True):
        result = given_.pack(Settings(budget=budget, strategy="ordered"))
        assert result.value == pytest.approx(value)


def test_equal_chunks_do_not_keep_the_proof_away() -> None:
    candidates = [Candidate(id=f"c{at}", tokens=100, rank=at + 1) for at in range(40)]
    for curve in BUILT_IN:
        result = pack(candidates, Settings(budget=1_000, strategy="ordered", curve=curve))
        assert result.proven
        assert {*packed_ids(result)} == {f"c{at}" for at in range(10)}


def test_a_budget_that_holds_everything_is_bounded_by_what_there_is() -> None:
    candidates = uneven(30, 2)
    enough = sum(chunk.tokens or 0 for chunk in candidates)
    for budget in (enough, 1000 * enough):
        result = pack(candidates, Settings(budget=budget, strategy="ordered"))
        assert result.proven
