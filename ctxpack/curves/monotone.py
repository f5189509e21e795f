"""A smooth curve through measured points that never overshoots them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ctxpack.curves.curve import Bends, Curve

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Shares = NDArray[np.float64]

Point = tuple[float, float]
"""x and p."""


def through(name: str, points: Sequence[Point]) -> Curve:
    """The monotone cubic through points of rising x, flat before the first and after the last.

    Between two points it stays between their p. Slopes are Fritsch and Butland's weighted harmonic
    means (SIAM J. Sci. Stat. Comput. 5, 1984), 0 where the measured p turns; at the ends three
    points give the slope. At least two points.
    """
    xs, ps = [x for x, _ in points], [p for _, p in points]
    steps = [after - before for before, after in pairwise(xs)]
    rises = [
        (after - before) / step for (before, after), step in zip(pairwise(ps), steps, strict=True)
    ]
    slopes = _slopes(steps, rises)
    return Curve(
        name,
        _interpolated(xs, ps, steps, slopes),
        min(ps),
        max(ps),
        points=tuple(points),
        bends=_bends(xs, steps, rises, slopes),
        many=_of_many(xs, ps, steps, slopes),
    )


def _interpolated(
    xs: Sequence[float], ps: Sequence[float], steps: Sequence[float], slopes: Sequence[float]
) -> Callable[[float], float]:
    def p(x: float) -> float:
        if x <= xs[0]:
            return ps[0]
        if x >= xs[-1]:
            return ps[-1]
        at = bisect_right(xs, x) - 1
        step = steps[at]
        t = (x - xs[at]) / step
        left, right = slopes[at] * step, slopes[at + 1] * step
        fall = ps[at] - ps[at + 1]
        # The cubic with these values and slopes at both ends (Hermite's).
        smooth = ps[at] + t * (
            left + t * ((-3 * fall - 2 * left - right) + t * (2 * fall + left + right))
        )
        low, high = sorted((ps[at], ps[at + 1]))
        return min(high, max(low, smooth))

    return p


def _of_many(
    xs: Sequence[float], ps: Sequence[float], steps: Sequence[float], slopes: Sequence[float]
) -> Callable[[Shares], Shares]:
    """The same of many places at once."""

    def many(x: Shares) -> Shares:
        import numpy as np

        knots, heights = np.array(xs), np.array(ps)
        widths, inclines = np.array(steps), np.array(slopes)
        at = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(widths) - 1)
        t = np.clip((x - knots[at]) / widths[at], 0.0, 1.0)
        left, right = inclines[at] * widths[at], inclines[at + 1] * widths[at]
        here, there = heights[at], heights[at + 1]
        fall = here - there
        smooth = here + t * (
            left + t * ((-3 * fall - 2 * left - right) + t * (2 * fall + left + right))
        )
        kept: Shares = np.clip(smooth, np.minimum(here, there), np.maximum(here, there))
        return kept

    return many


def _bends(
    xs: Sequence[float], steps: Sequence[float], rises: Sequence[float], slopes: Sequence[float]
) -> Bends:
    """The second derivative of each cubic is least at one of its ends; beyond them all is flat."""
    most = 0.0
    for step, rise, (left, right) in zip(steps, rises, pairwise(slopes), strict=True):
        at_left = (6 * rise - 4 * left - 2 * right) / step
        at_right = (2 * left + 4 * right - 6 * rise) / step
        most = max(most, -at_left, -at_right)
    return Bends(tuple(xs), most, tuple(drop for drop in (-slopes[0], slopes[-1]) if drop > 0))


def _slopes(steps: Sequence[float], rises: Sequence[float]) -> list[float]:
    if len(rises) == 1:
        return [rises[0], rises[0]]
    inner = [
        _harmonic(step, after, rise, next_rise)
        for (step, after), (rise, next_rise) in zip(pairwise(steps), pairwise(rises), strict=True)
    ]
    first = _at_the_end(steps[0], steps[1], rises[0], rises[1])
    last = _at_the_end(steps[-1], steps[-2], rises[-1], rises[-2])
    return [first, *inner, last]


def _harmonic(step: float, after: float, rise: float, next_rise: float) -> float:
    if rise * next_rise <= 0:
        return 0.0
    one, other = 2 * after + step, after + 2 * step
    return (one + other) / (one / rise + other / next_rise)


def _at_the_end(step: float, inner: float, rise: float, next_rise: float) -> float:
    """The slope of the parabola through the three points at an end, kept from overshooting."""
    slope = ((2 * step + inner) * rise - step * next_rise) / (step + inner)
    if slope * rise <= 0:
        return 0.0
    if rise * next_rise <= 0 and abs(slope) > 3 * abs(rise):
        return 3 * rise
    return slope
