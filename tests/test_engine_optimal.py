"""`optimal` against brute force and against an independent full table, the same set each time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from engine_inputs import AT_EVERY_BUDGET, scored, sized
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack import STRATEGIES, Candidate, Settings, pack
from ctxpack.bounds import worth_bound
from ctxpack.choosing.optimal import forced, optimal
from ctxpack.errors import Stopped
from ctxpack.value.valuation import WHOLE
from ctxpack.weighed import Weighed
from ctxpack.weighing import weigh

many = settings(max_examples=400, deadline=None, derandomize=True)


def weighed(candidates: Sequence[Candidate], value: str) -> list[Weighed]:
    """Candidates in rank order, as every chooser gets them."""
    found = weigh(candidates, Settings(budget=0, value=value), "", None, 0)  # type: ignore[arg-type]
    return sorted(found.candidates, key=lambda chunk: chunk.by_rank)


def brute(chunks: Sequence[Weighed], room: int) -> tuple[int, set[str]]:
    """The best worth, and among sets of equal worth the one that lacks the worst chunk of the two.

    Comparing two sets by the worst-ranked chunk in which they differ is comparing them as binary
    numbers whose highest digit is the worst rank: the smallest number wins.
    """
    best: tuple[int, int, set[str]] = (0, 0, set())
    for size in range(len(chunks) + 1):
        for places in combinations(range(len(chunks)), size):
            picked = [chunks[place] for place in places]
            if sum(chunk.cost for chunk in picked) <= room:
                worth = sum(chunk.worth for chunk in picked)
                as_number = sum(1 << place for place in places)
                if (-worth, as_number) < (-best[0], best[1]):
                    best = (worth, as_number, {chunk.id for chunk in picked})
    return best[0], best[2]


def full_table(chunks: Sequence[Weighed], room: int) -> tuple[int, set[str]]:
    """Seed 1's table, written with plain lists: best[i][c], an item only where strictly better."""
    best = [[0] * (room + 1) for _ in range(len(chunks) + 1)]
    takes = [[False] * (room + 1) for _ in range(len(chunks) + 1)]
    for i, chunk in enumerate(chunks, start=1):
        for c in range(room + 1):
            best[i][c] = best[i - 1][c]
            if c >= chunk.cost and best[i - 1][c - chunk.cost] + chunk.worth > best[i][c]:
                best[i][c] = best[i - 1][c - chunk.cost] + chunk.worth
                takes[i][c] = True
    taken, c = set(), room
    for i in range(len(chunks), 0, -1):
        if takes[i][c]:
            taken.add(chunks[i - 1].id)
            c -= chunks[i - 1].cost
    return best[len(chunks)][room], taken


def compare(chunks: list[Weighed], room: int) -> None:
    choice = optimal(chunks, room)
    worth = sum(chunk.worth for chunk in choice.taken)
    ids = {chunk.id for chunk in choice.taken}
    assert (worth, ids) == brute(chunks, room)
    assert (worth, ids) == full_table(chunks, room)
    largest = max(chunks, key=lambda chunk: chunk.worth, default=None)
    unit = largest.value / largest.worth if largest and largest.worth else 0.0
    for refusal in choice.refused:
        if refusal.reason == "not_chosen":
            chunk = next(chunk for chunk in chunks if chunk.id == refusal.id)
            rest = [other for other in chunks if other.id != refusal.id]
            beside, kept = brute(rest, room - chunk.cost)
            loss = (worth - chunk.worth - beside) * unit
            assert refusal.detail["loss"] == pytest.approx(loss, abs=1e-12)
            assert refusal.detail["took_room"] == [c.id for c in choice.taken if c.id not in kept]
            pushed, lost = forced(chunks, room, refusal.id)
            assert [*pushed] == refusal.detail["took_room"]
            assert lost == refusal.detail["loss"]


@many
@given(sized(max_size=9, largest=80), st.integers(0, 260))
def test_optimal_is_brute_force_and_the_full_table_for_rank_gain(
    candidates: list[Candidate], room: int
) -> None:
    compare(weighed(candidates, "gain"), room)


@many
@given(scored(max_size=9), st.integers(0, 160))
def test_optimal_is_the_same_set_where_values_are_equal_or_nothing(
    candidates: list[Candidate], room: int
) -> None:
    compare(weighed(candidates, "score"), room)


@many
@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), max_size=9),
    st.integers(0, 12),
    st.randoms(use_true_random=False),
)
def test_sets_of_equal_value_are_told_apart_by_the_worst_rank_in_which_they_differ(
    sizes_and_scores: list[tuple[int, int]], room: int, chance: Random
) -> None:
    ranks = list(range(1, len(sizes_and_scores) + 1))
    chance.shuffle(ranks)
    candidates = [
        Candidate(id=f"c{rank}", rank=rank, tokens=size, score=score, score_kind="similarity")
        for rank, (size, score) in zip(ranks, sizes_and_scores, strict=True)
    ]
    compare(weighed(candidates, "score"), room)


def test_the_rank_and_not_the_value_tells_equal_sets_apart() -> None:
    worst_alone = [
        Candidate(id="c1", rank=1, tokens=50, score=1.0, score_kind="similarity"),
        Candidate(id="c2", rank=2, tokens=50, score=2.0, score_kind="similarity"),
        Candidate(id="c3", rank=3, tokens=100, score=3.0, score_kind="similarity"),
    ]
    result = pack(worst_alone, Settings(budget=100, strategy="optimal", value="score"))
    assert {chunk.id for chunk in result.packed} == {"c1", "c2"}


