"""Every budget at once: holding, curve and next change against packing at each single budget."""

from __future__ import annotations

import msgspec
import pytest
from engine_inputs import AT_EVERY_BUDGET, counter, texts
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from ctxpack import Candidate, InputError, Settings
from ctxpack.explaining import budget_curve as curves
from ctxpack.explaining import every_room, every_set
from ctxpack.explaining import holding as holdings
from ctxpack.explaining.budgets import Holding, budget_curve, holding, next_budget, sampled
from ctxpack.retrieved import Retrieved

some = effort(max_examples=200, deadline=None, derandomize=True)
Case = tuple[Retrieved, Settings]


@st.composite
def cases(draw: st.DrawFn, most: int = 7, largest: int = 12) -> Case:
    """A few small candidates, with equal values, vectors, pins, bans, filters and separators."""
    count = draw(st.integers(0, most))
    scored = draw(st.booleans())
    score = st.sampled_from([0.0, 0.25, 0.5, 1.0])
    number = st.sampled_from([-1.0, 0.0, 0.5, 1.0])
    candidates = tuple(
        Candidate(
            id=f"c{place}",
            rank=place + 1,
            index=(place * 3) % 7,
            tokens=draw(st.integers(0 if place == 5 else 1, largest)),
            score=draw(score) if scored else None,
            score_kind="similarity" if scored else None,
            vector=(draw(number), draw(number)),
        )
        for place in range(count)
    )
    names = draw(st.permutations([candidate.id for candidate in candidates]))
    pins, bans = draw(st.sampled_from([(0, 0), (1, 0), (2, 1), (3, 0), (0, 1)]))
    separator = draw(st.sampled_from([None, "--"]))
    settings = Settings(
        budget=draw(st.integers(0, 50)),
        strategy=draw(st.sampled_from(AT_EVERY_BUDGET)),
        value="score" if scored else "gain",
        separator=separator,
        pins=tuple(names[:pins]),
        bans=tuple(names[pins : pins + bans]),
        pins_policy=draw(st.sampled_from(["report", "report", "strict"])),
        max_chunks=draw(st.sampled_from([None, None, 4])),
        cutoff=draw(st.sampled_from([None, None, 0.6])) if scored else None,
        mmr_lambda=draw(st.sampled_from([0.0, 0.5, 0.7, 1.0])),
        query_vector=draw(st.sampled_from([None, (1.0, 0.5)])),
    )
    return Retrieved(candidates, "refund", separator_size=draw(st.integers(1, 3))), settings


def packed_at(case: Case, budget: int, strategy: str) -> set[str] | None:
    """What one packing says, None where it refuses."""
    retrieved, settings = case
    changed = msgspec.structs.replace(settings, budget=budget, strategy=strategy)
    try:
        return {chunk.id for chunk in retrieved.pack(changed).packed}
    except InputError:
        return None


def everything(case: Case) -> int:
    """A budget in which all fits, and some more."""
    return sum((c.tokens or 0) + 3 for c in case[0].candidates) + 5


def refused(case: Case) -> bool:
    """Whether no budget can be packed: a pin that is unusable, or no score to cut by."""
    return packed_at(case, everything(case), "top") is None


@some
@given(cases())
def test_holding_is_what_packing_says_at_every_single_budget_under_every_strategy(
    case: Case,
) -> None:
    if refused(case):
        return
    for strategy in AT_EVERY_BUDGET:
        held = {c.id: holding(*case, strategy, c.id) for c in case[0].candidates}
        for budget in range(everything(case)):
            packed = packed_at(case, budget, strategy) or set()
            assert {name for name, one in held.items() if one.holds(budget)} == packed
        for one in held.values():
            assert one.known is None
            check_form(one)


def check_form(one: Holding) -> None:
    """Spans rise and lie apart, and only the last has no end."""
    above = -2
    for place, (low, high) in enumerate(one.spans):
        assert low > above + 1
        if high is None:
            assert place == len(one.spans) - 1
            assert one.stays_from == low
        else:
            assert high >= low
            above = high
    if not one.spans or one.spans[-1][1] is not None:
        assert one.stays_from is None


