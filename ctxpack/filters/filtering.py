"""Filters, in their order, before anything is chosen; each refusal has its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ctxpack.candidate import Candidate
from ctxpack.filters.cutoffs import Bars, below_cliff, below_cutoff, measure
from ctxpack.filters.duplicates import near_duplicates, stands_for
from ctxpack.settings import Settings
from ctxpack.weighed import Refusal, Weighed


@dataclass(frozen=True)
class Filtered:
    """What survived, what fell, and the ids of the duplicates that each kept chunk stands for.

    `bars` are the scores below which candidates fell; `warnings` what the filters could not do.
    """

    kept: tuple[Weighed, ...]
    refused: tuple[Refusal, ...]
    duplicates: dict[str, tuple[str, ...]] = field(default_factory=dict)
    bars: Bars = field(default_factory=Bars)
    warnings: tuple[str, ...] = ()


def filter_candidates(
    candidates: Sequence[Weighed],
    settings: Settings,
    named: Mapping[str, Candidate],
    bars: Bars | None = None,
) -> Filtered:
    """What survives bans, duplicates, cut-offs, the cliff and the fixed count, and what fell.

    Pins fall to bans alone, and a chunk that says the same as a pin is the one that goes. `named`
    are the candidates as they were given, by id. `bars` are measured over what is left after the
    duplicates, unless they are given: what survived survives the same bars again.
    """
    kept, banned = _without(candidates, _banned(candidates, settings.bans))
    alike: list[Refusal] = []
    said: tuple[str, ...] = ()
    if settings.dedupe is not None:
        alike = near_duplicates(kept, named, settings.dedupe)
        if kept and all(named[candidate.id].text is None for candidate in kept):
            said = ("dedupe not applied: no candidate has a text.",)
    kept, _ = _without(kept, alike)
    measured = measure(kept, settings, named) if bars is None else bars
    kept, cut = _without(kept, below_cutoff(kept, measured))
    kept, padding = _without(kept, below_cliff(kept, measured))
    kept, over = _without(kept, _over_count(kept, settings.max_chunks))
    return Filtered(
        kept=kept,
        refused=(*banned, *alike, *cut, *padding, *over),
        duplicates=stands_for(alike, candidates),
        bars=measured,
        warnings=(*said, *measured.warnings),
    )


def _banned(candidates: Sequence[Weighed], bans: Sequence[str]) -> list[Refusal]:
    named = set(bans)
    return [Refusal(candidate.id, "banned") for candidate in candidates if candidate.id in named]


def _over_count(candidates: Sequence[Weighed], most: int | None) -> list[Refusal]:
    """Whoever stands after the `most` best-ranked; pins neither count nor fall."""
    if most is None:
        return []
    pins = sum(candidate.pinned for candidate in candidates)
    beside = {"pins": pins} if pins else {}
    ranked = sorted((c for c in candidates if not c.pinned), key=lambda c: c.by_rank)
    return [
        Refusal(candidate.id, "over_count", {"place": place, "max_chunks": most} | beside)
        for place, candidate in enumerate(ranked[most:], most + 1)
    ]


def _without(
    candidates: Sequence[Weighed], refused: Sequence[Refusal]
) -> tuple[tuple[Weighed, ...], Sequence[Refusal]]:
    gone = {refusal.id for refusal in refused}
    return tuple(candidate for candidate in candidates if candidate.id not in gone), refused
