"""Choosing: which candidates go in. One strategy a file, all with the same shape."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.choosing.fill import fill_by_density, fill_by_rank, first_fit
from ctxpack.choosing.mmr import mmr
from ctxpack.choosing.optimal import optimal
from ctxpack.errors import Stop
from ctxpack.likeness.similarity import Similarities
from ctxpack.settings import Settings
from ctxpack.weighed import Choice, Weighed


def choose(
    candidates: Sequence[Weighed],
    room: int,
    settings: Settings,
    *,
    pins: Sequence[Weighed] = (),
    similarities: Similarities | None = None,
    should_stop: Stop | None = None,
) -> Choice:
    """Choose candidates whose costs sum to at most `room` tokens; never a part of one.

    `pins` are in already; they and `similarities` matter to mmr alone, which cannot do without.
    Raises Stopped where `should_stop` says so between the steps of long work.
    """
    if settings.strategy == "optimal":
        return optimal(candidates, room, should_stop)
    if settings.strategy == "mmr":
        if similarities is None:
            raise TypeError("mmr needs similarities")
        share = settings.mmr_lambda
        return mmr(candidates, room, share, similarities, pins=pins, should_stop=should_stop)
    fills = {"first-fit": first_fit, "top": fill_by_rank, "density": fill_by_density}
    return fills[settings.strategy](candidates, room)
