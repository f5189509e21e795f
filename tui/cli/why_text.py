"""Why a chunk is in or out, as text: the verdict first, then who took its room, then what helps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ctxpack.reasons import in_words
from tui.cli.output import Column, labelled, number, table

if TYPE_CHECKING:
    from ctxpack.explaining.changes import Change
    from ctxpack.explaining.why import Why
    from ctxpack.weighed import Span

_BUDGETS = (Column("STRATEGY"), Column("NOW"), Column("IN AT BUDGETS OF", most=400))
_SPANS = 4
_TERMS = 8


def why_lines(why: Why, room: int) -> Iterator[str]:
    """The answer in lines of at most `room` cells."""
    yield from labelled(why.verdict.upper(), _verdict(why), room)
    yield from labelled("by", _by(why), room)
    for place, line in enumerate(_took(why)):
        yield from labelled("" if place else "room took", line, room)
    what = "in with" if why.verdict == "skipped" else "out with"
    told = [change for change in why.changes if change.verified]
    for place, change in enumerate(told):
        yield from labelled("" if place else what, change_words(change, why), room)
    if not told:
        yield from labelled(what, _no_change(why), room)
    for change in why.changes:
        if not change.verified:
            said = f"{change_words(change, why)}: past the filter, but still not in"
            yield from labelled("not with", said, room)
    if any(term.score > 0 for term in why.terms):
        yield from labelled("words", ", ".join(_terms(why)), room)
    yield ""
    yield from table(_BUDGETS, [*_budgets(why)], room)


def change_words(change: Change, why: Why) -> str:
    """One change in words: what a person would do."""
    amount = change.amount
    if change.kind == "budget" and isinstance(amount, int):
        return f"a budget of {why.budget + amount:,} tokens ({amount:+,})"
    if change.kind == "shorten" and isinstance(amount, int):
        return f"it shorter by {amount:,} of its {number(why.tokens)} tokens"
    if change.kind == "pin":
        return "pinning it"
    if change.kind == "unban":
        return "taking it off the bans"
    if change.kind == "ban":
        return f"banning {amount}"
    if amount is None or amount is False:
        return f"{change.kind} off"
    shown = f"{amount:.6g}" if isinstance(amount, float) else amount
    return f"{change.kind.replace('_', '-')} {shown}"


def _verdict(why: Why) -> str:
    numbers = f"{why.id}: " + ", ".join(
        [
            f"rank {number(why.rank)}",
            f"{number(why.tokens)} tokens",
            f"value {why.value:.3f}",
        ]
    )
    if why.verdict == "packed":
        return numbers
    return f"{numbers}; {in_words(why.reason, why.detail, why.tokens)}"


def _by(why: Why) -> str:
    place = f", number {why.place:,} in its order" if why.place is not None else ""
    return f"strategy {why.strategy} at a budget of {why.budget:,} tokens{place}"


def _took(why: Why) -> Iterator[str]:
    packed = {chunk.id: chunk for chunk in why.packing.packed}
    for name in why.took_room:
        chunk = packed.get(name)
        if chunk is None:
            yield name
        else:
            numbers = f"{chunk.tokens:,} tokens, value {chunk.value:.3f}"
            yield f"{name}: rank {number(chunk.rank)}, {numbers}"


def _no_change(why: Why) -> str:
    if why.verdict == "packed":
        return "no smaller budget and no other strategy: it stays in"
    if any("did something else" in sentence for sentence in why.said):
        return "no change of the packer: the assembler did something else"
    return "no single change that was found"


def _terms(why: Why) -> Iterator[str]:
    held = [term for term in why.terms if term.score > 0]
    for term in held[:_TERMS]:
        yield f"{term.term} {term.share:.0%}"
    if len(held) > _TERMS:
        yield f"{len(held) - _TERMS:,} more"


def _budgets(why: Why) -> Iterator[tuple[str, str, str]]:
    for strategy, spans in why.in_at.items():
        known = why.known_to.get(strategy)
        held = any(
            low <= why.budget and (high is None or why.budget <= high) for low, high in spans
        )
        now = "in" if held else "out"
        if not held and known is not None and known < why.budget:
            now = "?"
        said = spans_words(spans)
        if known is not None:
            said += f"; past {known:,} not known"
        yield strategy, now, said


def spans_words(spans: Sequence[Span]) -> str:
    """Spans of budgets, the first of them and the last: `40 to 60, 75, 9 more, 120 and up`."""
    if not spans:
        return "none"
    words = [_span(span) for span in spans]
    if len(words) > _SPANS:
        words = [*words[: _SPANS - 1], f"{len(words) - _SPANS:,} more", words[-1]]
    return ", ".join(words)


def _span(span: Span) -> str:
    low, high = span
    if high is None:
        return f"{low:,} and up"
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