@some
@given(cases(), st.integers(0, 60))
def test_the_nearest_budgets_with_and_without_a_chunk_are_those_of_its_spans(
    case: Case, budget: int
) -> None:
    if refused(case):
        return
    strategy = case[1].strategy
    for candidate in case[0].candidates:
        one = holding(*case, strategy, candidate.id)
        ins = [b for b in range(budget + 1, everything(case) + 61) if one.holds(b)]
        outs = [b for b in range(budget) if not one.holds(b)]
        assert one.larger(budget) == min(ins, default=None)
        assert one.smaller_without(budget) == max(outs, default=None)


@some
@given(cases())
def test_the_next_budget_is_the_nearest_at_which_another_set_is_packed(case: Case) -> None:
    now = packed_at(case, case[1].budget, case[1].strategy)
    if now is None:
        with pytest.raises(InputError):
            next_budget(*case, 1)
        return
    budget = case[1].budget
    sets = {b: packed_at(case, b, case[1].strategy) for b in range(everything(case) + budget)}
    other = [b for b, ids in sets.items() if ids is not None and ids != now]
    assert next_budget(*case, 1) == min((b for b in other if b > budget), default=None)
    assert next_budget(*case, -1) == max((b for b in other if b < budget), default=None)


@some
@given(cases())
def test_the_curve_has_a_point_exactly_where_the_set_changes_with_its_value_and_tokens(
    case: Case,
) -> None:
    if refused(case):
        return
    curve = budget_curve(*case)
    assert curve.complete
    retrieved, settings = case
    before: set[str] | None = None
    changes = []
    for budget in range(everything(case)):
        packed = packed_at(case, budget, settings.strategy)
        if packed is None:
            continue
        result = retrieved.pack(msgspec.structs.replace(settings, budget=budget))
        point = curve.at(budget)
        assert point is not None
        assert (point.used, point.packed) == (result.used, len(result.packed))
        assert point.value == pytest.approx(result.value)
        if packed != before:
            changes.append(budget)
        before = packed
    assert [*curve.budgets] == changes


@effort(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(texts(), min_size=1, max_size=7),
    st.integers(0, 60),
    st.sampled_from(AT_EVERY_BUDGET),
    st.sampled_from([None, "\n", "ab"]),
)
def test_where_joined_text_is_counted_the_next_budget_is_still_the_nearest(
    words: list[str], budget: int, strategy: str, separator: str | None
) -> None:
    candidates = tuple(Candidate(id=f"c{n}", rank=n + 1, text=t) for n, t in enumerate(words))
    settings = Settings(budget=budget, strategy=strategy, separator=separator)
    case = Retrieved(candidates, "refund", counter()), settings
    now = packed_at(case, budget, strategy)
    larger, smaller = next_budget(*case, 1), next_budget(*case, -1)
    for other in range(smaller + 1 if smaller is not None else 0, larger or budget + 200):
        assert packed_at(case, other, strategy) == now
    assert larger is None or packed_at(case, larger, strategy) != now
    assert smaller is None or packed_at(case, smaller, strategy) != now


def long_case(count: int = 40) -> Case:
    candidates = tuple(
        Candidate(id=f"c{n}", rank=n + 1, tokens=11 + (n * 37) % 60) for n in range(count)
    )
    return Retrieved(candidates), Settings(budget=300)


