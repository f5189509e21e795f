"""The engine is light to import, and reading and judging a run needs no vocabulary."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ["numpy", "tiktoken", "rank_bm25", "sqlite3", "sqlite_utils", "textual", "click", "logs"]
READING = """
from ctxpack import decode, encode, result_json
from ctxpack.findings import diagnose, open_case
from ctxpack.replay import logged_settings, repack
from ctxpack.showing import show_json
record = decode(encode(decode('''{"schema": 1, "id": "r", "time": "2026-11-30T09:00:00Z",
  "query": "How long?", "settings": {"budget": 9, "strategy": "top"},
  "answer": {"expected": ["30 days"], "text": "No."},
  "candidates": [{"id": "a", "rank": 1, "tokens": 5, "text": "x", "outcome": "packed",
  "position": 0}]}''').record))
case = open_case(record.record)
show_json(case, diagnose(case))
result_json(repack(record.record, logged_settings(record.record).settings))
"""


@pytest.mark.parametrize("code", ["import ctxpack", READING], ids=["import", "reading"])
def test_nothing_heavy_is_loaded(code: str) -> None:
    told = "\nimport sys; print(*[name for name in sys.argv[1:] if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code + told, *HEAVY],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""
