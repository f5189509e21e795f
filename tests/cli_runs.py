"""A small log for the tests of the command: one run gone wrong, one healthy, one hostile."""

from __future__ import annotations

from pathlib import Path

from ctxpack import Record
from logs import RunLog
from tests.logged_runs import record

CHUNKS = [
    {
        "id": "refunds-1",
        "doc_id": "refunds",
        "rank": 1,
        "tokens": 6,
        "text": "Refunds take thirty days.",
        "outcome": "packed",
        "position": 0,
        "start": 0,
    },
    {
        "id": "refunds-2",
        "doc_id": "refunds",
        "rank": 2,
        "tokens": 18,
        "text": "Web orders can be sent back within 14 days, and the refund comes by card.",
        "outcome": "skipped",
        "reason": "no_room",
        "detail": {"needed": 18, "left": 6},
    },
    {
        "id": "returns-1",
        "doc_id": "returns",
        "rank": 3,
        "tokens": 5,
        "text": "Returns need a label.",
        "outcome": "packed",
        "position": 1,
        "start": 6,
    },
]
SECTIONS = [
    {"name": "system", "tokens": 40, "allowance": 50},
    {"name": "evidence", "tokens": 11, "allowance": 300, "cap": 400},
    {"name": "history", "tokens": 70, "allowance": 60},
]
HOSTILE = "[/red] \x1b[31m[bold]x\u202egnp.exe\x07\ttab\r\nnext {x} 返金\U0001f9ea"


def wrong_run() -> Record:
    """The answer was a candidate and left out, with history over its allowance."""
    return record(
        "run-1",
        budget=1000,
        limit=8000,
        reserved_output=100,
        candidates=CHUNKS,
        settings={"budget": 12, "strategy": "top", "placement": "best-first"},
        sections=SECTIONS,
        answer={"text": "Within thirty days.", "expected": ["14 days"]},
    )


def hostile_run() -> Record:
    """Everything that a log can name holds what would act on a terminal."""
    return record(
        f"evil-{HOSTILE}",
        time="2026-03-03T10:00:00Z",
        request_type=HOSTILE,
        query=HOSTILE,
        model=HOSTILE,
        assembler={"name": HOSTILE, "version": HOSTILE},
        sections=[{"name": HOSTILE, "tokens": 5}],
        candidates=[
            {"id": HOSTILE, "rank": 1, "tokens": 4, "text": HOSTILE, "outcome": "packed"},
            {"id": "b", "rank": 2, "tokens": 4, "outcome": "skipped", "reason": HOSTILE},
        ],
        answer={"text": HOSTILE, "expected": [HOSTILE]},
    )


def make_log(path: Path) -> str:
    """Write the log and give its path."""
    healthy = record("run-2", time="2026-03-02T10:00:00Z", answer={"text": "Yes."})
    with RunLog(path) as log:
        log.append_many([wrong_run(), healthy, hostile_run()])
    return str(path)
