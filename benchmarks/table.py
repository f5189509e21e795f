"""One line of the table that the benchmarks print."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """What was measured, the figure, and the goal; a ratio unless a unit is named."""

    what: str
    figure: float
    goal: str
    unit: str = "x"


def printed(lines: list[Line]) -> str:
    """The lines as aligned text."""
    width = max(len(line.what) for line in lines)
    return "\n".join(
        f"{line.what:<{width}}  {line.figure:9.2f} {line.unit:<4} goal {line.goal}"
        for line in lines
    )
