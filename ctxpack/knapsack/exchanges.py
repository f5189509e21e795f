"""A good set to begin with: the break solution, bettered one exchange at a time.

The best exchange puts one item in, and takes one out where the room left does not do. With the
items inside sorted by weight, the cheapest that is heavy enough is a minimum over a tail, so all
pairs are looked at in O(n log n).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxpack.knapsack.core import LARGEST
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


def bettered(
    items: Ordered, capacity: int, window: int, rounds: int, *, one_more: bool = False
) -> Bettered:
    """Up to `rounds` exchanges among the `window` places on each side of the split.

    With `one_more` it begins with the break item in as well, too heavy by some: exchanges then
    lighten the set first. Where that does not succeed the break solution is what is left.
    """
    import numpy as np

    low, high = max(0, items.split - window), items.split + window
    weights, values = items.weights[low:high], items.values[low:high]
    before = np.arange(low, low + len(weights)) < items.split
    inside = before.copy()
    room, value = capacity - items.weight, items.value
    if one_more and items.split < low + len(weights):
        place = items.split - low
        inside[place] = True
        room, value = room - int(weights[place]), value + int(values[place])
    for _ in range(rounds):
        swap = _best_exchange(weights, values, inside, room)
        if swap is None:
            break
        put, taken = swap
        inside[put] = True
        room, value = room - int(weights[put]), value + int(values[put])
        if taken is not None:
            inside[taken] = False
            room, value = room + int(weights[taken]), value - int(values[taken])
    if room < 0:
        return Bettered(items.value, [])
    return Bettered(value, (low + np.flatnonzero(inside != before)).tolist())


def _best_exchange(
    weights: Ints, values: Ints, inside: NDArray[np.bool_], room: int
) -> tuple[int, int | None] | None:
    """What to put in, and what to take out for it, if anything; None: nothing betters the set.

    Too heavy a set is bettered by what loses least and makes it fit, else by what lightens most.
    """
    import numpy as np

    out = np.flatnonzero(~inside)
    into = np.flatnonzero(inside)
    if not len(out):
        return None
    into = into[np.argsort(weights[into], kind="stable")]
    cheapest = np.minimum.accumulate(values[into][::-1])[::-1]
    lacking = weights[out] - room
    place = np.searchsorted(weights[into], lacking, "left")
    swap = lacking > 0
    possible = place < len(into)
    gains = np.where(swap & ~possible, -LARGEST, values[out])
    swap &= possible
    gains[swap] -= cheapest[place[swap]]
    best = int(gains.argmax())
    if room < 0 and gains[best] == -LARGEST:
        lightest = int(out[weights[out].argmin()])
        heaviest = int(into[-1]) if len(into) else lightest
        return (lightest, heaviest) if weights[heaviest] > weights[lightest] else None
    if room >= 0 and gains[best] <= 0:
        return None
    if not swap[best]:
        return int(out[best]), None
    tail = into[place[best] :]
    return int(out[best]), int(tail[values[tail].argmin()])
