"""Why a chunk is in or out, as text: the verdict first, then who took its room, then what helps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxpack.reasons import tokens_in_words
from tui.cli.output import Column, labelled, number, table
from tui.why_words import (
    change_words,
    no_change_words,
    spans_words,
    term_words,
    took_words,
    verdict_words,
)

if TYPE_CHECKING:
    from ctxpack.explaining.why import Why

_BUDGETS = (Column("STRATEGY"), Column("NOW"), Column("IN AT BUDGETS OF", most=400))


def why_lines(why: Why, room: int) -> Iterator[str]:
    """The answer in lines of at most `room` cells."""
    yield from labelled(why.verdict.upper(), _verdict(why), room)
    yield from labelled("by", _by(why), room)
    for place, line in enumerate(took_words(why)):
        yield from labelled("" if place else "room took", line, room)
    what = "in with" if why.verdict == "skipped" else "out with"
    told = [change for change in why.changes if change.verified]
    for place, change in enumerate(told):
        yield from labelled("" if place else what, change_words(change, why), room)
    if not told:
        yield from labelled(what, no_change_words(why), room)
    for change in why.changes:
        if not change.verified:
            said = f"{change_words(change, why)}: past the filter, but still not in"
            yield from labelled("not with", said, room)
    terms = term_words(why)
    if terms:
        yield from labelled("words", terms, room)
    yield ""
    yield from table(_BUDGETS, [*_budgets(why)], room)


def _verdict(why: Why) -> str:
    numbers = f"{why.id}: " + ", ".join(
        [
            f"rank {number(why.rank)}",
            "- tokens" if why.tokens is None else tokens_in_words(why.tokens),
            f"value {why.value:.3f}",
        ]
    )
    said = verdict_words(why)
    return f"{numbers}; {said}" if said else numbers


def _by(why: Why) -> str:
    place = f", number {why.place:,} in its order" if why.place is not None else ""
    return f"strategy {why.strategy} at a budget of {why.budget:,} tokens{place}"


def _budgets(why: Why) -> Iterator[tuple[str, str, str]]:
    for strategy, spans in why.in_at.items():
        known = why.known_to.get(strategy)
        held = any(
            low <= why.budget and (high is None or why.budget <= high) for low, high in spans
        )
        now = "in" if held else "out"
        if known is not None and known < why.budget:
            packed = any(chunk.id == why.id for chunk in why.packing.packed)
            now = ("in" if packed else "out") if strategy == why.strategy else "?"
        yield strategy, now, spans_words(spans, known)
