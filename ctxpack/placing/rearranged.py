"""A bound on the use of any order, for curves of two parabolas that meet at their lowest place.

Such a curve is convex, so a chunk's p, that of its middle, is at most the mean of p over its span;
where the curvature is at least c, less by c/12 times the square of the span. What the spans of
falling density can cover is at most what the densest get of the highest places of the curve.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import sqrt

from ctxpack.curves import Parabolas
from ctxpack.placing.spans import Spans


def most_use(spans: Spans, curve: Parabolas) -> float:
    """No order of these chunks is used more than this."""
    total = spans.total
    if not total:
        return sum(value * spans.curve.p(0.5) for value in spans.values)
    sep = spans.separator
    # A chunk with half a separator on each side: the spans then cover the whole, middles unmoved.
    begin, end = (spans.ahead - sep / 2) / total, 1 + sep / 2 / total
    sizes = [(tokens + sep) / total for tokens in spans.tokens]
    rated = sorted(zip(spans.values, sizes, strict=True), key=lambda one: -one[0] / one[1])
    covered = accumulate((size for _, size in rated), initial=0.0)
    best = [best_places(curve, begin, end, share) for share in covered]
    most = sum(
        value / size * (after - before)
        for (value, size), (before, after) in zip(rated, pairwise(best), strict=True)
    )
    less = sum(value * size * size for value, size in rated)
    return most - min(curve.left, curve.right) * less / 12


def best_places(curve: Parabolas, begin: float, end: float, share: float) -> float:
    """The most that p can sum to over places of this length, between `begin` and `end`."""
    rest = end - begin - share
    if rest <= 0:
        return _area(curve, begin, end)
    # What is left out lies about the lowest place, as high on the one side as on the other.
    roots = sqrt(curve.left) + sqrt(curve.right)
    left = rest * sqrt(curve.right) / roots if roots else 0.0
    low = min(max(begin, curve.trough - left), end - rest)
    return _area(curve, begin, end) - _area(curve, low, low + rest)


def _area(curve: Parabolas, begin: float, end: float) -> float:
    return _up_to(curve, end) - _up_to(curve, begin)


def _up_to(curve: Parabolas, x: float) -> float:
    """The area under the curve from its lowest place to x, negative to the left of it."""
    away = x - curve.trough
    coefficient = curve.left if away < 0 else curve.right
    return curve.bottom * away + coefficient * away**3 / 3
