"""Maximal marginal relevance within a budget: near the query, unlike what is already chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxpack.choosing.fill import STEPS as TOLD
from ctxpack.choosing.fill import refusal_of, with_took_room
from ctxpack.errors import Stop, stop_if
from ctxpack.likeness.similarity import ONE, Similarities
from ctxpack.value.valuation import WHOLE
from ctxpack.weighed import Choice, Refusal, Weighed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Wholes = NDArray[np.int64]

STEPS = 1_000_000
"""Lambda is taken to the millionth, so that scores are whole numbers and ties are exact."""

OUT = -(1 << 62)
"""Below every score."""

LAST = -5 * ONE * STEPS // 2
"""Added to the scores of what cannot be compared: below every other score, and above OUT."""


def mmr(
    candidates: Sequence[Weighed],
    room: int,
    mmr_lambda: float,
    similarities: Similarities,
    *,
    pins: Sequence[Weighed] = (),
    should_stop: Stop | None = None,
) -> Choice:
    """Take the best-scored again and again until `room` tokens hold no other (seed 2).

    The score is lambda times relevance less (1 - lambda) times the highest cosine with anything
    chosen, `pins` included, 0 where nothing is. Ties by rank, then by given order; what cannot be
    compared comes after all that can. Relevance is the cosine with the query, without one the
    value as a share of the largest.

    Filling goes on past what does not fit. A candidate's turn comes when it is scored best among
    those that are neither taken nor refused: its refusal tells what was left then.
    """
    import numpy as np

    race = line_up(candidates, pins, similarities, mmr_lambda)
    costs = race.costs.copy()
    merit = race.merit.copy()
    largest = max((candidate.cost for candidate in race.line), default=0)
    nearest = race.nearest
    scores = race.scores(merit, nearest)
    taken: list[Weighed] = []
    refused: list[Refusal] = []
    left = room
    lacked: int | None = None
    steps = TOLD
    while True:
        stop_if(should_stop)
        best = None
        if left < largest:
            fitting = np.where(costs <= left, scores, OUT)
            best = int(fitting.argmax()) if len(fitting) else None
            if best is not None and fitting[best] == OUT:
                best = None
            for place in _passed(scores, costs, best, left):
                candidate = race.line[place]
                costs[place], merit[place] = _GONE, OUT
                lack = candidate.cost - left
                lacked = min(lack, lacked or lack)
                refusal = refusal_of(candidate, left, room)
                refusal, steps = with_took_room(refusal, lack, taken, steps)
                refused.append(refusal)
        elif len(taken) < len(race.line):
            best = int(scores.argmax())
        if best is None:
            break
        taken.append(race.line[best])
        left -= race.line[best].cost
        costs[best], merit[best] = _GONE, OUT
        nearest = race.nearest_with(best, nearest)
        scores = race.scores(merit, nearest)
    highest = None if lacked is None else room + lacked - 1
    return Choice(tuple(taken), tuple(refused), steady=(room - left, highest))


_GONE = 1 << 62
"""The cost of what is no longer in the race: it fits nowhere."""


@dataclass(frozen=True)
class Race:
    """Candidates in the order that decides ties, with what their scores are made of.

    `merit` is relevance times lambda, `weight` 1 - lambda, both in STEPS; `nearest` the highest
    cosine with a pin, None without pins.
    """

    line: tuple[Weighed, ...]
    costs: Wholes
    merit: Wholes
    weight: int
    nearest: Wholes | None
    places: Wholes
    similarities: Similarities

    def row(self, place: int) -> Wholes:
        """Cosines of one in line with every one in line."""
        return self.similarities.row_at(int(self.places[place])).take(self.places)

    def nearest_with(self, place: int, nearest: Wholes | None) -> Wholes:
        """The highest cosine of each with what is chosen, once this one is chosen too."""
        import numpy as np

        row = self.row(place)
        return row if nearest is None else np.maximum(nearest, row, out=row)

    def scores(self, merit: Wholes, nearest: Wholes | None) -> Wholes:
        """What each is worth taking next; `merit` OUT keeps one below all others."""
        return merit.copy() if nearest is None else merit - self.weight * nearest


def line_up(
    candidates: Sequence[Weighed],
    pins: Sequence[Weighed],
    similarities: Similarities,
    mmr_lambda: float,
) -> Race:
    """Candidates ready to be chosen from beside pins that are in."""
    import numpy as np

    unusable = similarities.unusable
    line = tuple(sorted(candidates, key=lambda c: (c.id in unusable, *c.by_rank)))
    places = np.array([similarities.places[c.id] for c in line], dtype=np.int64)
    if similarities.relevance is None:
        relevance = np.array([c.worth for c in line], dtype=np.int64) * (ONE // WHOLE)
    else:
        relevance = similarities.relevance.take(places)
    share = round(mmr_lambda * STEPS)
    nearest: Wholes | None = None
    for pin in pins:
        row = similarities.row(pin.id).take(places)
        nearest = row if nearest is None else np.maximum(nearest, row)
    return Race(
        line=line,
        costs=np.array([c.cost for c in line], dtype=np.int64),
        merit=relevance * share + np.array([LAST * (c.id in unusable) for c in line], np.int64),
        weight=STEPS - share,
        nearest=nearest,
        places=places,
        similarities=similarities,
    )


def _passed(scores: Wholes, costs: Wholes, best: int | None, left: int) -> list[int]:
    """Those whose turn came before the best that fits, but that do not fit, best-scored first."""
    import numpy as np

    out = (costs > left) & (costs < _GONE)
    if best is not None:
        before = np.arange(len(scores)) < best
        out &= (scores > scores[best]) | (before & (scores == scores[best]))
    passed = np.flatnonzero(out)
    ahead: list[int] = passed[np.argsort(-scores[passed], kind="stable")].tolist()
    return ahead
