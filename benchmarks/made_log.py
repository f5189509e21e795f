"""A log of any size, made by chance with a fixed seed: `python -m benchmarks.made_log RUNS OUT`.

Each run has 20 candidates out of 20,000 chunks of 60 to 220 words, packed first-fit into a budget,
a question of 9 words and a reply of 45, one of 6 types and one of 4 versions; one run every 7 s.
Lines where OUT ends in .jsonl, else a log.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import msgspec

CHUNKS = 20_000
CANDIDATES = 20
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
STEP = timedelta(seconds=7)
TYPES = ("support", "billing", "search", "legal", "travel", "rare")
WEIGHTS = list(accumulate((0.4, 0.25, 0.2, 0.1, 0.0499, 0.0001)))
VERSIONS = ("1.0", "1.1", "1.2", "2.0")


def lines(runs: int, seed: int = 7) -> Iterator[bytes]:
    """Lines of a log, each with its newline; the same seed gives the same lines."""
    chance = Random(seed)
    words = [_word(chance) for _ in range(8_000)]
    # Half of what people write is made of few words.
    shares = list(accumulate(1 / (place + 10) for place in range(len(words))))
    chunks = [_chunk(number, chance, words, shares) for number in range(CHUNKS)]
    popular = list(accumulate(1 / (place + 50) for place in range(CHUNKS)))
    for number in range(runs):
        found = dict.fromkeys(chance.choices(range(CHUNKS), cum_weights=popular, k=CANDIDATES + 8))
        listed = [chunks[place] for place in list(found)[:CANDIDATES]]
        yield msgspec.json.encode(_run(number, listed, chance, words, shares)) + b"\n"


def _run(
    number: int, listed: list[dict[str, Any]], chance: Random, words: list[str], shares: list[float]
) -> dict[str, Any]:
    budget = chance.choice((1_000, 2_000, 4_000))
    candidates, used = _packed(listed, budget, chance)
    system = 220
    asked = " ".join(chance.choices(words, cum_weights=shares, k=9))
    return {
        "schema": 1,
        "id": f"run-{chance.getrandbits(64):016x}",
        "time": (FIRST + number * STEP).isoformat(),
        "request_type": chance.choices(TYPES, cum_weights=WEIGHTS)[0],
        "query": asked,
        "model": "model-1",
        "encoding": "o200k_base",
        "assembler": {"name": "packer", "version": VERSIONS[min(3, number * 4 // 1_000_000)]},
        "limit": 16_000,
        "budget": 8_000,
        "reserved_output": 1_000,
        "drops": [{"section": "history", "tokens": 90, "rule": "oldest first"}]
        * (number % 50 == 3),
        "window": {"total": system + used + 12, "framing": 0, "separators": 0},
        "settings": {"budget": budget, "strategy": "first-fit", "placement": "best-first"},
        "sections": [
            {
                "name": "system",
                "tokens": system,
                "allowance": 200 if number % 50 == 3 else 300,
                "text": "Answer " * 200,
            },
            {"name": "evidence", "tokens": used, "allowance": budget},
            {"name": "question", "tokens": 12, "text": asked},
        ],
        "candidates": candidates,
        "answer": {"text": " ".join(chance.choices(words, cum_weights=shares, k=45))},
    }


def _packed(
    listed: list[dict[str, Any]], budget: int, chance: Random
) -> tuple[list[dict[str, Any]], int]:
    score, used, position = 0.95, 0, 0
    candidates = []
    for rank, chunk in enumerate(listed, 1):
        score -= chance.random() * 0.04
        one = {**chunk, "rank": rank, "score": round(score, 6), "score_kind": "similarity"}
        left = budget - used
        if chunk["tokens"] <= left:
            one |= {"outcome": "packed", "position": position, "start": used}
            used += chunk["tokens"]
            position += 1
        else:
            one |= {"outcome": "skipped", "reason": "no_room"}
            one["detail"] = {"needed": chunk["tokens"], "left": left}
        candidates.append(one)
    return candidates, used


def _chunk(number: int, chance: Random, words: list[str], shares: list[float]) -> dict[str, Any]:
    text = " ".join(chance.choices(words, cum_weights=shares, k=chance.randint(60, 220)))
    return {
        "id": f"chunk-{number}",
        "doc_id": f"doc-{number // 12}",
        "source": f"https://wiki.example/pages/{number // 12}",
        "text": text,
        "tokens": len(text) // 4,
    }


def _word(chance: Random) -> str:
    return "".join(chance.choices("abcdefghijklmnoprstuvw", k=chance.randint(3, 9)))


def build(path: Path, runs: int) -> str:
    """Make the log, straight from what the maker gives; say how large it is."""
    from ctxpack import decode
    from logs import RunLog

    made = lines(runs)
    begun = process_time()
    with RunLog(path) as log:
        while batch := [decode(line).record for line in islice(made, 1_000)]:
            log.append_many(batch)
    seconds = process_time() - begun
    return f"{path}: {runs:,} runs, {path.stat().st_size:,} bytes, {seconds:,.0f} CPU seconds"


def main(arguments: list[str]) -> int:
    """Write the log and say how large it is."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    runs, out = int(arguments[0]), Path(arguments[1])
    if out.suffix == ".jsonl":
        with out.open("wb") as file:
            file.writelines(lines(runs))
        return 0
    print(build(out, runs), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
