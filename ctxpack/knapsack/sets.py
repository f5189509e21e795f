"""Exact search over a core with every partial set known as a bit mask: the tie rule holds.

States are partial sets (weight, value, mask), started with the break solution, which may be
overfilled for a while. Each step doubles the list, with and without the next flip, and drops
- what cannot reach the value that is already had: below the capacity a state can gain at most its
  room at the largest density left outside, above it must lose at least its excess at the smallest
  density left inside;
- what another state beats: no heavier, and worth more, or worth as much with the smaller mask.
Masks compare as the tie rule does: the highest index in which two sets differ decides. As states
that only equal the value had are kept, every set of the best value is seen or beaten by its mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxpack.errors import Stop, stop_if
from ctxpack.knapsack.core import Broken, Flip

State = tuple[int, int, int]
"""Weight, value negated (so that a plain sort puts the best of a weight first), mask."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best set as a mask; None: none is worth as much as was asked for.

    `bound` is proven. `complete` says that the search was not given up at its limit: then the
    bound is the value itself and the mask is the one that the tie rule asks for.
    """

    value: int
    mask: int | None
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
    start = sum([1 << item for item in order[:split]])
    best, mask = reached, None
    if broken.value >= reached:
        best, mask = broken.value, start
    kept: list[State] = [(broken.weight, -broken.value, start)]
    states = 0
    unseen = bytearray(len(order))
    for _, _, place in core:
        unseen[place] = 1
    for step, (bound, _, place) in enumerate(core):
        if -bound < best:
            break
        if not step & 15:
            stop_if(should_stop)
        unseen[place] = 0
        item = order[place]
        weight, value, bit = weights[item], values[item], 1 << item
        if place < split:
            weight, value = -weight, -value
        merged = kept + [(w + weight, v - value, m ^ bit) for w, v, m in kept]
        merged.sort()
        first, last = unseen.find(1, split), unseen.rfind(1, 0, split)
        gain, per = (values[order[first]], weights[order[first]]) if first >= 0 else (0, 1)
        loss, each = (values[order[last]], weights[order[last]]) if last >= 0 else (0, 0)
        kept = []
        lowest, smallest = 1, 0
        for state in merged:
            w, v, m = state
            if v > lowest or (v == lowest and m >= smallest):
                continue
            lowest, smallest = v, m
            room = capacity - w
            if room >= 0:
                if room * gain // per - v >= best:
                    kept.append(state)
                    if -v > best or (-v == best and (mask is None or m < mask)):
                        best, mask = -v, m
            elif each and room * loss // each - v >= best:
                kept.append(state)
        states += len(kept)
        if states > limit:
            top = max(
                room * gain // per - v if room >= 0 else room * loss // each - v
                for room, v in ((capacity - w, v) for w, v, _ in kept)
            )
            return Found(best, mask, max(best, top), states, complete=False)
        if not kept:
            break
    return Found(best, mask, best, states, complete=True)
