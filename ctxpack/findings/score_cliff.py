"""Padding: packed chunks below a clear cliff in the scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxpack.filters.score_shape import shape
from ctxpack.findings.case import Case, basis
from ctxpack.findings.finding import Finding
from ctxpack.findings.thresholds import Thresholds
from ctxpack.record import LoggedCandidate
from ctxpack.value.scores import scoring


@dataclass(frozen=True)
class Cliff:
    """Where the scores fall: the chunks above and below it, best score first."""

    above: tuple[LoggedCandidate, ...]
    below: tuple[LoggedCandidate, ...]


def padding(case: Case) -> list[Finding]:
    """At least two packed chunks stand below a clear cliff; pins were asked for and do not count.

    Silent where a score or its direction is not known, where the scores have no cliff, and
    where nothing above it is packed: what was banned there is no measure for the rest.
    """
    cliff = score_cliff(case.record.candidates, case.thresholds)
    if cliff is None or all(chunk.outcome != "packed" for chunk in cliff.above):
        return []
    settings = case.record.settings
    pins = set(settings.pins) if settings else set()
    padded = [
        chunk
        for chunk in cliff.below
        if chunk.outcome == "packed" and not chunk.pinned and chunk.id not in pins
    ]
    if len(padded) < case.thresholds.padding_chunks:
        return []
    last, first = cliff.above[-1], cliff.below[0]
    after = len(cliff.above)
    place = f"rank {after}" if last.rank == after else f"the best {after}"
    of = len(case.placed)
    return [
        Finding(
            code="padding",
            severity="warning",
            title=(
                f"{len(padded)} of {of} packed chunks stand below the cliff in the scores "
                f"({last.score:.4g} to {first.score:.4g} after {place})."
            ),
            detail={
                "below": len(padded),
                "after_rank": last.rank,
                "tokens": sum(chunk.tokens or 0 for chunk in padded),
            },
            chunks=tuple(chunk.id for chunk in padded),
            advice="Cut retrieval off at the cliff: what stands below it only fills the window.",
            basis=basis(padded[0]),
        )
    ]


def score_cliff(candidates: Sequence[LoggedCandidate], limits: Thresholds) -> Cliff | None:
    """The largest fall between neighbours of the sorted scores, where it is a clear one."""
    scored = [chunk for chunk in candidates if not _beside(chunk)]
    scores = scoring(scored).scores
    known = [score for score in scores if score is not None]
    if len(known) < len(scored):
        return None
    found = shape(
        known,
        medians=limits.cliff_medians,
        share=limits.cliff_share,
        above=limits.cliff_above,
    )
    if found.cliff is None:
        return None
    pairs = sorted(zip(known, scored, strict=True), key=lambda pair: -pair[0])
    best_first = tuple(chunk for _, chunk in pairs)
    return Cliff(best_first[: found.cliff], best_first[found.cliff :])


def _beside(chunk: LoggedCandidate) -> bool:
    """A pin that retrieval did not return has no score to have."""
    return chunk.rank is None and chunk.score is None
