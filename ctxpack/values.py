"""What a chunk is worth, and the rank order that goes with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ctxpack.bm25 import bm25_scores
from ctxpack.candidate import Candidate
from ctxpack.errors import InputError
from ctxpack.rendering import render

WHOLE = 1_000_000_000
"""The largest value as an integer: inside every solver values are integers."""


@dataclass(frozen=True)
class Valuation:
    """Ranks and values, one a candidate, in the candidates' order."""

    by: str
    ranks: tuple[int | None, ...]
    values: tuple[float, ...]
    warnings: tuple[str, ...] = ()


def gain(rank: int | None) -> float:
    """1 / log2(rank + 1), what nDCG gives a rank; 0 without a rank (seed 1)."""
    return 0.0 if rank is None else 1.0 / math.log2(rank + 1)


def valuate(candidates: Sequence[Candidate], value: str | None, query: str) -> Valuation:
    """Rank and value every candidate.

    `value` None: gain where ranks are given; else gain by the rank of scores of a known kind;
    else, with a query, BM25; else input order and gain. Raises InputError where the value that
    was asked for cannot be had.
    """
    if value == "score":
        return _byscore_of(candidates, query)
    if value == "bm25":
        return _by_bm25(candidates, query)
    if value is None and not _ranked(candidates) and _worths(candidates) is None and query.strip():
        by_words = _by_bm25(candidates, query)
        if any(by_words.values):
            return by_words
        said = "no word of the query stands in any candidate: input order and gain are used."
        return replace(_by_gain(candidates, query), warnings=(said,))
    return _by_gain(candidates, query)


def as_integers(values: Sequence[float]) -> list[int]:
    """round(value / largest * 1e9): one scale for every solver; all 0 where nothing is worth."""
    largest = max(values, default=0.0)
    if largest <= 0:
        return [0] * len(values)
    return [round(value / largest * WHOLE) for value in values]


def _by_gain(candidates: Sequence[Candidate], query: str) -> Valuation:
    ranks, warnings = _ranks(candidates, query)
    return Valuation("gain", ranks, tuple(gain(rank) for rank in ranks), warnings)


def _byscore_of(candidates: Sequence[Candidate], query: str) -> Valuation:
    if all(map(_beside, candidates)):
        return Valuation("score", (None,) * len(candidates), (0.0,) * len(candidates))
    missing = [c.id for c in candidates if score_of(c) is None and not _beside(c)]
    if missing:
        fallback = _by_gain(candidates, query)
        said = (
            f"{missing[0]!r} and {len(missing) - 1} more have"
            if missing[1:]
            else f"{missing[0]!r} has"
        )
        return replace(
            fallback, warnings=(*fallback.warnings, f"{said} no score: rank gain is used instead.")
        )
    worths = _worths(candidates)
    if worths is None:
        worths = _worths_by_rank_direction(candidates)
    values = tuple(worth or 0.0 for worth in worths)
    if not math.isfinite(sum(values)):
        raise InputError("value score: the scores are too far apart to be summed: choose gain.")
    if _ranked(candidates):
        ranks, warnings = _ranks(candidates, query)
    else:
        ranks, warnings = _ranks_by(worths), ()
    return Valuation("score", ranks, values, warnings)


def _by_bm25(candidates: Sequence[Candidate], query: str) -> Valuation:
    if not query.strip():
        raise InputError("value bm25 needs a query: give one, or choose value gain.")
    scores = bm25_scores(query, [render(candidate) or "" for candidate in candidates])
    if _ranked(candidates):
        ranks, warnings = _ranks(candidates, query)
    else:
        ranks, warnings = _ranks_by(scores), ()
    return Valuation("bm25", ranks, tuple(scores), warnings)


