"""The candidates by score, with the bars that are in force: what a chart of the scores shows."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from ctxpack.errors import Stop
from ctxpack.explaining.trials import trials
from ctxpack.filters.cutoffs import Bars
from ctxpack.filters.filtering import filter_candidates
from ctxpack.retrieved import Retrieved
from ctxpack.settings import Settings
from ctxpack.weighed import Weighed

EARLIER = ("banned", "duplicate")
"""The filters that come before the scores are measured."""


@dataclass(frozen=True)
class Scored:
    """Candidates that have a score that compares, best first, and the bars measured over them.

    `bars` have their shape whether or not the cliff is asked for. `absent` counts the candidates
    that were not measured: invalid, banned, a duplicate, or without such a score.
    """

    candidates: tuple[Weighed, ...]
    bars: Bars
    absent: int


def scored(retrieved: Retrieved, settings: Settings, should_stop: Stop | None = None) -> Scored:
    """Measure the scores under these settings.

    Raises InputError for settings that are refused, Stopped where `should_stop` says so.
    """
    tried = trials(retrieved, settings, should_stop)
    unusable = {refusal.id for refusal in tried.weighing.refused}
    valid = [chunk for chunk in tried.weighing.candidates if chunk.id not in unusable]
    asked = msgspec.structs.replace(tried.settings, cliff=True)
    filtered = filter_candidates(valid, asked, tried.weighing.named)
    earlier = {refusal.id for refusal in filtered.refused if refusal.reason in EARLIER}
    measured = [c for c in valid if c.id not in earlier and c.score is not None]
    measured.sort(key=lambda chunk: (-(chunk.score or 0.0), *chunk.by_rank))
    absent = len(tried.weighing.candidates) - len(measured)
    return Scored(tuple(measured), filtered.bars, absent)
