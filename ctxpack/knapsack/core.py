"""The core of a knapsack: the few items about which the break solution may be wrong.

Items sorted by falling density are taken as long as they fit: the break solution. The first that
does not fit is the break item, of density p/q. Taking the room left, r, at that density gives
Dantzig's bound on every set, V + floor(r p / q), and the same with one item forced the other way,

    item j inside:   V - v_j + floor((r + w_j) p / q)
    item j outside:  V + v_j + floor((r - w_j) p / q)

(Dembo and Hammer's reduction; the Lagrangian bound with the multiplier p/q.) An item whose bound
is below a value that is already reached stays as the break solution has it. All that is left is
the core, in order of falling bounds: what is most likely to change comes first (Pisinger's
expanding core). Everything is in whole numbers, floor is exact, and no bound is ever too small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Density = tuple[int, int]
"""Value and weight of an item: their quotient is the value per token."""

EXACT_QUOTIENTS = 1 << 52
"""Two unequal quotients a/b and c/d with a·d and c·b below this differ by more than a float's
rounding, and equal ones round alike: so sorting by the float quotient is exact."""


@dataclass(frozen=True, slots=True)
class Core:
    """The break solution's weight and value, and the items that may have to be flipped.

    Step k flips `index[k]` of the caller's list: the weight changes by `weights[k]`, the value by
    `values[k]`, both negative for an item of the break solution. No set with that flip is worth
    more than `bounds[k]`, which fall. `outside[k]` is the largest density among the items not in
    the break solution from step k on, `inside[k]` the smallest among those in it; None: no more.
    """

    weight: int
    value: int
    index: list[int]
    bounds: list[int]
    weights: list[int]
    values: list[int]
    outside: list[Density | None]
    inside: list[Density | None]


@dataclass(frozen=True, slots=True)
class Broken:
    """Items by falling density, the first `split` of which are the break solution."""

    order: list[int]
    split: int
    weight: int
    value: int


def by_density(weights: Sequence[int], values: Sequence[int], items: Sequence[int]) -> list[int]:
    """The items by falling value per token, exactly; equal densities keep their order."""
    heaviest = max(weights[item] for item in items)
    dearest = max(values[item] for item in items)
    if heaviest * dearest < EXACT_QUOTIENTS:
        return sorted(items, key=lambda item: -values[item] / weights[item])
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


def greedy_value(weights: Sequence[int], values: Sequence[int], broken: Broken, left: int) -> int:
    """What filling the break solution's room with whatever still fits is worth."""
    value = broken.value
    for item in broken.order[broken.split :]:
        if weights[item] <= left:
            left -= weights[item]
            value += values[item]
    return value


def core_of(
    weights: Sequence[int], values: Sequence[int], broken: Broken, capacity: int, reached: int
) -> Core:
    """The core for sets worth at least `reached`; there must be a break item."""
    order, split, base = broken.order, broken.split, broken.value
    room = capacity - broken.weight
    p, q = values[order[split]], weights[order[split]]
    found = []
    for place, item in enumerate(order):
        weight, value = weights[item], values[item]
        if place < split:
            bound = base - value + (room + weight) * p // q
        else:
            bound = base + value + (room - weight) * p // q
        if bound >= reached:
            found.append((-bound, abs(place - split), place))
    found.sort()
    places = [place for _, _, place in found]
    changes = [-1 if place < split else 1 for place in places]
    items = [order[place] for place in places]
    outside, inside = _extremes(places, split, len(order))
    density = [(values[item], weights[item]) for item in order]
    return Core(
        weight=broken.weight,
        value=base,
        index=items,
        bounds=[-negative for negative, _, _ in found],
        weights=[sign * weights[item] for sign, item in zip(changes, items, strict=True)],
        values=[sign * values[item] for sign, item in zip(changes, items, strict=True)],
        outside=[None if place is None else density[place] for place in outside],
        inside=[None if place is None else density[place] for place in inside],
    )


def _extremes(
    places: Sequence[int], split: int, count: int
) -> tuple[list[int | None], list[int | None]]:
    """For each step the first place outside and the last one inside that are still to come."""
    first, last = count, -1
    outside: list[int | None] = [None]
    inside: list[int | None] = [None]
    for place in reversed(places):
        if place < split:
            last = max(last, place)
        else:
            first = min(first, place)
        outside.append(first if first < count else None)
        inside.append(last if last >= 0 else None)
    return outside[::-1], inside[::-1]
