"""Findings: what is wrong with one run, the cause first. Each is a pure function of a record."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ctxpack.answer import expected_answer, trace_answer
from ctxpack.curves import ASSUMED, Curve
from ctxpack.findings.answer_lost import (
    answer_filtered,
    answer_not_retrieved,
    answer_skipped,
    answer_split,
)
from ctxpack.findings.answer_unused import answer_buried, answer_ignored
from ctxpack.findings.case import Case
from ctxpack.findings.evidence_faults import pinned_missing, top_skipped_for_size
from ctxpack.findings.finding import CAUSES, SEVERITIES, Finding
from ctxpack.findings.room_faults import over_allowance, over_budget
from ctxpack.findings.thresholds import DEFAULT, Thresholds
from ctxpack.record import Record
from ctxpack.window import placed_evidence

__all__ = ["CAUSES", "DEFAULT", "Case", "Finding", "Thresholds", "diagnose", "open_case"]

_FAULTS = (pinned_missing, top_skipped_for_size, over_budget, over_allowance)
_LOST = (
    answer_not_retrieved,
    answer_filtered,
    answer_split,
    answer_skipped,
    answer_buried,
    answer_ignored,
)


def open_case(
    record: Record,
    expect: str | None = None,
    *,
    curve: Curve = ASSUMED,
    thresholds: Thresholds = DEFAULT,
    advise: bool = True,
) -> Case:
    """What every finding looks at: the record, where its evidence stands, the answer's way.

    `advise` False leaves out the advice that takes packing again, for lists of many runs.
    """
    expected = expected_answer(record, expect)
    trace = trace_answer(record, expected) if expected else None
    return Case(record, trace, placed_evidence(record, curve), curve, thresholds, advise)


def diagnose(case: Case) -> tuple[Finding, ...]:
    """All findings, the cause first, then by gravity."""
    faults = [finding for find in _FAULTS for finding in find(case)]
    lost = [finding for find in _LOST for finding in find(case)]
    causes = [finding for finding in (*faults, *lost) if finding.severity == "cause"]
    causes.sort(key=lambda finding: CAUSES.index(finding.code))
    rest = [finding for finding in (*faults, *lost) if finding.severity != "cause"]
    rest.extend(_demoted(causes[1:]))
    if causes:
        causes = [_explained(causes[0], rest)]
    rest.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    return (*causes, *rest)


def _demoted(others: Iterable[Finding]) -> list[Finding]:
    """Only one cause stands first; a pin that is missing stays a fault, the others are its echo."""
    return [
        msgspec.structs.replace(finding, severity="fault")
        for finding in others
        if finding.code == "pinned_missing"
    ]


def _explained(cause: Finding, rest: list[Finding]) -> Finding:
    """The cause with what explains the loss, in its `because` and in the same sentence."""
    if cause.code != "answer_skipped":
        return cause
    explaining = [finding for finding in rest if _explains(finding, cause)]
    if not explaining:
        return cause
    also = "; ".join(finding.title.rstrip(".") for finding in explaining)
    return msgspec.structs.replace(
        cause,
        title=f"{cause.title.rstrip('.')}; {also[0].lower()}{also[1:]}.",
        because=tuple(finding.code for finding in explaining),
    )


def _explains(finding: Finding, cause: Finding) -> bool:
    if finding.code == "top_skipped_for_size":
        return not set(finding.chunks) & set(cause.chunks)
    return finding.code == "over_allowance" and finding.detail["section"] != "evidence"
