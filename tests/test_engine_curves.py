"""Curves: the published figures, what lies between them, and points of one's own."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack import Candidate, InputError, LoggedSettings, Record, Settings, pack
from ctxpack.curves import ASSUMED, curve_named, curve_of
from ctxpack.curves.monotone import through
from ctxpack.curves.points import BUILT_IN, CurvePoints, curve_points_from, parse_curve
from ctxpack.findings import open_case
from ctxpack.recording import logged_candidates, logged_settings_of
from ctxpack.replay import logged_settings, reproduces
from ctxpack.settings import CURVES

PLACES = (0.025, 0.225, 0.475, 0.725, 0.975)
ACCURACY = {
    "mpt-30b-instruct": (0.5367, 0.5175, 0.5217, 0.5266, 0.5623),
    "longchat-13b-16k": (0.6859, 0.5740, 0.5533, 0.5250, 0.5503),
    "llama-2-70b-chat": (0.5677, 0.5332, 0.5408, 0.5966, 0.6949),
}
POINTS = CurvePoints(name="our-sweep", points=((0.1, 0.7), (0.5, 0.5), (0.9, 0.6)))


@st.composite
def measured(draw: st.DrawFn) -> list[tuple[float, float]]:
    places = draw(st.lists(st.integers(0, 1000), min_size=2, max_size=9, unique=True))
    share = st.floats(0, 1)
    return [(place / 1000, draw(share)) for place in sorted(places)]


@pytest.mark.parametrize("name", ACCURACY)
def test_a_published_curve_passes_through_its_points_and_is_flat_outside(name: str) -> None:
    curve = curve_named(name)
    assert curve.points == tuple(zip(PLACES, ACCURACY[name], strict=True))
    for x, p in curve.points:
        assert curve.p(x) == pytest.approx(p, abs=1e-12)
    assert (curve.p(0.0), curve.p(1.0)) == (ACCURACY[name][0], ACCURACY[name][-1])
    assert (curve.lowest, curve.highest) == (min(ACCURACY[name]), max(ACCURACY[name]))


def test_between_points_the_curve_is_the_monotone_cubic_worked_out_by_hand() -> None:
    # Points 0, 1, 3 with p 0, 0.2, 0.9: slopes 0.2 and 0.35. Inner slope: weights 2*2+1 = 5 and
    # 2+2*1 = 4, (5+4)/(5/0.2+4/0.35) = 0.247058...; at the start ((2+2)*0.2-0.35)/3 = 0.15.
    curve = through("hand", [(0.0, 0.0), (1.0, 0.2), (3.0, 0.9)])
    slope = 9 / (5 / 0.2 + 4 / 0.35)
    # Hermite at t = 1/2: (p0 + p1) / 2 + (m0 - m1) / 8.
    assert curve.p(0.5) == pytest.approx(0.1 + (0.15 - slope) / 8)


@given(measured(), st.floats(0, 1))
def test_p_stays_between_its_neighbours_and_never_turns_between_them(
    points: list[tuple[float, float]], x: float
) -> None:
    curve = through("drawn", points)
    at = [p for place, p in points if place <= x][-1:] or [points[0][1]]
    after = [p for place, p in points if place >= x][:1] or [points[-1][1]]
    low, high = sorted((at[0], after[0]))
    assert low - 1e-12 <= curve.p(x) <= high + 1e-12
    for (left, first), (right, last) in itertools.pairwise(points):
        steps = [curve.p(left + (right - left) * share / 20) for share in range(21)]
        assert steps == pytest.approx(sorted(steps, reverse=last < first), abs=1e-9)


def test_two_points_are_joined_by_a_line_and_equal_ones_are_flat() -> None:
    assert through("line", [(0.0, 0.2), (1.0, 0.6)]).p(0.25) == pytest.approx(0.3)
    flat = through("flat", [(0.0, 0.5), (0.5, 0.5), (1.0, 0.5)])
    assert {flat.p(step / 10) for step in range(11)} == {0.5}


@given(st.floats(0, 1))
def test_the_parabolas_of_the_assumed_curve_are_the_curve(x: float) -> None:
    assert ASSUMED.parabolas is not None
    assert ASSUMED.parabolas.p(x) == ASSUMED.p(x)
    ends = (ASSUMED.p(0.0), ASSUMED.p(0.5), ASSUMED.p(1.0))
    assert ends == pytest.approx((0.75, 0.55, 0.65))


def test_the_settings_know_every_built_in_curve_by_its_name() -> None:
    assert CURVES == BUILT_IN == ("assumed", *ACCURACY)
    for name in CURVES:
        assert curve_of(Settings(budget=1, curve=name)).name == name


def test_a_file_of_points_is_read_as_it_was_written() -> None:
    content = {"curve": 1, "name": "our-sweep", "points": POINTS.points, "about": "k = 16"}
    assert parse_curve(json.dumps(content).encode()) == POINTS


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "not JSON"),
        (b"[]", "must be a JSON object"),
        (b'{"name": "x"}', '"curve": 1'),
        (b'{"curve": true, "name": "x"}', '"curve": 1'),
        (b'{"curve": 1, "points": [[0, 1], [1, 1]]}', "name must be a text"),
        (b'{"curve": 1, "name": "a\\u001b[31m", "points": [[0, 1], [1, 1]]}', "name must be"),
        (b'{"curve": 1, "name": "assumed", "points": [[0, 1], [1, 1]]}', "built-in"),
        (b'{"curve": 1, "name": "x", "points": [[0, 1]]}', "two or more"),
        (b'{"curve": 1, "name": "x", "points": "no"}', "two or more"),
        (b'{"curve": 1, "name": "x", "points": [[0, 1], [0, 0.5]]}', "point 2: x is 0: it must"),
        (b'{"curve": 1, "name": "x", "points": [[0, 1], [1, 1.5]]}', "point 2: p is 1.5"),
        (b'{"curve": 1, "name": "x", "points": [[0, 1], [-1, 1]]}', "point 2: x is -1"),
        (b'{"curve": 1, "name": "x", "points": [[0, 1], [1, null]]}', "point 2: p is None"),
        (b'{"curve": 1, "name": "x", "points": [[0, 1], [1, true]]}', "point 2: p is True"),
        (b'{"curve": 1, "name": "x", "points": [[0, 1], 1]}', "point 2 must be a pair"),
        (b'{"curve": 1, "name": "x", "points": [[0, 1], [1, 1]], "colour": 1}', "'colour'"),
    ],
)
def test_a_bad_file_says_what_is_wrong_with_it(content: bytes, said: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_curve(content)
    assert said in str(refused.value)


def chunks() -> list[Candidate]:
    return [Candidate(id=f"c{rank}", rank=rank, tokens=100) for rank in range(1, 5)]


def test_a_packing_tells_p_on_the_curve_that_was_asked_for() -> None:
    result = pack(chunks(), Settings(budget=400, curve="our-sweep", curve_points=POINTS))
    assert result.curve == "our-sweep"
    curve = through("our-sweep", POINTS.points)
    assert [chunk.p for chunk in result.packed] == [curve.p(chunk.x) for chunk in result.packed]
    assert result.packed[0].p != pack(chunks(), Settings(budget=400)).packed[0].p


def test_a_curve_that_no_points_are_given_for_is_refused() -> None:
    for points in (None, POINTS):
        with pytest.raises(InputError, match="unknown curve 'theirs'"):
            pack(chunks(), Settings(budget=400, curve="theirs", curve_points=points))


@pytest.mark.parametrize("curve", ["longchat-13b-16k", "our-sweep"])
def test_a_record_keeps_its_curve_and_is_replayed_and_judged_by_it(curve: str) -> None:
    result = pack(chunks(), Settings(budget=300, curve=curve, curve_points=POINTS))
    record = Record(
        schema=1,
        id="r",
        time="2026-01-01T00:00:00Z",
        query="q",
        settings=logged_settings_of(result),
        candidates=logged_candidates(chunks(), result),
    )
    logged = logged_settings(record)
    assert logged.said == ()
    assert (logged.settings.curve, logged.settings.curve_points) == (curve, POINTS)
    assert reproduces(record)
    assert open_case(record).curve.name == curve


def test_logged_points_that_cannot_be_used_are_left_out_with_a_word() -> None:
    bad = LoggedSettings(budget=9, curve="ours", curve_points={"name": "ours", "points": [[2, 1]]})
    record = Record(schema=1, id="r", time="2026-01-01T00:00:00Z", query="q", settings=bad)
    logged = logged_settings(record)
    assert logged.settings.curve == "assumed"
    assert any("two or more" in said for said in logged.said)
    assert any("'ours'" in said for said in logged.said)
    with pytest.raises(InputError):
        curve_points_from(bad.curve_points or {})
