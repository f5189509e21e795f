"""Which single chunk's ban lets another in: found for all of them at once, or one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ctxpack.choosing.fill import in_turn
from ctxpack.deciding import Contest
from ctxpack.explaining.trials import Trials
from ctxpack.weighed import Weighed

TRIED = 12
"""How many bans are tried by packing at most."""


def single_ban(tried: Trials, chunk_id: str, took: Sequence[str] = ()) -> str | None:
    """The least valuable chunk whose ban lets this one in, verified by packing; no pin is asked.

    `took` are those who took its room: good guesses. None where no ban does; under `optimal` and
    `mmr`, and past a filter, also where none of TRIED packings found one: then there may be one,
    or a less valuable one than was found.
    """
    who = tried.contest(tried.room)
    letting: Weighed | None = None
    for chunk in _in_order(tried, who, chunk_id, took):
        if letting is not None and _cheapness(chunk) > _cheapness(letting):
            continue
        bans = (*tried.settings.bans, chunk.id)
        if tried.would_hold(chunk_id, _without(tried, who, chunk), bans=bans) and tried.holds(
            chunk_id, bans=bans
        ):
            letting = chunk
    return None if letting is None else letting.id


def pin_ban(tried: Trials, chunk_id: str) -> str | None:
    """The least valuable other pin whose ban lets a pin in that did not fit; None where none does.

    What is no pin never stands in a pin's way. TRIED are tried at most.
    """
    others = [pin for pin in tried.contest(tried.room).pins.taken if pin.id != chunk_id]
    for other in sorted(others, key=_cheapness)[:TRIED]:
        pins = tuple(pin for pin in tried.settings.pins if pin != other.id)
        if tried.holds(chunk_id, pins=pins, bans=(*tried.settings.bans, other.id)):
            return other.id
    return None


def _without(tried: Trials, who: Contest, banned: Weighed) -> Contest | None:
    """The contest with one chunk banned; None where the filters have to be asked again.

    That is where they measure or count the candidates, or the chunk stands for duplicates.
    """
    asked = tried.settings
    measured = (asked.cutoff, asked.margin, asked.cliff or None, asked.max_chunks)
    if banned.id in who.duplicates or any(one is not None for one in measured):
        return None
    return replace(who, free=tuple(one for one in who.free if one.id != banned.id))


def _cheapness(chunk: Weighed) -> tuple[int, float, int]:
    """Least valuable first, ties by the worst rank."""
    rank, order = chunk.by_rank
    return chunk.worth, -rank, -order


def _in_order(tried: Trials, who: Contest, chunk_id: str, took: Sequence[str]) -> Iterator[Weighed]:
    """Whom to try: exactly those that let it in where that can be told, else the likely ones."""
    others = sorted((chunk for chunk in who.free if chunk.id != chunk_id), key=_cheapness)
    strategy = tried.settings.strategy
    survives = len(others) < len(who.free)
    if survives and strategy in ("first-fit", "top", "density"):
        ordered = in_turn(who.free, strategy)
        left = tried.room - who.reserved
        letting = let_in(ordered, chunk_id, left, stops=strategy == "first-fit")
        yield from [chunk for chunk in others if chunk.id in letting][:TRIED]
        return
    if survives:
        # Who is not chosen stands in nobody's way.
        packed = tried.packed() or frozenset()
        others = [chunk for chunk in others if chunk.id in packed]
    likely = [chunk for chunk in others if chunk.id in took]
    yield from [*likely, *(chunk for chunk in others if chunk.id not in took)][:TRIED]


def let_in(ordered: Sequence[Weighed], chunk_id: str, left: int, *, stops: bool) -> set[str]:
    """Whose absence alone lets the chunk in, of those who are offered room before it.

    All absences are filled at once, one in each place of an array. `stops`: the first that does
    not fit ends the filling.
    """
    import numpy as np

    place = next(at for at, chunk in enumerate(ordered) if chunk.id == chunk_id)
    before, wanted = ordered[:place], ordered[place]
    if stops:
        total = sum(chunk.cost for chunk in before) + wanted.cost
        return {chunk.id for chunk in before if total - chunk.cost <= left}
    rooms = np.full(place, left, dtype=np.int64)
    for absent, chunk in enumerate(before):
        own = rooms[absent]
        rooms -= chunk.cost * (rooms >= chunk.cost)
        rooms[absent] = own
    return {before[at].id for at in np.flatnonzero(rooms >= wanted.cost).tolist()}
