"""The core of a long list, in numpy, with a price on each item where their number is limited.

With a price μ on each item and a number K of items that no set considered can pass (μ > 0) or
stay below (μ < 0), no such set is worth more than its sum of v - μ, plus μ K: the Lagrangian
relaxation of the number. So everything in `core` holds for the values v - μ, with μ K added to
every bound. Items for which v - μ is nothing or less are outside. μ = 0 is the plain core.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxpack.knapsack.core import Density

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Price:
    """A price on each item, and the number of items that bears it. No price is 0 and 0."""

    each: int = 0
    count: int = 0

    @property
    def allowance(self) -> int:
        """What is added to the priced value of a set for a bound on its value."""
        return self.each * self.count


@dataclass(frozen=True, slots=True)
class Ordered:
    """Items by falling density of the priced value, the first `split` of which are inside.

    `order` are the items' indices; the arrays follow it. `base` is the priced value of what is
    inside, the allowance included; `density` that of the break item.
    """

    order: NDArray[np.intp]
    weights: Ints
    values: Ints
    priced: Ints
    split: int
    weight: int
    value: int
    base: int
    density: Density

    def bound(self, capacity: int) -> int:
        """No set that the price is for is worth more."""
        p, q = self.density
        return self.base + (capacity - self.weight) * p // q


def ordered(weights: Ints, values: Ints, capacity: int, price: Price) -> Ordered:
    """Sort by falling density and split; equal densities keep the order in which they are given.

    The largest weight times the largest priced value must be below 2^52 (see EXACT_QUOTIENTS).
    """
    import numpy as np

    priced = values - price.each
    sparsity = -priced / weights
    order = np.argsort(sparsity)
    ranged = sparsity[order]
    if (ranged[1:] == ranged[:-1]).any():
        order = np.argsort(sparsity, kind="stable")
    weights, values, priced = weights[order], values[order], priced[order]
    worthy = int(np.count_nonzero(priced > 0))
    heads = np.cumsum(weights[:worthy])
    split = int(np.searchsorted(heads, capacity, "right"))
    return Ordered(
        order=order,
        weights=weights,
        values=values,
        priced=priced,
        split=split,
        weight=int(heads[split - 1]) if split else 0,
        value=int(values[:split].sum()),
        base=int(priced[:split].sum()) + price.allowance,
        density=(int(priced[split]), int(weights[split])) if split < worthy else (0, 1),
    )


@dataclass(frozen=True, slots=True)
class LongCore:
    """The items that may have to be flipped, in order of falling bounds, as places in the order.

    What step k changes is `weights[k]`, `values[k]` and the number of items by `counts[k]`, 1 or
    -1. `outside[k]` is the first place outside from step k on, or the number of items; `inside[k]`
    the last place inside, or -1.
    """

    places: list[int]
    bounds: list[int]
    weights: list[int]
    values: list[int]
    counts: list[int]
    outside: list[int]
    inside: list[int]


def flip_bounds(items: Ordered, capacity: int) -> Ints:
    """For every place the bound on the sets in which it is not as the split has it."""
    import numpy as np

    p, q = items.density
    room, split = capacity - items.weight, items.split
    bounds = np.empty(len(items.order), dtype=np.int64)
    bounds[:split] = (room + items.weights[:split]) * p // q - items.priced[:split]
    bounds[split:] = (room - items.weights[split:]) * p // q + items.priced[split:]
    bounds += items.base
    return bounds


def long_core(items: Ordered, capacity: int, reached: int) -> LongCore:
    """The core for sets worth at least `reached`."""
    import numpy as np

    count, split = len(items.order), items.split
    bounds = flip_bounds(items, capacity)
    places = np.flatnonzero(bounds >= reached)
    places = places[np.lexsort((np.abs(places - split), -bounds[places]))]
    signs = np.where(places < split, -1, 1)
    out = np.append(np.where(places >= split, places, count), count)
    into = np.append(np.where(places < split, places, -1), -1)
    return LongCore(
        places=places.tolist(),
        bounds=bounds[places].tolist(),
        weights=(items.weights[places] * signs).tolist(),
        values=(items.values[places] * signs).tolist(),
        counts=signs.tolist(),
        outside=np.minimum.accumulate(out[::-1])[::-1].tolist(),
        inside=np.maximum.accumulate(into[::-1])[::-1].tolist(),
    )
