"""The best order of a set of chunks: equal to the best of all permutations, bounds that hold."""

from __future__ import annotations

import math
from itertools import permutations
from operator import mul

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack.curves import ASSUMED, Curve, Parabolas
from ctxpack.curves.monotone import through
from ctxpack.curves.published import PUBLISHED
from ctxpack.placing.best_order import Order, best_order
from ctxpack.placing.by_subsets import MOST, order_by_subsets
from ctxpack.placing.highest_places import highest_places, stretch, use_bound
from ctxpack.placing.rearranged import most_use
from ctxpack.placing.spans import Spans
from ctxpack.placing.v_shaped import by_density, two_ended, v_shaped


def two_parabolas(trough: float, bottom: float, left: float, right: float) -> Curve:
    def p(x: float) -> float:
        return bottom + (left if x < trough else right) * (x - trough) ** 2

    ends = (p(0.0), p(1.0))
    return Curve("u", p, bottom, max(ends), parabolas=Parabolas(trough, bottom, left, right))


FAMILIES = {
    "assumed": ASSUMED,
    "trough at the left": two_parabolas(0.2, 0.3, 2.0, 0.6),
    "falling": two_parabolas(1.0, 0.2, 0.6, 0.0),
    "rising": two_parabolas(0.0, 0.2, 0.0, 0.6),
    "flat": two_parabolas(0.5, 0.5, 0.0, 0.0),
    "hump": Curve("hump", lambda x: 0.8 - 0.5 * (x - 0.4) ** 2, 0.62, 0.8),
    "wiggle": Curve("wiggle", lambda x: 0.5 + 0.3 * math.sin(17 * x), 0.2, 0.8),
    "measured": through("measured", [(0.1, 0.7), (0.3, 0.2), (0.5, 0.6), (0.8, 0.1), (1, 0.9)]),
    "step": Curve("step", lambda x: 0.9 if x > 0.65 else 0.1, 0.1, 0.9),
}
"""Curves of every kind: p over x, both from 0 to 1."""


@st.composite
def laid_out(draw: st.DrawFn, least: int = 1, most: int = 6) -> Spans:
    chunks = draw(st.integers(least, most))
    sizes = st.lists(st.integers(1, 300), min_size=chunks, max_size=chunks)
    worths = st.lists(st.floats(0, 10, width=32), min_size=chunks, max_size=chunks)
    return Spans(
        tokens=tuple(draw(sizes)),
        values=tuple(draw(worths)),
        curve=FAMILIES[draw(st.sampled_from(sorted(FAMILIES)))],
        separator=draw(st.sampled_from((0, 0, 7))),
        ahead=draw(st.sampled_from((0, 0, 120))),
    )


def best_of_all(spans: Spans) -> float:
    return max(spans.use(order) for order in permutations(range(len(spans.tokens))))


@settings(max_examples=300)
@given(laid_out())
def test_no_permutation_is_used_more_under_any_kind_of_curve(spans: Spans) -> None:
    found = best_order(spans)
    assert sorted(found.order) == [*range(len(spans.tokens))]
    assert found.proven
    assert found.use == pytest.approx(best_of_all(spans), rel=1e-9)
    assert found.use == spans.use(found.order) == found.bound


@settings(max_examples=12, deadline=None)
@given(laid_out(least=7, most=8))
def test_no_permutation_of_eight_is_used_more(spans: Spans) -> None:
    assert best_order(spans).use == pytest.approx(best_of_all(spans), rel=1e-9)


@settings(max_examples=200)
@given(laid_out())
def test_the_bound_of_the_rearranged_curve_holds_for_every_order(spans: Spans) -> None:
    if spans.curve.parabolas is not None:
        bound = most_use(spans, spans.curve.parabolas)
        assert best_of_all(spans) <= bound * (1 + 1e-12) + 1e-12


@settings(max_examples=200)
@given(laid_out())
def test_the_two_ended_order_is_a_permutation_that_falls_and_rises_in_density(
    spans: Spans,
) -> None:
    order = two_ended(spans)
    assert sorted(order) == [*range(len(spans.tokens))]
    assert falls_and_rises(spans, order)


