"""Choosing and placing together: the set whose best order is used most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple

from ctxpack.choosing.contenders import Contenders, contenders
from ctxpack.choosing.fill import too_long
from ctxpack.choosing.used_sets import EXACT, Layer, UsedSet, UsedSets
from ctxpack.errors import Stop, stop_if
from ctxpack.weighed import Choice, Refusal, Weighed

NODES = 20_000
"""Beginnings of sets that are looked at for a proof."""

WORK = 16_000_000
"""What laying out sets for a proof may take, see `UsedSets`: some hundreds of milliseconds."""


def ordered(
    free: Sequence[Weighed],
    room: int,
    *,
    pins: Sequence[Weighed],
    layer: Layer,
    should_stop: Stop | None = None,
) -> Choice:
    """The set within `room`, beside the pins, of most value times p in its best order.

    A good one comes from knapsacks weighed with the places that chunks get, and from exchanges;
    branch and bound by falling density goes on until no set is used more, or until NODES or WORK
    are spent. No set is used more than `use_bound`, pins included. Raises Stopped.
    """
    ranked = sorted(free, key=lambda chunk: chunk.by_rank)
    fitting = [chunk for chunk in ranked if chunk.cost <= room]
    sets = UsedSets(fitting, room, pins, layer, should_stop)
    best, bound = _proved(sets, sets.good(), should_stop)
    inside = {chunk.id for chunk in best.taken}
    left = room - sum(chunk.cost for chunk in best.taken)
    too_large = [too_long(chunk, room) for chunk in ranked if chunk.cost > room]
    not_chosen = [
        Refusal(chunk.id, "not_chosen", {"needed": chunk.tokens, "left": chunk.room_in(left)})
        for chunk in fitting
        if chunk.id not in inside
    ]
    return Choice(
        taken=tuple(chunk for chunk in fitting if chunk.id in inside),
        refused=(*too_large, *not_chosen),
        exact=bound <= best.use * (1 + EXACT),
        use_bound=bound,
    )


class _Node(NamedTuple):
    """The chunks before `place` are in, or are not: `taken` are the free ones that are.

    They cover so much, leave so much room, and are used at most `sure`; with whatever comes
    besides, at most `hope`. `without` are the costs of those that are not: in place of a less
    valuable chunk of the same cost one of them would be used as much.
    """

    place: int
    covered: int
    left: int
    sure: float
    taken: tuple[Weighed, ...]
    without: frozenset[int]
    hope: float


def _proved(sets: UsedSets, best: UsedSet, should_stop: Stop | None) -> tuple[UsedSet, float]:
    """The best set of all, or the best that was found, and a bound on all of them."""
    if not sets.free:
        return best, best.bound
    field = contenders(sets.free, sets.pins, sets.room, sets.layer.curve, best.use)
    bound = best.bound
    waiting = [_Node(0, 0, sets.room, 0.0, (), frozenset(), inf)]
    nodes, most_work = 0, sets.work + WORK
    while waiting:
        node = waiting.pop()
        rest = field.hope(node.place, node.covered, node.left, node.without)
        hope = min(node.hope, node.sure + rest + field.beyond)
        if hope <= best.use * (1 + EXACT):
            continue
        nodes += 1
        if nodes > NODES or sets.work > most_work:
            return best, max(bound, best.use, hope, *(other.hope for other in waiting))
        if nodes % 256 == 0:
            stop_if(should_stop)
        if node.place < len(field.chunks):
            waiting.extend(_parted(field, node, hope))
        elif field.whole(node.taken) > best.use * (1 + EXACT):
            found = sets.of(node.taken)
            bound = max(bound, found.bound)
            best = max(best, found, key=lambda one: one.use)
    return best, max(bound, best.use)


def _parted(field: Contenders, node: _Node, hope: float) -> Iterator[_Node]:
    """The sets without the next chunk that may be in, and, to be looked at first, those with it."""
    place, covered, sure = node.place, node.covered, node.sure
    while place < len(field.chunks):
        if field.forced[place]:
            sure += field.added(place, covered)
            covered += field.sizes[place]
        elif field.costs[place] <= node.left and field.costs[place] not in node.without:
            break
        place += 1
    if place == len(field.chunks):
        yield _Node(place, covered, node.left, sure, node.taken, node.without, hope)
        return
    without = node.without | {field.costs[place]}
    yield _Node(place + 1, covered, node.left, sure, node.taken, without, hope)
    yield _Node(
        place + 1,
        covered + field.sizes[place],
        node.left - field.costs[place],
        sure + field.added(place, covered),
        (*node.taken, field.chunks[place]),
        node.without,
        hope,
    )
