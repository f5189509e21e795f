"""A finding: its shape, and the order in which findings stand."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Severity = Literal["cause", "fault", "warning", "info"]

SEVERITIES: tuple[Severity, ...] = ("cause", "fault", "warning", "info")

CAUSES = (
    "over_limit",
    "server_truncated",
    "pinned_missing",
    "answer_not_retrieved",
    "answer_filtered",
    "answer_dropped",
    "answer_split",
    "answer_skipped",
    "stale_packed",
    "answer_buried",
    "answer_ignored",
)
"""The order of causes: at most one stands first."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something wrong with one run. `title` is one sentence with the numbers of `detail`.

    `chunks` are the candidates that it is about; `because` names the findings that explain it.
    """

    code: str
    severity: Severity
    title: str
    detail: dict[str, Any]
    chunks: tuple[str, ...] = ()
    because: tuple[str, ...] = ()
    advice: str = ""
    basis: Literal["recorded", "inferred"] = "recorded"