@settings(max_examples=150, deadline=None)
@given(laid_out(least=1, most=8))
def test_under_two_parabolas_the_v_shape_with_any_middle_is_as_good_as_any_permutation(
    spans: Spans,
) -> None:
    order, exact = v_shaped(spans)
    assert sorted(order) == [*range(len(spans.tokens))]
    if spans.curve.parabolas is not None:
        assert exact
        best = spans.use(order_by_subsets(spans))
        assert spans.use(order) == pytest.approx(best, rel=1e-9)


def test_the_chunk_at_the_lowest_place_may_be_a_denser_one() -> None:
    sizes = (60, 900, 60, 900, 400)
    spans = Spans(sizes, tuple(map(mul, sizes, (0.843, 0.916, 0.527, 0.851, 0.996))), ASSUMED)
    order, exact = v_shaped(spans)
    assert exact
    # The third chunk is the least dense of all, but another one holds the middle.
    assert not falls_and_rises(spans, order)
    assert spans.use(order) == pytest.approx(best_of_all(spans), rel=1e-9)


def falls_and_rises(spans: Spans, order: tuple[int, ...]) -> bool:
    place = {chunk: at for at, chunk in enumerate(by_density(spans))}
    ranks = [place[chunk] for chunk in order]
    turn = ranks.index(max(ranks))
    falling, rising = ranks[: turn + 1], ranks[turn:]
    return falling == sorted(falling) and rising == sorted(rising, reverse=True)


@settings(max_examples=200, deadline=None)
@given(laid_out(most=7))
def test_the_bound_of_the_highest_places_holds_for_every_order_under_any_curve(
    spans: Spans,
) -> None:
    sizes = [tokens + spans.separator for tokens in spans.tokens]
    places = highest_places(spans.curve, stretch(spans.total, spans.separator))
    bound = use_bound(places, sizes, spans.values, spans.total + spans.separator)
    assert best_of_all(spans) <= bound * (1 + 1e-12) + 1e-12


@settings(max_examples=60, deadline=None)
@given(laid_out(least=MOST + 1, most=40))
def test_under_two_parabolas_the_order_of_many_chunks_is_proven_too(spans: Spans) -> None:
    if spans.curve.parabolas is not None:
        found = best_order(spans)
        assert found.proven
        assert found.use <= most_use(spans, spans.curve.parabolas) * (1 + 1e-9)


@settings(max_examples=60, deadline=None)
@given(laid_out(least=MOST + 1, most=30))
def test_many_chunks_get_an_order_that_no_simple_one_beats_and_a_bound_above_it(
    spans: Spans,
) -> None:
    found = best_order(spans)
    listed = [*range(len(spans.tokens))]
    assert sorted(found.order) == listed
    simple = (listed, listed[::-1], two_ended(spans))
    assert all(spans.use(order) <= found.use * (1 + 1e-9) for order in simple)
    assert found.bound >= found.use


def test_under_the_assumed_curve_the_denser_of_two_stands_first() -> None:
    spans = Spans(tokens=(300, 100), values=(1.0, 0.9), curve=ASSUMED)
    # 100 tokens first: x 0.125 and 0.625; p 0.6625 and 0.55625.
    found = best_order(spans)
    assert found == Order((1, 0), found.use, found.use, True)
    assert found.use == pytest.approx(0.9 * 0.6625 + 1.0 * 0.55625)


def test_where_every_order_is_as_good_the_chunks_stay_as_listed() -> None:
    flat = FAMILIES["flat"]
    for count in (3, 12, 13, 20):
        sizes = tuple(31 + 7 * at % 50 for at in range(count))
        worths = tuple(1 / (at + 2) for at in range(count))
        assert best_order(Spans(sizes, worths, flat)).order == tuple(range(count))


def test_forty_chunks_are_proven_or_come_near_the_bound_where_the_curve_is_no_u() -> None:
    sizes = tuple(60 + 97 * at % 800 for at in range(40))
    worths = tuple(1 / math.log2(at + 2) for at in range(40))
    assert best_order(Spans(sizes, worths, ASSUMED)).proven
    for curve in PUBLISHED.values():
        found = best_order(Spans(sizes, worths, curve))
        assert found.use <= found.bound <= found.use * 1.005
