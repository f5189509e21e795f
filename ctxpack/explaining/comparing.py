"""Every strategy on the same candidates, side by side, and what each gave up against top."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import msgspec

from ctxpack.errors import Stop
from ctxpack.result import PackResult, result_json
from ctxpack.retrieved import Retrieved
from ctxpack.settings import STRATEGIES, Settings


@dataclass(frozen=True)
class Compared:
    """One strategy's packing, and how it differs from what top packs.

    `gave_up` are the ids that top has in and this strategy has not, `gained` the other way round,
    both in rank order; `more_value` is its value less top's. The medians are tokens of a chunk:
    of those packed, and of all considered whose tokens are known; None where there is none.
    """

    result: PackResult
    gave_up: tuple[str, ...]
    gained: tuple[str, ...]
    more_value: float
    median_packed: float | None
    median_considered: float | None

    def as_json(self) -> dict[str, Any]:
        """The packing as the command prints it, with what was found by comparing."""
        return result_json(self.result) | {
            "gave_up": [*self.gave_up],
            "gained": [*self.gained],
            "more_value": self.more_value,
            "median_packed": self.median_packed,
            "median_considered": self.median_considered,
        }


def compare(
    retrieved: Retrieved,
    settings: Settings,
    strategies: Sequence[str] = STRATEGIES,
    *,
    should_stop: Stop | None = None,
) -> tuple[Compared, ...]:
    """Pack by each of `strategies` under otherwise the same settings.

    Raises InputError and Stopped as `pack` does.
    """
    top = _packed(retrieved, settings, "top", should_stop)
    packed = (
        top if strategy == "top" else _packed(retrieved, settings, strategy, should_stop)
        for strategy in strategies
    )
    return tuple(against_top(result, top) for result in packed)


def against_top(result: PackResult, top: PackResult) -> Compared:
    """One packing against top's of the same candidates."""
    mine = {chunk.id for chunk in result.packed}
    theirs = {chunk.id for chunk in top.packed}
    sizes = [chunk.tokens for chunk in result.packed]
    known = [chunk.tokens for chunk in result.skipped if chunk.tokens is not None]
    return Compared(
        result=result,
        gave_up=_by_rank(top, theirs - mine),
        gained=_by_rank(result, mine - theirs),
        more_value=result.value - top.value,
        median_packed=median(sizes) if sizes else None,
        median_considered=median(sizes + known) if sizes or known else None,
    )


def value_bound(compared: Iterable[Compared]) -> float | None:
    """What no choice is worth more than: the lowest bound on the value of them all.

    They choose among the same chunks. None where none of them is bounded in its value.
    """
    results = (one.result for one in compared)
    return min((one.bound for one in results if one.bound_on == "value"), default=None)


def _packed(
    retrieved: Retrieved, settings: Settings, strategy: str, should_stop: Stop | None
) -> PackResult:
    chosen = msgspec.structs.replace(settings, strategy=strategy)
    return retrieved.pack(chosen, should_stop=should_stop)


def _by_rank(result: PackResult, wanted: set[str]) -> tuple[str, ...]:
    chunks = [chunk for chunk in result.packed if chunk.id in wanted]
    chunks.sort(key=lambda chunk: (chunk.rank is None, chunk.rank or 0))
    return tuple(chunk.id for chunk in chunks)
