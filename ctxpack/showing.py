"""One run as plain data: the record's own keys, findings, the answer trace, what was computed."""

from __future__ import annotations

from typing import Any

import msgspec

from ctxpack.decoding import to_builtins
from ctxpack.findings import Case, Finding
from ctxpack.record import LoggedCandidate, Record
from ctxpack.values import valuate
from ctxpack.window import evidence_used, sections_in_place


def show_json(case: Case, findings: tuple[Finding, ...]) -> dict[str, Any]:
    """What `show --json` prints; a reader drops the added keys on import."""
    trace = case.trace
    return {
        **to_builtins(case.record),
        "findings": [msgspec.to_builtins(finding) for finding in findings],
        "answer_trace": trace.as_json() if trace else None,
        "computed": {
            "used": evidence_used(case.record),
            "value": logged_value(case.record),
            "sections": [
                {
                    "name": share.section.name,
                    "tokens": share.section.tokens,
                    "allowance": share.section.allowance,
                    "cap": share.section.cap,
                    "start": share.start,
                    "share": share.share,
                }
                for share in sections_in_place(case.record)
            ],
            "packed": [
                {
                    "id": placed.chunk.id,
                    "x": placed.x,
                    "window_x": placed.window_x,
                    "p": placed.p,
                }
                for placed in case.placed
            ],
        },
    }


def values_by_id(record: Record) -> dict[str, float]:
    """The value of every candidate, by the logged value; by rank gain where that cannot be had."""
    logged = record.settings.value if record.settings else None
    try:
        valuation = valuate(record.candidates, logged, record.query)
    except ValueError:
        valuation = valuate(record.candidates, "gain", record.query)
    ids = [candidate.id for candidate in record.candidates]
    return dict(zip(ids, valuation.values, strict=True))


def logged_value(record: Record) -> float:
    """The value of what was packed, summed in rank order."""
    values = values_by_id(record)
    return sum(values[chunk.id] for chunk in _by_rank(record) if chunk.outcome == "packed")


def _by_rank(record: Record) -> list[LoggedCandidate]:
    return sorted(record.candidates, key=lambda chunk: (chunk.rank is None, chunk.rank or 0))
