"""Choosing: which candidates go in. One strategy a file, all with the same shape."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.choosing.fill import fill_by_density, fill_by_rank, first_fit
from ctxpack.choosing.optimal import optimal
from ctxpack.weighed import Choice, Weighed


def choose(candidates: Sequence[Weighed], room: int, strategy: str) -> Choice:
    """Choose candidates whose costs sum to at most `room` tokens; never a part of one."""
    strategies = {
        "first-fit": first_fit,
        "top": fill_by_rank,
        "density": fill_by_density,
        "optimal": optimal,
    }
    return strategies[strategy](candidates, room)
