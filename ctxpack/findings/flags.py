"""Flags: the findings that need no text, cheap enough to be found when a run is written."""

from __future__ import annotations

from operator import sub

from ctxpack.curves import ASSUMED
from ctxpack.findings.case import Case
from ctxpack.findings.evidence_faults import pinned_missing, top_skipped_for_size
from ctxpack.findings.room_faults import over_allowance, over_budget, over_limit
from ctxpack.findings.score_cliff import padding
from ctxpack.findings.stale_versions import stale_packed
from ctxpack.findings.thresholds import DEFAULT
from ctxpack.record import Record

FLAGS_VERSION = 1
"""Counted up when a flag's rule changes: a store keeps by which rules a run was flagged."""

_FLAGS = (
    over_limit,
    pinned_missing,
    top_skipped_for_size,
    over_budget,
    over_allowance,
    stale_packed,
    padding,
)

FLAG_CODES = tuple(find.__name__ for find in _FLAGS)
"""The codes that a flag can have."""


_ROUNDED = DEFAULT.cliff_share * (1 - 1e-6)


def flags(record: Record) -> tuple[str, ...]:
    """The codes of what is wrong with a run as far as numbers and names alone can tell.

    The same rules as `diagnose`, which leaves out a second cause and may find more by the texts.
    """
    case = Case(record, None, (), ASSUMED, DEFAULT, advise=False)
    return tuple(
        find.__name__ for find in _FLAGS if _may_fire(find.__name__, record) and find(case)
    )


def _may_fire(code: str, record: Record) -> bool:
    """Whether a record has what the finding rests on at all: most have not, and cost nothing."""
    if code == "stale_packed":
        return any(chunk.version or chunk.date for chunk in record.candidates)
    if code == "pinned_missing":
        pins = record.settings and record.settings.pins
        return bool(pins) or any(chunk.pinned for chunk in record.candidates)
    if code == "over_allowance":
        return any(
            (section.cap is not None and section.tokens > section.cap)
            or (section.allowance is not None and section.tokens > section.allowance)
            for section in record.sections
        )
    if code == "padding":
        return _has_fall(record)
    return True


def _has_fall(record: Record) -> bool:
    """Whether a fall of the scores, whichever way is better, is deep enough for a cliff."""
    scores = sorted([chunk.score for chunk in record.candidates if chunk.score is not None])
    if len(scores) < 2:
        return False
    deepest: float = max(map(sub, scores[1:], scores))
    return deepest >= _ROUNDED * (scores[-1] - scores[0])
