"""The price on each item under which a limit on their number bounds best.

The bound, as a function of the price, is convex and made of straight pieces: the priced sets'
Dantzig bounds, each a line whose slope is K less the number of items in it. Its lowest point is
found by Kelley's cutting planes (1960): where the tangents of the two ends meet is the next price
tried, until a price lies on both tangents. Any price gives a valid bound; only its tightness is
at stake.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxpack.knapsack.core import EXACT_QUOTIENTS, LARGEST
from ctxpack.knapsack.long_core import Ordered, Price, ordered

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

STEEPEST = 16
"""The largest price that is tried, in largest values: what makes the number grow."""

ROUNDS = 40
"""Prices tried at most."""


@dataclass(frozen=True, slots=True)
class _Tangent:
    """The bound at one price, and its slope there."""

    each: int
    bound: int
    slope: float
    items: Ordered


def best_price(
    weights: Ints, values: Ints, capacity: int, count: int, at_most: bool, good_enough: int
) -> tuple[Price, Ordered] | None:
    """The price for sets of at most (or at least) `count` items, and the order under it.

    Stops early at a bound of `good_enough` or less. None where no price can be computed exactly.
    """
    dearest, heaviest = int(values.max()), int(weights.max())
    exact = min(EXACT_QUOTIENTS // heaviest, LARGEST // int(weights.sum()))
    widest = exact // 2 - dearest
    reach = dearest if at_most else min(STEEPEST * dearest, widest)
    if reach < 1 or widest < dearest:
        return None

    def tangent(each: int) -> _Tangent:
        items = ordered(weights, values, capacity, Price(each, count))
        p, q = items.density
        part = (capacity - items.weight) / q if p else 0.0
        return _Tangent(each, items.bound(capacity), count - items.split - part, items)

    left = tangent(0 if at_most else -reach)
    right = tangent(reach if at_most else 0)
    best = min(left, right, key=lambda end: end.bound)
    for _ in range(ROUNDS):
        if left.slope >= 0 or right.slope <= 0 or best.bound <= good_enough:
            break
        spread = right.each - left.each
        run = (right.bound - left.bound - right.slope * spread) / (left.slope - right.slope)
        each = left.each + round(run)
        if not left.each < each < right.each:
            break
        middle = tangent(each)
        on_tangent = left.bound + left.slope * run
        best = min(best, middle, key=lambda point: point.bound)
        if middle.bound <= on_tangent + 2:
            break
        if middle.slope < 0:
            left = middle
        else:
            right = middle
    return Price(best.each, count), best.items
