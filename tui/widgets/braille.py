"""A line through a grid of braille cells, two dots across and four down in each."""

from __future__ import annotations

from collections.abc import Callable

_BITS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))


def height_of(value: float, low: float, high: float, steps: int) -> int:
    """The step, from 0 at the top, on which `value` stands between `low` and `high`."""
    if high <= low:
        return steps // 2
    share = min(1.0, max(0.0, (value - low) / (high - low)))
    return round((1.0 - share) * (steps - 1))


def braille_line(
    curve: Callable[[float], float], low: float, high: float, width: int, height: int
) -> list[list[str]]:
    """`curve` over 0 to 1 as `height` rows of `width` cells, joined vertically; " " where empty."""
    dots = [[0] * width for _ in range(height)]
    across, steps = width * 2, height * 4
    last: int | None = None
    for column in range(across):
        here = height_of(curve(column / max(1, across - 1)), low, high, steps)
        start = here if last is None else _towards(last, here)
        for step in range(min(start, here), max(start, here) + 1):
            dots[step // 4][column // 2] |= _BITS[column % 2][step % 4]
        last = here
    return [[chr(0x2800 + bits) if bits else " " for bits in row] for row in dots]


def plain_curve(
    curve: Callable[[float], float], low: float, high: float, width: int, height: int, sign: str
) -> list[list[str]]:
    """The same line in one sign a cell, for terminals without braille."""
    rows = [[" "] * width for _ in range(height)]
    last: int | None = None
    for column in range(width):
        here = height_of(curve(column / max(1, width - 1)), low, high, height)
        start = here if last is None else _towards(last, here)
        for step in range(min(start, here), max(start, here) + 1):
            rows[step][column] = sign
        last = here
    return rows


def _towards(last: int, here: int) -> int:
    """Where a vertical joint begins, so that neighbouring columns touch and none repeats."""
    return last + (here > last) - (here < last)
