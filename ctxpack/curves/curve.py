"""A curve: p over x, and the illustrative one that is used where none was measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


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


@dataclass(frozen=True)
class Curve:
    """A named p(x), x and p from 0 to 1, with the smallest and largest p that it takes.

    `points` are what was measured, x and p; `parabolas` are there for a curve that is two of them.
    """

    name: str
    p: Callable[[float], float]
    lowest: float
    highest: float
    points: tuple[tuple[float, float], ...] = ()
    parabolas: Parabolas | None = None


_U = Parabolas(trough=0.5, bottom=0.55, left=0.8, right=0.4)

ASSUMED = Curve("assumed", _U.p, 0.55, 0.75, parabolas=_U)
"""0.75 at the start, 0.55 at x = 0.5, 0.65 at the end: illustrative, measured on no model."""