@pytest.mark.parametrize("strategy", AT_EVERY_BUDGET)
def test_past_the_bounds_on_work_what_is_told_is_true_and_what_is_not_known_is_said(
    strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = long_case()
    whole = {name: holding(*case, strategy, name) for name in ("c3", "c20", "c39")}
    monkeypatch.setattr(every_room, "RUNS", 0)
    monkeypatch.setattr(every_room, "_FEWEST", 1)
    monkeypatch.setattr(holdings, "CELLS", 20_000)
    for name, one in whole.items():
        part = holdings.held_in(holdings.trials(*case), strategy, name, states=40)
        assert one.known is None
        end = part.known if part.known is not None else one.spans[-1][0] + 9
        assert [part.holds(b) for b in range(end + 1)] == [one.holds(b) for b in range(end + 1)]
        assert part.known is None or part.spans == () or part.spans[-1][1] is not None
    if strategy != "first-fit":
        assert any(
            holdings.held_in(holdings.trials(*case), strategy, name, states=40).known is not None
            for name in whole
        )


@pytest.mark.parametrize("strategy", AT_EVERY_BUDGET)
def test_a_curve_that_leaves_changes_out_says_so_and_its_points_are_true(
    strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    retrieved, settings = long_case()
    settings = msgspec.structs.replace(settings, strategy=strategy)
    for name, most in (("POINTS", 9), ("CELLS", 0), ("STEPS", 3), ("SAMPLES", 12)):
        monkeypatch.setattr(curves, name, most)
    curve = budget_curve(retrieved, settings)
    assert not curve.complete
    assert curve.said
    assert len(curve.budgets) <= 12
    for budget, value, packed in zip(curve.budgets, curve.values, curve.packed, strict=True):
        result = retrieved.pack(msgspec.structs.replace(settings, budget=budget))
        assert (len(result.packed), result.value) == (packed, pytest.approx(value))


def test_a_chart_gets_a_point_a_column_from_nothing_to_everything() -> None:
    retrieved, settings = long_case()
    curve = budget_curve(retrieved, settings)
    points = sampled(curve, 60)
    assert len(points) == 60
    assert (points[0].budget, points[0].packed) == (0, 0)
    assert (points[-1].budget, points[-1].packed) == (curve.budgets[-1], 40)
    for point in points:
        result = retrieved.pack(msgspec.structs.replace(settings, budget=point.budget))
        assert (point.packed, point.used) == (len(result.packed), result.used)


@pytest.mark.parametrize("strategy", AT_EVERY_BUDGET)
def test_rooms_that_are_filled_a_few_at_a_time_give_the_same(
    strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    retrieved, settings = long_case()
    settings = msgspec.structs.replace(settings, strategy=strategy, pins=("c7", "c30"))
    names = ("c3", "c20", "c30", "c39")
    whole = [holding(retrieved, settings, strategy, name) for name in names]
    curve = budget_curve(retrieved, settings)
    monkeypatch.setattr(every_room, "_BLOCK", 16)
    monkeypatch.setattr(every_set, "SLICE", 5)
    assert [holding(retrieved, settings, strategy, name) for name in names] == whole
    again = budget_curve(retrieved, settings)
    assert (again.budgets, again.used, again.packed) == (curve.budgets, curve.used, curve.packed)
    assert again.values == pytest.approx(curve.values)


def test_a_window_of_a_million_tokens_has_its_spans_and_edges_right() -> None:
    candidates = tuple(
        Candidate(id=f"c{n}", rank=n + 1, tokens=3_000 + (n * 7_919) % 40_000) for n in range(45)
    )
    retrieved, settings = Retrieved(candidates), Settings(budget=0)
    for strategy in ("first-fit", "top", "density"):
        for name in ("c5", "c31", "c44"):
            one = holding(retrieved, settings, strategy, name)
            for low, high in (*one.spans[:6], *one.spans[-1:]):
                sides = [(low - 1, False), (low, True)]
                sides += [] if high is None else [(high, True), (high + 1, False)]
                for budget, is_in in sides:
                    ids = packed_at((retrieved, settings), budget, strategy) or set()
                    assert (name in ids) == is_in


def test_chunks_as_long_as_numbers_are_read_have_their_spans_too() -> None:
    candidates = tuple(Candidate(id=f"c{n}", rank=n + 1, tokens=2**53 - n) for n in range(600))
    for few in (candidates[:3], candidates):
        given_ = Retrieved(few)
        one = holding(given_, Settings(budget=0), "top", "c2")
        assert one.known is None
        assert one.spans == ((2**53 - 2, 2**53 - 2), (2**54 - 2, 2**54 - 2), (3 * 2**53 - 3, None))
    far = holding(Retrieved(candidates), Settings(budget=0), "first-fit", "c599")
    assert far.spans == ((sum(2**53 - n for n in range(600)), None),)
    assert holding(Retrieved(candidates), Settings(budget=0), "top", "c599").known is not None
