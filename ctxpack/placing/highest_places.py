"""The places of a curve, highest first: what chunks could be used if each had the best of them.

A chunk's p, that of its middle, is at most the mean of p over its span where the curve bends up,
and little more where it bends down little. Spans lie apart, so what chunks of falling density can
cover is at most what the densest get of the highest places. What is left out of a window makes it
shorter, and the highest places of a longer one are as high: a bound for the whole of a budget holds
for every set within it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxpack.curves import Bends, Curve, Parabolas
from ctxpack.placing.rearranged import most_places

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Shares = NDArray[np.float64]

CELLS = 4096
"""Lengths of the highest places that are worked out; between them it is drawn straight."""

FINE = 8
"""Pieces of a cell in which a curve without a formula is looked at."""

FLOOR = 0.05
"""The share of the highest p below which a place counts as that much."""


@dataclass(frozen=True)
class HighestPlaces:
    """`areas[i]` bounds the sum of p over places of i / CELLS of the whole, the highest of them.

    What is drawn straight between them is short of it by at most `slack`. A chunk's p is at most
    `excess` times the mean over its span; where the slope falls at once, for one chunk that may be
    `drops` times its share more.
    """

    areas: tuple[float, ...]
    slack: float
    bend: float
    drops: float

    def area(self, share: float) -> float:
        """The most that p sums to over places of this length, from 0 to 1."""
        at = share * CELLS
        cell = int(at)
        if cell >= CELLS:
            return self.areas[CELLS]
        low = self.areas[cell]
        return low + (at - cell) * (self.areas[cell + 1] - low)

    def excess(self, share: float) -> float:
        """How many times the mean over its span a chunk's p may be; less than 1 in a U."""
        return 1 + self.bend * share * share


@lru_cache(maxsize=64)
def highest_places(curve: Curve, drawn_out: float = 1.0) -> HighestPlaces:
    """Of a curve drawn out about its middle, so many times and no less than once.

    Where separators stand between chunks, spans that cover the whole are those of chunks with half
    a separator on each side: in places of theirs the curve is drawn out by `stretch`.
    """
    if curve.parabolas is not None:
        return _of_parabolas(curve.parabolas, drawn_out)
    if curve.bends is not None:
        return _of_bends(curve, curve.bends, drawn_out)
    areas = tuple(curve.highest * cell / CELLS for cell in range(CELLS + 1))
    # Without knowing its bends, only that no place is higher than the highest.
    return HighestPlaces(areas, 0.0, 0.0, 0.0)


def stretch(total: int, separator: int) -> float:
    """How much the curve is drawn out for `total` tokens with a separator between each two."""
    return (total + separator) / total if total else 1.0


def use_bound(
    places: HighestPlaces, sizes: Sequence[int], values: Sequence[float], total: int
) -> float:
    """No order of these chunks, `total` tokens with all that stands besides, is used more."""
    if not total:
        return sum(values) * places.areas[CELLS]
    shares = [size / total for size in sizes]
    worths = [value * places.excess(share) for value, share in zip(values, shares, strict=True)]
    free = sum(worth for worth, share in zip(worths, shares, strict=True) if not share)
    rated = sorted(
        ((worth / share, share) for worth, share in zip(worths, shares, strict=True) if share),
        reverse=True,
    )
    bound, covered, before = free, 0.0, 0.0
    for density, share in rated:
        covered = min(1.0, covered + share)
        area = places.area(covered)
        bound += density * (area - before)
        before = area
    one = max((value * share for value, share in zip(values, shares, strict=True)), default=0.0)
    return bound + (rated[0][0] * places.slack if rated else 0.0) + one * places.drops


def _of_parabolas(curve: Parabolas, drawn_out: float) -> HighestPlaces:
    import numpy as np

    drawn = Parabolas(
        trough=0.5 + (curve.trough - 0.5) / drawn_out,
        bottom=curve.bottom,
        left=curve.left * drawn_out**2,
        right=curve.right * drawn_out**2,
    )
    areas = most_places(drawn, 0.0, 1.0, np.arange(CELLS + 1) / CELLS)
    # Between two cells the area rises above the straight line by at most an eighth of its bend.
    slack = max(drawn.left, drawn.right) / CELLS**2 / 4
    # The mean over a span of h is above the middle by at least the lesser coefficient, h^2 / 12.
    bend = -min(drawn.left, drawn.right) / 12 / max(drawn.p(0.0), drawn.p(1.0), 1e-300)
    return HighestPlaces(tuple(areas.tolist()), slack, bend, 0.0)


def _of_bends(curve: Curve, bends: Bends, drawn_out: float) -> HighestPlaces:
    import numpy as np

    pieces = CELLS * FINE
    edges = curve.chances(0.5 + (np.arange(pieces + 1) / pieces - 0.5) * drawn_out)
    heights = np.maximum(edges[:-1], edges[1:])
    for turn in bends.turns:
        piece = int((0.5 + (turn - 0.5) / drawn_out) * pieces)
        if 0 <= piece < pieces:
            heights[piece] = max(heights[piece], curve.p(turn))
    least = FLOOR * curve.highest
    heights = np.sort(np.maximum(heights, least))[::-1]
    areas = np.concatenate(([0.0], np.cumsum(heights)))[::FINE] / pieces
    if not curve.highest:
        return HighestPlaces(tuple(areas.tolist()), 0.0, 0.0, 0.0)
    lowest = max(least, curve.lowest)
    # The mean over a span of h is short of the middle by at most bend h^2 / 24, drop h / 8.
    bend = bends.most * drawn_out**2 / 24 / lowest
    return HighestPlaces(tuple(areas.tolist()), 0.0, bend, sum(bends.drops) * drawn_out / 8)
