"""Packing again and explaining one chunk, as a key press asks for it, texts counted already."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median, quantiles
from time import process_time

import msgspec

from benchmarks.table import Line
from ctxpack import STRATEGIES, Candidate, Counter, Settings
from ctxpack.explaining.why import why
from ctxpack.retrieved import Retrieved

BUDGET = 12_000
CHUNKS = 200
ROUNDS = 20
PACKINGS = 60


def lines() -> list[Line]:
    """Milliseconds of CPU time on 200 texts of 60 to 900 tokens at 12,000, by strategy."""
    given = retrieved()
    found = []
    for strategy in STRATEGIES:
        settings = Settings(budget=BUDGET, strategy=strategy)
        packings = [*_times(_packings(given, settings))]
        answers = [*_times(_answers(given, settings))]
        again, answer = quantiles(packings, n=20)[-1], median(answers)
        found += [
            Line(f"{strategy}: 200 candidates @ 12,000 packed again, p95", again, "<= 16", "ms"),
            Line(f"{strategy}: why one of them is out, median", answer, "<= 100", "ms"),
            Line(f"{strategy}: the longest why", max(answers), "–", "ms"),
            Line(f"{strategy}: why / packing once", answer / median(packings), "–"),
        ]
    return found


def retrieved() -> Retrieved:
    """The same 200 ranked texts every time."""
    chance = random.Random(11)
    words = [f"{chance.choice('bcdfgklmnprst')}{chance.choice('aeiou')}n{n}" for n in range(900)]
    texts = [
        " ".join(chance.choices(words, k=max(1, chance.randint(60, 900) // 3)))
        for _ in range(CHUNKS)
    ]
    candidates = [
        Candidate(id=f"c{rank}", rank=rank, text=text) for rank, text in enumerate(texts, start=1)
    ]
    return Retrieved(tuple(candidates), query=" ".join(words[:6]), count=Counter())


def _packings(given: Retrieved, settings: Settings) -> Iterator[Callable[[], object]]:
    """The budget a step larger each time, after a first one that counts and compares."""
    given.pack(settings)
    for step in range(1, PACKINGS + 1):
        changed = msgspec.structs.replace(settings, budget=BUDGET + 17 * step)
        yield partial(given.pack, changed)


def _answers(given: Retrieved, settings: Settings) -> Iterator[Callable[[], object]]:
    """Chunks from all over the ranks that were left out."""
    out = given.pack(settings).skipped
    why(given, settings, out[0].id)
    for chunk in out[:: max(1, len(out) // ROUNDS)]:
        yield partial(why, given, settings, chunk.id)


def _times(calls: Iterator[Callable[[], object]]) -> Iterator[float]:
    for call in calls:
        begun = process_time()
        call()
        yield (process_time() - begun) * 1000
