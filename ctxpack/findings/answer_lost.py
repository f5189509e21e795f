"""Where the answer was lost on its way into the window."""

from __future__ import annotations

from ctxpack.answer import FILTERS, may_be_complete
from ctxpack.explaining.admitting import smallest_change
from ctxpack.findings.case import Case, basis, name, numbers, room_lacked
from ctxpack.findings.finding import Finding
from ctxpack.findings.loosening import loosening
from ctxpack.gone import may_have_gone
from ctxpack.neighbours import Pair
from ctxpack.record import LoggedCandidate, Record
from ctxpack.replay import order_is_known


def answer_not_retrieved(case: Case) -> list[Finding]:
    """In no candidate, in no two joined neighbours, and in nothing dropped or compacted."""
    trace = case.trace
    if trace is None or trace.gold or trace.unknown_texts or _cut(case.record):
        return []
    if not may_be_complete(case.record) or case.split:
        return []
    if may_have_gone(case.record, trace.expected):
        return []
    count = len(case.record.candidates)
    return [
        Finding(
            code="answer_not_retrieved",
            severity="cause",
            title=f"The answer was never retrieved: none of {count} candidates holds it.",
            detail={"considered": count},
            advice="Look at retrieval or chunking: no packing of these candidates can answer.",
        )
    ]


def answer_filtered(case: Case) -> list[Finding]:
    """Every chunk that holds it fell to a filter."""
    trace = case.trace
    if trace is None or not trace.lost or not trace.sure:
        return []
    if trace.unknown_texts and not trace.expected.gold:
        return []
    if any(c.outcome != "skipped" or c.reason not in FILTERS for c in trace.lost):
        return []
    first = trace.lost[0]
    return [
        Finding(
            code="answer_filtered",
            severity="cause",
            title=f"The answer was retrieved at {name(first)} and filtered out ({numbers(first)}).",
            detail={"rank": first.rank, "reason": first.reason, **(first.detail or {})},
            chunks=tuple(chunk.id for chunk in trace.lost),
            advice=loosening(first),
            basis=basis(first),
        )
    ]


def answer_skipped(case: Case) -> list[Finding]:
    """Chunks that hold it were candidates, and none was packed for want of room."""
    trace = case.trace
    if trace is None or not trace.lost or not trace.sure:
        return []
    if any(chunk.outcome != "skipped" for chunk in trace.lost):
        return []
    skipped = [chunk for chunk in trace.lost if chunk.reason not in FILTERS]
    if not skipped:
        return []
    first = skipped[0]
    what = "A part of the answer" if trace.packed else "The answer"
    ids = [chunk.id for chunk in skipped]
    pins = _pins_took(case.record, first)
    change = smallest_change(case.record, ids) if case.advise else ""
    return [
        Finding(
            code="answer_skipped",
            severity="cause",
            title=f"{what} was retrieved at {name(first)} and left out ({numbers(first)}){pins}.",
            detail={"rank": first.rank, "reason": first.reason, **(first.detail or {})},
            chunks=tuple(chunk.id for chunk in skipped),
            advice=change,
            basis=basis(first),
        )
    ]


def _pins_took(record: Record, chunk: LoggedCandidate) -> str:
    """What pins took, in words, where that is at least what the chunk lacked."""
    lacked = room_lacked(chunk.detail or {})
    asked = set(record.settings.pins) if record.settings else set()
    pins = [
        one
        for one in record.candidates
        if one.outcome == "packed" and (one.pinned or one.id in asked)
    ]
    took = sum(pin.tokens or 0 for pin in pins)
    if lacked is None or not pins or took < lacked:
        return ""
    return f"; {len(pins)} pin{'s' if len(pins) > 1 else ''} took {took:,} tokens"


def answer_split(case: Case) -> list[Finding]:
    """No candidate holds it, two joined neighbours do, and they are not packed side by side."""
    trace = case.trace
    if trace is None or trace.gold or trace.unknown_texts or _cut(case.record):
        return []
    if not case.split or any(side_by_side(case, pair) is not False for pair in case.split):
        return []
    pair = first, second = case.split[0]
    outs = [chunk for chunk in pair if chunk.outcome != "packed"]
    what = "they stand apart in the window"
    if outs:
        what = f"{name(outs[0])} is out ({numbers(outs[0])})"
    elif abs(_place(case, first) - _place(case, second)) == 1:
        what = "they stand in the wrong order"
    return [
        Finding(
            code="answer_split",
            severity="cause",
            title=f"The answer is split over {name(first)} and {name(second)}; {what}.",
            detail={"packed": [c.id for c in pair if c.outcome == "packed"]},
            chunks=(first.id, second.id),
            advice="Overlap the chunks, or keep neighbours of one document together.",
            basis=basis(first),
        )
    ]


def side_by_side(case: Case, pair: Pair) -> bool | None:
    """Whether the window has the pair side by side in its order; None where the log is silent."""
    if any(chunk.outcome not in ("packed", "skipped") for chunk in pair):
        return None
    if any(chunk.outcome == "skipped" for chunk in pair):
        return False
    if not order_is_known([place.chunk for place in case.placed]):
        return None
    return _place(case, pair[1]) == _place(case, pair[0]) + 1


def _place(case: Case, chunk: LoggedCandidate) -> int:
    return next(at for at, place in enumerate(case.placed) if place.chunk.id == chunk.id)


def _cut(record: Record) -> bool:
    return bool(record.trace and record.trace.truncated)
