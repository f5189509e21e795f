"""Who else got a chunk: how many runs, and since when."""

from __future__ import annotations

from typing import NamedTuple

from logs.conditions import Ask
from logs.schema import BLOCK_BITS


class ChunkUse(NamedTuple):
    """Runs that had a chunk as a candidate, and that packed it; times as logged, first and last."""

    runs: int
    packed: int
    first: str | None
    last: str | None


_HAD = f"""
    WITH RECURSIVE blocks (block) AS (
      SELECT (SELECT max(run) FROM runs) >> {BLOCK_BITS}
      UNION ALL SELECT block - 1 FROM blocks WHERE block > 0
    )
    SELECT count(*) AS runs, coalesce(sum(c.outcome = 'packed'), 0) AS packed,
           min(r.time_us) AS first, max(r.time_us) AS last
    FROM blocks CROSS JOIN candidates AS c
      ON c.run >> {BLOCK_BITS} = blocks.block
      AND c.chunk IN (SELECT chunk FROM chunks WHERE id = ?)
    CROSS JOIN runs AS r ON r.run = c.run
"""


def use_of(ask: Ask, chunk: str) -> ChunkUse:
    """The use of the chunk with this id, whatever its text was at the time."""
    runs, packed, first, last = ask(_HAD, (chunk,))[0]
    at = "SELECT time FROM runs WHERE time_us = ? LIMIT 1"
    times = [None if moment is None else ask(at, (moment,))[0][0] for moment in (first, last)]
    return ChunkUse(runs, packed, times[0], times[1])
