"""Exact search over a long core: partial sets as arrays, the best of each weight kept.

The same search as `sets`, without masks: of two states the one that is no heavier and worth as
much or more beats the other, and a state lives only where its bound is above the value had. Where
items bear a price, a state's number of items counts as well, for its bound: it is carried in the
low bits of the weight, so that of two states of equal weight and value the one of fewer items
stays, under every price alike. That makes splitting by number sound: of all best sets take those
of least weight, of these one of fewest items; where it is looked for, nothing else can replace it.

Memory: 4 bytes a kept state for the way back, and about 100 a state of the widest list. A list
wider than `width` keeps the states of the largest bounds and remembers the largest bound dropped.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ctxpack.errors import Stop, stop_if
from ctxpack.knapsack.long_core import LongCore, Ordered, Price

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

NEVER = -(1 << 62)
"""A bound below every value."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The best value found, the places flipped for it (None: nothing above what was had), and a
    proven bound on every set that the search was for."""

    value: int
    flips: list[int] | None
    bound: int
    states: int


@dataclass(slots=True)
class _Search:
    items: Ordered
    core: LongCore
    capacity: int
    price: Price
    shift: int
    best: int
    found: tuple[int, int] | None = None
    dropped: int = NEVER
    states: int = 0
    sources: list[tuple[NDArray[np.int32], int]] = field(default_factory=list)

    def bounds(self, keys: Ints, values: Ints, step: int) -> Ints:
        """What each state, sorted by weight, can still become from the step on."""
        import numpy as np

        core, shift, items = self.core, self.shift, self.items
        light = int(np.searchsorted(keys, (self.capacity + 1) << shift, "left"))
        bounds = self.capacity - (keys >> shift if shift else keys)
        outside, inside = core.outside[step], core.inside[step]
        if outside < len(items.priced) and items.priced[outside] > 0:
            bounds[:light] *= items.priced[outside]
            bounds[:light] //= items.weights[outside]
        else:
            bounds[:light] = 0
        if inside >= 0:
            bounds[light:] *= items.priced[inside]
            bounds[light:] //= items.weights[inside]
        else:
            bounds[light:] = NEVER
        bounds += values
        if shift:
            counts = keys & ((1 << shift) - 1)
            counts -= self.price.count
            counts *= self.price.each
            bounds -= counts
        return bounds

    def note_best(self, keys: Ints, values: Ints, step: int) -> None:
        """Remember the best of the new states within the capacity, if it is better."""
        import numpy as np

        light = int(np.searchsorted(keys, (self.capacity + 1) << self.shift, "left"))
        if light:
            place = int(values[:light].argmax()) if self.shift else light - 1
            if int(values[place]) > self.best:
                self.best = int(values[place])
                self.found = (step, place)

    def way_back(self) -> list[int] | None:
        """The places flipped for the best set found."""
        if self.found is None:
            return None
        step, place = self.found
        flips = [self.core.places[step]] if step >= 0 else []
        for earlier in range(step - 1, -1, -1):
            source, count = self.sources[earlier]
            place = int(source[place])
            if place >= count:
                flips.append(self.core.places[earlier])
                place -= count
        return flips


def search_states(
    items: Ordered,
    core: LongCore,
    capacity: int,
    price: Price,
    shift: int,
    reached: int,
    limit: int,
    width: int,
    unit: int = 1,
    should_stop: Stop | None = None,
) -> Reached:
    """The best set above `reached`; past `limit` kept states the best so far and its bound.

    All values are multiples of `unit`, which lets prices be finer than values.
    """
    import numpy as np

    search = _Search(items, core, capacity, price, shift, reached)
    keys = np.array([(items.weight << shift) + (items.split if shift else 0)], dtype=np.int64)
    values = np.array([items.value], dtype=np.int64)
    if items.value > search.best:
        search.best, search.found = items.value, (-1, 0)
    for step, bound in enumerate(core.bounds):
        if bound < search.best + unit:
            break
        if not step & 7:
            stop_if(should_stop)
        change = (core.weights[step] << shift) + (core.counts[step] if shift else 0)
        new_keys, new_values = keys + change, values + core.values[step]
        search.note_best(new_keys, new_values, step)
        old_bounds = search.bounds(keys, values, step + 1)
        new_bounds = search.bounds(new_keys, new_values, step + 1)
        old = np.flatnonzero(old_bounds >= search.best + unit)
        new = np.flatnonzero(new_bounds >= search.best + unit)
        count = len(keys)
        if not len(old) + len(new):
            keys = keys[:0]
            break
        merged_keys = np.concatenate((keys[old], new_keys[new]))
        merged_values = np.concatenate((values[old], new_values[new]))
        source = np.concatenate((old, new + count))
        alive = _unbeaten(merged_keys, merged_values)
        if len(alive) > width:
            bounds = np.concatenate((old_bounds[old], new_bounds[new]))[alive]
            order = np.argpartition(bounds, len(alive) - width)
            cut = order[: len(alive) - width]
            search.dropped = max(search.dropped, int(bounds[cut].max()))
            alive = alive[np.sort(order[len(alive) - width :])]
        keys, values = merged_keys[alive], merged_values[alive]
        search.sources.append((source[alive].astype(np.int32), count))
        search.states += len(keys)
        if search.states > limit:
            left = search.bounds(keys, values, step + 1)
            search.dropped = max(search.dropped, int(left.max()))
            break
    bound = min(search.dropped, items.bound(capacity)) // unit * unit
    return Reached(search.best, search.way_back(), max(search.best, bound), search.states)


def _unbeaten(keys: Ints, values: Ints) -> NDArray[np.intp]:
    """Indices, by rising key, of the states that no other one beats."""
    import numpy as np

    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    keep = np.empty(len(keys), dtype=np.bool_)
    keep[0] = True
    np.greater(values[1:], np.maximum.accumulate(values)[:-1], out=keep[1:])
    beaten = keys[1:] == keys[:-1]
    beaten &= keep[1:]
    keep[:-1] &= ~beaten
    return order[keep]
