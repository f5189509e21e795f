"""What a chunk is worth, and the rank order that goes with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ctxpack.candidate import Candidate
from ctxpack.errors import InputError
from ctxpack.value.calibration import Calibration
from ctxpack.value.chances import chance_by_rank, chances, logistic, needs_scores
from ctxpack.value.ranking import Ranking, rank, word_scores
from ctxpack.value.scores import Scoring, kinds_of, score_of, stands_beside, told_by_ranks

WHOLE = 1_000_000_000
"""The largest value as an integer: inside every solver values are integers."""


@dataclass(frozen=True)
class Valuation:
    """Ranks and values, one a candidate, in the candidates' order, and the scores behind them."""

    by: str
    ranks: tuple[int | None, ...]
    values: tuple[float, ...]
    scoring: Scoring
    warnings: tuple[str, ...] = ()


def gain(rank: int | None) -> float:
    """1 / log2(rank + 1), what nDCG gives a rank; 0 without a rank (seed 1)."""
    return 0.0 if rank is None else 1.0 / math.log2(rank + 1)


def valuate(
    candidates: Sequence[Candidate],
    value: str | None,
    query: str,
    *,
    tokens: Sequence[int | None] | None = None,
    calibration: Calibration | None = None,
) -> Valuation:
    """Rank and value every candidate.

    `value` None: gain where ranks are given; else gain by the rank of scores of a known kind;
    else, with a query, BM25; else input order and gain. `tokens`, the candidates' own where not
    given, and `calibration` are for the value `calibrated`. Raises InputError where the value
    that was asked for cannot be had.
    """
    if value == "score":
        return _by_score(candidates, query)
    if value == "bm25":
        return _by_bm25(candidates, query)
    order = rank(candidates, query)
    if value == "calibrated":
        if calibration is None:
            raise InputError("value calibrated needs a calibration.")
        sizes = [candidate.tokens for candidate in candidates] if tokens is None else tokens
        return _by_chance(candidates, order, sizes, calibration)
    if value is None and order.words is not None:
        if any(order.words):
            return Valuation("bm25", order.ranks, order.words, order.scoring, order.said)
        said = "no word of the query stands in any candidate: input order and gain are used."
        return _by_gain(order, said)
    return _by_gain(order)


def as_integers(values: Sequence[float]) -> list[int]:
    """round(value / largest * 1e9): one scale for every solver; all 0 where nothing is worth."""
    largest = max(values, default=0.0)
    if largest <= 0:
        return [0] * len(values)
    return [round(value / largest * WHOLE) for value in values]


def _by_gain(order: Ranking, *said: str, by: str = "gain") -> Valuation:
    values = tuple(gain(rank) for rank in order.ranks)
    return Valuation(by, order.ranks, values, order.scoring, (*order.said, *said))


def _by_score(candidates: Sequence[Candidate], query: str) -> Valuation:
    order = rank(candidates, query)
    if all(map(stands_beside, candidates)):
        none = (None,) * len(candidates)
        return Valuation("score", none, (0.0,) * len(candidates), order.scoring)
    missing = _unscored(candidates)
    if missing:
        values = tuple(gain(rank) for rank in order.ranks)
        said = f"{missing} no score: rank gain is used instead."
        return Valuation("gain", order.ranks, values, order.scoring, (*order.warnings, said))
    worths = score_worths(candidates)
    values = tuple(worth or 0.0 for worth in worths)
    if not math.isfinite(sum(values)):
        raise InputError("value score: the scores are too far apart to be summed: choose gain.")
    return Valuation("score", order.ranks, values, order.scoring, order.warnings)


def _by_bm25(candidates: Sequence[Candidate], query: str) -> Valuation:
    if not query.strip():
        raise InputError("value bm25 needs a query: give one, or choose value gain.")
    order = rank(candidates, query, by_words=True)
    words = order.words
    if words is None:
        words = word_scores(candidates, query)
    return Valuation("bm25", order.ranks, words, order.scoring, order.said)


def _by_chance(
    candidates: Sequence[Candidate],
    order: Ranking,
    tokens: Sequence[int | None],
    calibration: Calibration,
) -> Valuation:
    """By the regression; where that lacks scores by the table, and without one by gain."""
    if not calibration.coefficients:
        values = [chance_by_rank(calibration, rank) for rank in order.ranks]
        return Valuation("calibrated", order.ranks, tuple(values), order.scoring, order.said)
    worths, lack = _worths_for_chances(candidates, order)
    if lack and needs_scores(calibration):
        if not calibration.ranks:
            return _by_gain(order, f"value calibrated: {lack}: rank gain is used instead.")
        said = f"value calibrated: {lack}: the calibration's table by rank is used instead."
        values = [chance_by_rank(calibration, rank) for rank in order.ranks]
        return Valuation(
            "calibrated", order.ranks, tuple(values), order.scoring, (*order.said, said)
        )
    values = chances(calibration, order.ranks, tokens, worths)
    return Valuation("calibrated", order.ranks, tuple(values), order.scoring, order.said)


def _worths_for_chances(
    candidates: Sequence[Candidate], order: Ranking
) -> tuple[Sequence[float | None], str]:
    """The scores' values, and what they lack as a part of a sentence."""
    if order.scoring.by_words:
        return order.scoring.scores, ""
    missing = _unscored(candidates)
    if missing or order.scoring.why:
        return (None,) * len(candidates), f"{missing} no score" if missing else order.scoring.why
    return score_worths(candidates), ""


def _unscored(candidates: Sequence[Candidate]) -> str:
    """`'c2' and 1 more have`: who has no score; nothing where all have one."""
    missing = [c.id for c in candidates if score_of(c) is None and not stands_beside(c)]
    if not missing:
        return ""
    first = repr(missing[0])
    return f"{first} and {len(missing) - 1} more have" if missing[1:] else f"{first} has"


def score_worths(candidates: Sequence[Candidate]) -> list[float | None]:
    """Scores as values, 0 or more and higher is better; None for a pin that stands beside.

    Every other candidate has to have a score. Raises InputError where the scores are of several
    kinds, or their kind is unknown and the ranks do not tell it.
    """
    competing = [candidate for candidate in candidates if not stands_beside(candidate)]
    if not competing:
        return [None] * len(candidates)
    kinds = kinds_of(competing)
    if len(kinds) > 1:
        raise InputError(
            f"value score: scores of several kinds ({', '.join(kinds)}) cannot be compared: "
            "give all of one kind, or choose gain."
        )
    kind = told_by_ranks(competing) if kinds == ["unknown"] else kinds[0]
    if kind is None:
        raise InputError(
            "value score: the scores' kind is unknown and their order does not tell it: "
            "give score_kind (similarity, distance, rerank or bm25)."
        )
    each = iter(_worths([score_of(candidate) or 0.0 for candidate in competing], kind))
    return [None if stands_beside(candidate) else next(each) for candidate in candidates]


def _worths(scores: list[float], kind: str) -> list[float]:
    if kind == "distance":
        low = min(0.0, min(scores, default=0.0))
        return [1.0 / (1.0 + (score - low)) for score in scores]
    if kind == "rerank" and any(not 0.0 <= score <= 1.0 for score in scores):
        return [logistic(score) for score in scores]
    low = min(scores, default=0.0)
    return [score - low for score in scores] if low < 0 else scores
