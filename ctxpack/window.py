"""The window as sent: where its sections and the packed evidence stand, in tokens."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.curves import Curve
from ctxpack.placement import relative
from ctxpack.record import LoggedCandidate, Record, Section
from ctxpack.replay import packed_in_order
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
    """Tokens of the packed chunks, as logged."""
    return sum(chunk.tokens or 0 for chunk in packed_in_order(record))


def placed_evidence(record: Record, curve: Curve) -> tuple[Placed, ...]:
    """The packed chunks in window order, each with its place."""
    chunks = packed_in_order(record)
    if any(chunk.tokens is None for chunk in chunks):
        return tuple(Placed(chunk, chunk.tokens or 0, None, None, None, None) for chunk in chunks)
    begins = _starts(chunks)
    total = max((at + (c.tokens or 0) for at, c in zip(begins, chunks, strict=True)), default=0)
    placed = []
    for chunk, start in zip(chunks, begins, strict=True):
        tokens = chunk.tokens or 0
        x = relative(start, tokens, total)
        window_x = _window_x(record, chunk, start, tokens)
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
    """Logged starts where every chunk has one, else the sum of what stands before."""
    logged = [chunk.start for chunk in chunks]
    if all(start is not None for start in logged):
        return [start or 0 for start in logged]
    at, begins = 0, []
    for chunk in chunks:
        begins.append(at)
        at += chunk.tokens or 0
    return begins


def _window_x(record: Record, chunk: LoggedCandidate, start: int, tokens: int) -> float | None:
    total = window_total(record)
    before = evidence_start(record, chunk.placed_in)
    if total is None or before is None:
        return None
    if chunk.placed_in is not None:
        start -= _first_start(record, chunk.placed_in)
    return min(1.0, relative(before + start, tokens, total))


def _first_start(record: Record, section_index: int) -> int:
    """Where the evidence of one section begins, among all packed evidence."""
    mates = [c for c in packed_in_order(record) if c.placed_in == section_index]
    return min((chunk.start or 0 for chunk in mates), default=0)


def placed_result(record: Record, result: PackResult) -> tuple[Spot, ...]:
    """Where a what-if's chunks would stand, in the evidence and in the window as it would be."""
    before, total = evidence_start(record), window_total(record)
    if before is not None and total is not None:
        total += result.used - evidence_used(record)
    spots = []
    for chunk in result.packed:
        window_x = None
        if before is not None and total is not None:
            window_x = min(1.0, relative(before + chunk.start, chunk.tokens, total))
        spots.append(Spot(chunk.id, chunk.rank, chunk.x, window_x))
    return tuple(spots)


def placed_log(placed: tuple[Placed, ...]) -> tuple[Spot, ...]:
    """The logged chunks' places, those that are known."""
    return tuple(
        Spot(place.chunk.id, place.chunk.rank, place.x, place.window_x)
        for place in placed
        if place.x is not None
    )
