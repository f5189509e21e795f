"""Faults of room: more tokens than the budget, a cap or an allowance gives."""

from __future__ import annotations

from ctxpack.findings.case import Case
from ctxpack.findings.finding import Finding
from ctxpack.record import Record, Section
from ctxpack.window import evidence_used, window_total

_FOR_ROOM = ("too_long", "no_room", "after_stop", "not_chosen", "over_cap", "dropped")


_OVER_ADVICE = {
    "window": "Make allowances and reserve sum to the budget, and reduce each section by its own "
    "rule before the window is assembled.",
    "evidence": "Count what is sent, as rendered, with the model's own tokenizer.",
}


def over_limit(case: Case) -> list[Finding]:
    """The window above the model's limit less the reserve, or a budget not below the limit."""
    record = case.record
    limit, reserve = record.limit, record.reserved_output or 0
    total, budget = window_total(record), record.budget
    if limit is None:
        return []
    room = limit - reserve
    detail: dict[str, object] = {"limit": limit, "reserve": reserve, "room": room}
    if total is not None and total > room:
        largest = max(record.sections, key=lambda section: section.tokens, default=None)
        section = "" if largest is None else f"; the largest section is {largest.name}, "
        title = (
            f"The window of {total} tokens is {total - room} over what the limit of {limit} leaves "
            f"after a reserve of {reserve} for the reply{section}"
            f"{'' if largest is None else largest.tokens}."
        )
        detail |= {"total": total, "section": None if largest is None else largest.name}
    elif budget is not None and budget >= limit:
        title = f"The window's budget of {budget} tokens is not below the model's limit of {limit}."
        detail |= {"budget": budget}
    else:
        return []
    return [
        Finding(
            code="over_limit",
            severity="cause",
            title=title,
            detail=detail,
            advice="Lower the reserve or the budget until both together stay below the limit, or "
            "reduce the section by its own rule.",
        )
    ]


def over_budget(case: Case) -> list[Finding]:
    """Total plus reserve above the budget, or packed evidence above the budget of the packing."""
    record = case.record
    total, reserve = window_total(record), record.reserved_output or 0
    found = []
    if record.budget is not None and total is not None and total + reserve > record.budget:
        over = total + reserve - record.budget
        found.append(
            _over(
                f"The window is {over} tokens over its budget: {total} sent and {reserve} "
                f"reserved for the reply against {record.budget}.",
                {"what": "window", "total": total, "reserve": reserve, "budget": record.budget},
            )
        )
    evidence = evidence_used(record)
    budget = record.settings.budget if record.settings else None
    if budget is not None and evidence > budget:
        found.append(
            _over(
                f"The evidence is {evidence - budget} tokens over its budget: {evidence} packed "
                f"against {budget}.",
                {"what": "evidence", "total": evidence, "budget": budget},
            )
        )
    return found


def over_allowance(case: Case) -> list[Finding]:
    """A section above its cap or, where others gave something up, above its allowance."""
    found = []
    for section in case.record.sections:
        limit, kind = section.cap, "cap"
        if limit is None or section.tokens <= limit:
            limit, kind = section.allowance, "allowance"
            if not _others_gave_up(case.record, section):
                continue
        if limit is None or section.tokens <= limit:
            continue
        over = section.tokens - limit
        found.append(
            Finding(
                code="over_allowance",
                severity="fault",
                title=(
                    f"{section.name.capitalize()} took {section.tokens} tokens, {over} over its "
                    f"{kind} of {limit}."
                ),
                detail={
                    "section": section.name,
                    "tokens": section.tokens,
                    "limit": limit,
                    "over": over,
                    "kind": kind,
                },
                advice=f"Cap {section.name} by its own rule before the window is assembled.",
            )
        )
    return found


def _over(title: str, detail: dict[str, object]) -> Finding:
    return Finding(
        code="over_budget",
        severity="fault",
        title=title,
        detail=detail,
        advice=_OVER_ADVICE[str(detail["what"])],
    )


def _others_gave_up(record: Record, section: Section) -> bool:
    """Whether anything outside this section was dropped or, for evidence, skipped for room."""
    if any(drop.section not in (None, section.name) for drop in record.drops):
        return True
    others = [other for other in record.sections if other.name != section.name]
    if any(item.outcome == "dropped" for other in others for item in other.items):
        return True
    skipped = any(
        chunk.outcome == "skipped" and chunk.reason in _FOR_ROOM for chunk in record.candidates
    )
    return skipped and section.name != "evidence"
