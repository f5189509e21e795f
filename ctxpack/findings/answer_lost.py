"""Where the answer was lost on its way into the window."""

from __future__ import annotations

from itertools import pairwise

from ctxpack.admitting import smallest_change
from ctxpack.answer import FILTERS, AnswerTrace, text_holds
from ctxpack.findings.case import Case, basis, name, numbers
from ctxpack.findings.finding import Finding
from ctxpack.record import LoggedCandidate, Record


def answer_not_retrieved(case: Case) -> list[Finding]:
    """In no candidate, in no two joined neighbours, and in nothing dropped or compacted."""
    trace = case.trace
    if trace is None or trace.gold or trace.unknown_texts or _truncated(case.record):
        return []
    if _neighbours(case) is not None or _in_what_went(case.record, trace):
        return []
    if not trace.expected.alternatives and not trace.expected.gold:
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
    if trace is None or not trace.gold:
        return []
    if any(c.outcome != "skipped" or c.reason not in FILTERS for c in trace.gold):
        return []
    first = trace.gold[0]
    return [
        Finding(
            code="answer_filtered",
            severity="cause",
            title=f"The answer was retrieved at {name(first)} and filtered out ({numbers(first)}).",
            detail={"rank": first.rank, "reason": first.reason, **(first.detail or {})},
            chunks=tuple(chunk.id for chunk in trace.gold),
            advice=f"Loosen the filter that says {first.reason}.",
            basis=basis(first),
        )
    ]


def answer_skipped(case: Case) -> list[Finding]:
    """Chunks that hold it were candidates, and none was packed for want of room."""
    trace = case.trace
    if trace is None or not trace.gold or trace.packed:
        return []
    if any(chunk.outcome != "skipped" for chunk in trace.gold):
        return []
    skipped = [chunk for chunk in trace.gold if chunk.reason not in FILTERS]
    if not skipped:
        return []
    first = skipped[0]
    change = smallest_change(case.record, first.id, case.thresholds.weighed) if case.advise else ""
    return [
        Finding(
            code="answer_skipped",
            severity="cause",
            title=f"The answer was retrieved at {name(first)} and left out ({numbers(first)}).",
            detail={"rank": first.rank, "reason": first.reason, **(first.detail or {})},
            chunks=tuple(chunk.id for chunk in skipped),
            advice=change,
            basis=basis(first),
        )
    ]


def answer_split(case: Case) -> list[Finding]:
    """No candidate holds it, two joined neighbours do, and they are not packed side by side."""
    trace = case.trace
    if trace is None or trace.gold or trace.unknown_texts:
        return []
    pair = _neighbours(case)
    if pair is None or _side_by_side(case, pair):
        return []
    first, second = pair
    outs = [chunk for chunk in pair if chunk.outcome != "packed"]
    what = (
        f"{name(outs[0])} is out ({numbers(outs[0])})" if outs else "they stand apart in the window"
    )
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


def _neighbours(case: Case) -> tuple[LoggedCandidate, LoggedCandidate] | None:
    """Neighbours k, k+1 of one document whose joined texts hold the answer."""
    trace = case.trace
    if trace is None:
        return None
    by_document: dict[tuple[str | None, ...], dict[int, LoggedCandidate]] = {}
    for chunk in case.record.candidates:
        if chunk.ordinal is not None and chunk.text and document(chunk) is not None:
            key = (document(chunk), chunk.version, chunk.date)
            by_document.setdefault(key, {})[chunk.ordinal] = chunk
    for chunks in by_document.values():
        for lower, upper in pairwise(sorted(chunks)):
            first, second = chunks[lower], chunks[upper]
            if upper == lower + 1 and _joined_hold(first, second, trace):
                return first, second
    return None


def document(chunk: LoggedCandidate) -> str | None:
    """What makes two chunks one document's: the doc_id, else source and section."""
    if chunk.doc_id is not None:
        return chunk.doc_id
    return f"{chunk.source}\n{chunk.section}" if chunk.source is not None else None


def _joined_hold(first: LoggedCandidate, second: LoggedCandidate, trace: AnswerTrace) -> bool:
    head, tail = first.text or "", second.text or ""
    overlap = next(
        (n for n in range(min(len(head), len(tail), 2000), 0, -1) if head.endswith(tail[:n])), 0
    )
    rest = tail[overlap:]
    joins = ("",) if overlap else ("\n", " ")
    return any(
        text_holds([f"{head}{between}{rest}"], trace.expected.alternatives) for between in joins
    )


def _side_by_side(case: Case, pair: tuple[LoggedCandidate, LoggedCandidate]) -> bool:
    order = [place.chunk.id for place in case.placed]
    return (pair[0].id, pair[1].id) in set(pairwise(order))


def _in_what_went(record: Record, trace: AnswerTrace) -> bool:
    gone = [
        item.text
        for section in record.sections
        for item in section.items
        if item.outcome in ("dropped", "compacted") and item.text
    ]
    return bool(gone) and text_holds(gone, trace.expected.alternatives)


def _truncated(record: Record) -> bool:
    return bool(record.trace and record.trace.truncated)
