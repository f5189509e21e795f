"""The exact knapsack: the best set and the tie rule, against solvers that share no code."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from knapsack_solvers import brute_force, independent_optimum, plain_table

from benchmarks.instances import CLASSES, instance
from ctxpack.knapsack import Solution, solve
from ctxpack.knapsack.by_number import split_by_number
from ctxpack.knapsack.long import solve_long
from ctxpack.knapsack.long_core import Price, ordered
from ctxpack.knapsack.rows import decide_rows
from ctxpack.knapsack.solving import SHORT, TABLE_CELLS

many = settings(max_examples=2000, deadline=None, derandomize=True)


@st.composite
def small(draw: st.DrawFn) -> tuple[list[int], list[int], int]:
    """A few items, many of them equal in weight, value or density; some of no use at all."""
    count = draw(st.integers(0, 9))
    heaviest = draw(st.sampled_from([2, 4, 9, 60]))
    lightest = draw(st.sampled_from([0, 1, max(0, heaviest - 3)]))
    dearest = draw(st.sampled_from([1, 3, 9, 10**9]))
    weights = draw(st.lists(st.integers(lightest, heaviest), min_size=count, max_size=count))
    values = draw(st.lists(st.integers(-1, dearest), min_size=count, max_size=count))
    return weights, values, draw(st.integers(0, sum(weights) + 2))


def checked(weights: list[int], values: list[int], capacity: int, found: Solution) -> Solution:
    """The solution, if it is one: a set within the capacity that is worth what it says."""
    assert list(found.taken) == sorted(set(found.taken))
    assert sum(weights[item] for item in found.taken) <= max(0, capacity)
    assert sum(values[item] for item in found.taken) == found.value <= found.bound
    assert all(values[item] > 0 for item in found.taken)
    return found


@many
@given(small())
def test_a_short_list_is_solved_as_by_brute_force_with_the_same_set_among_equals(
    case: tuple[list[int], list[int], int],
) -> None:
    found = checked(*case, solve(*case))
    assert found.proven
    assert found.settled
    assert found.taken == brute_force(*case)


@many
@given(small())
def test_the_search_in_numpy_finds_what_brute_force_finds(
    case: tuple[list[int], list[int], int],
) -> None:
    weights, values, capacity = case
    items = [i for i, w in enumerate(weights) if 0 < w <= capacity and values[i] > 0]
    heavy, worth = [weights[i] for i in items], [values[i] for i in items]
    if sum(heavy) <= capacity:
        return
    best = brute_force(heavy, worth, capacity)
    value = sum(worth[item] for item in best)
    arrays = np.array(heavy), np.array(worth)
    found = solve_long(*arrays, np.arange(len(items)), capacity, 1_000_000)
    assert checked(heavy, worth, capacity, found).value == found.bound == value
    assert not found.settled or found.taken == best
    order = ordered(*arrays, capacity, Price())
    for reached in (0, value - 1, value):
        halves = split_by_number(order, capacity, reached, 1_000_000, 100_000)
        assert halves is not None
        assert halves.value == halves.bound == value
        assert (halves.places is None) == (reached == value)
        if halves.places is not None:
            assert order.weights[halves.places].sum() <= capacity
            assert order.values[halves.places].sum() == value


@pytest.mark.parametrize("name", CLASSES)
def test_no_proven_result_is_beaten_and_the_set_is_the_tables(name: str) -> None:
    chance = Random(name)
    for seed in range(12):
        weights, values = instance(name, chance.randint(13, 34), seed)
        capacity = int(sum(weights) * chance.uniform(0.02, 0.6))
        found = checked(weights, values, capacity, solve(weights, values, capacity))
        assert found.proven
        assert found.settled
        assert found.value == independent_optimum(weights, values, capacity)
        if seed < 4:
            assert found.taken == plain_table(weights, values, capacity)


@pytest.mark.parametrize("name", CLASSES)
def test_two_hundred_chunks_are_proven_in_every_class(name: str) -> None:
    weights, values = instance(name, 200, 1)
    found = checked(weights, values, 12_001, solve(weights, values, 12_001))
    assert found.proven
    assert found.settled
    arrays = np.array(weights), np.array(values)
    by_states = solve_long(*arrays, np.arange(200), 12_001, 300_000)
    checked(weights, values, 12_001, by_states)
    assert by_states.value <= found.value <= by_states.bound
    if by_states.settled:
        assert by_states.taken == found.taken


@pytest.mark.parametrize("name", CLASSES)
def test_long_lists_are_never_beaten_where_proven_and_never_above_their_bound(name: str) -> None:
    weights, values = instance(name, 300, 2)
    found = checked(weights, values, 15_001, solve(weights, values, 15_001))
    best = checked(weights, values, 15_001, solve(weights, values, 15_001, states=1_000))
    assert found.proven
    assert best.value <= found.value <= best.bound
    assert solve(weights, values, 15_001) == found
    if name in CLASSES[::4]:
        assert found.value == independent_optimum(weights, values, 15_001)


def test_equal_sets_are_told_apart_by_the_table_for_every_list_whose_table_is_small() -> None:
    chance = Random(8)
    for _ in range(20):
        count = chance.choice([300, 900])
        weights = [chance.randint(1, 9) for _ in range(count)]
        values = [chance.randint(1, 4) for _ in range(count)]
        capacity = chance.randint(1, min(600, TABLE_CELLS // count))
        found = solve(weights, values, capacity)
        assert found.settled
        assert found.taken == plain_table(weights, values, capacity)
    assert count > SHORT


@pytest.mark.parametrize(
    ("count", "capacity", "shortest"), [(200, 90_000, 400), (600, 30_000, 500)]
)
def test_scores_of_two_digits_are_settled_as_in_the_rows_where_that_is_promised(
    count: int, capacity: int, shortest: int
) -> None:
    assert count * (capacity + 1) <= TABLE_CELLS
    chance = Random(count)
    for _ in range(4):
        weights = [chance.randint(shortest, 512) for _ in range(count)]
        values = [chance.randint(0, 100) * 10_000_000 for _ in range(count)]
        found = solve(weights, values, capacity)
        assert found.settled
        assert found.taken == decide_rows(weights, values, capacity).walk_back(capacity)


def test_the_search_in_numpy_claims_the_tie_rule_only_where_it_holds() -> None:
    chance = Random(9)
    claims = 0
    for _ in range(400):
        count = chance.randint(10, 60)
        weights = [chance.randint(3, chance.choice([5, 30])) for _ in range(count)]
        values = [chance.randint(1, chance.choice([3, 50])) for _ in range(count)]
        capacity = chance.randint(30, sum(weights) - 1)
        names = np.arange(count)
        found = solve_long(np.array(weights), np.array(values), names, capacity, 100_000)
        if found.settled:
            claims += 1
            assert found.taken == plain_table(weights, values, capacity)
    assert claims > 100


@pytest.mark.parametrize("count", [1, 5, SHORT, SHORT + 50])
def test_the_edges_are_all_right(count: int) -> None:
    ones = [1] * count
    assert solve(ones, ones, 0) == Solution((), 0, 0, settled=True)
    assert solve(ones, ones, -5).taken == ()
    assert solve(ones, ones, count).taken == tuple(range(count))
    assert solve(ones, [0] * count, count).taken == ()
    assert solve(ones, [-1] * count, count).taken == ()
    assert solve([9] * count, ones, 8).taken == ()
    assert solve([0] * count, ones, 0).taken == tuple(range(count))
    assert solve([0, *ones], [7, *ones], count - 1).taken == tuple(range(count))
    assert solve(ones, ones, 1).taken == (0,)
    with pytest.raises(ValueError, match="negative"):
        solve([-1, *ones], [1, *ones], 3)


def test_nothing_to_choose_from_is_nothing() -> None:
    assert solve([], [], 100) == Solution((), 0, 0, settled=True)


@pytest.mark.parametrize("scale", [10**6, 10**12, 10**25])
@pytest.mark.parametrize("count", [14, SHORT + 20])
def test_numbers_too_large_for_numpy_are_still_exact(scale: int, count: int) -> None:
    chance = Random(count)
    weights = [chance.randint(40, 900) for _ in range(count)]
    values = [chance.randint(1, 10**9) for _ in range(count)]
    small = solve(weights, values, 2000)
    large = solve([weight * scale for weight in weights], values, 2000 * scale + scale - 1)
    assert large.proven
    assert large.taken == small.taken
    dear = solve(weights, [value * scale for value in values], 2000)
    assert dear.proven
    assert dear.taken == small.taken


def test_arrays_and_lists_give_the_same() -> None:
    for count in (30, SHORT + 60):
        weights, values = instance("uneven, rank", count, 3)
        found = solve(weights, values, 5_000)
        assert solve(np.array(weights), np.array(values), 5_000) == found
        assert all(type(item) is int for item in found.taken)
