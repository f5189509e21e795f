"""The smallest single change of a run's settings that lets a chunk in, found by packing again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ctxpack.errors import InputError
from ctxpack.record import Record
from ctxpack.replay import logged_separator, logged_settings, repack
from ctxpack.settings import STRATEGIES, Settings
from ctxpack.similarity import Likeness
from ctxpack.window import window_total


def smallest_change(record: Record, chunk_ids: Sequence[str], packings: int) -> str:
    """One sentence: what lets one of the chunks in, best-ranked first, verified by packing.

    Packs with the logged counts, and looks for the smallest budget in about `packings` weighed
    candidates. Where no budget within reach, strategy or pin helps, it says so.
    """
    settings = logged_settings(record).settings
    likeness = Likeness()
    try:
        again = repack(record, settings, likeness=likeness)
    except InputError as error:
        return f"The logged candidates cannot be packed again: {error}"
    if any(chunk.id in chunk_ids for chunk in again.packed):
        return (
            f"Packing the logged candidates again by {settings.strategy} at {settings.budget} "
            "tokens keeps it: the assembler did something else."
        )
    ways = []
    reach = packings // max(1, len(record.candidates))
    budget = _smallest_budget(record, settings, chunk_ids, reach, likeness)
    if budget is not None:
        more = budget - settings.budget
        ways.append(f"a budget of {budget} tokens (+{more}{_beyond(record, more)})")
    ways.extend(
        f"strategy {strategy}"
        for strategy in STRATEGIES
        if _is_in(record, _with(settings, strategy=strategy), chunk_ids, likeness)
    )
    pins = tuple(dict.fromkeys((*settings.pins, chunk_ids[0])))
    if _is_in(record, _with(settings, pins=pins), chunk_ids, likeness):
        ways.append("pinning it")
    if not ways:
        return "No single change of budget, strategy or pin lets it in: shorten the chunk."
    return f"It is in with {' or '.join(ways)}."


def _beyond(record: Record, more: int) -> str:
    """What to say where the whole window has less room than the evidence would take."""
    total = window_total(record)
    if record.budget is None or total is None:
        return ""
    free = max(0, record.budget - total - (record.reserved_output or 0))
    return f", but the window has {free} free" if more > free else ""


def _smallest_budget(
    record: Record, settings: Settings, chunk_ids: Sequence[str], reach: int, likeness: Likeness
) -> int | None:
    """The smallest larger budget that lets the chunk in; up to `reach` tokens every one is tried.

    Past that, it is looked for in doubling steps and then narrowed, which finds one that works.
    """
    if settings.strategy == "optimal":
        return _narrowed(record, settings, chunk_ids, likeness)
    for extra in range(1, reach + 1):
        if _is_in(record, _with(settings, budget=settings.budget + extra), chunk_ids, likeness):
            return settings.budget + extra
    return _narrowed(record, settings, chunk_ids, likeness)


def _narrowed(
    record: Record, settings: Settings, chunk_ids: Sequence[str], likeness: Likeness
) -> int | None:
    between = logged_separator(record, settings.separator or "") or 0
    everything = sum((candidate.tokens or 0) + between for candidate in record.candidates)
    low, high = settings.budget, max(everything, settings.budget)
    if not _is_in(record, _with(settings, budget=high), chunk_ids, likeness):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if _is_in(record, _with(settings, budget=middle), chunk_ids, likeness):
            high = middle
        else:
            low = middle
    return high


def _is_in(
    record: Record, settings: Settings, chunk_ids: Sequence[str], likeness: Likeness
) -> bool:
    try:
        result = repack(record, settings, likeness=likeness)
    except InputError:
        return False
    return any(chunk.id in chunk_ids for chunk in result.packed)


def _with(settings: Settings, **changes: object) -> Settings:
    return msgspec.structs.replace(settings, **changes)
