"""Sets of chunks with what their best order is used: a good one, found by weighing with places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from ctxpack.choosing.contenders import contenders
from ctxpack.curves import Curve
from ctxpack.errors import Stop, stop_if
from ctxpack.knapsack.solving import solve
from ctxpack.value.valuation import WHOLE
from ctxpack.weighed import Weighed

if TYPE_CHECKING:
    from ctxpack.placing.layout import Placing


@dataclass(frozen=True)
class Layer:
    """Lays chunks out in their best order under a curve: what it is used, and what is proven."""

    curve: Curve
    place: Callable[[Sequence[Weighed]], Placing]


ROUNDS = 6
"""Times that values are weighed anew with places, and that a set is exchanged for a better one."""

TRIED = 12
"""Exchanges of a round that are laid out, the most promising ones."""

EXACT = 1e-12
"""The share of the use that is no difference."""

EXCHANGED = 40_000
"""What exchanges in a set take at most, as a table over subsets does."""


@dataclass(frozen=True)
class UsedSet:
    """Free chunks that are in, what their best order is used, and what no order of them passes."""

    taken: tuple[Weighed, ...]
    use: float
    bound: float


class UsedSets:
    """Sets of free chunks within `room` beside the pins; none is laid out twice.

    `work` counts what laying them out took: chunks times tokens of which divisions are looked at,
    or as much for subsets and exchanges.
    """

    def __init__(
        self,
        free: Sequence[Weighed],
        room: int,
        pins: Sequence[Weighed],
        layer: Layer,
        should_stop: Stop | None = None,
    ) -> None:
        self.free, self.room, self.pins, self.layer = free, room, pins, layer
        self.work = 0
        self._should_stop = should_stop
        self._laid: dict[frozenset[str], UsedSet] = {}

    def of(self, taken: Sequence[Weighed]) -> UsedSet:
        """These chunks in their best order, the pins with them. Raises Stopped."""
        key = frozenset(chunk.id for chunk in taken)
        if key not in self._laid:
            stop_if(self._should_stop)
            placing = self.layer.place([*self.pins, *taken])
            self._laid[key] = UsedSet(tuple(taken), placing.bound - placing.gap, placing.bound)
            chunks = len(taken) + len(self.pins)
            tokens = sum(chunk.cost for chunk in (*self.pins, *taken))
            convex = self.layer.curve.parabolas is not None
            self.work += chunks * tokens // 4 if convex else min(chunks << chunks, EXCHANGED) * 6
        return self._laid[key]

    def good(self) -> UsedSet:
        """A set that is used much: by knapsacks weighed with places, then by exchanges."""
        best = self.of(())
        weights = [chunk.value for chunk in self.free]
        for _ in range(ROUNDS if self.free else 0):
            taken = self._most_weight(weights)
            known = frozenset(chunk.id for chunk in taken) in self._laid
            best = max(best, self.of(taken), key=lambda one: one.use)
            if known:
                break
            weights = self._in_place(taken)
        for _ in range(ROUNDS):
            better = self._exchanged(best)
            if better is best:
                break
            best = better
        return best

    def _most_weight(self, weights: Sequence[float]) -> list[Weighed]:
        largest = max(weights) or 1.0
        worths = [round(weight / largest * WHOLE) for weight in weights]
        costs = [chunk.cost for chunk in self.free]
        found = solve(costs, worths, self.room, should_stop=self._should_stop)
        return [self.free[at] for at in found.taken]

    def _in_place(self, taken: Sequence[Weighed]) -> list[float]:
        """The use of every free chunk in the place that its density would give it in that set."""
        field = contenders(self.free, self.pins, self.room, self.layer.curve, inf)
        inside = {chunk.id for chunk in (*taken, *self.pins)}
        used: dict[str, float] = {}
        covered = 0
        for at, chunk in enumerate(field.chunks):
            used[chunk.id] = field.added(at, covered)
            covered += field.sizes[at] if chunk.id in inside else 0
        return [used[chunk.id] for chunk in self.free]

    def _exchanged(self, best: UsedSet) -> UsedSet:
        """The set after one chunk more, one less or one for another, where that is used more."""
        if not self.free:
            return best
        uses = self._in_place(best.taken)
        used = {chunk.id: use for chunk, use in zip(self.free, uses, strict=True)}
        left = self.room - sum(chunk.cost for chunk in best.taken)
        inside = {chunk.id for chunk in best.taken}
        moves: list[tuple[float, Weighed | None, Weighed | None]] = []
        for come in (None, *(chunk for chunk in self.free if chunk.id not in inside)):
            for go in (None, *best.taken):
                room = left + (go.cost if go else 0) - (come.cost if come else 0)
                if room >= 0 and (come or go):
                    gain = (used[come.id] if come else 0.0) - (used[go.id] if go else 0.0)
                    moves.append((gain, come, go))
        moves.sort(key=lambda move: -move[0])
        for _, come, go in moves[:TRIED]:
            kept = [chunk for chunk in best.taken if chunk is not go]
            other = self.of(kept + ([come] if come else []))
            if other.use > best.use * (1 + EXACT):
                return other
        return best
