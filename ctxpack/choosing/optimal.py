"""The exact 0/1 knapsack in real tokens, by seed 1's table, never scaled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ctxpack.choosing.fill import too_long
from ctxpack.errors import InputError, Stop, stop_if
from ctxpack.weighed import Choice, Refusal, Weighed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Row = NDArray[np.int64]

CELLS = 400_000_000
"""The largest table that is filled, in cells; a bit each is kept."""

LOSS_CELLS = 4_000_000
"""Up to this many cells, what forcing a chunk in would cost is told as well."""


def optimal(candidates: Sequence[Weighed], room: int, should_stop: Stop | None = None) -> Choice:
    """The set of most worth within `room`.

    Among equal sets it is the one that lacks the worst-ranked chunk in which they differ: a chunk
    is taken only where that strictly beats leaving it out. Raises InputError where the table
    would be larger than CELLS.
    """
    ranked = sorted(candidates, key=lambda candidate: candidate.by_rank)
    fitting = [candidate for candidate in ranked if candidate.cost <= room]
    refused = [too_long(candidate, room) for candidate in ranked if candidate.cost > room]
    capacity = min(room, sum(candidate.cost for candidate in fitting))
    cells = len(fitting) * (capacity + 1)
    if cells > CELLS:
        raise InputError(
            f"optimal would need a table of {cells:,} cells for {len(fitting):,} chunks and "
            f"{capacity:,} tokens; this version fills up to {CELLS:,}: use density or top here."
        )
    stop_if(should_stop)
    taken = _walk_back(fitting, capacity)
    chosen = {candidate.id for candidate in taken}
    left_out = [candidate for candidate in fitting if candidate.id not in chosen]
    losses = _losses(fitting, left_out, capacity) if cells <= LOSS_CELLS else {}
    left = room - sum(candidate.cost for candidate in taken)
    for candidate in left_out:
        detail: dict[str, int | float] = {
            "needed": candidate.tokens,
            "left": candidate.room_in(left),
        }
        if candidate.id in losses:
            detail["loss"] = _as_value(losses[candidate.id], candidates)
        refused.append(Refusal(candidate.id, "not_chosen", detail))
    return Choice(tuple(taken), tuple(refused), exact=True)


def _walk_back(fitting: Sequence[Weighed], capacity: int) -> list[Weighed]:
    import numpy as np

    best = np.zeros(capacity + 1, dtype=np.int64)
    takes = []
    for candidate in fitting:
        best, better = _row(best, candidate)
        takes.append(np.packbits(better))
    taken = []
    at = capacity
    for candidate, bits in zip(reversed(fitting), reversed(takes), strict=True):
        cell = at - candidate.cost
        if cell >= 0 and bits[cell >> 3] >> (7 - (cell & 7)) & 1:
            taken.append(candidate)
            at = cell
    return taken[::-1]


def _row(best: Row, candidate: Weighed) -> tuple[Row, NDArray[np.bool_]]:
    """The next row, and for each cell c whether taking the candidate at c + cost is better."""
    row = best.copy()
    if candidate.cost >= len(best):
        return row, best[:0] > 0
    with_it = best[: len(best) - candidate.cost] + candidate.worth
    better = with_it > best[candidate.cost :]
    row[candidate.cost :][better] = with_it[better]
    return row, better


def _losses(
    fitting: Sequence[Weighed], left_out: Sequence[Weighed], capacity: int
) -> dict[str, int]:
    """Worth lost by forcing each left-out chunk in: the optimum less the best set that holds it."""
    import numpy as np

    before = [np.zeros(capacity + 1, dtype=np.int64)]
    for candidate in fitting:
        before.append(_row(before[-1], candidate)[0])
    after = [np.zeros(capacity + 1, dtype=np.int64)]
    for candidate in reversed(fitting):
        after.append(_row(after[-1], candidate)[0])
    best = int(before[-1][capacity])
    wanted = {candidate.id for candidate in left_out}
    losses = {}
    for place, candidate in enumerate(fitting):
        if candidate.id in wanted:
            rest = capacity - candidate.cost
            heads = before[place][: rest + 1]
            tails = after[len(fitting) - place - 1][: rest + 1][::-1]
            losses[candidate.id] = best - candidate.worth - int((heads + tails).max())
    return losses


def _as_value(loss: int, candidates: Sequence[Weighed]) -> float:
    """A loss in integers, in the unit of the values."""
    largest = max(candidates, key=lambda candidate: candidate.worth)
    return loss * largest.value / largest.worth if largest.worth else 0.0
