"""The smallest single changes that let a chunk in, or put it out, each packed to make sure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from ctxpack.explaining.first_such import first_such
from ctxpack.explaining.holding import Holding
from ctxpack.explaining.single_bans import pin_ban, single_ban
from ctxpack.explaining.trials import Trials
from ctxpack.naming import unique_names
from ctxpack.result import Skipped

Amount = int | float | str | bool | None

JOINED = 32
"""How many tokens past an edge are tried, where the joined text takes more than its parts."""

SEARCHED = 6
"""Larger budgets that are tried under ordered, where each is a search of its own."""

BEST = 3
"""How many of the best-scored are tried as bans where a score was too low."""

ROOM = ("too_long", "no_room", "after_stop", "not_chosen")
"""The reasons of a chunk that was left out for want of room."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One change of the settings, or of the chunk, that turns the verdict.

    `kind` and `amount`: `budget` tokens more, below 0 less (under ordered not always the fewest);
    `strategy` its name; `pin`, `unpin` and `unban` None; `ban` the id of another chunk, which is
    then no pin any more; `shorten` tokens fewer; `max_chunks`, `cutoff`, `margin` and `dedupe` the
    new value, None to switch it off; `cliff` False. `verified` says that packing again with this
    very change turns the verdict. It is False only for a filter that the change takes away where
    something else then leaves it out.
    """

    kind: str
    amount: Amount
    verified: bool


def letting_in(
    tried: Trials, chunk: Skipped, held: Mapping[str, Holding], took: Sequence[str]
) -> Iterator[Change]:
    """What lets a skipped chunk in: budget, strategy, pin, ban, shorten, or else the filter first.

    `held` are the budgets at which it is in, by strategy. Only the filters' changes can be
    unverified. A shortened chunk keeps its value, and the window is then not counted as joined.
    """
    if chunk.reason == "invalid":
        return
    yield from _past_filter(tried, chunk)
    if chunk.reason in ROOM:
        if tried.settings.strategy == "ordered":
            yield from _larger_budget(tried, chunk)
        yield from _budgets(tried, chunk.id, held[tried.settings.strategy], is_in=True)
        yield from _strategies(tried, chunk.id, held, is_in=True)
    pinned = tried.weighed(chunk.id).pinned
    if not pinned and tried.holds(chunk.id, pins=(*tried.settings.pins, chunk.id)):
        yield Change(kind="pin", amount=None, verified=True)
    if chunk.reason != "banned":
        likely = [*took, *_in_the_way(tried, chunk)]
        banned = pin_ban(tried, chunk.id) if pinned else single_ban(tried, chunk.id, likely)
        if banned is not None:
            yield Change(kind="ban", amount=banned, verified=True)
    if chunk.reason in ROOM:
        fewer = _tokens_fewer(tried, chunk)
        if fewer is not None:
            yield Change(kind="shorten", amount=fewer, verified=True)


def putting_out(tried: Trials, chunk_id: str, held: Mapping[str, Holding]) -> Iterator[Change]:
    """What puts a packed chunk out: the nearest budgets, strategies that leave it, its pin off."""
    yield from _budgets(tried, chunk_id, held[tried.settings.strategy], is_in=False)
    yield from _strategies(tried, chunk_id, held, is_in=False)
    if tried.weighed(chunk_id).pinned and _out_unpinned(tried, chunk_id):
        yield Change(kind="unpin", amount=None, verified=True)


def budget_more(tried: Trials, chunk_id: str, held: Holding) -> int | None:
    """Tokens to the smallest larger budget at which it is in, with the text counted as joined."""
    return _nearest(tried, chunk_id, held.larger, is_in=True)


def _budgets(tried: Trials, chunk_id: str, held: Holding, *, is_in: bool) -> Iterator[Change]:
    """The nearest budgets on either side that turn the verdict, the smallest step first."""
    ways = (held.larger, held.smaller) if is_in else (held.larger_without, held.smaller_without)
    found = [_nearest(tried, chunk_id, way, is_in=is_in) for way in ways]
    for amount in sorted((step for step in found if step is not None), key=abs):
        yield Change(kind="budget", amount=amount, verified=True)


def _larger_budget(tried: Trials, chunk: Skipped) -> Iterator[Change]:
    """A larger budget at which ordered has it in: of SEARCHED, the first and each twice as far."""
    needed, left = chunk.detail.get("needed", 1), chunk.detail.get("left", 0)
    step = max(1, needed - left)
    for _ in range(SEARCHED):
        packed = tried.packed(budget=tried.settings.budget + step)
        if packed is not None and chunk.id in packed:
            yield Change(kind="budget", amount=step, verified=True)
            return
        if step > tried.everything:
            return
        step *= 2


def _nearest(
    tried: Trials, chunk_id: str, onward: Callable[[int], int | None], *, is_in: bool
) -> int | None:
    """Tokens to the first budget of those that `onward` names one after another that does it."""
    at = onward(tried.settings.budget)
    for _ in range(JOINED):
        if at is None:
            return None
        packed = tried.packed(budget=at)
        if packed is not None and (chunk_id in packed) == is_in:
            return at - tried.settings.budget
        at = onward(at)
    return None


def _in_the_way(tried: Trials, chunk: Skipped) -> list[str]:
    """Whose ban could move the filter that took it: who was kept for it, or scores best."""
    if chunk.reason == "duplicate":
        return [chunk.detail["of"]]
    if chunk.reason not in ("below_cutoff", "below_cliff"):
        return []
    scored = [one for one in tried.contest().free if one.score is not None]
    best = sorted(scored, key=lambda one: -(one.score or 0.0))
    # The best one sets the bar of a cut-off; the last above a cliff makes its height.
    return [one.id for one in (*best[:BEST], *best[-1:])]


def _out_unpinned(tried: Trials, chunk_id: str) -> bool:
    """Whether a packed pin is out once it is a pin no more."""
    given = tried.retrieved.candidates
    names = unique_names([candidate.id for candidate in given])
    free = tuple(
        msgspec.structs.replace(candidate, pinned=False) if name == chunk_id else candidate
        for candidate, name in zip(given, names, strict=True)
    )
    without = replace(tried, retrieved=replace(tried.retrieved, candidates=free))
    pins = tuple(pin for pin in tried.settings.pins if pin != chunk_id)
    packed = without.packed(pins=pins)
    return packed is not None and chunk_id not in packed


def _strategies(
    tried: Trials, chunk_id: str, held: Mapping[str, Holding], *, is_in: bool
) -> Iterator[Change]:
    budget = tried.settings.budget
    for strategy, one in held.items():
        told = one.known is None or budget <= one.known
        if strategy == tried.settings.strategy or (told and one.holds(budget) != is_in):
            continue
        packed = tried.packed(strategy=strategy)
        if packed is not None and (chunk_id in packed) == is_in:
            yield Change(kind="strategy", amount=strategy, verified=True)


def _tokens_fewer(tried: Trials, chunk: Skipped) -> int | None:
    """The fewest tokens by which it must be shorter; it never helps to be longer."""
    tokens = tried.weighed(chunk.id).tokens

    def is_in(fewer: int) -> bool:
        return tried.shortened(chunk.id, tokens - fewer).would_hold(chunk.id)

    if tokens < 2 or not is_in(tokens - 1):
        return None
    needed, left = chunk.detail.get("needed"), chunk.detail.get("left")
    below, at = 0, tokens - 1
    if isinstance(needed, int) and isinstance(left, int) and 0 < needed - left < at:
        # Where its turn comes no sooner for being short, this is the answer.
        if is_in(needed - left):
            at = needed - left
        if not is_in(needed - left - 1):
            below = needed - left - 1
    fewer = first_such(below, at, is_in)
    return fewer if tried.shortened(chunk.id, tokens - fewer).holds(chunk.id) else None


def _past_filter(tried: Trials, chunk: Skipped) -> Iterator[Change]:
    """The value of the filter that took it at which it would not, where that suffices for it."""
    detail = chunk.detail
    ways: list[tuple[str, Amount, dict[str, Any]]] = []
    if chunk.reason == "banned":
        bans = tuple(ban for ban in tried.settings.bans if ban != chunk.id)
        ways = [("unban", None, {"bans": bans})]
    elif chunk.reason == "over_count":
        ways = [("max_chunks", detail["place"], {"max_chunks": detail["place"]})]
    elif chunk.reason == "below_cutoff":
        names = [name for name in ("cutoff", "margin") if name in detail]
        ways = [(name, detail[name], {name: detail[name]}) for name in names]
    elif chunk.reason == "below_cliff":
        ways = [("cliff", False, {"cliff": False})]
    elif chunk.reason == "duplicate" and tried.settings.dedupe is not None:
        above = _just_above(detail["similarity"])
        ways = [("dedupe", amount, {"dedupe": amount}) for amount in dict.fromkeys((above, None))]
    changes = [_loosened(tried, chunk.id, *way) for way in ways]
    found = [change for change in changes if change is not None]
    # A smaller step that lets it in makes the larger one needless.
    yield from [change for change in found if change.verified][:1] or found[:1]


def _loosened(
    tried: Trials, chunk_id: str, kind: str, amount: Amount, changes: dict[str, Any]
) -> Change | None:
    """The change, verified where the chunk is then in; None where a filter still takes it."""
    result = tried.pack(**changes)
    if result is None:
        return None
    reasons = {out.id: out.reason for out in result.skipped}
    if reasons.get(chunk_id, ROOM[0]) not in ROOM:
        return None
    return Change(kind=kind, amount=amount, verified=chunk_id not in reasons)


def _just_above(similarity: float) -> float | None:
    """A similarity of three digits above this one; None, which is off, where there is none."""
    above = math.floor(similarity * 1000 + 1) / 1000
    return above if above <= 1 else None
