"""The table, its rows of decisions, and every capacity at once: each against each other way."""

from __future__ import annotations

import tracemalloc
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from knapsack_solvers import brute_force

from benchmarks.instances import instance
from ctxpack.errors import Stopped
from ctxpack.knapsack import solve
from ctxpack.knapsack.profile import holding, profile
from ctxpack.knapsack.rows import decide_rows
from ctxpack.knapsack.table import Step, fill_table

many = settings(max_examples=500, deadline=None, derandomize=True)

ITEMS = st.lists(st.tuples(st.integers(0, 9), st.integers(-1, 5)), max_size=8)


def test_the_table_is_seed_ones_with_the_walk_back_from_the_last_cell() -> None:
    table = fill_table([2, 3, 4], [3, 4, 5], 6)
    assert table.best.tolist() == [
        [0, 0, 0, 0, 0, 0, 0],
        [0, 0, 3, 3, 3, 3, 3],
        [0, 0, 3, 4, 4, 7, 7],
        [0, 0, 3, 4, 5, 7, 8],
    ]
    assert table.steps == (Step(3, 6, True), Step(2, 2, False), Step(1, 2, True))
    assert table.taken == (0, 2)


@many
@given(ITEMS, st.integers(0, 40))
def test_table_rows_profile_and_holding_agree_with_brute_force_at_every_capacity(
    items: list[tuple[int, int]], largest: int
) -> None:
    weights, values = [weight for weight, _ in items], [value for _, value in items]
    table = fill_table(weights, values, largest)
    rows = decide_rows(weights, values, largest)
    curve = profile(weights, values, largest)
    held = [holding(weights, values, largest, item) for item in range(len(items))]
    walked = rows.walk_back_all(range(largest + 1))
    for capacity in {0, 1, largest // 3, largest // 2, largest - 1, largest} - {-1}:
        best = brute_force(weights, values, min(capacity, largest))
        capacity = min(capacity, largest)
        value = sum(values[item] for item in best)
        assert rows.walk_back(capacity) == best
        assert fill_table(weights, values, capacity).taken == best
        assert table.best[-1, capacity] == rows.best[capacity] == curve.value[capacity] == value
        assert curve.used[capacity] == sum(weights[item] for item in best)
        inside = [item in best for item in range(len(items))]
        assert [bool(one[capacity]) for one in held] == inside
        assert walked[:, capacity].tolist() == inside


@many
@given(ITEMS, st.integers(0, 60))
def test_the_set_changes_exactly_where_it_fills_its_capacity(
    items: list[tuple[int, int]], largest: int
) -> None:
    weights, values = [weight for weight, _ in items], [value for _, value in items]
    used = profile(weights, values, largest).used
    sets = decide_rows(weights, values, largest).walk_back_all(range(largest + 1))
    for capacity in range(1, largest + 1):
        changed = bool((sets[:, capacity] != sets[:, capacity - 1]).any())
        assert changed == (used[capacity] == capacity)


def test_each_capacity_of_the_profile_is_what_solving_it_alone_gives() -> None:
    weights, values = instance("uneven, rank", 60, 1)
    curve = profile(weights, values, sum(weights))
    held = holding(weights, values, sum(weights), 40)
    chance = Random(2)
    for capacity in [chance.randint(0, sum(weights)) for _ in range(60)]:
        alone = solve(weights, values, capacity)
        assert curve.value[capacity] == alone.value
        assert curve.used[capacity] == sum(weights[item] for item in alone.taken)
        assert held[capacity] == (40 in alone.taken)


def test_the_profile_keeps_no_table() -> None:
    weights, values = instance("uneven, rank", 200, 1)
    profile([1], [1], 1)
    tracemalloc.start()
    profile(weights, values, 60_000)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 50 * 60_000


@pytest.mark.parametrize("work", [profile, decide_rows])
def test_rows_can_be_given_up(work: object) -> None:
    assert callable(work)
    with pytest.raises(Stopped):
        work([3, 4], [1, 1], 5, lambda: True)


def test_a_table_for_a_screen_has_every_cell() -> None:
    weights, values = instance("uneven, rank", 40, 1)
    table = fill_table(weights, values, 12_000)
    assert table.best.shape == (41, 12_001)
    assert table.best.dtype == np.int64
    assert table.best.nbytes < 4 * 2**20
    assert [step.item for step in table.steps] == list(range(40, 0, -1))
    assert table.taken == solve(weights, values, 12_000).taken
