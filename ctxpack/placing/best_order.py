"""The best order of a set of chunks under a curve, with what is proven of it."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.errors import Stop
from ctxpack.placing.by_subsets import MOST, order_by_subsets
from ctxpack.placing.exchanges import PLACED, moved_while_better
from ctxpack.placing.highest_places import highest_places, stretch, use_bound
from ctxpack.placing.rearranged import most_use
from ctxpack.placing.spans import Spans
from ctxpack.placing.v_shaped import two_ended, v_shaped

EXACT = 1e-12
"""The share of the use within which a bound proves an order best."""

QUICK = 20_000
"""Chunks that are placed at most while exchanges are tried for one of many sets."""

SHAPED = 6
"""Chunks from which on the V-shape is quicker than all subsets."""


@dataclass(frozen=True)
class Order:
    """Places in the list that was given, first to last; `use` is the sum of value times p.

    No order is used more than `bound`; `proven` says that none is used more than this one.
    """

    order: tuple[int, ...]
    use: float
    bound: float
    proven: bool


def best_order(spans: Spans, should_stop: Stop | None = None, quick: bool = False) -> Order:
    """Exact up to MOST chunks under any curve; ties go to the order in which they are listed.

    Above, under a curve of two parabolas the best of the V-shaped orders with any chunk in the
    middle, exact too, or past `v_shaped`'s caps one with a bound from the rearranged curve; under
    any other the best that exchanges lead to, from several beginnings, and a bound from the
    curve's highest places. `quick` does not look who is listed first where it need not to be
    exact, and tries few exchanges. Raises Stopped.
    """
    few = SHAPED if quick and spans.curve.parabolas is not None else MOST
    if len(spans.tokens) <= few:
        order = order_by_subsets(spans)
        use = spans.use(order)
        return Order(order, use, use, True)
    listed = tuple(range(len(spans.tokens)))
    curve = spans.curve
    if curve.parabolas is not None:
        order, exact = v_shaped(spans)
        bound = spans.use(order) if exact else most_use(spans, curve.parabolas)
    else:
        begun = max((listed, listed[::-1], two_ended(spans), v_shaped(spans).order), key=spans.use)
        order = moved_while_better(spans, begun, should_stop, QUICK if quick else PLACED)
        bound = _places_bound(spans)
    if spans.use(listed) >= spans.use(order) * (1 - EXACT):
        order = listed
    use = spans.use(order)
    return Order(order, use, max(use, bound), bound <= use * (1 + EXACT))


def _places_bound(spans: Spans) -> float:
    sizes = [tokens + spans.separator for tokens in spans.tokens]
    places = highest_places(spans.curve, stretch(spans.total, spans.separator))
    return use_bound(places, sizes, spans.values, spans.total + spans.separator)
