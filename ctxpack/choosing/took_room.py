"""Who took the room that a chunk lacked: the fewest, then least valuable, that would have to go."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from ctxpack.weighed import Weighed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CELLS = 5_000_000
"""The largest table that is filled for three leavers or more; past it they are nearly the least."""

_ABSENT = 1 << 60


def took_room(lack: int, taken: Sequence[Weighed]) -> tuple[str, ...]:
    """Ids of the taken chunks that would have to leave to free `lack` tokens, best-ranked first.

    The fewest that can; among those the ones of least value together; among those the one that
    has the worst-ranked chunk in which they differ. Empty where all together free too little.
    Past CELLS (chunks times leavers times tokens) the fewest still, but perhaps not of least value.
    """
    count = leavers(lack, taken)
    if count == 0:
        return ()
    leaving: Sequence[Weighed]
    if count == len(taken):
        leaving = taken
    elif count == 1:
        leaving = [_one(lack, taken)]
    elif count == 2:
        leaving = _two(lack, taken)
    elif cells(lack, taken, count) <= CELLS:
        leaving = _table(lack, sorted(taken, key=lambda chunk: chunk.by_rank), count)
    else:
        leaving = _swapped(lack, taken, count)
    return tuple(chunk.id for chunk in sorted(leaving, key=lambda chunk: chunk.by_rank))


def leavers(lack: int, taken: Sequence[Weighed]) -> int:
    """How many have to leave at least; 0 where all together free less than `lack` tokens."""
    largest_first = sorted([chunk.cost for chunk in taken], reverse=True)
    if largest_first and largest_first[0] >= lack:
        return 1
    for count, freed in enumerate(accumulate(largest_first), start=1):
        if freed >= lack:
            return count
    return 0


def cells(lack: int, taken: Sequence[Weighed], count: int) -> int:
    """How many steps finding them takes, in cells of a table for three or more."""
    return len(taken) * (1 if count < 3 else count * (lack + 1))


def _one(lack: int, taken: Sequence[Weighed]) -> Weighed:
    enough = [chunk for chunk in taken if chunk.cost >= lack]
    least = min(chunk.worth for chunk in enough)
    return max((c for c in enough if c.worth == least), key=lambda chunk: chunk.by_rank)


def _two(lack: int, taken: Sequence[Weighed]) -> list[Weighed]:
    """For each chunk its cheapest partner among those that free the rest, by suffix minima."""
    least = lack - max(chunk.cost for chunk in taken)
    ranked = sorted((c for c in taken if c.cost >= least), key=lambda chunk: chunk.by_rank)
    costs = [chunk.cost for chunk in ranked]
    by_cost = sorted(range(len(costs)), key=costs.__getitem__)
    cheapest = _cheapest_of_largest([(ranked[place].worth, -place) for place in reversed(by_cost)])
    best_pair = (_ABSENT, 0, 0)
    found = 0
    for place in by_cost:
        rest = lack - costs[place]
        while found < len(by_cost) and costs[by_cost[-1 - found]] >= rest:
            found += 1
        first, second = cheapest[found]
        worth, minus = second if -first[1] == place else first
        total = worth + ranked[place].worth
        if total <= best_pair[0]:
            best_pair = min(best_pair, (total, min(minus, -place), max(minus, -place)))
    return [ranked[-place] for place in best_pair[1:]]


def _cheapest_of_largest(keys: Sequence[tuple[int, int]]) -> list[tuple[tuple[int, int], ...]]:
    """The two smallest of the first so many keys, for every so many from none."""
    first = second = (_ABSENT, 0)
    cheapest: list[tuple[tuple[int, int], ...]] = [(first, second)]
    for key in keys:
        if key < first:
            first, second = key, first
        elif key < second:
            second = key
        cheapest.append((first, second))
    return cheapest


def _table(lack: int, ranked: Sequence[Weighed], count: int) -> list[Weighed]:
    """Least worth of exactly c of the first i that free g tokens; walked back from the worst rank.

    At a tie the later one is taken, so that of equal sets it is the one with the worst-ranked.
    """
    import numpy as np

    best = np.full((count + 1, lack + 1), _ABSENT, dtype=np.int64)
    best[0, 0] = 0
    takes: list[NDArray[np.bool_]] = []
    for chunk in ranked:
        with_it = np.full_like(best, _ABSENT)
        reach = min(chunk.cost, lack + 1)
        with_it[1:, :reach] = best[:-1, :1] + chunk.worth
        with_it[1:, reach:] = best[:-1, : lack + 1 - reach] + chunk.worth
        taking = with_it <= best
        takes.append(taking)
        best = np.where(taking, with_it, best)
    leaving = []
    needed = lack
    for chunk, taking in zip(reversed(ranked), reversed(takes), strict=True):
        if count and taking[count, needed]:
            leaving.append(chunk)
            needed = max(0, needed - chunk.cost)
            count -= 1
    return leaving


def _swapped(lack: int, taken: Sequence[Weighed], count: int) -> list[Weighed]:
    """The largest, each exchanged for a less valuable one where what is freed still suffices."""
    largest_first = sorted(taken, key=lambda chunk: -chunk.cost)
    leaving, rest = largest_first[:count], largest_first[count:]
    spare = sum(chunk.cost for chunk in leaving) - lack
    for place, chunk in sorted(enumerate(leaving), key=lambda pair: -pair[1].worth):
        instead = [c for c in rest if c.worth < chunk.worth and chunk.cost - c.cost <= spare]
        if instead:
            other = min(instead, key=lambda c: (c.worth, -c.cost))
            spare -= chunk.cost - other.cost
            rest[rest.index(other)] = chunk
            leaving[place] = other
    return leaving
