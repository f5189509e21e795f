"""Faults of the evidence itself: a pin that is not in, a best chunk too long for its room."""

from __future__ import annotations

from ctxpack.answer import may_be_complete
from ctxpack.findings.case import Case, basis, numbers
from ctxpack.findings.finding import Finding
from ctxpack.record import LoggedCandidate


def pinned_missing(case: Case) -> list[Finding]:
    """A pin is not in the window; the cause where it holds the answer."""
    record = case.record
    by_id = {candidate.id: candidate for candidate in record.candidates}
    asked = list(record.settings.pins) if record.settings else []
    asked += [candidate.id for candidate in record.candidates if candidate.pinned]
    elsewhere = {
        item.id
        for section in record.sections
        for item in section.items
        if item.outcome in (None, "kept")
    }
    complete = may_be_complete(record)
    missing = [
        pin
        for pin in dict.fromkeys(asked)
        if pin not in elsewhere and (_is_out(by_id[pin]) if pin in by_id else complete)
    ]
    if not missing:
        return []
    gold = {chunk.id for chunk in case.trace.lost} if case.trace else set()
    lost = bool(case.trace and case.trace.sure and gold & set(missing))
    first = by_id.get(missing[0])
    why = "it is not among the candidates" if first is None else numbers(first)
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    holds = ", though it holds the answer" if lost else ""
    return [
        Finding(
            code="pinned_missing",
            severity="cause" if lost else "fault",
            title=f"Pinned {missing[0]}{more} is not in the window{holds} ({why}).",
            detail={"missing": missing, "pins": len(dict.fromkeys(asked))},
            chunks=tuple(pin for pin in missing if pin in by_id),
            advice="Reserve room for pins first, and subtract them from the budget.",
            basis="recorded" if first is None else basis(first),
        )
    ]


def top_skipped_for_size(case: Case) -> list[Finding]:
    """The best-ranked candidate is out because it was too long for the budget or what was left."""
    first = next((chunk for chunk in case.record.candidates if chunk.rank == 1), None)
    if first is None or first.outcome != "skipped" or first.reason not in ("too_long", "no_room"):
        return []
    return [
        Finding(
            code="top_skipped_for_size",
            severity="fault",
            title=f"The best-ranked chunk ({first.id}) was skipped ({numbers(first)}).",
            detail={"tokens": first.tokens, "reason": first.reason, **(first.detail or {})},
            chunks=(first.id,),
            advice="Cap the size of chunks when they are made: no packer is fair to long ones.",
            basis=basis(first),
        )
    ]


def _is_out(chunk: LoggedCandidate) -> bool:
    return chunk.outcome == "skipped"
