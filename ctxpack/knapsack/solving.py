"""Exact 0/1 knapsack at any size, with a certificate: which way each list is solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import gcd
from typing import TYPE_CHECKING

from ctxpack.errors import Stop, stop_if
from ctxpack.knapsack.core import EXACT_QUOTIENTS, LARGEST
from ctxpack.knapsack.rows import decide_rows
from ctxpack.knapsack.short import solve_short
from ctxpack.knapsack.solution import Solution

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

STATES = 4_000_000
"""Partial sets kept at most, 4 bytes each; then the answer is the best so far, with its bound."""

SHORT = 256
"""Lists up to this length are first tried in plain Python."""

SHORT_STATES = 1_500
"""States that a short list may take there: about a millisecond."""

TABLE_CELLS = 20_000_000
"""Up to this many cells, n · (capacity + 1), the tie rule always holds: 200 chunks in 100,000
tokens. The rows take some 15 ms then, where nothing quicker does."""

ROWS_CELLS = 40_000_000
"""Up to this many cells the rows are filled where nothing else proves the optimum."""

CELLS_PER_STATE = 5_000
"""Cells of the rows that cost several times what one state of the tie rule's search does."""

MASK_BITS = 100_000_000
"""Bits of all masks at once, where numbers are too large for numpy."""


def solve(
    weights: Sequence[int] | Ints,
    values: Sequence[int] | Ints,
    capacity: int,
    *,
    states: int = STATES,
    should_stop: Stop | None = None,
) -> Solution:
    """The set of most value within the capacity, in real tokens, and a proven bound.

    Items are given in rank order. Among sets of equal value it is the one that lacks the highest
    index in which they differ; items of no value are never taken. That holds where
    n · (capacity + 1) is at most TABLE_CELLS, and beyond wherever `settled` says so. Work and
    memory are capped by `states`, never by time: the same input gives the same answer. Raises
    ValueError for a negative weight, Stopped where `should_stop` says so between steps. Arrays of
    64-bit whole numbers are taken as they are.
    """
    stop_if(should_stop)
    if len(weights) > SHORT:
        found = _of_arrays(weights, values, capacity, states, should_stop)
        if found is not None:
            return found
    weights, values = _plain(weights), _plain(values)
    lightest = min(weights, default=1)
    if lightest < 0:
        raise ValueError("a weight is negative")
    fitting = [
        item for item, weight in enumerate(weights) if weight <= capacity and values[item] > 0
    ]
    items = fitting if lightest else [item for item in fitting if weights[item]]
    if sum([weights[item] for item in items]) <= capacity:
        return _all_of(fitting, sum([values[item] for item in fitting]))
    found = _of_lists(weights, values, items, capacity, states, should_stop)
    if len(items) == len(fitting):
        return found
    return _with_free(found, [item for item in fitting if not weights[item]], values)


def upper_bound(
    weights: Sequence[int],
    values: Sequence[int],
    capacity: int,
    *,
    states: int,
    should_stop: Stop | None = None,
) -> int:
    """What `solve` proves within `states` alone, without a table: no set is worth more.

    Of items that weigh something and fit.
    """
    items = [i for i, weight in enumerate(weights) if 0 < weight <= capacity and values[i] > 0]
    if sum([weights[item] for item in items]) <= capacity:
        return sum([values[item] for item in items])
    if len(items) <= SHORT:
        limit = min(states, SHORT_STATES)
        return solve_short(weights, values, items, capacity, limit, should_stop).bound
    import numpy as np

    from ctxpack.knapsack.long import solve_long

    heavy = np.array([weights[item] for item in items], dtype=np.int64)
    worth = np.array([values[item] for item in items], dtype=np.int64)
    if not _safe(heavy, worth):
        return sum([values[item] for item in items])
    names = np.array(items, dtype=np.int64)
    return solve_long(heavy, worth, names, capacity, states, should_stop).bound


def _plain(numbers: Sequence[int] | Ints) -> Sequence[int]:
    """Python's whole numbers, which never overflow."""
    if isinstance(numbers, (list, tuple)):
        return numbers
    plain: list[int] = list(map(int, numbers))
    return plain


