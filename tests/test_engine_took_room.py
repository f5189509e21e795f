"""Who took the room: the fewest, then least valuable, earlier-taken, against every subset."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest
from engine_inputs import sized
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack import Candidate, Settings, pack
from ctxpack.choosing import took_room as finding
from ctxpack.choosing.took_room import leavers, took_room
from ctxpack.weighed import Weighed

many = settings(max_examples=1500, deadline=None, derandomize=True)
FILLS = ["first-fit", "top", "density"]


def chunk(rank: int, cost: int, worth: int) -> Weighed:
    return Weighed(
        id=f"c{rank}", order=rank, rank=rank, tokens=cost, cost=cost, value=worth, worth=worth
    )


@st.composite
def taken_chunks(draw: st.DrawFn, largest: int = 60) -> list[Weighed]:
    """Chunks in any order of being taken, with few distinct values, so that ties are common."""
    count = draw(st.integers(1, 10))
    ranks = draw(st.permutations(range(1, count + 1)))
    worths = st.sampled_from([0, 1, 2, 3, 7])
    return [chunk(rank, draw(st.integers(1, largest)), draw(worths)) for rank in ranks]


def brute(lack: int, taken: Sequence[Weighed]) -> tuple[str, ...]:
    """Every subset: fewest, then least worth, then worst-ranked first."""
    best = None
    for count in range(1, len(taken) + 1):
        for leaving in combinations(taken, count):
            if sum(c.cost for c in leaving) >= lack:
                ranks = sorted((c.rank or 0 for c in leaving), reverse=True)
                key = (sum(c.worth for c in leaving), [-rank for rank in ranks])
                best = key if best is None else min(best, key)
        if best is not None:
            return tuple(f"c{-rank}" for rank in reversed(best[1]))
    return ()


@many
@given(taken_chunks(), st.integers(1, 260))
def test_those_who_took_the_room_are_the_fewest_then_least_valuable_then_worst_ranked(
    taken: list[Weighed], lack: int
) -> None:
    assert took_room(lack, taken) == brute(lack, taken)


@many
@given(taken_chunks(), st.integers(1, 260))
def test_past_the_size_of_a_table_they_are_still_the_fewest_that_free_enough(
    taken: list[Weighed], lack: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finding, "CELLS", 0)
        found = took_room(lack, taken)
    costs = {c.id: c.cost for c in taken}
    assert len(set(found)) == len(found) == leavers(lack, taken) == len(brute(lack, taken))
    assert not found or sum(costs[name] for name in found) >= lack


@settings(max_examples=400, deadline=None, derandomize=True)
@given(sized(max_size=12), st.integers(0, 600), st.sampled_from(FILLS), st.data())
def test_every_chunk_without_room_names_earlier_chunks_whose_leaving_makes_it(
    candidates: list[Candidate], budget: int, strategy: str, data: st.DataObject
) -> None:
    names = [candidate.id for candidate in candidates]
    pins = tuple(data.draw(st.lists(st.sampled_from(names), max_size=1)) if names else ())
    result = pack(candidates, Settings(budget=budget, strategy=strategy, pins=pins))
    tokens = {one.id: one.tokens for one in result.packed}
    for out in result.skipped:
        if out.reason == "no_room" and out.id not in pins:
            leaving = out.detail["took_room"]
            assert leaving
            assert not set(leaving) & set(pins)
            assert (
                sum(tokens[name] for name in leaving) >= out.detail["needed"] - out.detail["left"]
            )


def test_who_took_the_room_is_told_of_the_first_skipped_only_while_that_stays_cheap() -> None:
    candidates = [
        Candidate(id=str(rank), rank=rank, tokens=10 if rank % 2 else 5_000)
        for rank in range(1, 3001)
    ]
    result = pack(candidates, Settings(budget=15_000))
    without = ["took_room" not in out.detail for out in result.skipped if out.reason == "no_room"]
    assert without[0] is False
    assert without[-1] is True
    assert without == sorted(without)
