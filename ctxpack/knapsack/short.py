"""A short list solved in plain Python: no numpy is imported, and the tie rule holds."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.errors import Stop
from ctxpack.knapsack.core import (
    break_solution,
    by_density,
    dantzig_bound,
    first_set,
    flips,
)
from ctxpack.knapsack.sets import search
from ctxpack.knapsack.solution import Solution


def solve_short(
    weights: Sequence[int],
    values: Sequence[int],
    items: Sequence[int],
    capacity: int,
    limit: int,
    should_stop: Stop | None = None,
) -> Solution:
    """The best of `items`, all of positive weight and value, each of which fits alone.

    Whole numbers of any size are right here. Where more than `limit` states would be kept it
    answers the best that it has, with a proven bound.
    """
    order = by_density(weights, values, items)
    broken = break_solution(weights, values, order, capacity)
    if broken.split == len(order):
        return Solution(tuple(sorted(order)), broken.value, broken.value, settled=True)
    reached, begun = first_set(weights, values, broken, capacity - broken.weight)
    core = flips(weights, values, broken, capacity, reached)
    found = search(weights, values, broken, core, capacity, reached, limit, should_stop)
    flipped = begun if found.flips is None else found.flips
    taken = tuple(sorted({*order[: broken.split]}.symmetric_difference(flipped)))
    bound = found.bound
    if not found.complete:
        top = dantzig_bound(weights, values, broken, capacity)
        bound = max(found.value, min(bound, top))
    return Solution(taken, found.value, bound, found.states, settled=found.complete)
