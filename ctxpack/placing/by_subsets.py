"""The best order of few chunks, under any curve: a table over all subsets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxpack.placing.spans import Spans

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Wholes = NDArray[np.int64]

MOST = 12
"""Chunks of which every subset is looked at: 4,096 of them."""

_UNIT = float(1 << 50)


def order_by_subsets(spans: Spans) -> tuple[int, ...]:
    """The order of most use; among equal ones the earliest listed chunks stand first.

    Where a chunk starts depends only on the set before it (Held and Karp's recurrence), so the
    best order of every set is found from those of one chunk less. Uses are whole numbers of
    2^-50 of the largest value, so that equal orders are found equal. For at most MOST chunks.
    """
    import numpy as np

    chunks = len(spans.tokens)
    sizes = [tokens + spans.separator for tokens in spans.tokens]
    masks = np.arange(1 << chunks)
    before = np.full(1 << chunks, spans.ahead, dtype=np.int64)
    members = np.zeros(1 << chunks, dtype=np.int64)
    for chunk, size in enumerate(sizes):
        inside = masks >> chunk & 1
        before += inside * size
        members += inside
    uses = _uses(spans, before, masks)
    best = np.full(1 << chunks, -1, dtype=np.int64)
    last = np.zeros(1 << chunks, dtype=np.int8)
    best[0] = 0
    for count in range(1, chunks + 1):
        layer = np.flatnonzero(members == count)
        for chunk in range(chunks):
            those = layer[(layer >> chunk & 1).astype(bool)]
            without = those ^ (1 << chunk)
            reached = best[without] + uses[chunk][without]
            # The later of equal ones goes last, so that the earlier listed come first.
            better = reached >= best[those]
            best[those[better]] = reached[better]
            last[those[better]] = chunk
    order: list[int] = []
    rest = (1 << chunks) - 1
    while rest:
        order.append(int(last[rest]))
        rest ^= 1 << order[-1]
    return tuple(reversed(order))


def _uses(spans: Spans, before: Wholes, masks: Wholes) -> list[Wholes]:
    """For each chunk, what it gives after every set that lacks it, in whole numbers."""
    import numpy as np

    largest = max(spans.values, default=0.0) or 1.0
    found = []
    for chunk, value in enumerate(spans.values):
        uses = np.zeros(len(masks), dtype=np.int64)
        lacking = np.flatnonzero(masks >> chunk & 1 == 0)
        places, which = np.unique(before[lacking], return_inverse=True)
        middles = (places + spans.tokens[chunk] / 2) / (spans.total or 1)
        chances = spans.curve.chances(middles if spans.total else np.full(len(places), 0.5))
        uses[lacking] = np.rint(value / largest * chances * _UNIT / len(spans.values))[which]
        found.append(uses)
    return found
