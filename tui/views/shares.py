"""The session's window as section shares."""

from __future__ import annotations

from ctxpack.window import EVIDENCE, evidence_used, window_total
from tui.state import Session
from tui.widgets.window_bar import SectionShare, WindowShares


def window_shares(session: Session) -> WindowShares:
    """Every section against its allowance; the evidence also as the what-if would have it."""
    record = session.record
    sections = record.sections
    single = sum(section.name == EVIDENCE for section in sections) == 1
    change = 0
    if session.result is not None and single:
        change = session.result.used - evidence_used(record)
    shares = tuple(
        SectionShare(
            name=section.name,
            tokens=section.tokens,
            allowance=section.allowance,
            cap=section.cap,
            what_if=section.tokens + change if change and section.name == EVIDENCE else None,
        )
        for section in sections
    )
    total = window_total(record) or 0
    return WindowShares(
        sections=shares,
        other=max(0, total - sum(section.tokens for section in sections)),
        reserve=record.reserved_output,
        budget=record.budget,
        limit=record.limit,
    )
