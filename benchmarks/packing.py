"""The strategies against the plain one, on the same candidates."""

from __future__ import annotations

import random
from statistics import median
from time import process_time

from benchmarks.table import Line
from ctxpack import STRATEGIES, Candidate, Settings, pack


def lines() -> list[Line]:
    """CPU time of each strategy on 200 candidates into 12,000 tokens, over that of top."""
    chance = random.Random(11)
    candidates = [
        Candidate(id=str(rank), rank=rank, tokens=chance.randint(60, 900)) for rank in range(1, 201)
    ]
    times = {strategy: _time(candidates, strategy) for strategy in STRATEGIES}
    return [
        Line(f"{strategy} / top, 200 candidates @ 12,000", times[strategy] / times["top"], "–")
        for strategy in STRATEGIES
        if strategy != "top"
    ]


def _time(candidates: list[Candidate], strategy: str) -> float:
    settings = Settings(budget=12_000, strategy=strategy)
    pack(candidates, settings)
    samples = []
    for _ in range(7):
        begun = process_time()
        pack(candidates, settings)
        samples.append(process_time() - begun)
    return median(samples)
