"""The core of a knapsack: the few items about which the break solution may be wrong.

Items sorted by falling density are taken as long as they fit: the break solution. The first that
does not fit is the break item, of density p/q. Taking the room left, r, at that density gives
Dantzig's bound on every set, V + floor(r p / q), and the same with one item forced the other way,

    item j inside:   V - v_j + floor((r + w_j) p / q)
    item j outside:  V + v_j + floor((r - w_j) p / q)

(Dantzig 1957; Dembo and Hammer's reduction, 1980: the Lagrangian bound with the multiplier p/q).
An item whose bound is below a value that is already reached stays as the break solution has it.
All that is left is the core, in order of falling bounds: what is most likely to change comes
first (Pisinger's expanding core, "A minimal algorithm for the 0-1 knapsack problem", 1997).
Everything is in whole numbers, floor is exact, and no bound is ever too small.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Density = tuple[int, int]
"""Value and weight of an item: their quotient is the value per token."""

EXACT_QUOTIENTS = 1 << 52
"""Two unequal quotients a/b and c/d with a·d and c·b below this differ by more than a float's
rounding, and equal ones round alike: so sorting by the float quotient is exact."""

LARGEST = 1 << 62
"""Sums and products in numpy stay below this."""

Flip = tuple[int, int, int]
"""One item of the core: its bound negated, how far it is from the split, its place in the order.
Sorted, what is most likely to change comes first."""


class Broken(NamedTuple):
    """Items by falling density, the first `split` of which are the break solution."""

    order: list[int]
    split: int
    weight: int
    value: int


def by_density(weights: Sequence[int], values: Sequence[int], items: Sequence[int]) -> list[int]:
    """The items by falling value per token, exactly; equal densities keep their order."""
    if max(weights) * max(values) < EXACT_QUOTIENTS:
        return sorted(
            items,
            key=[-v / w if w else 0.0 for v, w in zip(values, weights, strict=True)].__getitem__,
        )
    from fractions import Fraction

    return sorted(items, key=lambda item: Fraction(-values[item], weights[item]))


def break_solution(
    weights: Sequence[int], values: Sequence[int], order: list[int], capacity: int
) -> Broken:
    """The longest head of the density order that fits."""
    weight = value = split = 0
    for item in order:
        after = weight + weights[item]
        if after > capacity:
            break
        weight = after
        value += values[item]
        split += 1
    return Broken(order, split, weight, value)


def dantzig_bound(
    weights: Sequence[int], values: Sequence[int], broken: Broken, capacity: int
) -> int:
    """No set is worth more: the room left is filled with a part of the break item."""
    if broken.split == len(broken.order):
        return broken.value
    item = broken.order[broken.split]
    return broken.value + (capacity - broken.weight) * values[item] // weights[item]


def first_set(
    weights: Sequence[int], values: Sequence[int], broken: Broken, left: int
) -> tuple[int, list[int]]:
    """A good set to begin with: its value, and the items flipped for it.

    The better of two: the break solution with whatever still fits into the `left` room, and the
    break item in for the cheapest item out that makes room for it.
    """
    order, split = broken.order, broken.split
    item = order[split]
    need, value = weights[item] - left, broken.value
    swaps = [(values[other], other) for other in order[:split] if weights[other] >= need]
    filled = []
    for other in order[split:]:
        if weights[other] <= left:
            left -= weights[other]
            value += values[other]
            filled.append(other)
    if swaps:
        loss, cheapest = min(swaps)
        if broken.value + values[item] - loss > value:
            return broken.value + values[item] - loss, [item, cheapest]
    return value, filled


def flips(
    weights: Sequence[int], values: Sequence[int], broken: Broken, capacity: int, reached: int
) -> list[Flip]:
    """The core for sets worth at least `reached`; there must be a break item."""
    order, split, base = broken.order, broken.split, broken.value
    room = capacity - broken.weight
    p, q = values[order[split]], weights[order[split]]
    inside = [
        (-bound, split - place, place)
        for place, item in enumerate(order[:split])
        if (bound := base - values[item] + (room + weights[item]) * p // q) >= reached
    ]
    outside = [
        (-bound, place, split + place)
        for place, item in enumerate(order[split:])
        if (bound := base + values[item] + (room - weights[item]) * p // q) >= reached
    ]
    return sorted(inside + outside)
