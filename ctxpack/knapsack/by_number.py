"""Splitting by the number of items: what proves lists of items of nearly equal weight.

A fixed-size chunker's chunks differ little in length. A part of a chunk fills the last room in
Dantzig's bound, so the bound is off by up to one chunk's value, and thousands of partial sets lie
in between. But the number of chunks is whole: with Dantzig's solution taking between K and K + 1
items, every set has at most K or at least K + 1. For each half the Lagrangian bound with a price
on the number (`long_core`, `price`) is tight, as single tokens are made up by swapping chunks of
slightly different length. The better of the two halves is the optimum.

Bounds on the number of items are Martello and Toth's ("Upper bounds and algorithms for hard 0-1
knapsack problems", 1997), who use the side that binds; here both sides are made to bind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxpack.errors import Stop
from ctxpack.knapsack.exchanges import bettered
from ctxpack.knapsack.long_core import Ordered, long_core
from ctxpack.knapsack.price import best_price
from ctxpack.knapsack.states import search_states

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

FINE = 30
"""Values are multiplied until the largest has this many bits, for prices finer than a unit."""

EXCHANGES = 64
"""Exchanges tried to begin with."""


@dataclass(frozen=True, slots=True)
class Split:
    """The best value, the places of its set in the order given (None: nothing above what was
    had), a proven bound on every set, and the states kept."""

    value: int
    places: NDArray[np.intp] | None
    bound: int
    states: int


def split_by_number(
    items: Ordered,
    capacity: int,
    reached: int,
    limit: int,
    width: int,
    should_stop: Stop | None = None,
) -> Split | None:
    """Search both halves; `items` in plain density order. None where it cannot be computed."""
    import numpy as np

    unit = 1 << max(0, FINE - int(items.values.max()).bit_length())
    weights, values = items.weights, items.values * unit
    shift = len(weights).bit_length()
    if int(weights.sum()).bit_length() + shift > 61:
        return None
    most = int(np.searchsorted(np.cumsum(np.sort(weights)), capacity, "right"))
    best, places, bound, states = reached * unit, None, reached * unit, 0
    for count, at_most in ((items.split, True), (items.split + 1, False)):
        if not at_most and count > most:
            continue
        found = best_price(weights, values, capacity, count, at_most, best)
        if found is None:
            return None
        price, half = found
        if half.bound(capacity) < best + unit:
            continue
        short = half.split < count and not at_most
        begun = bettered(half, capacity, len(weights), EXCHANGES, one_more=short)
        if begun.value > best:
            best, places = begun.value, _places(half, begun.flips)
        core = long_core(half, capacity, best + unit)
        part = search_states(
            half, core, capacity, price, shift, best, limit - states, width, unit, should_stop
        )
        if part.flips is not None:
            best, places = part.value, _places(half, part.flips)
        states += part.states
        bound = max(bound, part.bound)
    return Split(best // unit, places, max(best, bound) // unit, states)


def _places(half: Ordered, flips: list[int]) -> NDArray[np.intp]:
    """The places, in the plain order, of the half's split with these flips."""
    import numpy as np

    inside = np.arange(len(half.order)) < half.split
    inside[flips] ^= True
    return np.sort(half.order[inside])
