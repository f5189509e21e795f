"""The best order that falls in value per token to its middle chunk, and rises after it.

Two neighbours that stand on one side of the lowest place of a curve of two parabolas gain by
standing denser side outwards: swapping them changes the use by the curvature times the distance
times the difference of their densities. So a best order has that shape but for the one chunk in
which the lowest place lies, which may be any; under other curves it is a good order to begin with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import TYPE_CHECKING, NamedTuple

from ctxpack.placing.rearranged import uses_around
from ctxpack.placing.spans import Spans

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Shares = NDArray[np.float64]
    Flags = NDArray[np.bool_]

CELLS = 40_000_000
"""The most chunks times tokens of which every division between left and right is looked at."""

MIDDLES = 24
"""The most chunks that are tried in the middle; of more that might stand there, none but one."""

_NEAR = 1e-9


class Shaped(NamedTuple):
    """An order; `exact` says that under a curve of two parabolas no order is used more."""

    order: tuple[int, ...]
    exact: bool


def by_density(spans: Spans) -> list[int]:
    """The chunks by value per token, a separator counted with each, densest first; ties as listed.

    Chunks of no token at all come first.
    """
    sizes = [tokens + spans.separator for tokens in spans.tokens]
    return sorted(range(len(sizes)), key=lambda chunk: -spans.values[chunk] / (sizes[chunk] or 1))


def v_shaped(spans: Spans) -> Shaped:
    """The V-shaped order of most use, whichever chunk is its middle; past CELLS one near it."""
    width = spans.total - spans.ahead + spans.separator + 1
    if len(spans.tokens) * width > CELLS:
        return Shaped(two_ended(spans), False)
    return _divided(spans)


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


@dataclass(frozen=True)
class _Stacked:
    """The most use of what is stacked up at both ends, for each number of tokens on the left.

    `best[i]` is that of `lowest + i` tokens on the left; `placed` are the tokens of both sides.
    """

    best: Shares
    lowest: int
    placed: int


class _Step(NamedTuple):
    """Which way a chunk went, by the tokens that stand on the left afterwards."""

    chunk: int
    lowest: int
    went_right: Flags


class _Sides:
    """Stacking chunks up at the two ends, neither beyond the lowest place of the curve."""

    def __init__(self, spans: Spans) -> None:
        import numpy as np

        self.spans = spans
        total, sep = spans.total, spans.separator
        # The curve where a middle can stand: at every half token.
        self.chance = spans.curve.chances(np.arange(2 * total + 1) / (2 * total or 1))
        everything = total - spans.ahead + sep
        self.most_left = self.most_right = everything
        if spans.curve.parabolas is not None:
            trough = spans.curve.parabolas.trough * total
            self.most_left = max(0, floor(trough - spans.ahead + sep + _NEAR))
            self.most_right = floor(total + sep - trough + _NEAR)

    def nothing(self) -> _Stacked:
        """Nothing on either side."""
        import numpy as np

        return _Stacked(np.zeros(1), 0, 0)

    def stacked(self, before: _Stacked, chunk: int) -> tuple[_Stacked, _Step]:
        """With one chunk more, on the left or on the right, whichever is used more."""
        import numpy as np

        tokens, value = self.spans.tokens[chunk], self.spans.values[chunk]
        size = tokens + self.spans.separator
        low, high = before.lowest, before.lowest + len(before.best) - 1
        placed = before.placed + size
        first, last = max(low, placed - self.most_right), min(high + size, self.most_left)
        reached = np.full(max(0, last - first + 1), -np.inf)
        went_right = np.zeros(len(reached), dtype=np.bool_)
        begin, end = max(first, low + size), last
        if begin <= end:
            came = before.best[begin - size - low : end - size - low + 1]
            at = 2 * (self.spans.ahead + begin - size) + tokens
            gained = self.chance[at : at + 2 * len(came) - 1 : 2]
            reached[begin - first : end - first + 1] = came + value * gained
        begin, end = first, min(last, high)
        if begin <= end:
            came = before.best[begin - low : end - low + 1]
            # With `placed` tokens of which so many stand left, the rest stands right.
            at = 2 * (self.spans.total - before.placed + begin) - tokens
            right = came + value * self.chance[at : at + 2 * len(came) - 1 : 2]
            part = reached[: len(right)]
            np.greater(right, part, out=went_right[: len(right)])
            np.maximum(part, right, out=part)
        return _Stacked(reached, first, placed), _Step(chunk, first, went_right)

    def closed(self, sides: _Stacked, middle: int) -> tuple[float, int]:
        """The most use with that chunk between the two sides, and the tokens left of it."""
        if not len(sides.best):
            return float("-inf"), 0
        at = 2 * (self.spans.ahead + sides.lowest) + self.spans.tokens[middle]
        chances = self.chance[at : at + 2 * len(sides.best) - 1 : 2]
        uses = sides.best + self.spans.values[middle] * chances
        best = int(uses.argmax())
        return float(uses[best]), sides.lowest + best


def _divided(spans: Spans) -> Shaped:
    """By falling density, each chunk to the left or the right: the best for every left so far."""
    sides = _Sides(spans)
    dense = by_density(spans)
    states = [sides.nothing()]
    steps: list[_Step] = []
    for chunk in dense[:-1]:
        state, step = sides.stacked(states[-1], chunk)
        states.append(state)
        steps.append(step)
    use, at = sides.closed(states[-1], dense[-1])
    best = (use, at, dense[-1], tuple(steps))
    others, exact = _middles(spans, dense, use)
    for place in others:
        state, own = states[place], steps[:place]
        for chunk in dense[place + 1 :]:
            state, step = sides.stacked(state, chunk)
            own.append(step)
        use, at = sides.closed(state, dense[place])
        if use > best[0]:
            best = (use, at, dense[place], tuple(own))
    return Shaped(_order(spans, *best[1:]), exact)


def _middles(spans: Spans, dense: Sequence[int], use: float) -> tuple[list[int], bool]:
    """Places in `dense` of others that may do better in the middle, and whether these are all."""
    if spans.curve.parabolas is None:
        return [], False
    bounds = uses_around(spans, spans.curve.parabolas, dense)
    found = [place for place in range(len(dense) - 1) if bounds[place] > use]
    return (found, True) if len(found) <= MIDDLES else ([], False)


def _order(spans: Spans, at: int, middle: int, steps: Sequence[_Step]) -> tuple[int, ...]:
    """The order that led to `at` tokens left of the middle chunk."""
    ahead: list[int] = []
    behind: list[int] = []
    for chunk, lowest, went_right in reversed(steps):
        if went_right[at - lowest]:
            behind.append(chunk)
        else:
            ahead.append(chunk)
            at -= spans.tokens[chunk] + spans.separator
    return (*reversed(ahead), middle, *behind)
