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

from dataclasses import dataclass

from ctxpack.errors import Stop, stop_if
from ctxpack.knapsack.core import Core

State = tuple[int, int, int]
"""Weight, value negated (so that a plain sort puts the best of a weight first), mask."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best set as a mask; None: none is worth as much as was asked for.

    `bound` is proven; it is the value itself unless the search was given up at its limit.
    """

    value: int
    mask: int | None
    bound: int
    states: int


def search(
    core: Core,
    capacity: int,
    reached: int,
    start: int,
    bits: list[int],
    limit: int,
    should_stop: Stop | None = None,
) -> Found:
    """The set of most value, at least `reached`, by the tie rule; gives up past `limit` states.

    `start` is the break solution's mask, `bits` what each step flips.
    """
    best, mask = reached, None
    if core.weight <= capacity and core.value >= reached:
        best, mask = core.value, start
    kept: list[State] = [(core.weight, -core.value, start)]
    states = 0
    for step, bound in enumerate(core.bounds):
        if bound < best:
            break
        if not step & 15:
            stop_if(should_stop)
        weight, value, bit = core.weights[step], core.values[step], bits[step]
        merged = kept + [(w + weight, v - value, m ^ bit) for w, v, m in kept]
        merged.sort()
        gain, per = core.outside[step + 1] or (0, 1)
        inside = core.inside[step + 1]
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
            elif inside is not None and room * inside[0] // inside[1] - v >= best:
                kept.append(state)
        states += len(kept)
        if states > limit:
            return Found(best, mask, max(best, _largest(kept, core, capacity, step + 1)), states)
        if not kept:
            break
    return Found(best, mask, best, states)


def _largest(states: list[State], core: Core, capacity: int, step: int) -> int:
    """The most that any state can still become."""
    gain, per = core.outside[step] or (0, 1)
    loss, each = core.inside[step] or (0, 1)
    return max(
        (capacity - w) * (gain if w <= capacity else loss) // (per if w <= capacity else each) - v
        for w, v, _ in states
    )
