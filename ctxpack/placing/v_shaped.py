"""The best order that falls in value per token to its least dense chunk, and rises after it.

Two neighbours that stand on one side of the lowest place of a curve of two parabolas gain by
standing denser side outwards: swapping them changes the use by the curvature times the distance
times the difference of their densities. So a best order has that shape but for the chunk in which
the lowest place lies; under other curves it is a good order to begin with.
"""

from __future__ import annotations

from ctxpack.placing.spans import Spans

CELLS = 40_000_000
"""The most chunks times tokens of which every division between left and right is looked at."""


def by_density(spans: Spans) -> list[int]:
    """The chunks by value per token, the densest first; ties as listed."""
    return sorted(
        range(len(spans.tokens)), key=lambda chunk: -spans.values[chunk] / spans.tokens[chunk]
    )


def v_shaped(spans: Spans) -> tuple[int, ...]:
    """The V-shaped order of most use; past CELLS, one that is near it."""
    width = spans.total - spans.ahead + spans.separator + 1
    if len(spans.tokens) * width > CELLS:
        return two_ended(spans)
    return _divided(spans, width)


def two_ended(spans: Spans) -> tuple[int, ...]:
    """By falling density, each chunk to the end at which it is used more as things stand."""
    left: list[int] = []
    right: list[int] = []
    begin, end = spans.ahead, spans.total
    for chunk in by_density(spans):
        tokens = spans.tokens[chunk]
        if spans.curve.p(spans.x(begin, chunk)) >= spans.curve.p(spans.x(end - tokens, chunk)):
            left.append(chunk)
            begin += tokens + spans.separator
        else:
            right.append(chunk)
            end -= tokens + spans.separator
    return (*left, *reversed(right))


def _divided(spans: Spans, width: int) -> tuple[int, ...]:
    """By falling density, each chunk to the left or the right: the best for every left so far."""
    import numpy as np

    total, sep = spans.total, spans.separator
    # The curve where a middle can stand: at every half token.
    chance = spans.chances(np.arange(2 * total + 1) / (2 * total))
    best = np.full(width, -np.inf)
    best[0] = 0.0
    went_right = []
    placed = 0
    dense = by_density(spans)
    for chunk in dense:
        tokens, value = spans.tokens[chunk], spans.values[chunk]
        size = tokens + sep
        now = best[: placed + 1]
        first = 2 * spans.ahead + tokens
        left = now + value * chance[first : first + 2 * placed + 1 : 2]
        # With `placed` tokens of which so many stand left, the rest stands right.
        first = 2 * (total - placed) - tokens
        right = now + value * chance[first : first + 2 * placed + 1 : 2]
        reached = np.full(width, -np.inf)
        reached[size : size + placed + 1] = left
        better = right > reached[: placed + 1]
        np.maximum(reached[: placed + 1], right, out=reached[: placed + 1])
        went_right.append(np.packbits(better))
        best = reached
        placed += size
    at = int(best.argmax())
    ahead: list[int] = []
    behind: list[int] = []
    for chunk, bits in zip(reversed(dense), reversed(went_right), strict=True):
        if at >> 3 < len(bits) and int(bits[at >> 3]) >> (7 - (at & 7)) & 1:
            behind.append(chunk)
        else:
            ahead.append(chunk)
            at -= spans.tokens[chunk] + sep
    return (*reversed(ahead), *behind)
