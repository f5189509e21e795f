"""A ranker's numbers: which way is better, and which of them can be compared at all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ctxpack.candidate import Candidate

_RANGES = {"similarity": (-1.0, 1.0), "distance": (0.0, math.inf)}
_ROUNDING = 1e-4
"""How far past its range a score may lie by rounding alone: cosines of 1.0000001 are common."""


@dataclass(frozen=True)
class Scoring:
    """Scores turned so that higher is better, in their own units; None where there is none.

    `turned` says that they are the negatives of what was given, `by_words` that they are BM25's
    and not the candidates' own. `why` is the reason, a part of a sentence, where not one can be
    compared.
    """

    scores: tuple[float | None, ...]
    turned: bool = False
    by_words: bool = False
    why: str = ""


def score_of(candidate: Candidate) -> float | None:
    """The score, None where there is none: NaN and infinities are no scores."""
    score = candidate.score
    return score if score is not None and math.isfinite(score) else None


def stands_beside(candidate: Candidate) -> bool:
    """Whether it is a pin that retrieval did not return: it has no rank and no score to have."""
    return candidate.pinned and candidate.rank is None and score_of(candidate) is None


def kinds_of(candidates: Sequence[Candidate]) -> list[str]:
    """The kinds of those that have a score, each once, `unknown` where none is told."""
    scored = [candidate for candidate in candidates if score_of(candidate) is not None]
    return sorted({str(candidate.score_kind or "unknown") for candidate in scored})


def told_by_ranks(candidates: Sequence[Candidate]) -> str | None:
    """`similarity` where scores fall along the ranks, `distance` where they rise, else None."""
    falls, rises = _falls_and_rises(candidates)
    return None if falls == rises else ("similarity" if falls else "distance")


def scoring(candidates: Sequence[Candidate]) -> Scoring:
    """The candidates' scores, turned by their kind, or by their ranks where the kind is unknown."""
    none = (None,) * len(candidates)
    kinds = kinds_of(candidates)
    if not kinds:
        return Scoring(none, why="no candidate has a score")
    if len(kinds) > 1:
        return Scoring(none, why=f"scores of several kinds ({', '.join(kinds)}) do not compare")
    kind = kinds[0] if kinds[0] != "unknown" else told_by_ranks(candidates)
    if kind is None:
        why = "the scores' kind is unknown and the ranks do not tell which way is better"
        return Scoring(none, why=why)
    scores = [score_of(candidate) for candidate in candidates]
    if kind != "distance":
        return Scoring(tuple(scores))
    return Scoring(tuple(None if s is None else 0.0 - s for s in scores), turned=True)


def doubts(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Sentences, at most one of a kind, where scores do not look like what they are said to be.

    They are taken as they are all the same: nothing is clamped or turned round.
    """
    return tuple(filter(None, (_against_the_ranks(candidates), _out_of_range(candidates))))


def _against_the_ranks(candidates: Sequence[Candidate]) -> str:
    kinds = kinds_of(candidates)
    if len(kinds) != 1:
        return ""
    if kinds[0] == "unknown":
        return _read_as_distances(candidates)
    falls, rises = _falls_and_rises(candidates)
    lower = kinds[0] == "distance"
    if falls == rises or falls != lower:
        return ""
    better, found = ("lower", "falls") if lower else ("higher", "rises")
    return (
        f"ranks and scores run opposite ways: {better} is better for kind {kinds[0]}, but the "
        f"score {found} from rank to rank: check score_kind."
    )


def _read_as_distances(candidates: Sequence[Candidate]) -> str:
    """Higher is better for most kinds: where the ranks say otherwise that is not to be silent."""
    if told_by_ranks(candidates) != "distance":
        return ""
    return (
        "the scores' kind is not told and they rise from rank to rank: read as distances, lower "
        "is better; if that is wrong, give score_kind."
    )


def _out_of_range(candidates: Sequence[Candidate]) -> str:
    outside = [c for c in candidates if not _in_range(score_of(c), c.score_kind)]
    if not outside:
        return ""
    first = outside[0]
    low, high = _RANGES[str(first.score_kind)]
    span = f"{low:g} to {high:g}" if math.isfinite(high) else f"{low:g} or more"
    others = f" and {len(outside) - 1} more" if outside[1:] else ""
    return (
        f"the score of {first.id!r}{others} ({first.score:g}) lies outside the range of kind "
        f"{first.score_kind}, {span}: taken as it is."
    )


def _in_range(score: float | None, kind: str | None) -> bool:
    if score is None or kind not in _RANGES:
        return True
    low, high = _RANGES[kind]
    return low - _ROUNDING <= score <= high + _ROUNDING


def _falls_and_rises(candidates: Sequence[Candidate]) -> tuple[bool, bool]:
    """Whether the score falls, and whether it rises, anywhere along the ranks."""
    ranked = sorted(
        (candidate.rank, score)
        for candidate in candidates
        if candidate.rank is not None and (score := score_of(candidate)) is not None
    )
    steps = [(earlier, later) for (_, earlier), (_, later) in pairwise(ranked)]
    return any(b < a for a, b in steps), any(b > a for a, b in steps)
