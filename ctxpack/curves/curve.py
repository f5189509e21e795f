"""A curve: p over x, and the illustrative one that is used where none was measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Shares = NDArray[np.float64]


@dataclass(frozen=True)
class Parabolas:
    """Two parabolas that meet at their lowest place: x of it, p there, and a coefficient a side.

    p is bottom + left (x - trough)^2 before the trough, bottom + right (x - trough)^2 after it;
    the coefficients are 0 or more.
    """

    trough: float
    bottom: float
    left: float
    right: float

    def p(self, x: float) -> float:
        """The chance at x."""
        away = x - self.trough
        return self.bottom + (self.left if away < 0 else self.right) * away * away

    def many(self, x: Shares) -> Shares:
        """The chances at many places at once."""
        import numpy as np

        away = x - self.trough
        return self.bottom + np.where(away < 0, self.left, self.right) * away * away


@dataclass(frozen=True)
class Bends:
    """How far a curve that only rises or falls between `turns` bends down.

    Its second derivative is -`most` or more, but where its slope falls at once: there by `drops`.
    """

    turns: tuple[float, ...]
    most: float
    drops: tuple[float, ...]


@dataclass(frozen=True)
class Curve:
    """A named p(x), x and p from 0 to 1, with the smallest and largest p that it takes.

    `points` are what was measured, x and p; `parabolas` are there for a curve that is two of them,
    `bends` where it is known how far it bends: from either, bounds on orders are found. `many` is
    p of many places at once.
    """

    name: str
    p: Callable[[float], float]
    lowest: float
    highest: float
    points: tuple[tuple[float, float], ...] = ()
    parabolas: Parabolas | None = None
    bends: Bends | None = None
    many: Callable[[Shares], Shares] | None = None

    def chances(self, x: Shares) -> Shares:
        """p at many places at once."""
        import numpy as np

        if self.many is not None:
            return self.many(x)
        return np.array([self.p(place) for place in x.tolist()], dtype=np.float64)


_U = Parabolas(trough=0.5, bottom=0.55, left=0.8, right=0.4)

ASSUMED = Curve("assumed", _U.p, 0.55, 0.75, parabolas=_U, many=_U.many)
"""0.75 at the start, 0.55 at x = 0.5, 0.65 at the end: illustrative, measured on no model."""
