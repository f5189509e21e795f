"""Packing the same candidates again under changed settings, weighed once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import msgspec

from ctxpack.choosing.fill import in_turn
from ctxpack.counting import Count
from ctxpack.deciding import Contest, Decision, contest, decide
from ctxpack.errors import InputError, Stop, stop_if
from ctxpack.knapsack.solving import solve
from ctxpack.packing import pack_weighed
from ctxpack.result import PackResult
from ctxpack.retrieved import Retrieved
from ctxpack.settings import Settings, check_settings
from ctxpack.weighed import Weighed
from ctxpack.weighing import Weighing, separator_tokens, weigh

WEIGHED_BY = ("value", "calibration", "encoding", "rendering", "separator", "pins")
"""The settings that counting and valuing depend on: to change one is to weigh anew."""


@dataclass(frozen=True)
class Trials:
    """What retrieval handed over, weighed, to be packed under one changed setting after another.

    Settings that are refused (strict pins that do not fit) pack nothing here: None, no error.
    """

    retrieved: Retrieved
    settings: Settings
    weighing: Weighing
    separator: int
    should_stop: Stop | None = None

    @property
    def count(self) -> Count | None:
        """How texts are counted; None where the given tokens are taken."""
        return self.retrieved.count

    def with_changes(self, **changes: Any) -> Settings:
        """The settings with these put over them."""
        return msgspec.structs.replace(self.settings, **changes)

    def pack(self, *, told: bool = True, **changes: Any) -> PackResult | None:
        """Pack under the changed settings, as `ctxpack.pack` would; None where it refuses.

        Without `told` only who is in is sure, which is had sooner.
        """
        stop_if(self.should_stop)
        settings = self.with_changes(**changes)
        try:
            if any(name in changes for name in WEIGHED_BY):
                return self.retrieved.pack(settings, should_stop=self.should_stop)
            check_settings(settings)
            return pack_weighed(
                self.weighing,
                settings,
                self.separator,
                self.count,
                told=told,
                should_stop=self.should_stop,
            )
        except InputError:
            return None

    def packed(self, **changes: Any) -> frozenset[str] | None:
        """The ids that are in under the changed settings; None where they are refused."""
        result = self.pack(told=False, **changes)
        return None if result is None else frozenset(chunk.id for chunk in result.packed)

    def holds(self, chunk_id: str, **changes: Any) -> bool:
        """Whether the chunk is in under the changed settings."""
        return chunk_id in (self.packed(**changes) or ())

    def decide(self, **changes: Any) -> Decision | None:
        """Who is in by the sums alone, before the joined text is counted; None where refused."""
        stop_if(self.should_stop)
        settings = self.with_changes(**changes)
        try:
            room = self.room_of(settings.budget)
            return decide(
                self.weighing,
                settings,
                room,
                told=False,
                bounded=False,
                should_stop=self.should_stop,
            )
        except InputError:
            return None

    def would_hold(self, chunk_id: str, who: Contest | None = None, **changes: Any) -> bool:
        """Whether the chunk is in by the sums alone; nobody is told why the others are out.

        `who` is the contest under the changed settings, where that is known already.
        """
        stop_if(self.should_stop)
        settings = self.with_changes(**changes)
        room = self.room_of(settings.budget)
        try:
            who = contest(self.weighing, settings, room) if who is None else who
        except InputError:
            return False
        return chunk_id in {one.id for one in who.pins.taken} or _chosen(
            who, room, settings, chunk_id, self.should_stop
        )

    def contest(self, room: int | None = None, **changes: Any) -> Contest:
        """The survivors of the filters, and the pins that fit into `room`: all where it is None.

        Raises InputError for pins that are not among the candidates.
        """
        room = self.everything if room is None else room
        return contest(self.weighing, self.with_changes(**changes), room)

    @cached_property
    def spare(self) -> int:
        """How much more the room is than the budget.

        One separator, since each chunk pays for one, less what joining the texts takes under the
        settings as they are.
        """
        packing = self.pack(told=False)
        return self.separator - (packing.settings.joints if packing else self.settings.joints)

    @property
    def room(self) -> int:
        """The room of the settings' budget."""
        return self.room_of(self.settings.budget)

    def room_of(self, budget: int) -> int:
        """The room of a budget."""
        return max(0, budget + self.spare)

    @property
    def everything(self) -> int:
        """Tokens of all candidates with a separator each: the room in which all of them fit."""
        return sum(candidate.cost for candidate in self.weighing.candidates)

    def shortened(self, chunk_id: str, tokens: int) -> Trials:
        """The same with one chunk of other length, its value and the rest as they are."""
        candidates = tuple(
            replace(chunk, tokens=tokens, cost=tokens + self.separator)
            if chunk.id == chunk_id
            else chunk
            for chunk in self.weighing.candidates
        )
        # There is no text of that length: the window is not counted as joined.
        texts = {name: text for name, text in self.weighing.texts.items() if name != chunk_id}
        return replace(self, weighing=replace(self.weighing, candidates=candidates, texts=texts))

    def weighed(self, chunk_id: str) -> Weighed:
        """One candidate as it was weighed."""
        return next(c for c in self.weighing.candidates if c.id == chunk_id)


def trials(retrieved: Retrieved, settings: Settings, should_stop: Stop | None = None) -> Trials:
    """Weigh the candidates; raises InputError for settings that are refused."""
    settings = retrieved.usable(settings)
    check_settings(settings)
    separator = separator_tokens(settings, retrieved.count, retrieved.separator_size)
    weighing = weigh(
        retrieved.candidates,
        settings,
        retrieved.query,
        retrieved.count,
        separator,
        retrieved.likeness,
    )
    return Trials(retrieved, settings, weighing, separator, should_stop)


def _chosen(
    who: Contest, room: int, settings: Settings, chunk_id: str, should_stop: Stop | None
) -> bool:
    """Whether a chunk that is no pin is chosen for what the pins leave of the room."""
    left = room - who.reserved
    ordered = in_turn(who.free, settings.strategy)
    if settings.strategy == "optimal":
        costs, worths = [one.cost for one in ordered], [one.worth for one in ordered]
        taken = solve(costs, worths, left, should_stop=should_stop).taken
        return any(ordered[place].id == chunk_id for place in taken)
    if settings.strategy not in ("first-fit", "top", "density"):
        choice = who.choice(room, settings, should_stop=should_stop)
        return any(one.id == chunk_id for one in choice.taken)
    for one in ordered:
        fits = one.cost <= left
        if one.id == chunk_id or (settings.strategy == "first-fit" and not fits):
            return fits and one.id == chunk_id
        left -= one.cost if fits else 0
    return False
