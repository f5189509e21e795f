"""The same packing laid out under every placement, and what the best of them would gain."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ctxpack.errors import Stop
from ctxpack.explaining.trials import Trials, trials
from ctxpack.packing import choose_weighed, place_chosen
from ctxpack.result import PackResult
from ctxpack.retrieved import Retrieved
from ctxpack.settings import PLACEMENTS, Settings


def every_order(
    given: Retrieved,
    settings: Settings,
    should_stop: Stop | None = None,
    *,
    placements: Sequence[str] = PLACEMENTS,
) -> tuple[PackResult, ...]:
    """One packing a placement, under otherwise the same settings; weighed once.

    Under ordered it is the set that it chose for its own order, in every other one. Each has the
    place and the p of every packed chunk. Raises InputError and Stopped as `pack` does.
    """
    tried = trials(given, settings, should_stop)
    if settings.strategy == "ordered":
        return _of_one_set(tried, placements)
    found = (tried.pack(told=False, placement=placement) for placement in placements)
    packed = tuple(result for result in found if result is not None)
    # What is refused under every placement says here why.
    return packed or (given.pack(settings, should_stop=should_stop),)


def _of_one_set(tried: Trials, placements: Sequence[str]) -> tuple[PackResult, ...]:
    """What is chosen once, laid out in each of the placements."""
    chosen = choose_weighed(
        tried.weighing, tried.settings, tried.separator, tried.count, should_stop=tried.should_stop
    )

    def laid(placement: str) -> PackResult:
        # Under its own name ordered is laid out in its best order whatever is asked.
        other = tried.with_changes(strategy="optimal", placement=placement)
        result = place_chosen(tried.weighing, other, tried.separator, chosen, tried.should_stop)
        named = msgspec.structs.replace(result.settings, strategy="ordered")
        return msgspec.structs.replace(result, settings=named)

    return tuple(laid(placement) for placement in placements)


def most_used(results: Sequence[PackResult]) -> PackResult:
    """The one of most expected use; the first of equal ones, rounding apart."""
    most = max(result.expected_use for result in results)
    return next(result for result in results if result.expected_use >= most * (1 - 1e-9))


def gain_over(best: PackResult, present: PackResult) -> tuple[float, float | None]:
    """How much more of the value is used in the best order: expected use, and as a share of it.

    The share is None where nothing is used now.
    """
    more = best.expected_use - present.expected_use
    return more, more / present.expected_use if present.expected_use > 0 else None