def _ranks(
    candidates: Sequence[Candidate], query: str
) -> tuple[tuple[int | None, ...], tuple[str, ...]]:
    if not _ranked(candidates):
        worths: Sequence[float | None] | None = _worths(candidates)
        if worths is None and query.strip():
            worths = bm25_scores(query, [render(candidate) or "" for candidate in candidates])
        return _ranks_by(worths if worths is not None else [0.0] * len(candidates)), ()
    last = max(candidate.rank or 0 for candidate in candidates)
    ranks: list[int | None] = []
    unranked: list[str] = []
    for candidate in candidates:
        if candidate.rank is None and not candidate.pinned:
            unranked.append(candidate.id)
            ranks.append(last + len(unranked))
        else:
            ranks.append(candidate.rank)
    if not unranked:
        return tuple(ranks), ()
    said = f"{len(unranked)} without a rank, such as {unranked[0]!r}: ranked last."
    return tuple(ranks), (said,)


def _ranked(candidates: Sequence[Candidate]) -> bool:
    return any(candidate.rank is not None for candidate in candidates)


def _beside(candidate: Candidate) -> bool:
    """Whether it is a pin that retrieval did not return: it has no rank and no score to have."""
    return candidate.pinned and candidate.rank is None and score_of(candidate) is None


def _ranks_by(worths: Sequence[float | None]) -> tuple[int | None, ...]:
    """Ranks by falling worth, ties as listed; None where there is no worth."""
    known = [(worth, index) for index, worth in enumerate(worths) if worth is not None]
    best_first = [index for _, index in sorted(known, key=lambda pair: -pair[0])]
    ranks: list[int | None] = [None] * len(worths)
    for place, index in enumerate(best_first, start=1):
        ranks[index] = place
    return tuple(ranks)


def score_of(candidate: Candidate) -> float | None:
    """The score, None where there is none: NaN and infinities are no scores."""
    score = candidate.score
    return score if score is not None and math.isfinite(score) else None


def _worths(candidates: Sequence[Candidate]) -> list[float | None] | None:
    """Scores as values, higher is better; None where a score or its kind is not known.

    A pin that retrieval did not return has no worth of its own.
    """
    competing = [candidate for candidate in candidates if not _beside(candidate)]
    kinds = {candidate.score_kind for candidate in competing}
    known = [score for score in map(score_of, competing) if score is not None]
    if len(known) < len(competing) or len(kinds) != 1 or kinds & {None, "unknown"}:
        return None
    return _spread(candidates, _worth_of(known, kinds.pop() or "unknown"))


def _spread(candidates: Sequence[Candidate], worths: Sequence[float]) -> list[float | None]:
    """Worths of the competing candidates, each in its place among all."""
    each = iter(worths)
    return [None if _beside(candidate) else next(each) for candidate in candidates]


def _worth_of(scores: list[float], kind: str) -> list[float]:
    if kind == "distance":
        low = min(0.0, min(scores, default=0.0))
        return [1.0 / (1.0 + score - low) for score in scores]
    if kind == "rerank" and any(not 0.0 <= score <= 1.0 for score in scores):
        return [_logistic(score) for score in scores]
    low = min(scores, default=0.0)
    return [score - low for score in scores] if low < 0 else scores


def _logistic(score: float) -> float:
    if score >= 0:
        return 1.0 / (1.0 + math.exp(-score))
    small = math.exp(max(score, -700.0))
    return small / (1.0 + small)


def _worths_by_rank_direction(candidates: Sequence[Candidate]) -> list[float | None]:
    """Scores of an unknown kind as values, where the ranks tell whether higher is better."""
    competing = [candidate for candidate in candidates if not _beside(candidate)]
    kinds = sorted({str(candidate.score_kind or "unknown") for candidate in competing})
    if kinds != ["unknown"]:
        raise InputError(
            f"value score: scores of several kinds ({', '.join(kinds)}) cannot be compared: "
            "give all of one kind, or choose gain."
        )
    scores = [score_of(candidate) or 0.0 for candidate in competing]
    ranked = sorted(
        (candidate.rank, score)
        for candidate, score in zip(competing, scores, strict=True)
        if candidate.rank is not None
    )
    steps = [later - earlier for (_, earlier), (_, later) in pairwise(ranked)]
    falls, rises = any(step < 0 for step in steps), any(step > 0 for step in steps)
    if falls != rises:
        kind = "similarity" if falls else "distance"
        return _spread(candidates, _worth_of(scores, kind))
    raise InputError(
        "value score: the scores' kind is unknown and their order does not tell it: "
        "give score_kind (similarity, distance, rerank or bm25)."
    )
