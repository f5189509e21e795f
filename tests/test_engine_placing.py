"""Where chunks go: every placement by example, documents kept together, and what always holds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st

from ctxpack import PLACEMENTS, Candidate, InputError, PackResult, Settings, pack, result_json
from ctxpack.curves import curve_named
from ctxpack.placement import place
from ctxpack.placing.grouping import best_of
from ctxpack.recording import logged_candidates
from ctxpack.result import number_of
from ctxpack.settings import BY_VALUE, CURVES, GROUPS


def chunk(rank: int | None, **fields: object) -> Candidate:
    given = {"id": f"c{rank}", "rank": rank, "tokens": 100} | fields
    return Candidate(**given)  # type: ignore[arg-type]


def order(chunks: Sequence[Candidate], placement: str, **more: object) -> list[str]:
    return [one.id for one in packed(chunks, placement, **more).packed]


def packed(chunks: Sequence[Candidate], placement: str, **more: object) -> PackResult:
    settings = Settings(budget=100_000, placement=placement, **more)  # type: ignore[arg-type]
    return pack(chunks, settings)


FIVE = [chunk(rank) for rank in (3, 1, 5, 2, 4)]


@pytest.mark.parametrize(
    ("placement", "expected"),
    [
        ("best-first", "c1 c2 c3 c4 c5"),
        ("best-last", "c5 c4 c3 c2 c1"),
        ("ends", "c1 c3 c5 c4 c2"),
        ("middle", "c5 c3 c1 c2 c4"),
        ("split", "c2 c3 c4 c5 c1"),
        ("rank", "c1 c2 c3 c4 c5"),
        ("given", "c3 c1 c5 c2 c4"),
    ],
)
def test_five_chunks_stand_as_the_placement_says(placement: str, expected: str) -> None:
    assert order(FIVE, placement) == expected.split()


@pytest.mark.parametrize(
    ("tail", "expected"),
    [(0, "c1 c2 c3 c4 c5"), (2, "c3 c4 c5 c2 c1"), (9, "c5 c4 c3 c2 c1")],
)
def test_split_puts_the_strongest_last_right_before_the_question(tail: int, expected: str) -> None:
    assert order(FIVE, "split", split_tail=tail) == expected.split()


@pytest.mark.parametrize("count", range(8))
def test_ends_has_the_best_first_for_odd_and_even_counts_alike(count: int) -> None:
    ranks = list(range(1, count + 1))
    assert place(ranks, "ends") == ranks[::2] + ranks[1::2][::-1]


def test_numbers_belong_to_ids_in_the_window_as_sent_and_the_record_keeps_them() -> None:
    four = [chunk(rank) for rank in range(1, 5)]
    result = packed(four, "ends")
    assert [one.id for one in result.packed] == ["c1", "c3", "c4", "c2"]
    assert number_of(result) == {"c1": 1, "c3": 2, "c4": 3, "c2": 4}
    logged = logged_candidates(four, result)
    positions = {one.id: one.position for one in logged}
    assert {name: (at or 0) + 1 for name, at in positions.items()} == number_of(result)


def test_chronological_is_oldest_first_and_says_how_many_have_no_date() -> None:
    chunks = [
        chunk(1, date="2026-03-01"),
        chunk(2, date="2025-12-31T23:00:00+00:00"),
        chunk(3),
        chunk(4, date="2026-03-01", ordinal=0),
        chunk(5, date="soon"),
        chunk(6, date="2026-03-01T00:30:00+01:00"),
    ]
    result = packed(chunks, "chronological")
    assert [one.id for one in result.packed] == ["c2", "c6", "c4", "c1", "c3", "c5"]
    assert "2 packed chunks have no date that can be read: last, by rank." in result.warnings
    assert packed(chunks[:2], "chronological").warnings == ()


def test_rank_and_given_differ_where_the_value_is_another() -> None:
    chunks = [
        chunk(2, score=0.9, score_kind="similarity"),
        chunk(1, score=0.1, score_kind="similarity"),
    ]
    assert order(chunks, "best-first", value="score") == ["c2", "c1"]
    assert order(chunks, "rank", value="score") == ["c1", "c2"]


LEAVES = [
    chunk(1, doc_id="a", ordinal=2),
    chunk(2, doc_id="b", ordinal=0),
    chunk(3, doc_id="a", ordinal=0),
    chunk(4),
    chunk(5, doc_id="b"),
]


@pytest.mark.parametrize(
    ("placement", "expected"),
    [
        ("best-first", "c3 c1 c2 c5 c4"),
        ("best-last", "c4 c2 c5 c3 c1"),
        ("ends", "c3 c1 c4 c2 c5"),
        ("split", "c2 c5 c4 c3 c1"),
        ("given", "c3 c1 c2 c5 c4"),
    ],
)
def test_chunks_of_a_document_stand_together_in_its_own_order(
    placement: str, expected: str
) -> None:
    assert order(LEAVES, placement, group="document") == expected.split()


def test_pins_first_stand_before_whatever_the_placement_is() -> None:
    for placement in PLACEMENTS:
        ids = order(FIVE, placement, pins=("c4",), pins_first=True)
        assert ids[0] == "c4"
        assert sorted(ids) == ["c1", "c2", "c3", "c4", "c5"]


@st.composite
def documents(draw: st.DrawFn) -> list[Candidate]:
    count = draw(st.integers(0, 9))
    names = st.sampled_from((None, "a", "b", "c"))
    return [
        chunk(
            rank,
            tokens=draw(st.integers(1, 400)),
            doc_id=draw(names),
            ordinal=draw(st.none() | st.integers(0, 5)),
            date=draw(st.sampled_from((None, "2026-01-01", "2025-05-05", "?"))),
        )
        for rank in range(1, count + 1)
    ]


@tried(max_examples=150)
@given(documents(), st.sampled_from(PLACEMENTS), st.sampled_from(GROUPS), st.sampled_from(CURVES))
def test_a_placement_only_orders_and_a_group_is_never_parted(
    chunks: list[Candidate], placement: str, group: str, curve: str
) -> None:
    result = packed(chunks, placement, group=group, curve=curve)
    ids = [one.id for one in result.packed]
    assert sorted(ids) == sorted(one.id for one in chunks)
    if len(ids) == 1:
        assert result.packed[0].x == 0.5
    if group == "document":
        named = {one.id: one for one in chunks}
        seen = [named[name].doc_id or name for name in ids]
        parts = [at for at, name in enumerate(seen) if at == 0 or seen[at - 1] != name]
        assert len(parts) == len(set(seen))
        for doc in set(seen):
            own = [named[name].ordinal for name in ids if (named[name].doc_id or name) == doc]
            known = [ordinal for ordinal in own if ordinal is not None]
            assert own == sorted(known) + [None] * (len(own) - len(known))


@tried(max_examples=60, deadline=None)
@given(documents(), st.sampled_from(CURVES), st.sampled_from((None, "\n---\n")), st.booleans())
def test_optimal_has_the_most_expected_use_of_all_orders_and_proves_it(
    chunks: list[Candidate], curve: str, separator: str | None, pins_first: bool
) -> None:
    few = chunks[:6]
    pins = (few[-1].id,) if few and pins_first else ()
    settings = Settings(
        budget=100_000,
        placement="optimal",
        curve=curve,
        separator=separator,
        pins=pins,
        pins_first=pins_first,
    )
    result = pack(few, settings, separator_size=3)
    assert result.placing is not None
    assert result.placing.proven
    assert result.placing.bound == pytest.approx(result.expected_use, rel=1e-9)
    p = curve_named(curve).p
    uses = []
    for laid in permutations(result.packed):
        if pins and laid[0].id != pins[0]:
            continue
        gap = 3 if separator else 0
        total = sum(one.tokens for one in laid) + gap * (len(laid) - 1)
        at, use = 0, 0.0
        for one in laid:
            use += one.value * p((at + one.tokens / 2) / total)
            at += one.tokens + gap
        uses.append(use)
    assert result.expected_use == pytest.approx(max(uses, default=0.0), rel=1e-9)


@tried(max_examples=80, deadline=None)
@given(documents(), st.sampled_from(CURVES), st.sampled_from([*BY_VALUE, "split", "given"]))
def test_no_placement_is_used_more_than_the_bound_of_optimal(
    chunks: list[Candidate], curve: str, placement: str
) -> None:
    for group in GROUPS:
        best = packed(chunks, "optimal", curve=curve, group=group)
        other = packed(chunks, placement, curve=curve, group=group)
        assert best.placing is not None
        assert other.expected_use <= best.placing.bound * (1 + 1e-9)
        assert best.expected_use <= best.placing.bound * (1 + 1e-9)
        if group == "none":
            assert other.expected_use <= best.expected_use * (1 + 1e-9)


def test_only_the_placement_optimal_has_a_certificate_in_the_json() -> None:
    assert "placing" not in result_json(packed(FIVE, "ends"))
    told = result_json(packed(FIVE, "optimal"))["placing"]
    assert told["proven"] is True
    assert told["gap"] == 0.0


def test_a_split_tail_below_nothing_is_refused_by_its_name() -> None:
    with pytest.raises(InputError, match="split_tail is -1"):
        packed(FIVE, "split", split_tail=-1)


def test_a_group_goes_by_its_best_chunk() -> None:
    from ctxpack.weighed import Weighed

    low = Weighed("low", 0, 2, 10, 10, 0.5, 5)
    high = Weighed("high", 1, 1, 10, 10, 1.0, 10)
    assert best_of((low, high)) is high
