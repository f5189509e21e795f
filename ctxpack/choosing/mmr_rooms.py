"""At which rooms maximal marginal relevance chooses one chunk, without choosing at every room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxpack.choosing.mmr import Race, line_up
from ctxpack.errors import Stop, stop_if
from ctxpack.likeness.similarity import Similarities
from ctxpack.weighed import Span, Weighed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Wholes = NDArray[np.int64]

STATES = 200_000
"""How many beginnings of a window may be looked at; a cap on work, never on time."""


@dataclass(frozen=True)
class Held:
    """Rooms at which a chunk is chosen, rising and apart; all of them up to the room `known`."""

    spans: tuple[Span, ...]
    known: int


@dataclass(frozen=True)
class _Branch:
    """Rooms that have chosen alike: what is left of the race, before `then` is taken as well."""

    low: int
    high: int
    used: int
    waiting: Wholes
    nearest: Wholes | None
    then: int | None


def mmr_holding(
    candidates: Sequence[Weighed],
    pins: Sequence[Weighed],
    similarities: Similarities,
    mmr_lambda: float,
    chunk_id: str,
    largest: int,
    *,
    states: int = STATES,
    should_stop: Stop | None = None,
) -> Held:
    """The rooms from 0 to `largest` at which `mmr` takes the chunk, beside the same pins.

    All rooms choose alike until something fits into some of them only: there they part. Rooms in
    which the chunk is in, or has no room any more, are followed no further. `states` bounds the
    beginnings that are looked at; where they do not suffice, `known` says how far the spans go.
    Raises KeyError for a chunk that is not among the candidates.
    """
    import numpy as np

    race = line_up(candidates, pins, similarities, mmr_lambda)
    wanted = {candidate.id: place for place, candidate in enumerate(race.line)}[chunk_id]
    needed = race.line[wanted].cost
    rows: dict[int, Wholes] = {}
    spans: list[Span] = []
    start = _Branch(needed, largest, 0, np.arange(len(race.line)), race.nearest, None)
    open_branches = [start] if needed <= largest else []
    while open_branches:
        stop_if(should_stop)
        branch = open_branches.pop()
        if states == 0:
            return Held(tuple(spans), branch.low - 1)
        states -= 1
        parted, held = _part(branch, race, wanted, rows)
        # The last one holds the smallest rooms: rooms are settled from below.
        open_branches.extend(parted)
        # Between two of them lie rooms that took something else and lack room for it: none touch.
        if held is not None:
            spans.append(held)
    return Held(tuple(spans), largest)


def _part(
    branch: _Branch, race: Race, wanted: int, rows: dict[int, Wholes]
) -> tuple[list[_Branch], Span | None]:
    """The branches that go on, larger rooms first, and the rooms that now take the chunk.

    Only the best-scored can be taken next, by the rooms that hold it; smaller ones go on to the
    next best, which therefore has to be smaller than all before it.
    """
    import numpy as np

    nearest = branch.nearest
    waiting = branch.waiting
    if branch.then is not None:
        if branch.then not in rows:
            rows[branch.then] = race.row(branch.then)
        row = rows[branch.then]
        nearest = row if nearest is None else np.maximum(nearest, row)
        waiting = waiting[waiting != branch.then]
    used, low, high = branch.used, branch.low, branch.high
    waiting = waiting[race.costs[waiting] <= high - used]
    near = None if nearest is None else nearest[waiting]
    scores = race.scores(race.merit[waiting], near)
    order = waiting[np.argsort(-scores, kind="stable")]
    needed = race.line[wanted].cost
    parted: list[_Branch] = []
    for place, cost in zip(order.tolist(), race.costs[order].tolist(), strict=True):
        if used + cost > high:
            continue
        if place == wanted:
            return parted, (max(low, used + cost), high)
        # What takes this one must hold the chunk beside it, or is of no interest.
        begin = max(low, used + cost)
        if max(begin, used + cost + needed) <= high:
            begins = max(begin, used + cost + needed)
            parted.append(_Branch(begins, high, used + cost, waiting, nearest, place))
        high = begin - 1
        if low > high:
            break
    return parted, None
