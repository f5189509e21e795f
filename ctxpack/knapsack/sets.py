"""Exact search over a core with every partial set known as a bit mask: the tie rule holds.

States are partial sets (weight, value, mask of the core's items in it), started with the break
solution, which may be overfilled for a while. Each step doubles the list, with and without the
next flip, and drops
- what cannot reach the value that is already had: below the capacity a state can gain at most its
  room at the largest density left outside, above it must lose at least its excess at the smallest
  density left inside;
- what another state beats: no heavier, and worth more, or worth as much with the smaller mask.
Masks compare as the tie rule does: the highest index in which two sets differ decides. As states
that only equal the value had are kept, every set of the best value is seen or beaten by its mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ctxpack.errors import Stop, stop_if
from ctxpack.knapsack.core import Broken, Flip

State = tuple[int, int, int]
"""Weight less the capacity, value negated (so that a plain sort puts the best of a weight first),
mask."""


class Found(NamedTuple):
    """The best set, as the items flipped; None: none is worth as much as was asked for.

    `bound` is proven. `complete` says that the search was not given up at its limit: then the
    bound is the value itself and the set is the one that the tie rule asks for.
    """

    value: int
    flips: list[int] | None
    bound: int
    states: int
    complete: bool


def search(
    weights: Sequence[int],
    values: Sequence[int],
    broken: Broken,
    core: Sequence[Flip],
    capacity: int,
    reached: int,
    limit: int,
    should_stop: Stop | None = None,
) -> Found:
    """The set of most value, at least `reached`, by the tie rule; gives up past `limit` states."""
    order, split = broken.order, broken.split
    start = sum([1 << order[place] for _, _, place in core if place < split])
    best, mask = reached, None
    if broken.value >= reached:
        best, mask = broken.value, start
    kept: list[State] = [(broken.weight - capacity, -broken.value, start)]
    states = 0
    unseen = bytearray(len(order))
    for _, _, place in core:
        unseen[place] = 1
    first, last = unseen.find(1, split), unseen.rfind(1, 0, split)
    gain, per = _density(values, weights, order, first)
    loss, each = _density(values, weights, order, last)
    for step, (bound, _, place) in enumerate(core):
        if -bound < best:
            break
        if not step & 15:
            stop_if(should_stop)
        unseen[place] = 0
        if place == first:
            first = unseen.find(1, split)
            gain, per = _density(values, weights, order, first)
        elif place == last:
            last = unseen.rfind(1, 0, split)
            loss, each = _density(values, weights, order, last)
        item = order[place]
        weight, value, bit = weights[item], values[item], 1 << item
        if place < split:
            weight, value = -weight, -value
        merged = kept + [(e + weight, v - value, m ^ bit) for e, v, m in kept]
        merged.sort()
        kept = []
        lowest, smallest = 1, 0
        for state in merged:
            excess, v, m = state
            if v > lowest or (v == lowest and m >= smallest):
                continue
            lowest, smallest = v, m
            lacking = best + v
            if excess <= 0:
                # the room at the largest density, rounded down, must make up for what is lacking
                if excess * gain + lacking * per <= 0:
                    kept.append(state)
                    if lacking <= 0 and (lacking < 0 or mask is None or m < mask):
                        best, mask = -v, m
            elif last >= 0 and excess * loss + lacking * each <= 0:
                kept.append(state)
        states += len(kept)
        if states > limit:
            top = max(
                -excess * gain // per - v if excess <= 0 else -excess * loss // each - v
                for excess, v, _ in kept
            )
            flipped = _flipped(order, core, start, mask)
            return Found(best, flipped, max(best, top), states, complete=False)
        if not kept:
            break
    return Found(best, _flipped(order, core, start, mask), best, states, complete=True)


def _density(
    values: Sequence[int], weights: Sequence[int], order: Sequence[int], place: int
) -> tuple[int, int]:
    """Value and weight of the item at that place; nothing per token where there is none."""
    return (values[order[place]], weights[order[place]]) if place >= 0 else (0, 1)


def _flipped(
    order: Sequence[int], core: Sequence[Flip], start: int, mask: int | None
) -> list[int] | None:
    """The items of the core in which the mask differs from the break solution."""
    if mask is None:
        return None
    changed = start ^ mask
    return [order[place] for _, _, place in core if changed >> order[place] & 1]