@settings(max_examples=25, deadline=None, derandomize=True)
@given(sized(min_size=10, max_size=12, largest=70), st.integers(50, 300))
def test_optimal_is_brute_force_up_to_twelve_candidates(
    candidates: list[Candidate], room: int
) -> None:
    compare(weighed(candidates, "gain"), room)


@many
@given(sized(max_size=40, largest=300), st.integers(0, 2000))
def test_optimal_is_the_full_table_for_more_candidates_than_can_be_tried(
    candidates: list[Candidate], room: int
) -> None:
    chunks = weighed(candidates, "gain")
    choice = optimal(chunks, room)
    worth = sum(chunk.worth for chunk in choice.taken)
    if len(chunks) * room < 20_000:
        assert (worth, {chunk.id for chunk in choice.taken}) == full_table(chunks, room)
    assert sum(chunk.cost for chunk in choice.taken) <= room
    assert choice.exact
    assert choice.bound == worth <= worth_bound(chunks, room)


@many
@given(scored(max_size=9), st.integers(0, 200), st.sampled_from(AT_EVERY_BUDGET), st.booleans())
def test_the_bound_holds_and_no_proven_result_is_beaten(
    candidates: list[Candidate], budget: int, strategy: str, pinned: bool
) -> None:
    pins = (candidates[0].id,) if candidates and pinned else ()
    chosen = Settings(budget=budget, strategy=strategy, value="score", pins=pins)
    result = pack(candidates, chosen)
    chunks = [chunk for chunk in weighed(candidates, "score") if chunk.id not in pins]
    forced = [chunk for chunk in weighed(candidates, "score") if chunk.id in pins]
    room = budget
    for pin in forced:
        if pin.cost <= room:
            room -= pin.cost
        else:
            forced = []
    within = [
        picked
        for size in range(len(chunks) + 1)
        for picked in combinations(chunks, size)
        if sum(chunk.cost for chunk in picked) <= room
    ]
    best = max(sum(chunk.value for chunk in picked) for picked in within)
    best += sum(chunk.value for chunk in forced)
    # Values are whole numbers inside the solver: half a unit each may be lost, and no more.
    largest = max((chunk.value for chunk in [*chunks, *forced]), default=0.0)
    slack = (len(chunks) + 1) * largest / WHOLE + 1e-12
    assert result.bound >= best - slack
    if result.proven:
        assert result.value >= best - slack


def test_chunks_without_a_rank_come_after_those_with_one() -> None:
    chunks = [
        Candidate(id="pin", tokens=10, pinned=True),
        Candidate(id="first", rank=1, tokens=10),
    ]
    result = pack(chunks, Settings(budget=20, strategy="optimal"))
    assert [chunk.id for chunk in result.packed] == ["first", "pin"]


def test_there_is_no_size_at_which_optimal_is_refused_or_scaled() -> None:
    chance = Random(4)
    chunks = [
        Candidate(id=f"c{n}", rank=n + 1, tokens=chance.randint(400_000, 900_000))
        for n in range(1000)
    ]
    result = pack(chunks, Settings(budget=500_000_000, strategy="optimal"))
    assert result.proven
    assert result.bound == result.value
    assert result.used <= 500_000_000
    density = pack(chunks, Settings(budget=500_000_000, strategy="density"))
    assert density.value <= result.value <= density.bound
    assert not any("loss" in out.detail for out in result.skipped)


def test_what_forcing_one_chunk_in_costs_is_told_at_any_size() -> None:
    chance = Random(5)
    candidates = [
        Candidate(id=f"c{n}", rank=n + 1, tokens=chance.randint(400, 900)) for n in range(1500)
    ]
    chunks = weighed(candidates, "gain")
    choice = optimal(chunks, 200_000)
    out = next(refusal for refusal in choice.refused if refusal.reason == "not_chosen")
    pushed, loss = forced(chunks, 200_000, out.id)
    assert loss > 0
    assert pushed
    assert set(pushed) <= {chunk.id for chunk in choice.taken}
    assert forced(chunks, 200_000, choice.taken[0].id) == ((), 0.0)


def test_a_longer_chunk_than_the_room_cannot_be_forced_in() -> None:
    chunks = weighed([Candidate(id="long", rank=1, tokens=50)], "gain")
    with pytest.raises(ValueError, match="'long' is not among the candidates that fit"):
        forced(chunks, 40, "long")


def test_choosing_can_be_given_up() -> None:
    chunks = weighed([Candidate(id=f"c{n}", rank=n + 1, tokens=50 + n) for n in range(9)], "gain")
    with pytest.raises(Stopped):
        optimal(chunks, 200, lambda: True)


@many
@given(sized(max_size=9), st.integers(0, 200), st.sampled_from(AT_EVERY_BUDGET))
def test_a_result_that_equals_the_bound_is_proven_whatever_the_strategy(
    candidates: list[Candidate], budget: int, strategy: str
) -> None:
    result = pack(candidates, Settings(budget=budget, strategy=strategy), query="q")
    assert result.bound >= result.value
    worth = {chunk.id: chunk.worth for chunk in weighed(candidates, "gain")}
    packed = sum(worth[chunk.id] for chunk in result.packed)
    if packed >= worth_bound(weighed(candidates, "gain"), budget):
        assert result.proven
        assert result.bound == result.value


def test_separators_are_charged_between_chunks_and_not_after_the_last() -> None:
    chunks = [Candidate(id=f"c{n}", rank=n, tokens=50) for n in (1, 2, 3)]
    for strategy in STRATEGIES:
        exact = Settings(budget=104, strategy=strategy, separator="--")
        assert pack(chunks, exact, separator_size=4).used == 104
        tight = Settings(budget=103, strategy=strategy, separator="--")
        assert pack(chunks, tight, separator_size=4).used == 50
