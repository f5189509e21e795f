"""A good set to begin with: the break solution, bettered one exchange at a time.

The best exchange puts one item in, and takes one out where the room left does not do. With the
items inside sorted by weight, the cheapest that is heavy enough is a minimum over a tail, so all
pairs are looked at in O(n log n).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxpack.knapsack.long_core import Ordered

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bettered:
    """A set's value, and the places at which it differs from the split."""

    value: int
    flips: list[int]


def bettered(items: Ordered, capacity: int, window: int, rounds: int) -> Bettered:
    """Up to `rounds` exchanges among the `window` places on each side of the split."""
    import numpy as np

    low, high = max(0, items.split - window), items.split + window
    weights, values = items.weights[low:high], items.values[low:high]
    inside = np.arange(low, low + len(weights)) < items.split
    before = inside.copy()
    room, value = capacity - items.weight, items.value
    for _ in range(rounds):
        put, taken, gain = _best_exchange(weights, values, inside, room)
        if gain <= 0:
            break
        inside[put] = True
        room -= int(weights[put])
        if taken is not None:
            inside[taken] = False
            room += int(weights[taken])
        value += gain
    return Bettered(value, (low + np.flatnonzero(inside != before)).tolist())


def _best_exchange(
    weights: Ints, values: Ints, inside: NDArray[np.bool_], room: int
) -> tuple[int, int | None, int]:
    """What to put in, what to take out for it, and what is gained; no gain: nothing to better."""
    import numpy as np

    out = np.flatnonzero(~inside)
    if not len(out):
        return 0, None, 0
    into = np.flatnonzero(inside)
    into = into[np.argsort(weights[into], kind="stable")]
    cheapest = np.minimum.accumulate(values[into][::-1])[::-1]
    lacking = weights[out] - room
    place = np.searchsorted(weights[into], lacking, "left")
    gains = values[out].copy()
    swap = lacking > 0
    possible = place < len(into)
    gains[swap & ~possible] = -1
    swap &= possible
    gains[swap] -= cheapest[place[swap]]
    best = int(gains.argmax())
    if not swap[best]:
        return int(out[best]), None, int(gains[best])
    tail = into[place[best] :]
    return int(out[best]), int(tail[values[tail].argmin()]), int(gains[best])
