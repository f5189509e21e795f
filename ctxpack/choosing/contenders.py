"""Chunks that may be used together, by falling density, and how much any set could be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxpack.curves import Curve
from ctxpack.placing.highest_places import HighestPlaces, highest_places, stretch
from ctxpack.weighed import Weighed


@dataclass(frozen=True)
class Contenders:
    """What a set is made of: `chunks` by falling `rated`, the use of a place per share of it.

    `sizes` are what their spans cover, of `total`, `between` what lies uncovered between each two;
    `costs` are what they take off the room. Those
    that are `forced` are in every set, and take off no room. `beyond` is added once to a bound.
    """

    chunks: tuple[Weighed, ...]
    costs: tuple[int, ...]
    sizes: tuple[int, ...]
    rated: tuple[float, ...]
    forced: tuple[bool, ...]
    room: int
    total: int
    between: int
    places: HighestPlaces
    beyond: float

    def hope(self, place: int, covered: int, left: int, without: frozenset[int]) -> float:
        """The most that the chunks from `place` on add where the denser cover so much.

        They fill what is `left` of the room by falling density, the last of them in part; those
        whose cost is one of `without` stay out.
        """
        area, total, sizes = self.places.area, self.total, self.sizes
        room = left
        before = area(covered / total)
        added = 0.0
        for at in range(place, len(sizes)):
            size = sizes[at]
            if not self.forced[at]:
                if self.costs[at] > room or not left or self.costs[at] in without:
                    continue
                size = min(size, left)
                left -= size
            covered = min(total, covered + size)
            after = area(covered / total)
            added += self.rated[at] * (after - before)
            before = after
        return added

    def whole(self, taken: Sequence[Weighed]) -> float:
        """The most that this very set, with all that is forced, can be used in any order."""
        inside = {chunk.id for chunk in taken}
        each = zip(self.chunks, self.sizes, self.rated, self.forced, strict=True)
        them = [
            (size, rated) for chunk, size, rated, forced in each if forced or chunk.id in inside
        ]
        # `rated` is per share of the total, and this window may be shorter.
        total = sum(size for size, _ in them) + self.between * max(0, len(them) - 1)
        bound = before = 0.0
        covered = 0
        for size, rated in them:
            covered += size
            after = self.places.area(covered / total)
            bound += rated * total / self.total * (after - before)
            before = after
        return bound + self.beyond

    def added(self, place: int, covered: int) -> float:
        """What one chunk adds to a bound where the denser ones of the set cover so much."""
        area, total = self.places.area, self.total
        after = area(min(total, covered + self.sizes[place]) / total)
        return self.rated[place] * (after - area(covered / total))


def contenders(
    free: Sequence[Weighed], pins: Sequence[Weighed], room: int, curve: Curve, reached: float
) -> Contenders:
    """Of candidates for `room` tokens beside the pins, one at least.

    Sets that are used less than `reached` need not obey the bounds.
    """
    every = [*free, *pins]
    separator = every[0].cost - every[0].tokens
    most = min(room + sum(pin.cost for pin in pins), sum(chunk.cost for chunk in every))
    least = max(_least(every, reached, curve.highest), sum(pin.cost for pin in pins))
    least = max(1, min(least, most) - separator)
    convex = curve.parabolas is not None
    # A curve without downward bends only gains by being drawn out, most for the shortest window.
    places = highest_places(curve, stretch(least, separator) if convex else 1.0)
    total = max(1, most if convex else most - separator)
    shortest = total if places.bend < 0 else least
    rated = []
    for chunk in every:
        size = chunk.cost if convex else chunk.tokens
        worth = chunk.value * places.excess(size / shortest)
        rated.append((worth * total / size, size, chunk))
    rated.sort(key=lambda one: (-one[0], *one[2].by_rank))
    one = max(chunk.value * chunk.tokens / least for chunk in every)
    pinned = {pin.id for pin in pins}
    return Contenders(
        chunks=tuple(chunk for _, _, chunk in rated),
        costs=tuple(chunk.cost for _, _, chunk in rated),
        sizes=tuple(size for _, size, _ in rated),
        rated=tuple(density for density, _, _ in rated),
        forced=tuple(chunk.id in pinned for _, _, chunk in rated),
        room=room,
        total=total,
        between=0 if convex else separator,
        places=places,
        beyond=rated[0][0] * places.slack + one * places.drops,
    )


def _least(chunks: Sequence[Weighed], reached: float, highest: float) -> int:
    """The fewest tokens with which a set can be used so much."""
    needed = reached * (1 - 1e-9)
    tokens = 0
    for chunk in sorted(chunks, key=lambda chunk: -chunk.value / chunk.cost):
        if needed <= 0:
            break
        worth = chunk.value * highest
        if worth >= needed:
            return tokens + int(chunk.cost * needed / worth)
        needed -= worth
        tokens += chunk.cost
    return tokens
