"""Filters, in their order, before anything is chosen; each refusal has its reason."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.settings import Settings
from ctxpack.weighed import Refusal, Weighed


def filter_candidates(
    candidates: Sequence[Weighed], settings: Settings
) -> tuple[list[Weighed], list[Refusal]]:
    """What survives bans and the fixed count, and what fell; pins are exempt from the count."""
    banned = set(settings.bans)
    refused = [Refusal(c.id, "banned") for c in candidates if c.id in banned]
    kept = [candidate for candidate in candidates if candidate.id not in banned]
    if settings.max_chunks is None:
        return kept, refused
    ranked = sorted((c for c in kept if not c.pinned), key=lambda candidate: candidate.by_rank)
    over = {candidate.id for candidate in ranked[settings.max_chunks :]}
    for place, candidate in enumerate(ranked[settings.max_chunks :], settings.max_chunks + 1):
        detail = {"place": place, "max_chunks": settings.max_chunks}
        refused.append(Refusal(candidate.id, "over_count", detail))
    return [candidate for candidate in kept if candidate.id not in over], refused
