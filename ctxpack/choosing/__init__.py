"""Choosing: which candidates go in. One strategy a file, all with the same shape."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.choosing.fill import fill_by_density, fill_by_rank, first_fit
from ctxpack.choosing.optimal import optimal
from ctxpack.errors import Stop
from ctxpack.settings import Settings
from ctxpack.weighed import Choice, Weighed


def choose(
    candidates: Sequence[Weighed],
    room: int,
    settings: Settings,
    *,
    should_stop: Stop | None = None,
) -> Choice:
    """Choose candidates whose costs sum to at most `room` tokens; never a part of one.

    Raises Stopped where `should_stop` says so between the steps of long work.
    """
    if settings.strategy == "optimal":
        return optimal(candidates, room, should_stop)
    fills = {"first-fit": first_fit, "top": fill_by_rank, "density": fill_by_density}
    return fills[settings.strategy](candidates, room)
