"""Padding: packed chunks below a clear cliff in the scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ctxpack.findings.case import Case, basis
from ctxpack.findings.finding import Finding
from ctxpack.findings.thresholds import Thresholds
from ctxpack.record import LoggedCandidate
from ctxpack.values import score_of


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
    direction = _direction(scored)
    if direction is None:
        return None
    best_first = sorted(scored, key=lambda chunk: -direction * (chunk.score or 0.0))
    worths = [direction * (chunk.score or 0.0) for chunk in best_first]
    falls = [better - worse for better, worse in pairwise(worths)]
    if not falls:
        return None
    deepest = max(falls)
    at = falls.index(deepest) + 1
    clear = (
        deepest > 0
        and at >= limits.cliff_above
        and deepest >= limits.cliff_medians * median(falls)
        and deepest >= limits.cliff_share * (worths[0] - worths[-1])
    )
    return Cliff(tuple(best_first[:at]), tuple(best_first[at:])) if clear else None


def _beside(chunk: LoggedCandidate) -> bool:
    """A pin that retrieval did not return has no score to have."""
    return chunk.rank is None and chunk.score is None


def _direction(scored: Sequence[LoggedCandidate]) -> int | None:
    """1 where higher is better, -1 where lower is; None where that, or a score, is not known."""
    kinds = {chunk.score_kind or "unknown" for chunk in scored}
    if len(kinds) != 1 or any(score_of(chunk) is None for chunk in scored):
        return None
    kind = kinds.pop()
    if kind != "unknown":
        return -1 if kind == "distance" else 1
    if any(chunk.rank is None for chunk in scored):
        return None
    ranked = sorted(scored, key=lambda chunk: chunk.rank or 0)
    steps = [(later.score or 0.0) - (earlier.score or 0.0) for earlier, later in pairwise(ranked)]
    falls, rises = any(step < 0 for step in steps), any(step > 0 for step in steps)
    return None if falls == rises else (1 if falls else -1)
