"""One run as plain data: the record's own keys, findings, the answer trace, what was computed."""

from __future__ import annotations

from typing import Any

import msgspec

from ctxpack.decoding import to_builtins
from ctxpack.findings import Case, Finding
from ctxpack.value.logged_values import logged_value, values_by_id
from ctxpack.window import evidence_used, sections_in_place

__all__ = ["show_json", "values_by_id"]


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
