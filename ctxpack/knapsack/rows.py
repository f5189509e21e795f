"""The row table kept as decisions only, one bit a cell: proves what the core cannot settle.

Rows are filled in place, one item after the other; what stays of a row is where its item was
better taken than left. A row goes no further than the weight of the items so far: with more
capacity than that all of them are taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxpack.errors import Stop, stop_if

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Filled = tuple[int, int, int, NDArray[np.bool_]]


@dataclass(frozen=True)
class Row:
    """Bit k of `bits`: with k + `weight` tokens the item is better taken; `top` is the last."""

    weight: int
    top: int
    bits: NDArray[np.uint8]


@dataclass(frozen=True)
class Rows:
    """A row for each item, None for one that is never taken; `best` is the last row filled."""

    rows: tuple[Row | None, ...]
    best: NDArray[np.int64]

    def walk_back(self, capacity: int) -> tuple[int, ...]:
        """The set of most value within a capacity of the table, by the tie rule, ascending."""
        taken = []
        cell = capacity
        for item in range(len(self.rows) - 1, -1, -1):
            row = self.rows[item]
            if row is None:
                continue
            place = min(cell, row.top) - row.weight
            if place >= 0 and row.bits[place >> 3] >> (7 - (place & 7)) & 1:
                taken.append(item)
                cell -= row.weight
        return tuple(reversed(taken))

    def walk_back_all(self, capacities: Sequence[int]) -> NDArray[np.bool_]:
        """The sets of several capacities at once: [item, place of the capacity]."""
        import numpy as np

        cells = np.array(capacities, dtype=np.int64)
        taken = np.zeros((len(self.rows), len(cells)), dtype=np.bool_)
        for item in range(len(self.rows) - 1, -1, -1):
            row = self.rows[item]
            if row is None:
                continue
            place = np.minimum(cells, row.top)
            place -= row.weight
            fits = place >= 0
            place[~fits] = 0
            bit = row.bits[place >> 3] >> (7 - (place & 7)).astype(np.uint8)
            here = taken[item]
            np.logical_and(fits, bit & 1, out=here)
            cells -= here * row.weight
        return taken


def decide_rows(
    weights: Sequence[int],
    values: Sequence[int],
    capacity: int,
    should_stop: Stop | None = None,
) -> Rows:
    """Fill the rows: n · (capacity + 1) bits are kept, and 17 bytes a cell for one row.

    The sum of the values must be below 2^63.
    """
    import numpy as np

    best = np.zeros(capacity + 1, dtype=np.int64)
    rows: list[Row | None] = [None] * len(weights)
    for item, weight, top, better in filled_rows(best, weights, values, should_stop):
        rows[item] = Row(weight, top, np.packbits(better))
    return Rows(tuple(rows), best)


def filled_rows(
    best: NDArray[np.int64],
    weights: Sequence[int],
    values: Sequence[int],
    should_stop: Stop | None,
) -> Iterator[Filled]:
    """Fill `best` in place, row by row, and tell of every item that may be taken what its row says.

    That is: the item, its weight, its last cell, and for each k whether it is better taken with
    k + weight tokens, in an array that the next row is written over. Cells past the weight of all
    items so far are equal to the last one; they are left for later.
    """
    import numpy as np

    largest = len(best) - 1
    with_it = np.empty(largest + 1, dtype=np.int64)
    better = np.empty(largest + 1, dtype=np.bool_)
    filled = 0
    for item, (weight, value) in enumerate(zip(weights, values, strict=True)):
        if not item & 15:
            stop_if(should_stop)
        if weight > largest or value <= 0:
            continue
        top = min(largest, filled + weight)
        best[filled + 1 : top + 1] = best[filled]
        filled = top
        count = top + 1 - weight
        np.add(best[:count], value, out=with_it[:count])
        np.greater(with_it[:count], best[weight : top + 1], out=better[:count])
        np.maximum(best[weight : top + 1], with_it[:count], out=best[weight : top + 1])
        yield item, weight, top, better[:count]
    best[filled + 1 :] = best[filled]
