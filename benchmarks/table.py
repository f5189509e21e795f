"""The table that the benchmarks print, and write into their README."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

BEGIN, END = "<!-- table -->", "<!-- end of table -->"


class Line(NamedTuple):
    """What was measured, the figure, and the goal; a ratio unless a unit is named."""

    what: str
    figure: float
    goal: str
    unit: str = "x"


def printed(lines: Iterable[Line]) -> str:
    """The lines as aligned text."""
    rows = list(lines)
    width = max((len(line.what) for line in rows), default=0)
    return "\n".join(
        f"{line.what:<{width}}  {_figure(line.figure):>10} {line.unit:<4} goal {line.goal}"
        for line in rows
    )


def marked_down(lines: Iterable[Line]) -> str:
    """The lines as a Markdown table."""
    rows = [f"| {line.what} | {_figure(line.figure)} {line.unit} | {line.goal} |" for line in lines]
    return "\n".join(["| what | figure | goal |", "|---|---|---|", *rows])


def put_into(page: str, table: str) -> str:
    """The page with the table in place of the one that it holds; raises ValueError without one."""
    before, found, rest = page.partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not (found and closed):
        raise ValueError(f"the page has no {BEGIN} and {END}.")
    return f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"


def _figure(figure: float) -> str:
    if figure == 0 or 0.01 <= abs(figure) < 10_000:
        return f"{figure:,.2f}"
    return f"{figure:.1e}"
