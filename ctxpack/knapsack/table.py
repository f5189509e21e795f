"""Seed 1's table, best[i][c], as data for a screen: every cell and the walk back through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Step(NamedTuple):
    """One step of the walk back: `item` counts from 1, `cell` is the capacity then left."""

    item: int
    cell: int
    taken: bool


@dataclass(frozen=True)
class Table:
    """`best[i, c]` is the most value of the first i items within c tokens, for every i and c.

    `steps` walk back from the last item and the full capacity to item 1. An item is taken where
    its row beats the row above at that cell, and only there: so among sets of equal value the
    walk finds the one that lacks the highest index in which they differ.
    """

    best: NDArray[np.int64]
    steps: tuple[Step, ...]

    @property
    def taken(self) -> tuple[int, ...]:
        """Indices, from 0, of the set that the walk finds, ascending."""
        return tuple(step.item - 1 for step in reversed(self.steps) if step.taken)


def fill_table(weights: Sequence[int], values: Sequence[int], capacity: int) -> Table:
    """The whole table, (n + 1) · (capacity + 1) whole numbers of 8 bytes, row by row.

    For a screen: 40 items and 12,000 tokens are 4 MB. Nothing is scaled. Weights must be 0 or
    more, the capacity as well.
    """
    import numpy as np

    best = np.zeros((len(weights) + 1, capacity + 1), dtype=np.int64)
    for row, (weight, value) in enumerate(zip(weights, values, strict=True), start=1):
        above, here = best[row - 1], best[row]
        here[:] = above
        if weight <= capacity and value > 0:
            with_it = above[: capacity + 1 - weight] + value
            np.maximum(here[weight:], with_it, out=here[weight:])
    return Table(best, _walk_back(best, weights, capacity))


def _walk_back(best: NDArray[np.int64], weights: Sequence[int], capacity: int) -> tuple[Step, ...]:
    steps = []
    cell = capacity
    for item in range(len(weights), 0, -1):
        taken = bool(best[item, cell] > best[item - 1, cell])
        steps.append(Step(item, cell, taken))
        if taken:
            cell -= weights[item - 1]
    return tuple(steps)
