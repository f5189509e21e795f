"""The shape of a list of scores: whether there is a cliff in it, or only a slope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

_NEARLY = 1 - 1e-9
"""Differences of scores are rounded: 0.8 - 0.5 has to count as three times 0.9 - 0.8."""


@dataclass(frozen=True)
class Shape:
    """Scores best first, and how they fall; all in the scores' own units.

    `largest_fall` is the deepest fall between neighbours, the first of equals, and `place` the
    number of scores above it (0 where there are not two scores). `cliff` is that number again
    where the fall is a clear one, else None, and `diffuse` then says why as a part of a sentence.
    """

    scores: tuple[float, ...]
    range: float
    median_fall: float
    largest_fall: float
    place: int
    cliff: int | None
    diffuse: str = ""


def shape(
    scores: Sequence[float], *, medians: float = 3.0, share: float = 0.2, above: int = 2
) -> Shape:
    """The shape of finite scores of which higher is better.

    A cliff is the largest fall, if it is at least `medians` median falls and at least `share` of
    the range, and leaves at least `above` scores above it.
    """
    best_first = tuple(sorted(scores, reverse=True))
    if len(best_first) < 2:
        few = "one score" if best_first else "no scores"
        return Shape(best_first, 0.0, 0.0, 0.0, 0, None, f"there is {few}" if best_first else few)
    falls = [better - worse for better, worse in pairwise(best_first)]
    largest = max(falls)
    place = falls.index(largest) + 1
    middle = median(falls)
    span = best_first[0] - best_first[-1]
    why = ""
    if largest == 0:
        why = "all scores are equal"
    elif place < above:
        why = f"the largest fall, {largest:.3g}, comes after rank {place}"
    elif largest < medians * middle * _NEARLY:
        why = (
            f"the largest fall, {largest:.3g} after rank {place}, is {largest / middle:.1f} "
            f"median falls and {medians:g} are needed"
        )
    elif largest < share * span * _NEARLY:
        why = (
            f"the largest fall, {largest:.3g} after rank {place}, is {largest / span:.0%} of the "
            f"range and {share:.0%} are needed"
        )
    return Shape(best_first, span, middle, largest, place, None if why else place, why)
