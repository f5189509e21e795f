"""The best order of chunks: its time, how near its bound it comes, and what simple orders lose."""

from __future__ import annotations

import random
from math import log2
from statistics import mean, median
from time import process_time

from benchmarks.table import Line
from ctxpack.curves import ASSUMED
from ctxpack.placing.best_order import Order, best_order
from ctxpack.placing.spans import Spans

ROUNDS = 20


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
    return found


def _timed(spans: Spans) -> tuple[float, Order]:
    begun = process_time()
    order = best_order(spans)
    return process_time() - begun, order


def _uneven(chunks: int, seed: int) -> Spans:
    chance = random.Random(seed)
    sizes = [min(900, max(40, round(chance.lognormvariate(5.6, 0.6)))) for _ in range(chunks)]
    return Spans(tuple(sizes), tuple(1 / log2(rank + 1) for rank in range(1, chunks + 1)), ASSUMED)
