"""The assembler that the help desk used before ours, faults and all.

It grew route by route. Nothing here edits a result: each fault is what its code does. It stops at
the first chunk that does not fit on some routes, takes four characters for a token on others,
lays the window out from a list that is upside down, never trims history, and knows pins only
where somebody asked for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ctxpack import Candidate
from ctxpack.counting import Count
from ctxpack.placement import place
from ctxpack.rendering import render
from ctxpack.value.valuation import gain
from sample_runs.requests import Route

NAME = "legacy-assembler"


@dataclass(frozen=True)
class Left:
    """A candidate that stayed out, why, and the numbers that the assembler saw."""

    id: str
    reason: str
    detail: dict[str, Any]


@dataclass(frozen=True)
class Assembled:
    """Chunks in window order, and what stayed out."""

    window: tuple[Candidate, ...]
    left: tuple[Left, ...]


def room_for_evidence(route: Route, evidence: int, budget: int, reserve: int, rest: int) -> int:
    """Tokens given to evidence: its share, or whatever the other sections have left over."""
    if route.room == "evidence":
        return evidence
    kept_free = 0 if route.room == "rest and reserve" else reserve
    return max(0, budget - rest - kept_free)


def assemble(
    candidates: Sequence[Candidate],
    pins: Sequence[str],
    route: Route,
    room: int,
    count: Count,
    separator: str,
) -> Assembled:
    """Fill `room` tokens with ranked candidates, the way the route is switched."""
    sizes = {c.id: measure(c, separator, route, count) for c in candidates}
    walked = _order(candidates, pins, route, sizes)
    between = 0 if route.measure == "quarter" else count(separator)
    taken, left = _fill(walked, sizes, route, room, between)
    best_first = sorted(taken, key=lambda candidate: candidate.rank or len(candidates))
    if route.layout == "sandwich":
        # Meant to put the strong chunks outside. The list is worst first here, so it buries them.
        return Assembled(tuple(place(best_first[::-1], "ends")), tuple(left))
    return Assembled(tuple(best_first), tuple(left))


def measure(candidate: Candidate, separator: str, route: Route, count: Count) -> int:
    """What a chunk and one separator are thought to take."""
    text = render(candidate) or ""
    if route.measure == "quarter":
        return len(text + separator) // 4
    return count(text) + count(separator)


def _order(
    candidates: Sequence[Candidate], pins: Sequence[str], route: Route, sizes: dict[str, int]
) -> list[Candidate]:
    ranked = sorted(candidates, key=lambda candidate: candidate.rank or len(candidates))
    if route.walk == "dense":
        ranked.sort(key=lambda candidate: -gain(candidate.rank) / sizes[candidate.id])
    if route.pins:
        ranked.sort(key=lambda candidate: candidate.id not in pins)
    return ranked


def _fill(
    walked: Sequence[Candidate], sizes: dict[str, int], route: Route, room: int, between: int
) -> tuple[list[Candidate], list[Left]]:
    taken: list[Candidate] = []
    left: list[Left] = []
    free = room
    for at, candidate in enumerate(walked, start=1):
        size = sizes[candidate.id]
        if route.exactly is not None and at > route.exactly:
            detail = {"place": at, "max_chunks": route.exactly}
            left.append(Left(candidate.id, "over_count", detail))
        elif size <= free:
            taken.append(candidate)
            free -= size
        else:
            left.append(_too_large(candidate.id, size, free, room, between))
            if route.walk == "stop":
                stop = {"stopped_at": candidate.id} | left[-1].detail
                left.extend(Left(later.id, "after_stop", stop) for later in walked[at:])
                break
    return taken, left


def _too_large(chunk: str, size: int, free: int, room: int, between: int) -> Left:
    """The refusal, with the chunk's own size: the separator before it is no part of the chunk."""
    if size > room:
        return Left(chunk, "too_long", {"needed": size - between, "budget": room - between})
    return Left(chunk, "no_room", {"needed": size - between, "left": max(0, free - between)})
