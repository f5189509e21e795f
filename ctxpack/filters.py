"""Filters, in their order, before anything is chosen; each refusal has its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ctxpack.candidate import Candidate
from ctxpack.settings import Settings
from ctxpack.weighed import Refusal, Weighed


@dataclass(frozen=True)
class Filtered:
    """What survived, what fell, and the ids of the duplicates that each kept chunk stands for."""

    kept: tuple[Weighed, ...]
    refused: tuple[Refusal, ...]
    duplicates: dict[str, tuple[str, ...]] = field(default_factory=dict)


def filter_candidates(
    candidates: Sequence[Weighed],
    settings: Settings,
    named: Mapping[str, Candidate],  # noqa: ARG001
) -> Filtered:
    """What survives bans and the fixed count, and what fell; pins are exempt from the count.

    `named` are the candidates as they were given, by id.
    """
    banned = set(settings.bans)
    refused = [Refusal(c.id, "banned") for c in candidates if c.id in banned]
    kept = [candidate for candidate in candidates if candidate.id not in banned]
    if settings.max_chunks is None:
        return Filtered(tuple(kept), tuple(refused))
    ranked = sorted((c for c in kept if not c.pinned), key=lambda candidate: candidate.by_rank)
    over = {candidate.id for candidate in ranked[settings.max_chunks :]}
    for place, candidate in enumerate(ranked[settings.max_chunks :], settings.max_chunks + 1):
        detail = {"place": place, "max_chunks": settings.max_chunks}
        refused.append(Refusal(candidate.id, "over_count", detail))
    kept = [candidate for candidate in kept if candidate.id not in over]
    return Filtered(tuple(kept), tuple(refused))
