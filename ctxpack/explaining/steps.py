"""How a budget fills, step by step: whose turn came, what was left, and who went in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ctxpack.choosing.fill import in_turn
from ctxpack.choosing.mmr import STEPS as MERIT_STEPS
from ctxpack.choosing.mmr import Race, line_up
from ctxpack.deciding import Contest, contest
from ctxpack.errors import InputError, Stop
from ctxpack.explaining.trials import Trials, trials
from ctxpack.likeness.similarity import ONE
from ctxpack.retrieved import Retrieved
from ctxpack.settings import Settings
from ctxpack.weighed import Choice, Weighed

Outcome = Literal["taken", "passed", "stopped"]

FILLS = ("first-fit", "top", "density", "mmr")
"""The strategies that give one candidate after another its turn."""


@dataclass(frozen=True)
class Turn:
    """One candidate's turn: it needed `needed` tokens for itself and `left` were there for it.

    It is taken, passed over, or stops the filling. `used` are tokens of all that is in after the
    turn, separators between them included; what joining takes is set aside before. `merit` is what
    decided when its turn came: value per token, or mmr's score; None where that is its rank or
    place.
    """

    id: str
    rank: int | None
    needed: int
    left: int
    outcome: Outcome
    used: int
    pinned: bool = False
    merit: float | None = None


@dataclass(frozen=True)
class Filling:
    """The turns in their order; `filtered` candidates fell before they had one.

    `pins_out` are the ids of the pins that there was no room for: they have no turn.
    Those after a stop have no turn either.
    """

    strategy: str
    budget: int
    turns: tuple[Turn, ...]
    filtered: int
    pins_out: tuple[str, ...] = ()

    @property
    def taken(self) -> tuple[str, ...]:
        """Ids of those that are in at the end, in the order of being taken."""
        return tuple(turn.id for turn in self.turns if turn.outcome == "taken")


def filling(retrieved: Retrieved, settings: Settings, should_stop: Stop | None = None) -> Filling:
    """The turns of one of FILLS, as `pack` decides under the same settings.

    Raises InputError for settings that are refused and for a strategy that gives no turns,
    Stopped where `should_stop` says so.
    """
    if settings.strategy not in FILLS:
        raise InputError(
            f"{settings.strategy} weighs all candidates at once: it has no turns. Ask for one of "
            f"{', '.join(FILLS)}."
        )
    tried = trials(retrieved, settings, should_stop)
    room = tried.room
    who = contest(tried.weighing, tried.settings, room)
    turns = tuple(_turns(tried, who, room))
    unfit = tuple(refusal.id for refusal in who.pins.refused)
    return Filling(settings.strategy, settings.budget, turns, len(who.refused), unfit)


def _turns(tried: Trials, who: Contest, room: int) -> Iterator[Turn]:
    left = room
    for chunk, merit in (*_pins(who), *_in_turn(tried, who, room)):
        fits = chunk.cost <= left
        stops = not fits and tried.settings.strategy == "first-fit" and not chunk.pinned
        there = chunk.room_in(left)
        left -= chunk.cost if fits else 0
        used = max(0, room - left - tried.separator)
        outcome: Outcome = "taken" if fits else "stopped" if stops else "passed"
        yield Turn(chunk.id, chunk.rank, chunk.tokens, there, outcome, used, chunk.pinned, merit)
        if stops:
            return


def _pins(who: Contest) -> Iterator[tuple[Weighed, float | None]]:
    """Pins that are in, in their order; those that are not have no turn."""
    for pin in who.pins.taken:
        yield pin, None


def _in_turn(tried: Trials, who: Contest, room: int) -> Iterator[tuple[Weighed, float | None]]:
    strategy = tried.settings.strategy
    if strategy == "mmr":
        yield from _by_mmr(tried, who, room)
        return
    for chunk in in_turn(who.free, strategy):
        yield chunk, chunk.value / chunk.tokens if strategy == "density" else None


def _by_mmr(tried: Trials, who: Contest, room: int) -> Iterator[tuple[Weighed, float | None]]:
    """The takes of mmr's own choice, and before each those that were scored better but too large.

    Last come those that were left when nothing fitted any more.
    """
    if who.similarities is None:
        return
    choice = who.choice(room, tried.settings, should_stop=tried.should_stop)
    share = tried.settings.mmr_lambda
    race = line_up(who.free, who.pins.taken, who.similarities, share)
    yield from _raced(race, choice, room - who.reserved)


def _raced(race: Race, choice: Choice, room: int) -> Iterator[tuple[Weighed, float | None]]:
    place_of = {chunk.id: place for place, chunk in enumerate(race.line)}
    waiting = dict.fromkeys(range(len(race.line)))
    largest = max((chunk.cost for chunk in race.line), default=0)
    nearest, left = race.nearest, room
    for chunk in (*choice.taken, None):
        scores = race.scores(race.merit, nearest).tolist()
        best = None if chunk is None else place_of[chunk.id]
        ahead = [place for place in waiting if left < largest and race.line[place].cost > left]
        if best is not None:
            turn = (-scores[best], best)
            ahead = [place for place in ahead if (-scores[place], place) < turn]
        for place in sorted(ahead, key=lambda place: (-scores[place], place)):
            del waiting[place]
            yield race.line[place], _as_score(scores[place])
        if best is not None and chunk is not None:
            del waiting[best]
            yield chunk, _as_score(scores[best])
            left -= chunk.cost
            nearest = race.nearest_with(best, nearest)


def _as_score(score: int) -> float:
    return score / (MERIT_STEPS * ONE)
