"""The best set of every capacity at once: what each is worth, and where the set changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxpack.errors import Stop
from ctxpack.knapsack.rows import filled_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Profile:
    """For every capacity c from 0 on: the most value, and the weight of the set by the tie rule.

    The set changes exactly at those c with used[c] == c: a set that fills its capacity to the
    last token fits nowhere below, and one that does not is already the best one token below.
    """

    value: NDArray[np.int64]
    used: NDArray[np.int64]


def profile(
    weights: Sequence[int],
    values: Sequence[int],
    largest: int,
    should_stop: Stop | None = None,
) -> Profile:
    """Value and used weight for every capacity 0..largest, in n · (largest + 1) cells of work.

    Needs 33 bytes a capacity, whatever the number of items. The sum of the values must be below
    2^63. Raises Stopped where `should_stop` says so between rows.
    """
    import numpy as np

    best = np.zeros(largest + 1, dtype=np.int64)
    used = np.zeros(largest + 1, dtype=np.int64)
    moved = np.empty(largest + 1, dtype=np.int64)
    filled = 0
    for _, weight, top, better in filled_rows(best, weights, values, should_stop):
        used[filled + 1 : top + 1] = used[filled]
        filled = top
        count = len(better)
        np.add(used[:count], weight, out=moved[:count])
        np.copyto(used[weight : top + 1], moved[:count], where=better)
    used[filled + 1 :] = used[filled]
    return Profile(best, used)


def holding(
    weights: Sequence[int],
    values: Sequence[int],
    largest: int,
    item: int,
    should_stop: Stop | None = None,
) -> NDArray[np.bool_]:
    """For every capacity 0..largest whether the best set, by the tie rule, holds the item."""
    import numpy as np

    best = np.zeros(largest + 1, dtype=np.int64)
    holds = np.zeros(largest + 1, dtype=np.bool_)
    moved = np.empty(largest + 1, dtype=np.bool_)
    filled = 0
    for row, weight, top, better in filled_rows(best, weights, values, should_stop):
        count = len(better)
        if row > item:
            holds[filled + 1 : top + 1] = holds[filled]
            moved[:count] = holds[:count]
            np.copyto(holds[weight : top + 1], moved[:count], where=better)
        elif row == item:
            holds[weight : top + 1] = better
        filled = top
    holds[filled + 1 :] = holds[filled]
    return holds
