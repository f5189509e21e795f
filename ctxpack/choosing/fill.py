"""The three ways of filling a budget in one pass: first-fit, top and density."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ctxpack.choosing.took_room import cells, leavers, took_room
from ctxpack.weighed import Choice, Refusal, Weighed

STEPS = 40_000
"""The most steps that one filling spends on telling who took the room of those left out.

Enough for some 400 candidates; past it `took_room` is left out of the details, from the worst of
the order upward.
"""


def first_fit(candidates: Sequence[Weighed], room: int) -> Choice:
    """In given order; stops at the first that does not fit, also at one that never could."""
    given = in_turn(candidates, "first-fit")
    taken: list[Weighed] = []
    left = room
    for place, candidate in enumerate(given):
        if candidate.cost > left:
            stop = refusal_of(candidate, left, room)
            stopped = {"stopped_at": candidate.id, **stop.detail}
            after = [Refusal(later.id, "after_stop", stopped) for later in given[place + 1 :]]
            stop, _ = with_took_room(stop, candidate.cost - left, taken, STEPS)
            return Choice(
                tuple(taken), (stop, *after), steady=(room - left, room + candidate.cost - left - 1)
            )
        taken.append(candidate)
        left -= candidate.cost
    return Choice(tuple(taken), (), steady=(room - left, None))


def fill_by_rank(candidates: Sequence[Weighed], room: int) -> Choice:
    """In rank order; skips what no longer fits and goes on (seeds 1 and 2)."""
    return _fill(in_turn(candidates, "top"), room)


def fill_by_density(candidates: Sequence[Weighed], room: int) -> Choice:
    """By value per token, ties by rank; skips what does not fit (seeds 1 to 3)."""
    return _fill(in_turn(candidates, "density"), room)


def in_turn(candidates: Iterable[Weighed], strategy: str) -> list[Weighed]:
    """The candidates in the order in which a filling offers them room; of any other, as ranked."""
    if strategy == "first-fit":
        return sorted(candidates, key=lambda candidate: candidate.order)
    if strategy == "density":
        return sorted(candidates, key=lambda candidate: (-density(candidate), *candidate.by_rank))
    return sorted(candidates, key=lambda candidate: candidate.by_rank)


def density(candidate: Weighed) -> int:
    """Worth per token as a whole number: equal exactly where the two quotients are equal."""
    # Quotients of a number below 2**54 differ by more than 2**-108.
    return (candidate.worth << 128) // candidate.tokens


def _fill(ordered: Sequence[Weighed], room: int) -> Choice:
    taken: list[Weighed] = []
    refused: list[Refusal] = []
    left = room
    lacked: int | None = None
    steps = STEPS
    for candidate in ordered:
        if candidate.cost > left:
            refusal = refusal_of(candidate, left, room)
            refusal, steps = with_took_room(refusal, candidate.cost - left, taken, steps)
            refused.append(refusal)
            lacked = min(candidate.cost - left, lacked or candidate.cost)
        else:
            taken.append(candidate)
            left -= candidate.cost
    highest = None if lacked is None else room + lacked - 1
    return Choice(tuple(taken), tuple(refused), steady=(room - left, highest))


def refusal_of(candidate: Weighed, left: int, room: int) -> Refusal:
    """Why a candidate is passed over whose turn comes when `left` tokens of `room` are left."""
    if candidate.cost > room:
        return too_long(candidate, room)
    return no_room(candidate, left)


def with_took_room(
    refusal: Refusal, lack: int, taken: Sequence[Weighed], steps: int
) -> tuple[Refusal, int]:
    """The refusal with who took its room, and the steps that are left after finding that."""
    if refusal.reason != "no_room" or len(taken) > steps:
        return refusal, steps
    needed = cells(lack, taken, leavers(lack, taken))
    if needed > steps:
        return refusal, steps - len(taken)
    detail = refusal.detail | {"took_room": [*took_room(lack, taken)]}
    return Refusal(refusal.id, refusal.reason, detail), steps - needed


def too_long(candidate: Weighed, room: int) -> Refusal:
    """The refusal of a candidate that is alone larger than the budget less pins."""
    detail = {"needed": candidate.tokens, "budget": candidate.room_in(room)}
    return Refusal(candidate.id, "too_long", detail)


def no_room(candidate: Weighed, left: int) -> Refusal:
    """The refusal of a candidate that would have fitted, had its turn come earlier."""
    detail = {"needed": candidate.tokens, "left": candidate.room_in(left)}
    return Refusal(candidate.id, "no_room", detail)
