"""Cutting by score: bars are measured once over all candidates, and then applied to each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctxpack.candidate import Candidate
from ctxpack.filters.score_shape import Shape, shape
from ctxpack.settings import Settings
from ctxpack.value.scores import scoring
from ctxpack.weighed import Refusal, Weighed

_ROUNDING = 1e-14
"""A score is below a bar only by more than this share of the largest score: sums are rounded."""


@dataclass(frozen=True)
class Bars:
    """The lowest scores that stay, higher being better; None where there is no such bar.

    `best` and `worst` are of all candidates measured, `shape` is theirs where the cliff was asked
    for. `turned`: the scores as given are the negatives. `warnings` are sentences on what could
    not be measured.
    """

    best: float = 0.0
    worst: float = 0.0
    by_cutoff: float | None = None
    by_margin: float | None = None
    by_cliff: float | None = None
    shape: Shape | None = None
    turned: bool = False
    warnings: tuple[str, ...] = ()

    def under(self, score: float, bar: float | None) -> bool:
        """Whether a score lies below a bar by more than rounding."""
        slack = _ROUNDING * max(abs(self.best), abs(self.worst))
        return bar is not None and score < bar - slack

    def own(self, score: float) -> float:
        """A score as the ranker gave it."""
        return 0.0 - score if self.turned else score


def measure(
    candidates: Sequence[Weighed], settings: Settings, named: Mapping[str, Candidate]
) -> Bars:
    """The bars of `cutoff`, `margin` and `cliff` over the candidates, pins among them.

    Without a score that compares there are no bars, and that is said; so is who has none, and
    that there is no clear cliff.
    """
    asked = [
        name
        for name, on in (
            ("cutoff", settings.cutoff is not None),
            ("margin", settings.margin is not None),
            ("cliff", settings.cliff),
        )
        if on
    ]
    if not asked or not candidates:
        return Bars()
    what = " and ".join(asked)
    scores = [candidate.score for candidate in candidates if candidate.score is not None]
    if not scores:
        why = scoring([named[candidate.id] for candidate in candidates]).why
        return Bars(warnings=(f"{what} not applied: {why or 'no candidate has a score'}.",))
    best, worst = max(scores), min(scores)
    found = shape(scores) if settings.cliff else None
    said = [_unscored(candidates, what)]
    if found is not None and found.cliff is None:
        said.append(f"no cliff, the scores are diffuse: {found.diffuse}; nothing is cut by it.")
    return Bars(
        best=best,
        worst=worst,
        by_cutoff=None if settings.cutoff is None else _between(best, worst, settings.cutoff),
        by_margin=None if settings.margin is None else best - settings.margin,
        by_cliff=None if found is None or not found.cliff else found.scores[found.cliff - 1],
        shape=found,
        turned=any(candidate.turned for candidate in candidates),
        warnings=tuple(filter(None, said)),
    )


def below_cutoff(candidates: Sequence[Weighed], bars: Bars) -> list[Refusal]:
    """Who lies below the cut-off or the margin; pins and those without a score never do.

    Each detail has the score, the best one and the last that is allowed, as the ranker counts,
    and the smallest `cutoff` and `margin` that let it in.
    """
    allowed = max((bar for bar in (bars.by_cutoff, bars.by_margin) if bar is not None), default=0.0)
    refused = []
    for candidate in candidates:
        score = candidate.score
        if score is None or candidate.pinned:
            continue
        detail: dict[str, Any] = {}
        if bars.under(score, bars.by_cutoff):
            # Halves, so that scores at both ends of what a float holds have a finite distance.
            detail["cutoff"] = (bars.best / 2 - score / 2) / (bars.best / 2 - bars.worst / 2)
        if bars.under(score, bars.by_margin):
            detail["margin"] = bars.best - score
        if detail:
            numbers = {"score": bars.own(score), "best": bars.own(bars.best)}
            numbers |= {"allowed": bars.own(allowed)}
            refused.append(Refusal(candidate.id, "below_cutoff", numbers | detail))
    return refused


def below_cliff(candidates: Sequence[Weighed], bars: Bars) -> list[Refusal]:
    """Who lies below the cliff; pins and those without a score never do.

    Each detail has the score, how many scores stand above the cliff, and those at its two ends.
    """
    found = bars.shape
    if found is None or found.cliff is None or bars.by_cliff is None:
        return []
    ends = {"above": bars.own(bars.by_cliff), "below": bars.own(found.scores[found.cliff])}
    return [
        Refusal(
            candidate.id,
            "below_cliff",
            {"score": bars.own(candidate.score), "cliff": found.cliff, **ends},
        )
        for candidate in candidates
        if candidate.score is not None and not candidate.pinned and candidate.score < bars.by_cliff
    ]


def _between(best: float, worst: float, share: float) -> float:
    """The number `share` of the way down; both ends exactly, and never past what a float holds."""
    return best * (1.0 - share) + worst * share


def _unscored(candidates: Sequence[Weighed], what: str) -> str:
    none = [c.id for c in candidates if c.score is None and not c.pinned]
    if not none:
        return ""
    others = f" and {len(none) - 1} more" if none[1:] else ""
    return f"{none[0]!r}{others} without a score: {what} left them in."
