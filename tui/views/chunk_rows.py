"""The session's candidates as rows of the chunk list, as logged or as the what-if has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ctxpack import LoggedCandidate, Packed, Skipped
from ctxpack.reasons import in_words
from ctxpack.replay import packed_in_order
from ctxpack.showing import values_by_id
from tui.glyphs import CUT, ENTERED, LEFT, MOVED, PACKED, SKIPPED, UNKNOWN
from tui.state import Session
from tui.widgets.chunk_row import ChunkRow

_BRIEF = tuple(
    (re.compile(words), brief)
    for words, brief in (
        (
            r"(no room|too long|not chosen): ([\d,]+) tokens? needed, (?:budget )?([\d,]+).*",
            r"\1 \2 > \3",
        ),
        (r"(no room|too long|not chosen): ([\d,]+) tokens? needed", r"\1 \2"),
        (r"not chosen: value ([\d.]+) lower with it", r"not chosen -\1"),
        (r"not chosen: worth no more with it", "not chosen, no gain"),
        (r"below the cut-off: score \S+, (?:lowest|highest) (\S+)", r"below cut-off \1"),
        (r"below the score cliff: .*", "below cliff"),
        (r"over the count: number ([\d,]+).*, ([\d,]+) kept", r"over count \1 > \2"),
    )
)
"""Reasons in words, and the same in few: in the list they stand beside the figures."""


class _Marks(NamedTuple):
    """What holds for all rows: ids that are marked, and the decimals of their scores."""

    gold: frozenset[str]
    pins: frozenset[str]
    bans: frozenset[str]
    decimals: int | None


def chunk_rows(session: Session) -> tuple[ChunkRow, ...]:
    """Every candidate, packed or skipped or unknown, with its reason in words.

    In a what-if, a chunk that entered, left or moved carries the mark of that.
    """
    marks = _Marks(
        session.gold,
        frozenset(session.settings.pins),
        frozenset(session.settings.bans),
        _decimals(session),
    )
    if session.result is None:
        return tuple(_as_logged(session, marks))
    return tuple(_as_packed_again(session, marks))


def briefly(reason: str) -> str:
    """A reason for a narrow column, its numbers first to be kept: `no room 268 > 61`.

    The score has a column of its own; what is in no known words stays as it is.
    """
    for words, brief in _BRIEF:
        if (found := words.fullmatch(reason)) is not None:
            return found.expand(brief)
    return reason


def value_name(session: Session) -> str:
    """What the figures beside the chunks are: the ranker's scores where logged, else the value."""
    if _scored(session):
        return "score"
    if session.result is not None:
        return session.result.value_by
    record = session.record.settings
    return record.value if record and record.value else "gain"


def _as_logged(session: Session, marks: _Marks) -> Iterator[ChunkRow]:
    positions = {chunk.id: at for at, chunk in enumerate(packed_in_order(session.record), 1)}
    values = values_by_id(session.record)
    for chunk in session.record.candidates:
        packed = chunk.id in positions
        state = (CUT if chunk.partial else PACKED) if packed else UNKNOWN
        reason = ""
        if chunk.outcome == "skipped":
            state = SKIPPED
            reason = in_words(chunk.reason, chunk.detail or {}, chunk.tokens)
        yield _row(
            chunk,
            marks,
            state=state,
            position=positions.get(chunk.id),
            tokens=chunk.tokens,
            value=values[chunk.id],
            reason=reason,
            rank=chunk.rank,
        )


def _as_packed_again(session: Session, marked: _Marks) -> Iterator[ChunkRow]:
    result, change = session.result, session.against
    if result is None or change is None:
        return
    by_id = {candidate.id: candidate for candidate in session.record.candidates}
    marks = dict.fromkeys(change.entered, ENTERED)
    marks |= dict.fromkeys(change.left, LEFT)
    marks |= dict.fromkeys(change.moved, MOVED)
    chunk: Packed | Skipped
    for chunk in result.packed:
        yield _row(
            by_id[chunk.id],
            marked,
            state=PACKED,
            change=marks.get(chunk.id, ""),
            position=chunk.position + 1,
            tokens=chunk.tokens,
            value=chunk.value,
            reason="",
            rank=chunk.rank,
        )
    for chunk in result.skipped:
        yield _row(
            by_id[chunk.id],
            marked,
            state=SKIPPED,
            change=marks.get(chunk.id, ""),
            position=None,
            tokens=chunk.tokens,
            value=chunk.value,
            reason=in_words(chunk.reason, chunk.detail, chunk.tokens),
            rank=chunk.rank,
        )


def _row(
    candidate: LoggedCandidate,
    marks: _Marks,
    *,
    state: str,
    position: int | None,
    tokens: int | None,
    value: float,
    reason: str,
    rank: int | None,
    change: str = "",
) -> ChunkRow:
    return ChunkRow(
        id=candidate.id,
        state=state,
        change=change,
        rank=rank,
        tokens=tokens,
        value=_figure(candidate, value, marks.decimals),
        position=position,
        reason=briefly(reason),
        title=_title(candidate),
        source=candidate.source or "",
        version=candidate.version or "",
        date=candidate.date or "",
        gold=candidate.id in marks.gold,
        pinned=candidate.pinned or candidate.id in marks.pins,
        banned=candidate.id in marks.bans,
    )


def _scored(session: Session) -> bool:
    """Whether the ranker's scores are logged: they show a cliff, which a gain by rank cannot."""
    return any(candidate.score is not None for candidate in session.record.candidates)


def _decimals(session: Session) -> int | None:
    """Decimals that the logged scores are written with; None where none is logged."""
    scores = [abs(c.score) for c in session.record.candidates if c.score is not None]
    if not scores:
        return None
    return 2 if max(scores) >= 10 else 3


def _figure(candidate: LoggedCandidate, value: float, decimals: int | None) -> str:
    if decimals is None:
        return f"{value:.3f}"
    return "" if candidate.score is None else f"{candidate.score:.{decimals}f}"


def _title(candidate: LoggedCandidate) -> str:
    named: Mapping[str, object] = candidate.unknown
    title = named.get("title")
    return title if isinstance(title, str) else candidate.section or candidate.doc_id or ""
