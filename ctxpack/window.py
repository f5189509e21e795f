"""The window as sent: where its sections and the packed evidence stand, in tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import add

from ctxpack.curves import Curve
from ctxpack.placement import relative
from ctxpack.record import LoggedCandidate, Record, Section
from ctxpack.replay import order_is_known, packed_in_order
from ctxpack.result import PackResult

EVIDENCE = "evidence"
INSTRUCTIONS = ("system", "tools")
QUESTION = "question"


@dataclass(frozen=True)
class Placed:
    """A packed chunk where it stands: x in the packed evidence, window_x in the whole window.

    `window_x` and `start` are None where the log does not tell. p is the curve's at window_x where
    that is known, else at x.
    """

    chunk: LoggedCandidate
    tokens: int
    start: int | None
    x: float | None
    window_x: float | None
    p: float | None


@dataclass(frozen=True)
class Spot:
    """A chunk's place: x in the packed evidence, window_x in the window where that is known."""

    id: str
    rank: int | None
    x: float
    window_x: float | None


@dataclass(frozen=True)
class SectionShare:
    """A section with its place: `start` tokens before it, `share` of all that was sent."""

    section: Section
    start: int
    share: float


def window_total(record: Record) -> int | None:
    """Tokens of all that was sent (sections, framing, separators, notes), without the reserve."""
    if record.window is not None and record.window.total is not None:
        return record.window.total
    if not record.sections:
        return None
    window = record.window
    around = [window.framing, window.separators, window.notes] if window else []
    return sum(section.tokens for section in record.sections) + sum(n or 0 for n in around)


def sections_in_place(record: Record) -> tuple[SectionShare, ...]:
    """Every section with the tokens before it and its share of the window."""
    total = window_total(record) or 0
    at = 0
    placed = []
    for section in record.sections:
        placed.append(SectionShare(section, at, section.tokens / total if total else 0.0))
        at += section.tokens
    return tuple(placed)


def evidence_used(record: Record) -> int:
    """Tokens of the packed evidence as logged, with what stands between the chunks if it tells."""
    chunks = [chunk for chunk in record.candidates if chunk.outcome == "packed"]
    sizes = [chunk.tokens or 0 for chunk in chunks]
    starts = _logged_starts(chunks)
    if starts is None:
        return sum(sizes)
    return max(sum(sizes), max(map(add, starts, sizes), default=0))


def placed_evidence(record: Record, curve: Curve) -> tuple[Placed, ...]:
    """The packed chunks in window order, each with its place, None where the log does not tell."""
    chunks = packed_in_order(record)
    if any(chunk.tokens is None for chunk in chunks) or not order_is_known(chunks):
        return tuple(Placed(chunk, chunk.tokens or 0, None, None, None, None) for chunk in chunks)
    begins = _starts(chunks)
    total = evidence_used(record)
    placed = []
    for chunk, start in zip(chunks, begins, strict=True):
        tokens = chunk.tokens or 0
        x = relative(start, tokens, total)
        mates = [at for at, c in zip(begins, chunks, strict=True) if c.placed_in == chunk.placed_in]
        ahead = 0 if chunk.placed_in is None else min(mates)
        window_x = _window_x(record, chunk, start - ahead, tokens)
        p = curve.p(x if window_x is None else window_x)
        placed.append(Placed(chunk, tokens, start, x, window_x, p))
    return tuple(placed)


def evidence_start(record: Record, section_index: int | None = None) -> int | None:
    """Tokens of the window before the evidence, or before the given section; None if unknown."""
    shares = sections_in_place(record)
    if section_index is not None and section_index < len(shares):
        return shares[section_index].start
    evidence = [share.start for share in shares if share.section.name == EVIDENCE]
    return evidence[0] if len(evidence) == 1 else None


def _starts(chunks: tuple[LoggedCandidate, ...]) -> list[int]:
    """Logged starts where every chunk has one, from 0; else the sum of what stands before."""
    logged = _logged_starts(chunks)
    if logged is not None:
        return logged
    at, begins = 0, []
    for chunk in chunks:
        begins.append(at)
        at += chunk.tokens or 0
    return begins


def _logged_starts(chunks: Sequence[LoggedCandidate]) -> list[int] | None:
    logged = [chunk.start for chunk in chunks if chunk.start is not None]
    return logged if len(logged) == len(chunks) and min(logged, default=0) == 0 else None


def _window_x(record: Record, chunk: LoggedCandidate, start: int, tokens: int) -> float | None:
    total = window_total(record)
    before = evidence_start(record, chunk.placed_in)
    if total is None or before is None:
        return None
    return min(1.0, relative(before + start, tokens, total))


def placed_result(record: Record, result: PackResult) -> tuple[Spot, ...]:
    """Where a what-if's chunks would stand, in the evidence and in the window as it would be."""
    before, total = evidence_start(record), window_total(record)
    if before is not None and total is not None:
        total += result.used - evidence_used(record)
    head, after = _split_at(result), question_tokens(record)
    spots = []
    for chunk in result.packed:
        window_x = None
        if before is not None and total is not None:
            start = before + chunk.start
            if chunk.position >= head and after is not None:
                # The tail of split stands right before the question.
                start = total - after - (result.used - chunk.start)
            window_x = min(1.0, relative(start, chunk.tokens, total))
        spots.append(Spot(chunk.id, chunk.rank, chunk.x, window_x))
    return tuple(spots)


def question_tokens(record: Record) -> int | None:
    """Tokens of the question and all after it; None where there is not exactly one question."""
    names = [section.name for section in record.sections]
    if names.count(QUESTION) != 1:
        return None
    return sum(section.tokens for section in record.sections[names.index(QUESTION) :])


def _split_at(result: PackResult) -> int:
    """The position from which on the packed chunks stand before the question."""
    settings, many = result.settings, len(result.packed)
    if settings.placement != "split" or settings.group != "none" or settings.pins_first:
        return many
    return many - min(settings.split_tail, many)


def placed_log(placed: tuple[Placed, ...]) -> tuple[Spot, ...]:
    """The logged chunks' places, those that are known."""
    return tuple(
        Spot(place.chunk.id, place.chunk.rank, place.x, place.window_x)
        for place in placed
        if place.x is not None
    )
