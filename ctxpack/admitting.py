"""The smallest single change of a run's settings that lets a chunk in, found by packing again."""

from __future__ import annotations

import msgspec

from ctxpack.errors import InputError
from ctxpack.record import Record
from ctxpack.replay import logged_separator, logged_settings, repack
from ctxpack.settings import STRATEGIES, Settings


def smallest_change(record: Record, chunk_id: str, packings: int) -> str:
    """One sentence: the change that lets the chunk in, each part of it verified by packing.

    Packs with the logged counts, and looks for the smallest budget in about `packings` weighed
    candidates. Where no budget within reach, strategy or pin helps, it says so.
    """
    settings = logged_settings(record).settings
    try:
        again = repack(record, settings)
    except InputError as error:
        return f"The logged candidates cannot be packed again: {error}"
    if any(chunk.id == chunk_id for chunk in again.packed):
        return (
            f"Packing the logged candidates again by {settings.strategy} at {settings.budget} "
            "tokens keeps it: the assembler did something else."
        )
    ways = []
    reach = packings // max(1, len(record.candidates))
    budget = _smallest_budget(record, settings, chunk_id, reach)
    if budget is not None:
        ways.append(f"a budget of {budget} tokens (+{budget - settings.budget})")
    ways.extend(
        f"strategy {strategy}"
        for strategy in STRATEGIES
        if _is_in(record, _with(settings, strategy=strategy), chunk_id)
    )
    pins = tuple(dict.fromkeys((*settings.pins, chunk_id)))
    if _is_in(record, _with(settings, pins=pins), chunk_id):
        ways.append("pinning it")
    if not ways:
        return "No single change of budget, strategy or pin lets it in: shorten the chunk."
    return f"It is in with {' or '.join(ways)}."


def _smallest_budget(record: Record, settings: Settings, chunk_id: str, reach: int) -> int | None:
    """The smallest larger budget that lets the chunk in; up to `reach` tokens every one is tried.

    Past that, it is looked for in doubling steps and then narrowed, which finds one that works.
    """
    if settings.strategy == "optimal":
        return _narrowed(record, settings, chunk_id)
    for extra in range(1, reach + 1):
        if _is_in(record, _with(settings, budget=settings.budget + extra), chunk_id):
            return settings.budget + extra
    return _narrowed(record, settings, chunk_id)


def _narrowed(record: Record, settings: Settings, chunk_id: str) -> int | None:
    between = logged_separator(record, settings.separator or "") or 0
    everything = sum((candidate.tokens or 0) + between for candidate in record.candidates)
    low, high = settings.budget, max(everything, settings.budget)
    if not _is_in(record, _with(settings, budget=high), chunk_id):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if _is_in(record, _with(settings, budget=middle), chunk_id):
            high = middle
        else:
            low = middle
    return high


def _is_in(record: Record, settings: Settings, chunk_id: str) -> bool:
    try:
        result = repack(record, settings)
    except InputError:
        return False
    return any(chunk.id == chunk_id for chunk in result.packed)


def _with(settings: Settings, **changes: object) -> Settings:
    return msgspec.structs.replace(settings, **changes)
