"""From a key to the repainted screen, on a run of 200 candidates."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from benchmarks.table import Line
from benchmarks.terminal import Terminal
from ctxpack import Candidate, Record, Settings, logged_candidates, logged_settings_of, pack
from ctxpack.record import Section
from logs import RunLog

CANDIDATES = 200
PRESSES = 40


def lines() -> list[Line]:
    """p95 of a cursor key, of a budget key and of a strategy key, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "runs.db"
        with RunLog(log) as writer:
            writer.append(large_run())
        code = f"import sys; sys.argv[1:] = [{str(log)!r}, '--run', 'large']; "
        code += "from tui.cli import run; run()"
        with Terminal([sys.executable, "-c", code]) as terminal:
            terminal.until("Chunks")
            terminal.settle(1.5)
            terminal.press("+")
            terminal.settle(1.0)
            return [
                Line("cursor key, 200 candidates, p95", _p95(terminal, "j"), "≤ 50", "ms"),
                Line("budget key, 200 candidates, p95", _p95(terminal, "+-"), "≤ 50", "ms"),
                Line("placement key, 200 candidates, p95", _p95(terminal, "o"), "≤ 50", "ms"),
                Line("strategy key, 200 candidates, p95", _p95(terminal, "t"), "≤ 50", "ms"),
            ]


def large_run() -> Record:
    """A logged run of 200 candidates into 12,000 tokens, texts and all."""
    chance = random.Random(7)
    words = ("harbour", "gauge", "battery", "refund", "parcel", "signal", "winter", "notice")
    texts = [" ".join(chance.choices(words, k=chance.randint(60, 400))) for _ in range(CANDIDATES)]
    candidates = tuple(
        Candidate(
            id=f"doc-{rank:03}#0", rank=rank, text=text, tokens=len(text.split()) + 1,
            score=round(30 - rank / 8, 3), score_kind="bm25",
        )
        for rank, text in enumerate(texts, 1)
    )  # fmt: skip
    result = pack(candidates, Settings(budget=12_000))
    return Record(
        schema=1,
        id="large",
        time="2026-11-20T09:00:00+01:00",
        query="harbour gauge battery",
        budget=32_000,
        settings=logged_settings_of(result),
        sections=(
            Section(name="system", tokens=800, allowance=1000),
            Section(name="evidence", tokens=result.used, allowance=12_000),
            Section(name="question", tokens=12, allowance=500),
        ),
        candidates=logged_candidates(candidates, result),
    )


def _p95(terminal: Terminal, keys: str) -> float:
    times = sorted(terminal.press(keys[n % len(keys)]) for n in range(PRESSES))
    return 1000 * times[int(0.95 * (len(times) - 1))]
