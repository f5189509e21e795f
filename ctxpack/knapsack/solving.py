"""Exact 0/1 knapsack at any size, with a certificate: which way each list is solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import gcd

from ctxpack.errors import Stop, stop_if
from ctxpack.knapsack.core import EXACT_QUOTIENTS
from ctxpack.knapsack.rows import decide_rows
from ctxpack.knapsack.short import solve_short
from ctxpack.knapsack.solution import Solution

STATES = 4_000_000
"""Partial sets kept at most, 4 bytes each; then the answer is the best so far, with its bound."""

SHORT = 256
"""Lists up to this length are first tried in plain Python."""

SHORT_STATES = 1_500
"""States that a short list may take there: about a millisecond."""

TABLE_CELLS = 4_000_000
"""Up to this many cells, n · (capacity + 1), the tie rule always holds."""

ROWS_CELLS = 40_000_000
"""Up to this many cells the rows are filled where nothing else proves the optimum."""

MASK_BITS = 100_000_000
"""Bits of all masks at once, where numbers are too large for numpy."""

LARGEST = 1 << 62
"""Sums and products in numpy stay below this."""


def solve(
    weights: Sequence[int],
    values: Sequence[int],
    capacity: int,
    *,
    states: int = STATES,
    should_stop: Stop | None = None,
) -> Solution:
    """The set of most value within the capacity, in real tokens, and a proven bound.

    Items are given in rank order. Among sets of equal value it is the one that lacks the highest
    index in which they differ; items of no value are never taken. That holds where
    n · (capacity + 1) is at most TABLE_CELLS, and beyond wherever `settled` says so. Work and
    memory are capped by `states`, never by time: the same input gives the same answer. Raises
    ValueError for a negative weight, Stopped where `should_stop` says so between steps.
    """
    stop_if(should_stop)
    if weights and min(weights) < 0:
        raise ValueError("a weight is negative")
    free = [item for item, weight in enumerate(weights) if weight == 0 and values[item] > 0]
    items = [
        item for item, weight in enumerate(weights) if 0 < weight <= capacity and values[item] > 0
    ]
    total = sum([weights[item] for item in items])
    if total <= capacity:
        worth = sum([values[item] for item in items])
        found = Solution(tuple(items), worth, worth, settled=True)
    else:
        found = _contested(weights, values, items, capacity, total, states, should_stop)
    return _with_free(found, free, values) if free else found


def _contested(
    weights: Sequence[int],
    values: Sequence[int],
    items: list[int],
    capacity: int,
    total: int,
    states: int,
    should_stop: Stop | None,
) -> Solution:
    """Not everything fits: the ways in order of cost, until one proves the optimum."""
    heaviest = max([weights[item] for item in items])
    dearest = max([values[item] for item in items])
    cells = len(items) * (capacity + 1)
    large = total * dearest >= LARGEST or heaviest * dearest >= EXACT_QUOTIENTS
    by_rows = cells <= ROWS_CELLS and len(items) * dearest < LARGEST
    if large or len(items) <= SHORT:
        limit = min(states, MASK_BITS // len(weights) if large else SHORT_STATES)
        found = solve_short(weights, values, items, capacity, limit, should_stop)
        if found.settled or (large and not by_rows):
            return found
        if large or cells <= TABLE_CELLS:
            return _by_rows(weights, values, items, capacity, found.states, should_stop)
    found = _by_states(weights, values, items, capacity, states, should_stop)
    done = found.settled if cells <= TABLE_CELLS else found.proven
    if done or not by_rows:
        return found
    return _by_rows(weights, values, items, capacity, found.states, should_stop)


def _by_states(
    weights: Sequence[int],
    values: Sequence[int],
    items: list[int],
    capacity: int,
    states: int,
    should_stop: Stop | None,
) -> Solution:
    import numpy as np

    from ctxpack.knapsack.long import solve_long

    chosen = np.array(items, dtype=np.intp)
    heavy = np.array(weights, dtype=np.int64)[chosen]
    worth = np.array(values, dtype=np.int64)[chosen]
    found = solve_long(heavy, worth, capacity, states, should_stop)
    taken = chosen[list(found.taken)].tolist()
    return replace(found, taken=tuple(taken))


def _by_rows(
    weights: Sequence[int],
    values: Sequence[int],
    items: list[int],
    capacity: int,
    states: int,
    should_stop: Stop | None,
) -> Solution:
    """The table of decisions: always proven, always by the tie rule."""
    per = gcd(*[weights[item] for item in items])
    lengths = [weights[item] // per for item in items]
    worths = [values[item] for item in items]
    places = decide_rows(lengths, worths, capacity // per, should_stop).walk_back(capacity // per)
    value = sum([worths[place] for place in places])
    return Solution(tuple(items[place] for place in places), value, value, states, settled=True)


def _with_free(found: Solution, free: list[int], values: Sequence[int]) -> Solution:
    """Items of value that weigh nothing are in every best set."""
    extra = sum(values[item] for item in free)
    return replace(
        found,
        taken=tuple(sorted((*found.taken, *free))),
        value=found.value + extra,
        bound=found.bound + extra,
    )
