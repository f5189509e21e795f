"""A proven upper bound on what any choice within a budget can be worth."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.weighed import Weighed


def upper_bound(candidates: Sequence[Weighed], room: int) -> float:
    """Most value within `room` tokens if one chunk could be cut (Dantzig's bound), in real values.

    Chunks that are alone larger than the room count for nothing.
    """
    fitting = [c for c in candidates if c.cost <= room and c.value > 0]
    fitting.sort(key=lambda candidate: -candidate.value / candidate.cost)
    bound = 0.0
    left = room
    for candidate in fitting:
        if candidate.cost > left:
            return bound + candidate.value * left / candidate.cost
        bound += candidate.value
        left -= candidate.cost
    return bound
