"""At which budgets a chunk is in: every budget at once, whatever the strategy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ctxpack.choosing import mmr_rooms
from ctxpack.choosing.fill import in_turn
from ctxpack.deciding import Contest
from ctxpack.explaining.every_room import joined, rooms_with, spans_of
from ctxpack.explaining.trials import Trials, trials
from ctxpack.pins import reserve
from ctxpack.retrieved import Retrieved
from ctxpack.settings import Settings
from ctxpack.weighed import Span, Weighed

CELLS = 600_000_000
"""The largest table of `optimal` that is filled for this, chunks times tokens."""

ROOMS = 2_000_000
"""The most rooms in such a table: what is kept of each takes 33 bytes."""

PIN_SETS = 64
"""How many sets of pins that fit together are followed, for strategies that depend on them."""

STATES = 2_000
"""Beginnings of windows that are looked at for the budgets of `mmr`; some 50 ms."""


@dataclass(frozen=True)
class Holding:
    """Budgets in tokens at which a chunk is in: rising spans that lie apart, both ends in them.

    An end of None goes on for ever. `known` is the budget up to which the spans were found, None
    where that is every budget.
    """

    spans: tuple[Span, ...]
    known: int | None = None

    @property
    def stays_from(self) -> int | None:
        """The budget from which it never leaves again; None where there is none, or none known."""
        return self.spans[-1][0] if self.spans and self.spans[-1][1] is None else None

    def holds(self, budget: int) -> bool:
        """Whether it is in at that budget."""
        return any(low <= budget and (high is None or budget <= high) for low, high in self.spans)

    def larger(self, budget: int) -> int | None:
        """The smallest larger budget at which it is in; None where none is known."""
        return next(
            (max(low, budget + 1) for low, high in self.spans if high is None or high > budget),
            None,
        )

    def smaller(self, budget: int) -> int | None:
        """The largest smaller budget at which it is in; None where there is none, or not known."""
        if self.known is not None and self.known < budget - 1:
            return None
        below = [(low, high) for low, high in self.spans if low < budget]
        if not below:
            return None
        high = below[-1][1]
        return budget - 1 if high is None else min(high, budget - 1)

    def larger_without(self, budget: int) -> int | None:
        """The smallest larger budget at which it is out; None where none is known."""
        at = budget + 1
        for low, high in self.spans:
            if low <= at and (high is None or at <= high):
                if high is None:
                    return None
                at = high + 1
        return at if self.known is None or at <= self.known else None

    def smaller_without(self, budget: int) -> int | None:
        """The largest smaller budget at which it is out; None where it is in at all of them."""
        at = budget - 1
        for low, high in reversed(self.spans):
            if low <= at and (high is None or at <= high):
                at = low - 1
        return at if at >= 0 else None


def holding(retrieved: Retrieved, settings: Settings, strategy: str, chunk_id: str) -> Holding:
    """Budgets, from 0 upward, at which the chunk is in under that strategy.

    A chunk that a filter takes is in at no budget. Counts are summed: where the joined text takes
    more than its parts, an edge can lie a few tokens higher. Exact up to `known`, which is less
    than every budget only where finding out would take more than CELLS, ROOMS,
    `every_room.RUNS`, `mmr_rooms.STATES` or PIN_SETS, and 0 for ordered. Raises InputError for
    settings that are refused.
    """
    return held_in(trials(retrieved, settings), strategy, chunk_id, mmr_rooms.STATES)


def held_in(tried: Trials, strategy: str, chunk_id: str, states: int = STATES) -> Holding:
    """As `holding`, of candidates that are weighed already; `states` bounds the work for mmr."""
    who = tried.contest(strategy=strategy)
    spans, known = _rooms_held(tried, who, strategy, chunk_id, states)
    lowest = max(0, tried.spare)
    if tried.settings.pins_policy == "strict":
        lowest = max(lowest, who.reserved)
    budgets = [
        (max(first, lowest) - tried.spare, None if last is None else last - tried.spare)
        for first, last in spans
        if last is None or last >= lowest
    ]
    return Holding(tuple(budgets), None if known is None else max(0, known - tried.spare))


def _rooms_held(
    tried: Trials, who: Contest, strategy: str, chunk_id: str, states: int
) -> tuple[Sequence[Span], int | None]:
    """The rooms at which it is in, and up to which room that is known."""
    pins = list(who.pins.taken)
    for at, pin in enumerate(pins):
        if pin.id == chunk_id:
            return rooms_with([other.cost for other in pins[:at]], pin.cost, tried.should_stop)
    ordered = in_turn(who.free, strategy)
    place = next((at for at, chunk in enumerate(ordered) if chunk.id == chunk_id), None)
    if place is None:
        return (), None
    if strategy == "ordered":
        # Every budget is a search of its own.
        return (), 0
    reserved = [pin.cost for pin in pins]
    costs = [chunk.cost for chunk in ordered[: place + 1]]
    if strategy == "first-fit":
        return rooms_with(reserved, sum(costs), tried.should_stop)
    if strategy in ("top", "density"):
        return rooms_with([*reserved, *costs[:-1]], costs[-1], tried.should_stop)
    return _beside_pins(tried, who, strategy, ordered, place, states)


@dataclass(frozen=True)
class PinSet:
    """The pins that are in from one room to another, and what they take."""

    pins: tuple[Weighed, ...]
    reserved: int
    first: int
    last: int | None


def pin_sets(tried: Trials, who: Contest) -> Iterator[PinSet]:
    """The sets of pins that fit together, by rising room, each with the rooms at which it is in."""
    names = tuple(pin.id for pin in who.pins.taken)
    settings = tried.with_changes(pins=names, pins_policy="report")
    first: int | None = 0
    while first is not None:
        choice = reserve(who.pins.taken, settings, first)
        last = choice.steady[1] if choice.steady else None
        yield PinSet(choice.taken, sum(pin.cost for pin in choice.taken), first, last)
        first = None if last is None else last + 1


def _beside_pins(
    tried: Trials,
    who: Contest,
    strategy: str,
    ranked: Sequence[Weighed],
    place: int,
    states: int,
) -> tuple[Sequence[Span], int | None]:
    """For strategies that see the whole of what the pins leave, one set of pins after another."""
    spans: list[Span] = []
    held: tuple[Sequence[Span], int | None] | None = None
    for number, beside in enumerate(pin_sets(tried, who)):
        if number == PIN_SETS:
            return spans, beside.first - 1
        if strategy == "mmr":
            held = _held_by_mmr(tried, who, beside, ranked[place], states)
        elif held is None:
            held = _held_by_optimal(tried, ranked, place)
        found, known = held
        spans = joined(spans, _within(found, beside))
        if known is not None and (beside.last is None or known + beside.reserved < beside.last):
            return spans, known + beside.reserved
    return spans, None


def _within(held: Sequence[Span], beside: PinSet) -> list[Span]:
    """Spans of what the pins leave, as rooms at which these very pins are in."""
    found: list[Span] = []
    for first, last in held:
        # The pins are in from the very room on that they take.
        begin = first + beside.reserved
        ends = [beside.last, None if last is None else last + beside.reserved]
        end = min((end for end in ends if end is not None), default=None)
        if end is None or begin <= end:
            found.append((begin, end))
    return found


def _held_by_optimal(
    tried: Trials, ranked: Sequence[Weighed], place: int
) -> tuple[Sequence[Span], int | None]:
    from ctxpack.knapsack.profile import holding as held_at

    costs = [chunk.cost for chunk in ranked]
    worths = [chunk.worth for chunk in ranked]
    everything = sum(costs)
    largest = min(everything, ROOMS, CELLS // len(costs))
    held = held_at(costs, worths, largest, place, should_stop=tried.should_stop)
    return _opened(spans_of(held, 0), largest, everything)


def _held_by_mmr(
    tried: Trials, who: Contest, beside: PinSet, chunk: Weighed, states: int
) -> tuple[Sequence[Span], int | None]:
    if who.similarities is None:
        raise TypeError("mmr needs similarities")
    everything = sum(candidate.cost for candidate in who.free)
    largest = everything
    if beside.last is not None:
        largest = min(everything, beside.last - beside.reserved)
    held = mmr_rooms.mmr_holding(
        who.free,
        beside.pins,
        who.similarities,
        tried.settings.mmr_lambda,
        chunk.id,
        largest,
        states=states,
        should_stop=tried.should_stop,
    )
    return _opened(held.spans, held.known, everything)


def _opened(
    spans: Sequence[Span], known: int, everything: int
) -> tuple[Sequence[Span], int | None]:
    """Where all that there is fits, nothing changes any more: what goes up to there has no end."""
    if known < everything:
        return spans, known
    return [(first, None if last == everything else last) for first, last in spans], None
