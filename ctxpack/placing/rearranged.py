"""A bound on the use of any order, for curves of two parabolas that meet at their lowest place.

Such a curve is convex, so a chunk's p, that of its middle, is at most the mean of p over its span;
where the curvature is at least c, less by c/12 times the square of the span. What the spans of
falling density can cover is at most what the densest get of the highest places of the curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import sqrt
from typing import TYPE_CHECKING

from ctxpack.curves import Parabolas
from ctxpack.placing.spans import Spans

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Shares = NDArray[np.float64]


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


def uses_around(spans: Spans, curve: Parabolas, dense: Sequence[int]) -> list[float]:
    """For each chunk, by falling density, a bound on the orders in which the trough lies in it.

    The others stand off the trough then, in the highest places that there are besides.
    """
    import numpy as np

    total, sep = spans.total, spans.separator
    begin, end = (spans.ahead - sep / 2) / total, 1 + sep / 2 / total
    sizes = np.array([spans.tokens[chunk] + sep for chunk in dense]) / total
    values = np.array([spans.values[chunk] for chunk in dense])
    rated = values / sizes
    upto = np.concatenate(([0.0], np.cumsum(sizes)))
    whole = rated * np.diff(most_places(curve, begin, end, upto))
    # Row m: what the chunks after the m-th cover where that one is none of them.
    without = np.maximum(0.0, upto[None, :] - sizes[:, None])
    short = rated * np.diff(most_places(curve, begin, end, without), axis=1)
    after = np.triu(np.ones((len(dense), len(dense)), dtype=bool), 1)
    others = np.tril(np.broadcast_to(whole, short.shape), -1).sum(axis=1)
    others += np.where(after, short, 0.0).sum(axis=1)
    less = min(curve.left, curve.right) / 12 * values * sizes * sizes
    top = max(curve.left, curve.right) * (sizes / 2) ** 2 + curve.bottom
    bounds: list[float] = (others - (less.sum() - less) + values * top).tolist()
    return bounds


def most_places(curve: Parabolas, begin: float, end: float, share: Shares) -> Shares:
    """`best_places` of many lengths at once."""
    import numpy as np

    roots = sqrt(curve.left) + sqrt(curve.right)
    rest = np.maximum(0.0, end - begin - share)
    left = rest * (sqrt(curve.right) / roots) if roots else 0.0 * rest
    low = np.minimum(np.maximum(begin, curve.trough - left), end - rest)
    high = low + rest

    def up_to(x: Shares) -> Shares:
        away = x - curve.trough
        return curve.bottom * away + np.where(away < 0, curve.left, curve.right) * away**3 / 3

    return _area(curve, begin, end) - (up_to(high) - up_to(low))


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
