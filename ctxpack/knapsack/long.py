"""A long list, solved in numpy: the plain core, and what is behind it where that does not do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ctxpack.errors import Stop, stop_if
from ctxpack.knapsack.by_number import split_by_number
from ctxpack.knapsack.core import Broken
from ctxpack.knapsack.exchanges import bettered
from ctxpack.knapsack.long_core import Ordered, Price, long_core, ordered
from ctxpack.knapsack.sets import search
from ctxpack.knapsack.solution import Solution
from ctxpack.knapsack.states import search_states

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

FIRST = 20_000
"""States that the plain core may keep before the number of items is looked at."""

WIDTH = 100_000
"""The longest list of states: about 20 MB while it is worked on."""

NEAR = 256
"""Places on each side of the split among which a first set is bettered."""

TIED = 300
"""States kept to find the set that the tie rule asks for where that is not promised, and items in
that core: a fraction of a millisecond."""


@dataclass(frozen=True, slots=True)
class _Best:
    """The best set so far, as places in the plain density order."""

    value: int
    inside: NDArray[np.bool_]
    bound: int
    states: int


def solve_long(
    weights: Ints,
    values: Ints,
    names: Ints,
    capacity: int,
    states: int,
    should_stop: Stop | None = None,
    *,
    tied: int = TIED,
) -> Solution:
    """The best set of items of positive weight and value, each of which fits alone.

    `names`, ascending, are what the items are called in the answer. Up to `tied` states are kept
    to find the set that the tie rule asks for.

    The weights' sum times the largest value must be below 2^62, the largest weight times the
    largest value below 2^52.
    """
    import numpy as np

    items = ordered(weights, values, capacity, Price())
    best = _plain(items, capacity, min(states, FIRST), should_stop)
    if best.bound > best.value and states > best.states:
        stop_if(should_stop)
        best = _finer(items, capacity, best, states, should_stop)
    settled = None
    if best.bound == best.value:
        settled = _settled(items, capacity, best.value, tied, should_stop)
    inside = best.inside if settled is None else settled
    taken = names[np.sort(items.order[inside])].tolist()
    return Solution(tuple(taken), best.value, best.bound, best.states, settled is not None)


def _plain(items: Ordered, capacity: int, limit: int, should_stop: Stop | None) -> _Best:
    """The core without a price; past `limit` states the best so far."""
    top = items.bound(capacity)
    begun = bettered(items, capacity, NEAR, rounds=4)
    if begun.value >= top:
        return _Best(begun.value, _inside(items, begun.flips), top, 0)
    core = long_core(items, capacity, begun.value + 1)
    found = search_states(
        items, core, capacity, Price(), 0, begun.value, limit, WIDTH, should_stop=should_stop
    )
    flips = begun.flips if found.flips is None else found.flips
    return _Best(found.value, _inside(items, flips), found.bound, found.states)


def _finer(
    items: Ordered, capacity: int, best: _Best, states: int, should_stop: Stop | None
) -> _Best:
    """Common divisors taken out, then the two halves by number, else the core without a price."""
    import numpy as np

    per_weight = int(np.gcd.reduce(items.weights))
    per_value = int(np.gcd.reduce(items.values))
    room = capacity // per_weight
    reduced = ordered(items.weights // per_weight, items.values // per_value, room, Price())
    limit = states - best.states
    reached = best.value // per_value
    split = split_by_number(reduced, room, reached, limit, WIDTH, should_stop)
    if split is None:
        more = _plain(reduced, room, limit, should_stop)
        split_bound, value, places = more.bound, more.value, np.flatnonzero(more.inside)
        used = more.states
    else:
        split_bound, value, used = split.bound, split.value, split.states
        places = np.flatnonzero(best.inside) if split.places is None else split.places
    inside = best.inside
    if value > reached:
        inside = np.zeros(len(items.order), dtype=np.bool_)
        inside[reduced.order[places]] = True
    value = max(best.value, value * per_value)
    bound = max(value, min(best.bound, split_bound * per_value))
    return replace(best, value=value, inside=inside, bound=bound, states=best.states + used)


def _inside(items: Ordered, flips: list[int]) -> NDArray[np.bool_]:
    import numpy as np

    inside = np.arange(len(items.order)) < items.split
    inside[flips] ^= True
    return inside


def _settled(
    items: Ordered, capacity: int, value: int, tied: int, should_stop: Stop | None
) -> NDArray[np.bool_] | None:
    """The set of the best value that the tie rule asks for; None where that is too much work."""
    core = long_core(items, capacity, value)
    if len(core.places) > tied:
        return None
    inside = _inside(items, [])
    known = sorted(core.places, key=items.order.__getitem__)
    place_of = {place: name for name, place in enumerate(known)}
    order = [place_of[place] for place in sorted(core.places)]
    split = sum([place < items.split for place in core.places])
    position = {name: at for at, name in enumerate(order)}
    found = search(
        items.weights[known].tolist(),
        items.values[known].tolist(),
        Broken(order, split, items.weight, items.value),
        [
            (-bound, 0, position[place_of[p]])
            for bound, p in zip(core.bounds, core.places, strict=True)
        ],
        capacity,
        value,
        tied,
        should_stop,
    )
    if found.flips is None or not found.complete:
        return None
    inside[[known[name] for name in found.flips]] ^= True
    return inside
