"""A log made of a public question set, packed by the engine: `python -m benchmarks.question_log`.

`python -m benchmarks.question_log CORPUS QUESTIONS OUT [BUDGET]`, both files JSON Lines: corpus
lines of `{id, doc_id, title, text}`, questions of `{id, question, answers, candidates}` with
candidates as `[chunk id, score]` in rank order. One run a question, at 512 tokens unless told.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ctxpack import (
    Candidate,
    Counter,
    Record,
    Settings,
    logged_candidates,
    logged_settings_of,
    pack,
)
from ctxpack.record import Answer, Assembler, Section
from logs import RunLog

FIRST = datetime(2026, 11, 1, 8, 0, tzinfo=UTC)


def records(corpus: Path, questions: Path, budget: int = 512) -> Iterator[Record]:
    """A record a question; the gold chunks are known, the reply is not."""
    chunks = {chunk["id"]: chunk for chunk in _lines(corpus)}
    count = Counter()
    for number, question in enumerate(_lines(questions)):
        yield _record(question, chunks, budget, count, FIRST + timedelta(minutes=number))


def _record(
    question: dict[str, Any],
    chunks: dict[str, dict[str, Any]],
    budget: int,
    count: Counter,
    time: datetime,
) -> Record:
    candidates = [
        Candidate(
            id=name,
            doc_id=chunks[name]["doc_id"],
            source=chunks[name]["title"],
            rank=rank,
            score=score,
            score_kind="bm25",
            text=chunks[name]["text"],
            tokens=count(chunks[name]["text"]),
        )
        for rank, (name, score) in enumerate(question["candidates"], 1)
    ]
    result = pack(candidates, Settings(budget=budget), query=question["question"])
    asked = count(question["question"])
    return Record(
        schema=1,
        id=question["id"],
        time=time.isoformat(),
        request_type="question",
        query=question["question"],
        encoding="o200k_base",
        assembler=Assembler(name="ctxpack", version="0.1.0"),
        settings=logged_settings_of(result),
        sections=(
            Section(name="evidence", tokens=result.used, allowance=budget),
            Section(name="question", tokens=asked, text=question["question"]),
        ),
        candidates=logged_candidates(candidates, result),
        answer=Answer(expected=tuple(question["answers"])),
        gold=tuple(question.get("gold_ids", ())),
    )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def main(arguments: list[str]) -> int:
    """Write the log and say how many runs it has."""
    if len(arguments) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    corpus, questions, out = (Path(argument) for argument in arguments[:3])
    budget = int(arguments[3]) if len(arguments) == 4 else 512
    with RunLog(out) as log:
        appended = log.append_many(records(corpus, questions, budget))
    print(f"{out}: {appended}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
