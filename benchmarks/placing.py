"""The best order of chunks: its time, how near its bound it comes, and what simple orders lose."""

from __future__ import annotations

import random
from math import log2
from statistics import mean, median
from time import process_time

from benchmarks.table import Line
from ctxpack import Candidate, Settings, pack
from ctxpack.curves import ASSUMED
from ctxpack.placing.best_order import Order, best_order
from ctxpack.placing.spans import Spans

ROUNDS = 20
SEARCHES = 10


def lines() -> list[Line]:
    """Of uneven chunks, ranked by gain, under the assumed curve."""
    found = []
    for chunks, goal in ((12, "–"), (40, "<= 3"), (200, "–")):
        sets = [_uneven(chunks, seed) for seed in range(ROUNDS)]
        best_order(sets[0])
        timed = [_timed(spans) for spans in sets]
        orders = [order for _, order in timed]
        milliseconds = median(seconds for seconds, _ in timed) * 1000
        found.append(Line(f"best order of {chunks}, median", milliseconds, goal, "ms"))
        gap = max(order.bound / order.use - 1 for order in orders)
        found.append(Line(f"best order of {chunks}, largest gap to its bound", gap, "–", ""))
        simple = zip(sets, orders, strict=True)
        share = mean(spans.use(range(chunks)) / order.use for spans, order in simple)
        found.append(Line(f"use of {chunks} best first / in the best order", share, "–"))
    return [*found, *_together()]


def _together() -> list[Line]:
    """Choice and place together: how often it is proven, its time, the largest gap."""
    found = []
    for chunks, budget, goal in ((40, 5_000, "1"), (40, 12_000, "–"), (200, 12_000, "–")):
        packed = []
        seconds = []
        for seed in range(SEARCHES):
            sizes = _uneven(chunks, seed).tokens
            candidates = [
                Candidate(id=f"c{at}", rank=at + 1, tokens=size) for at, size in enumerate(sizes)
            ]
            begun = process_time()
            packed.append(pack(candidates, Settings(budget=budget, strategy="ordered")))
            seconds.append(process_time() - begun)
        name = f"ordered, {chunks} in {budget:,}"
        proven = mean(result.proven for result in packed)
        found.append(Line(f"{name}, share proven", proven, goal))
        gap = max(result.gap / result.expected_use for result in packed)
        found.append(Line(f"{name}, largest gap", gap, "<= 3e-4", ""))
        found.append(Line(f"{name}, median", median(seconds) * 1000, "–", "ms"))
    return found


def _timed(spans: Spans) -> tuple[float, Order]:
    begun = process_time()
    order = best_order(spans)
    return process_time() - begun, order


def _uneven(chunks: int, seed: int) -> Spans:
    chance = random.Random(seed)
    sizes = [min(900, max(40, round(chance.lognormvariate(5.6, 0.6)))) for _ in range(chunks)]
    return Spans(tuple(sizes), tuple(1 / log2(rank + 1) for rank in range(1, chunks + 1)), ASSUMED)
