"""Deciding who is in and who is out: filters, then pins, then the choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import msgspec

from ctxpack.bounds import as_value, best_bound
from ctxpack.choosing import choose
from ctxpack.choosing.used_sets import Layer
from ctxpack.curves import curve_of
from ctxpack.errors import InputError, Stop
from ctxpack.filters.duplicates import stands_for
from ctxpack.filters.filtering import filter_candidates
from ctxpack.likeness.similarity import Similarities
from ctxpack.pins import reserve
from ctxpack.placing.layout import Placing, lay_out
from ctxpack.settings import Settings
from ctxpack.weighed import Choice, Refusal, Span, Weighed
from ctxpack.weighing import Weighing


@dataclass(frozen=True)
class Decision:
    """Who is in, in the order of being taken, and who is out.

    `bound` is a proven upper bound on the value of what survived the filters, pins forced in; for
    ordered `use_bound` is one on its expected use, and `proven` is of that.
    `duplicates` are the ids that a chunk stands for besides its own. `steady` are the smallest
    and largest room at which the same are in; None where not known. `warnings` are sentences.
    """

    taken: tuple[Weighed, ...]
    refused: tuple[Refusal, ...]
    bound: float
    proven: bool
    duplicates: dict[str, tuple[str, ...]]
    steady: Span | None = None
    warnings: tuple[str, ...] = ()
    use_bound: float | None = None


@dataclass(frozen=True)
class Contest:
    """What the choice is made from: survivors of the filters, and the pins that they leave.

    `similarities` are there for mmr alone, `layer` for ordered.
    """

    free: tuple[Weighed, ...]
    pins: Choice
    refused: tuple[Refusal, ...]
    duplicates: dict[str, tuple[str, ...]]
    warnings: tuple[str, ...] = ()
    similarities: Similarities | None = None
    layer: Layer | None = None

    @property
    def reserved(self) -> int:
        """Tokens that the pins take off the room."""
        return sum(pin.cost for pin in self.pins.taken)

    def choice(
        self, room: int, settings: Settings, *, told: bool = True, should_stop: Stop | None = None
    ) -> Choice:
        """What is chosen for what the pins leave of `room`; see `choose` for the rest."""
        return choose(
            self.free,
            room - self.reserved,
            settings,
            pins=self.pins.taken,
            similarities=self.similarities,
            layer=self.layer,
            told=told,
            should_stop=should_stop,
        )


def contest(weighing: Weighing, settings: Settings, room: int) -> Contest:
    """Filter the candidates and reserve the pins; raises InputError for pins that are refused."""
    unusable = {refusal.id for refusal in weighing.refused}
    valid = [candidate for candidate in weighing.candidates if candidate.id not in unusable]
    _refuse_unusable_pins(weighing, settings)
    pins_asked = tuple(pin for pin in settings.pins if pin not in unusable)
    filtered = filter_candidates(valid, settings, weighing.named)
    pins = reserve(filtered.kept, msgspec.structs.replace(settings, pins=pins_asked), room)
    free = tuple(candidate for candidate in filtered.kept if not candidate.pinned)
    refused = (*weighing.refused, *filtered.refused)
    similarities = weighing.similarities(settings) if settings.strategy == "mmr" else None
    return Contest(
        free=free,
        pins=pins,
        refused=refused,
        duplicates=stands_for(refused, weighing.candidates),
        warnings=(*filtered.warnings, *(similarities.warnings if similarities else ())),
        similarities=similarities,
        layer=_layer(weighing, settings) if settings.strategy == "ordered" else None,
    )


def _layer(weighing: Weighing, settings: Settings) -> Layer:
    """The best order under the settings, found with less work than once the set is known."""
    curve = curve_of(settings)
    best = msgspec.structs.replace(settings, placement="optimal")
    separators = {chunk.cost - chunk.tokens for chunk in weighing.candidates if chunk.tokens}

    def place(taken: Sequence[Weighed]) -> Placing:
        laid = lay_out(taken, best, weighing.named, max(separators, default=0), curve, quick=True)
        assert laid.placing is not None
        return laid.placing

    return Layer(curve, place)


def decide(
    weighing: Weighing,
    settings: Settings,
    room: int,
    *,
    told: bool = True,
    bounded: bool = True,
    should_stop: Stop | None = None,
) -> Decision:
    """Decide for `room` tokens, a separator after each chunk included.

    What takes longer than choosing can be left out: without `told` the cost of forcing in each one
    that optimal leaves out, without `bounded` a bound that is below infinity.
    """
    who = contest(weighing, settings, room)
    left = room - who.reserved
    choice = who.choice(room, settings, told=told, should_stop=should_stop)
    reached = sum(chunk.worth for chunk in choice.taken)
    bound = choice.bound
    if bound is None and bounded and choice.use_bound is None:
        bound = best_bound(who.free, left, reached, should_stop)
    largest = max((candidate.value for candidate in weighing.candidates), default=0.0)
    forced = sum(pin.value for pin in who.pins.taken)
    return Decision(
        taken=who.pins.taken + choice.taken,
        refused=(*who.refused, *who.pins.refused, *choice.refused),
        bound=inf if bound is None else forced + as_value(bound, len(who.free), max(0.0, largest)),
        proven=choice.exact or (bound is not None and reached >= bound),
        duplicates=who.duplicates,
        steady=_both(who.pins.steady, choice.steady, who.reserved),
        warnings=who.warnings,
        use_bound=choice.use_bound,
    )


def _refuse_unusable_pins(weighing: Weighing, settings: Settings) -> None:
    """Under the strict policy a pin that cannot be packed at all is refused in words."""
    pinned = {candidate.id for candidate in weighing.candidates if candidate.pinned}
    bad = [refusal for refusal in weighing.refused if refusal.id in pinned]
    if settings.pins_policy == "strict" and bad:
        why = bad[0].detail.get("why", bad[0].reason)
        raise InputError(f"pin {bad[0].id!r} cannot be packed: {why}.")


def _both(pins: Span | None, choice: Span | None, reserved: int) -> Span | None:
    """Rooms at which both the pins and what is chosen beside them stay as they are."""
    if pins is None or choice is None:
        return None
    ends = [pins[1], None if choice[1] is None else choice[1] + reserved]
    highest = min((end for end in ends if end is not None), default=None)
    return max(pins[0], choice[0] + reserved), highest
