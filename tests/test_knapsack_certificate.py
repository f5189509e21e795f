"""The certificate under a cap on states: valid, tighter with more work, and small in memory."""

from __future__ import annotations

import tracemalloc
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.instances import RETRIEVED, instance
from ctxpack.errors import Stopped
from ctxpack.knapsack import solve
from ctxpack.knapsack.by_number import split_by_number
from ctxpack.knapsack.long_core import Price, ordered
from ctxpack.knapsack.rows import decide_rows

HARDEST = ["inverse strong, nearly equal", "strong, nearly equal", "spanner", "multiple strong"]


@pytest.mark.parametrize("name", HARDEST)
def test_more_states_never_make_the_value_smaller_or_the_bound_larger(name: str) -> None:
    weights, values = instance(name, 2000, 1)
    capacity = 250_001
    earlier = None
    for states in (1, 50, 1_000, 20_000, 100_000, 300_000):
        found = solve(weights, values, capacity, states=states)
        assert sum(weights[item] for item in found.taken) <= capacity
        assert sum(values[item] for item in found.taken) == found.value <= found.bound
        assert found.proven == (found.gap == 0)
        if earlier is not None:
            assert found.value >= earlier.value
            assert found.bound <= earlier.bound
        earlier = found


@pytest.mark.parametrize("name", [*RETRIEVED, *HARDEST])
def test_the_bound_of_a_capped_search_holds_against_the_full_table(name: str) -> None:
    chance = Random(name)
    for seed in range(3):
        weights, values = instance(name, 300, seed)
        capacity = chance.randint(3_000, 40_000)
        best = int(decide_rows(weights, values, capacity).best[capacity])
        for states in (1, 200, 5_000):
            found = solve(weights, values, capacity, states=states)
            assert found.value <= best <= found.bound
            assert not found.proven or found.value == best


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.data())
def test_the_bound_by_number_holds_at_every_cap_and_width(data: st.DataObject) -> None:
    import numpy as np

    count = data.draw(st.integers(5, 40))
    lightest = data.draw(st.sampled_from([1, 8, 50]))
    sizes = st.integers(lightest, lightest + data.draw(st.sampled_from([1, 4, 30])))
    weights = data.draw(st.lists(sizes, min_size=count, max_size=count))
    values = data.draw(st.lists(st.integers(1, 40), min_size=count, max_size=count))
    capacity = data.draw(st.integers(max(weights), sum(weights)))
    if sum(weights) <= capacity:
        return
    best = int(decide_rows(weights, values, capacity).best[capacity])
    items = ordered(np.array(weights), np.array(values), capacity, Price())
    reached = data.draw(st.integers(0, best))
    limit, width = data.draw(st.integers(1, 200)), data.draw(st.integers(1, 20))
    halves = split_by_number(items, capacity, reached, limit, width)
    assert halves is not None
    assert reached <= halves.value <= best <= halves.bound


@pytest.mark.parametrize("values", ["rank", "heavy-tailed", "sigmoid"])
def test_ten_thousand_chunks_of_nearly_equal_length_are_proven(values: str) -> None:
    weights, worths = instance(f"nearly equal, {values}", 10_000, 5)
    assert solve(weights, worths, 1_000_000).gap <= 1e-4


@pytest.mark.parametrize("name", ["nearly equal, rank", "spanner"])
def test_ten_thousand_chunks_take_less_than_64_megabytes(name: str) -> None:
    weights, values = instance(name, 10_000, 0)
    solve(weights[:300], values[:300], 20_000)
    tracemalloc.start()
    solve(weights, values, 1_000_001)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 64 * 2**20


@pytest.mark.parametrize("count", [20, 200, 2000])
def test_it_can_be_given_up_between_steps(count: int) -> None:
    weights, values = instance("inverse strong, nearly equal", count, 0)
    asked = 0
    last = 2 if count < 100 else 4

    def after_some() -> bool:
        nonlocal asked
        asked += 1
        return asked >= last

    with pytest.raises(Stopped):
        solve(weights, values, 130 * count + 1, should_stop=after_some)
    assert asked == last
