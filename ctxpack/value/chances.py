"""Chances of holding the answer, by a calibration: what the value `calibrated` is."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ctxpack.value.calibration import Calibration


def chance_by_rank(calibration: Calibration, rank: int | None) -> float:
    """P(answer | rank) from the table, its last number for later ranks; 0 without a rank."""
    if rank is None:
        return 0.0
    return calibration.ranks[min(rank, len(calibration.ranks)) - 1]


def needs_scores(calibration: Calibration) -> bool:
    """Whether a coefficient other than 0 stands on a score."""
    named = ("score_share", "lead", "log_rank_score_share")
    return any(calibration.coefficients.get(name, 0.0) != 0 for name in named)


def chances(
    calibration: Calibration,
    ranks: Sequence[int | None],
    tokens: Sequence[int | None],
    worths: Sequence[float | None],
) -> list[float]:
    """The logistic regression's chance of every candidate, from 0 to 1.

    `worths` are the scores' values, 0 or more; None counts as 0. Without a rank, or without
    tokens, the chance is 0: the one is a pin, and the other cannot be packed.
    """
    best, lead = _best_and_lead([worth for worth in worths if worth is not None])
    found = []
    for rank, size, worth in zip(ranks, tokens, worths, strict=True):
        if rank is None or size is None or size <= 0:
            found.append(0.0)
            continue
        share = (worth or 0.0) / best if best > 0 else 1.0
        found.append(_chance(calibration, math.log(rank), share, math.log(size), lead))
    return found


def logistic(number: float) -> float:
    """1 / (1 + exp(-number)), without overflow."""
    if number >= 0:
        return 1.0 / (1.0 + math.exp(-number))
    small = math.exp(max(number, -700.0))
    return small / (1.0 + small)


def _chance(
    calibration: Calibration, log_rank: float, share: float, log_tokens: float, lead: float
) -> float:
    features = {
        "intercept": 1.0,
        "log_rank": log_rank,
        "score_share": share,
        "log_tokens": log_tokens,
        "lead": lead,
        "log_rank_score_share": log_rank * share,
        "log_rank_log_tokens": log_rank * log_tokens,
    }
    parts = (factor * features[name] for name, factor in calibration.coefficients.items())
    return logistic(math.fsum(parts))


def _best_and_lead(worths: Sequence[float]) -> tuple[float, float]:
    """The best worth, and its lead over the second as a share of it; 1 where it is alone."""
    first, second = (*sorted(worths, reverse=True)[:2], 0.0, 0.0)[:2]
    return first, (first - second) / first if first > 0 else 0.0
