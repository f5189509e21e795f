"""Pins: reserved first, subtracted, and only then is the rest packed (seed 2)."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.choosing.fill import no_room, too_long
from ctxpack.errors import InputError
from ctxpack.reasons import tokens_in_words
from ctxpack.settings import Settings
from ctxpack.weighed import Choice, Refusal, Weighed


def reserve(candidates: Sequence[Weighed], settings: Settings, room: int) -> Choice:
    """Pins that fit, in given order: the settings' first, then candidates marked as pinned.

    Raises InputError where a pin is unknown, or does not fit and the policy is strict.
    """
    by_id = {candidate.id: candidate for candidate in candidates}
    marked = sorted((c for c in candidates if c.pinned), key=lambda candidate: candidate.order)
    names = dict.fromkeys([*settings.pins, *(candidate.id for candidate in marked)])
    taken: list[Weighed] = []
    refused: list[Refusal] = []
    left = room
    lacked: int | None = None
    for name in names:
        if name not in by_id:
            raise InputError(f"pin {name!r} is not among the candidates: give its text or tokens.")
        pin = by_id[name]
        if pin.cost <= left:
            taken.append(pin)
            left -= pin.cost
            continue
        if settings.pins_policy == "strict":
            needs = f"needs {tokens_in_words(pin.tokens)} and {pin.room_in(left):,} are left"
            raise InputError(
                f"pin {name!r} {needs} of the budget of {settings.budget:,}: raise the budget, or "
                "let pins report."
            )
        lacked = min(pin.cost - left, lacked or pin.cost)
        refusal = too_long(pin, room) if pin.cost > room else no_room(pin, left)
        refused.append(Refusal(name, refusal.reason, refusal.detail | {"pinned": True}))
    highest = None if lacked is None else room + lacked - 1
    return Choice(tuple(taken), tuple(refused), steady=(room - left, highest))