def _safe(weights: Ints, values: Ints) -> bool:
    """Whether no product of numpy's whole numbers overflows, and every density sorts exactly."""
    heaviest, dearest = int(weights.max()), int(values.max())
    total = float(weights.sum(dtype="float64"))
    return heaviest * dearest < EXACT_QUOTIENTS and total * dearest < LARGEST / 2


def _of_lists(
    weights: Sequence[int],
    values: Sequence[int],
    items: list[int],
    capacity: int,
    states: int,
    should_stop: Stop | None,
) -> Solution:
    """Plain Python first; where that is not enough, the rows, or numpy's search."""
    first = solve_short(weights, values, items, capacity, min(states, SHORT_STATES), should_stop)
    if first.settled:
        return first
    heavy, worth = [weights[item] for item in items], [values[item] for item in items]
    if len(items) * (capacity + 1) <= TABLE_CELLS and sum(worth) < LARGEST:
        return _by_rows(heavy, worth, items, capacity, first.states, should_stop)
    if len(items) <= SHORT and max(heavy) * max(worth) < EXACT_QUOTIENTS:
        import numpy as np

        arrays = np.array(heavy, dtype=np.int64), np.array(worth, dtype=np.int64)
        if _safe(*arrays):
            names = np.array(items, dtype=np.int64)
            return _by_states(*arrays, names, capacity, states, should_stop)
    limit = min(states, MASK_BITS // len(weights))
    return solve_short(weights, values, items, capacity, limit, should_stop)


def _of_arrays(
    weights: Sequence[int] | Ints,
    values: Sequence[int] | Ints,
    capacity: int,
    states: int,
    should_stop: Stop | None,
) -> Solution | None:
    """A long list; None where numpy's whole numbers are too small for it."""
    import numpy as np

    try:
        weights, values = np.array(weights, dtype=np.int64), np.array(values, dtype=np.int64)
    except OverflowError:
        return None
    if int(weights.min()) < 0:
        raise ValueError("a weight is negative")
    capacity = min(capacity, np.iinfo(np.int64).max)
    fitting = np.flatnonzero((weights <= capacity) & (values > 0))
    items = fitting[weights[fitting] > 0]
    heavy, worth = weights[items], values[items]
    if len(items) and not _safe(heavy, worth):
        return None
    if int(heavy.sum()) <= capacity:
        return _all_of(fitting.tolist(), int(values[fitting].sum()))
    found = _by_states(heavy, worth, items, capacity, states, should_stop)
    if len(items) == len(fitting):
        return found
    return _with_free(found, fitting[weights[fitting] == 0].tolist(), _plain(values))


def _by_states(
    weights: Ints,
    values: Ints,
    items: Ints,
    capacity: int,
    states: int,
    should_stop: Stop | None,
) -> Solution:
    """The search, and the rows where it could not prove the optimum or settle a small table."""
    from ctxpack.knapsack.long import TIED, solve_long

    cells = len(items) * (capacity + 1)
    tied = max(TIED, cells // CELLS_PER_STATE) if cells <= TABLE_CELLS else TIED
    found = solve_long(weights, values, items, capacity, states, should_stop, tied=tied)
    if cells > ROWS_CELLS or found.settled or (found.proven and cells > TABLE_CELLS):
        return found
    return _by_rows(
        weights.tolist(), values.tolist(), items.tolist(), capacity, found.states, should_stop
    )


def _by_rows(
    weights: list[int],
    values: list[int],
    items: list[int],
    capacity: int,
    states: int,
    should_stop: Stop | None,
) -> Solution:
    """The table of decisions: always proven, always by the tie rule."""
    per = gcd(*weights)
    rows = decide_rows([weight // per for weight in weights], values, capacity // per, should_stop)
    places = rows.walk_back(capacity // per)
    value = sum([values[place] for place in places])
    return Solution(tuple([items[place] for place in places]), value, value, states, settled=True)


def _all_of(items: list[int], value: int) -> Solution:
    return Solution(tuple(items), value, value, settled=True)


def _with_free(found: Solution, free: list[int], values: Sequence[int]) -> Solution:
    """Items of value that weigh nothing are in every best set."""
    extra = sum([values[item] for item in free])
    return replace(
        found,
        taken=tuple(sorted((*found.taken, *free))),
        value=found.value + extra,
        bound=found.bound + extra,
    )
