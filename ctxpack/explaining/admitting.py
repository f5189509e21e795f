"""The smallest single change of a run's settings that lets a chunk in, found by packing again."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.errors import InputError
from ctxpack.explaining.changes import budget_more
from ctxpack.explaining.holding import held_in
from ctxpack.explaining.trials import Trials, trials
from ctxpack.record import Record
from ctxpack.replay import logged_settings, retrieved
from ctxpack.settings import STRATEGIES
from ctxpack.window import window_total


def smallest_change(record: Record, chunk_ids: Sequence[str]) -> str:
    """One sentence: what lets one of the chunks in, verified by packing with the logged counts.

    Where no budget, strategy or pin helps, it says so.
    """
    settings = logged_settings(record).settings
    given = retrieved(record, settings)
    try:
        again = given.pack(settings)
        tried = trials(given, settings)
    except InputError as error:
        return f"The logged candidates cannot be packed again: {error}"
    if any(chunk.id in chunk_ids for chunk in again.packed):
        return (
            f"Packing the logged candidates again by {settings.strategy} at {settings.budget} "
            "tokens keeps it: the assembler did something else."
        )
    ways = []
    more = _smallest_budget(tried, chunk_ids)
    if more is not None:
        budget = settings.budget + more
        ways.append(f"a budget of {budget} tokens (+{more}{_beyond(record, more)})")
    ways.extend(
        f"strategy {strategy}"
        for strategy in STRATEGIES
        if not {*chunk_ids}.isdisjoint(tried.packed(strategy=strategy) or ())
    )
    pins = tuple(dict.fromkeys((*settings.pins, chunk_ids[0])))
    if not {*chunk_ids}.isdisjoint(tried.packed(pins=pins) or ()):
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


def _smallest_budget(tried: Trials, chunk_ids: Sequence[str]) -> int | None:
    """Tokens more that let one of the chunks in, the fewest that do."""
    strategy = tried.settings.strategy
    held = [(name, held_in(tried, strategy, name)) for name in chunk_ids]
    enough = [budget_more(tried, name, one) for name, one in held]
    return min((more for more in enough if more is not None), default=None)
