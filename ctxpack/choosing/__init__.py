"""Choosing: which candidates go in. One strategy a file, all with the same shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ctxpack.choosing.fill import fill_by_density, fill_by_rank, first_fit
from ctxpack.choosing.mmr import mmr
from ctxpack.choosing.optimal import optimal
from ctxpack.choosing.ordered import ordered
from ctxpack.choosing.used_sets import Layer
from ctxpack.errors import Stop
from ctxpack.likeness.similarity import Similarities
from ctxpack.settings import Settings
from ctxpack.weighed import Choice, Refusal, Weighed


def choose(
    candidates: Sequence[Weighed],
    room: int,
    settings: Settings,
    *,
    pins: Sequence[Weighed] = (),
    similarities: Similarities | None = None,
    layer: Layer | None = None,
    told: bool = True,
    should_stop: Stop | None = None,
) -> Choice:
    """Choose candidates whose costs sum to at most `room` tokens; never a part of one.

    `pins` are in already, and `room` is what they leave. They and `similarities` matter to mmr
    alone, they and `layer` to ordered, which cannot do without; who is too long for what they
    leave is told what they took.
    Without `told`, optimal does not tell what forcing in each one that is out would cost. Raises
    Stopped where `should_stop` says so between the steps of long work.
    """
    choice = _choose(candidates, room, settings, pins, similarities, layer, told, should_stop)
    reserved = sum(pin.cost for pin in pins)
    if not reserved:
        return choice
    return replace(choice, refused=tuple(_beside(one, reserved) for one in choice.refused))


def _beside(refusal: Refusal, reserved: int) -> Refusal:
    """A refusal that says what the pins took, where what they leave is not enough for it alone."""
    if refusal.reason != "too_long":
        return refusal
    return replace(refusal, detail=refusal.detail | {"reserved": reserved})


def _choose(
    candidates: Sequence[Weighed],
    room: int,
    settings: Settings,
    pins: Sequence[Weighed],
    similarities: Similarities | None,
    layer: Layer | None,
    told: bool,
    should_stop: Stop | None,
) -> Choice:
    if settings.strategy == "optimal":
        return optimal(candidates, room, should_stop, told=told)
    if settings.strategy == "mmr":
        if similarities is None:
            raise TypeError("mmr needs similarities")
        share = settings.mmr_lambda
        return mmr(candidates, room, share, similarities, pins=pins, should_stop=should_stop)
    if settings.strategy == "ordered":
        if layer is None:
            raise TypeError("ordered needs a layer")
        return ordered(candidates, room, pins=pins, layer=layer, should_stop=should_stop)
    fills = {"first-fit": first_fit, "top": fill_by_rank, "density": fill_by_density}
    return fills[settings.strategy](candidates, room)
