"""Knapsack instances: what retrieval gives, and every known hard class.

The classes are Pisinger's ("Where are the hard knapsack problems?", 2005) with weights as chunks
have them, and what retrieval gives: uneven and nearly equal lengths with values by rank, by
heavy-tailed BM25 scores and by a reranker's sigmoid.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

Instance = tuple[list[int], list[int]]

LARGEST_WEIGHT = 900


def uneven(count: int, chance: Random) -> list[int]:
    """Lengths of paragraphs: lognormal."""
    return [
        min(LARGEST_WEIGHT, max(40, int(260 * chance.lognormvariate(0, 0.55))))
        for _ in range(count)
    ]


def uniform(count: int, chance: Random) -> list[int]:
    return [chance.randint(180, LARGEST_WEIGHT) for _ in range(count)]


def nearly_equal(count: int, chance: Random) -> list[int]:
    """Lengths that a fixed-size chunker leaves."""
    return [chance.randint(500, 512) for _ in range(count)]


def by_rank(count: int, chance: Random) -> list[int]:  # noqa: ARG001
    return _whole([1 / math.log2(place + 2) for place in range(count)])


def heavy_tailed(count: int, chance: Random) -> list[int]:
    scores = [3 * (chance.paretovariate(2.2) - 1) + chance.random() / 2 for _ in range(count)]
    return _whole(sorted(scores, reverse=True))


def sigmoid(count: int, chance: Random) -> list[int]:
    scores = [1 / (1 + math.exp(1.5 - chance.gauss(0, 2.2))) for _ in range(count)]
    return _whole(sorted(scores, reverse=True))


def _whole(values: Sequence[float]) -> list[int]:
    largest = max(values, default=1.0)
    return [round(value / largest * 1_000_000_000) for value in values]


LENGTHS = {"uneven": uneven, "uniform": uniform, "nearly equal": nearly_equal}
VALUES = {"rank": by_rank, "heavy-tailed": heavy_tailed, "sigmoid": sigmoid}
RETRIEVED = [f"{lengths}, {values}" for lengths in LENGTHS for values in VALUES]


def strong(weights: list[int], chance: Random) -> Instance:  # noqa: ARG001
    return weights, [weight + 100 for weight in weights]


def inverse_strong(weights: list[int], chance: Random) -> Instance:  # noqa: ARG001
    return [weight + 100 for weight in weights], weights


def almost_strong(weights: list[int], chance: Random) -> Instance:
    return weights, [weight + 100 + chance.randint(-2, 2) for weight in weights]


def weak(weights: list[int], chance: Random) -> Instance:
    return weights, [max(1, weight + chance.randint(-90, 90)) for weight in weights]


def subset_sum(weights: list[int], chance: Random) -> Instance:  # noqa: ARG001
    return weights, list(weights)


def even_odd(weights: list[int], chance: Random) -> Instance:  # noqa: ARG001
    """Even weights only: an odd capacity is never filled."""
    even = [weight // 2 * 2 for weight in weights]
    return even, list(even)


def circle(weights: list[int], chance: Random) -> Instance:  # noqa: ARG001
    width = LARGEST_WEIGHT
    arc = [4 * width * width - (weight - 2 * width) ** 2 for weight in weights]
    return weights, [int(2 / 3 * math.sqrt(square)) for square in arc]


def spanner(weights: list[int], chance: Random) -> Instance:
    """Multiples of two strongly correlated items."""
    spans = [(weight // 5 + 1, (weight + 100) // 5 + 1) for weight in (weights * 2)[:2]]
    drawn = [(chance.choice(spans), chance.randint(1, 10)) for _ in weights]
    return [w * times for (w, _), times in drawn], [v * times for (_, v), times in drawn]


def multiple_strong(weights: list[int], chance: Random) -> Instance:  # noqa: ARG001
    return weights, [weight + (270 if weight % 6 == 0 else 180) for weight in weights]


def profit_ceiling(weights: list[int], chance: Random) -> Instance:  # noqa: ARG001
    return weights, [-(-weight // 3) * 3 for weight in weights]


HARD: dict[str, Callable[[list[int], Random], Instance]] = {
    "strong": strong,
    "inverse strong": inverse_strong,
    "almost strong": almost_strong,
    "weak": weak,
    "subset sum": subset_sum,
    "even-odd": even_odd,
    "circle": circle,
    "spanner": spanner,
    "multiple strong": multiple_strong,
    "profit ceiling": profit_ceiling,
}

CLASSES = [*RETRIEVED, *HARD, *[f"{name}, nearly equal" for name in HARD]]


def instance(name: str, count: int, seed: int) -> Instance:
    """One instance of a class; the same for the same seed."""
    chance = Random(f"{name} {count} {seed}")
    if name in RETRIEVED:
        lengths, values = name.split(", ")
        return LENGTHS[lengths](count, chance), VALUES[values](count, chance)
    kind, _, near = name.partition(", ")
    return HARD[kind](nearly_equal(count, chance) if near else uniform(count, chance), chance)
