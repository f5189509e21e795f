"""Why a chunk is in or out, in words: what both the command and the app say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ctxpack.reasons import in_words, tokens_in_words

if TYPE_CHECKING:
    from ctxpack.explaining.changes import Change
    from ctxpack.explaining.why import Why
    from ctxpack.weighed import Span

_SPANS = 4
_TERMS = 8
_DIGITS = 6


def change_words(change: Change, why: Why) -> str:
    """One change in words: what a person would do."""
    amount = change.amount
    if change.kind == "budget" and isinstance(amount, int):
        return f"a budget of {why.budget + amount:,} tokens ({amount:+,})"
    if change.kind == "shorten" and isinstance(amount, int):
        of = "" if why.tokens is None else f" of its {why.tokens:,}"
        return f"it shorter by {amount:,}{of} tokens"
    if change.kind == "pin":
        return "pinning it"
    if change.kind == "unpin":
        return "taking its pin off"
    if change.kind == "unban":
        return "taking it off the bans"
    if change.kind == "ban":
        return f"banning {amount}"
    if amount is None or amount is False:
        return f"{change.kind} off"
    shown = _no_less(amount) if isinstance(amount, float) else amount
    return f"{change.kind.replace('_', '-')} {shown}"


def verdict_words(why: Why) -> str:
    """Why it is out, and whether it is a pin; nothing of a packed chunk that is none."""
    pinned = bool(why.detail.get("pinned"))
    if why.verdict == "packed":
        return "pinned" if pinned else ""
    said = in_words(why.reason, why.detail, why.tokens)
    return f"pinned, but {said}" if pinned else said


def no_change_words(why: Why) -> str:
    """What is said where nothing that was tried helps."""
    if why.tokens is None and why.verdict == "packed":
        return "nothing that can be tried: its tokens are not known"
    if any("did something else" in sentence for sentence in why.said):
        return "no change of the packer: the assembler did something else"
    if why.verdict == "packed":
        return "no other budget and no other strategy: it stays in"
    return "no single change that was found"


def took_words(why: Why) -> Iterator[str]:
    """Each chunk that took the room, with its numbers."""
    packed = {chunk.id: chunk for chunk in why.packing.packed}
    for name in why.took_room:
        chunk = packed.get(name)
        if chunk is None:
            yield name
        else:
            rank = "" if chunk.rank is None else f"rank {chunk.rank:,} "
            yield f"{rank}{name}: {tokens_in_words(chunk.tokens)}, value {chunk.value:.3f}"


def term_words(why: Why) -> str:
    """The words of the query that its score is made of, largest share first; may be nothing."""
    held = [term for term in why.terms if term.score > 0]
    shown = [f"{term.term} {term.share:.0%}" for term in held[:_TERMS]]
    if len(held) > _TERMS:
        shown.append(f"{len(held) - _TERMS:,} more")
    return ", ".join(shown)


def spans_words(spans: Sequence[Span], known: int | None = None) -> str:
    """Spans of budgets, the first of them and the last: `40 to 60, 75, 9 more, 120 and up`.

    `known` is the budget up to which they are known, where that is not all.
    """
    words = [_span(span) for span in spans]
    if len(words) > _SPANS:
        words = [*words[: _SPANS - 1], f"{len(words) - _SPANS:,} more", words[-1]]
    if known == 0 and not words:
        return "not worked out: each budget is a search of its own"
    said = ", ".join(words) or "none"
    return said if known is None else f"{said}; past {known:,} not known"


def _span(span: Span) -> str:
    low, high = span
    if high is None:
        return f"{low:,} and up"
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _no_less(amount: float) -> str:
    """A number in six digits that is not below it: a bar typed as it is shown lets the chunk in."""
    shown = f"{amount:.{_DIGITS}g}"
    if float(shown) >= amount:
        return shown
    unit = 10.0 ** (math.floor(math.log10(abs(amount))) + 1 - _DIGITS)
    return f"{float(shown) + unit:.{_DIGITS}g}"
