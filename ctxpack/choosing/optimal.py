"""The exact 0/1 knapsack in real tokens: the set of most worth, and what each other one costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ctxpack.choosing.fill import too_long
from ctxpack.choosing.forcing import Forced, forced_sets, forced_with
from ctxpack.errors import Stop
from ctxpack.knapsack.rows import decide_rows
from ctxpack.knapsack.solving import solve
from ctxpack.weighed import Choice, Refusal, Weighed

LOSS_CELLS = 4_000_000
"""Up to this many cells, chunks times tokens, one table gives the set, and tells for every chunk
left out what forcing it in would cost and push out; above, `forced` tells it for one chunk."""


def optimal(
    candidates: Sequence[Weighed],
    room: int,
    should_stop: Stop | None = None,
    *,
    told: bool = True,
) -> Choice:
    """The set of most worth within `room`, at any size, with a proven bound on the worth.

    Among equal sets it is the one that lacks the worst-ranked chunk in which they differ: a chunk
    is taken only where that strictly beats leaving it out. Without `told` nothing is said of what
    forcing in the others would cost. Raises Stopped where `should_stop` says so between steps.
    """
    ranked = sorted(candidates, key=lambda candidate: candidate.by_rank)
    fitting = [candidate for candidate in ranked if candidate.cost <= room]
    refused = [too_long(candidate, room) for candidate in ranked if candidate.cost > room]
    costs = [candidate.cost for candidate in fitting]
    worths = [candidate.worth for candidate in fitting]
    best = _best(costs, worths, room, told, should_stop)
    inside = set(best.taken)
    left = room - sum([costs[place] for place in best.taken])
    unit = _unit(candidates)
    for place, chunk in enumerate(fitting):
        if place in inside:
            continue
        detail: dict[str, Any] = {"needed": chunk.tokens, "left": chunk.room_in(left)}
        if place in best.instead:
            loss, took_room = best.instead[place]
            detail["loss"] = loss * unit
            detail["took_room"] = [fitting[other].id for other in took_room]
        refused.append(Refusal(chunk.id, "not_chosen", detail))
    taken = tuple([fitting[place] for place in best.taken])
    return Choice(taken, tuple(refused), exact=best.exact, bound=best.bound)


def forced(
    candidates: Sequence[Weighed], room: int, chunk_id: str, should_stop: Stop | None = None
) -> tuple[tuple[str, ...], float]:
    """What forcing one chunk in pushes out of the optimal set, by rank, and the value it costs.

    At any size; nothing and 0 for a chunk that the optimal set holds. Raises ValueError for one
    that is not among the candidates or longer than `room`.
    """
    ranked = sorted(candidates, key=lambda candidate: candidate.by_rank)
    fitting = [candidate for candidate in ranked if candidate.cost <= room]
    place = next((place for place, chunk in enumerate(fitting) if chunk.id == chunk_id), None)
    if place is None:
        raise ValueError(f"{chunk_id!r} is not among the candidates that fit")
    costs = [candidate.cost for candidate in fitting]
    worths = [candidate.worth for candidate in fitting]
    best = solve(costs, worths, room, should_stop=should_stop)
    if place in best.taken:
        return (), 0.0
    found = forced_with(costs, worths, room, best.taken, place, should_stop)
    return tuple([fitting[other].id for other in found.took_room]), found.loss * _unit(candidates)


class _Best(NamedTuple):
    """The best set as places by rank, and by place what forcing another chunk in would take."""

    taken: tuple[int, ...]
    bound: int
    exact: bool
    instead: dict[int, Forced]


def _best(
    costs: list[int], worths: list[int], room: int, told: bool, should_stop: Stop | None
) -> _Best:
    """From one table where that is small enough to tell the losses too, else by the solver."""
    if told and sum(costs) > room and len(costs) * (room + 1) <= LOSS_CELLS:
        table = decide_rows(costs, worths, room, should_stop)
        taken = table.walk_back(room)
        instead = forced_sets(costs, worths, room, table, taken, should_stop)
        return _Best(taken, sum([worths[place] for place in taken]), True, instead)
    found = solve(costs, worths, room, should_stop=should_stop)
    free = range(len(costs)) if sum(costs) <= room else ()
    return _Best(found.taken, found.bound, found.proven, {place: Forced(0, ()) for place in free})


def _unit(candidates: Sequence[Weighed]) -> float:
    """What one unit of worth is in values."""
    largest = max(candidates, key=lambda candidate: candidate.worth, default=None)
    return largest.value / largest.worth if largest is not None and largest.worth else 0.0
