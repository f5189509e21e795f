"""The table best[i][c] row by row, drawn over the width as levels of value, and the walk back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tui.glyphs import UNICODE, Glyphs
from tui.text import pad, plain_line
from tui.widgets.levels import level
from tui.widgets.spans import Row, Span, clipped, merged

LABEL = 20
"""Cells left of a row: rank, cost, value, and where the walk back stands its letter."""

Levels = Callable[[int, int], Sequence[float]]
"""Of a row from 0 and a width: the best value at as many capacities, as shares of the largest."""


@dataclass(frozen=True, slots=True)
class TableLine:
    """One row of the table: a candidate's cost in tokens, its value written out."""

    id: str
    rank: int | None
    cost: int
    value: str
    gold: bool = False


@dataclass(frozen=True, slots=True)
class WalkStep:
    """One step of the walk back, from the last row up: the cell looked at, and what came of it."""

    row: int
    cell: int
    taken: bool


@dataclass(frozen=True, slots=True)
class TableChart:
    """All rows, the walk back in its order, and `levels` to draw a row from; row 0 is empty."""

    lines: tuple[TableLine, ...]
    capacity: int
    walk: tuple[WalkStep, ...]
    levels: Levels
    beside: str = ""

    @property
    def steps(self) -> int:
        """A step for every row that is filled, and one for every row of the walk back."""
        return len(self.lines) + len(self.walk)


def table_rows(
    chart: TableChart, step: int, width: int, height: int, glyphs: Glyphs = UNICODE
) -> list[Row]:
    """The chart after `step` steps in at most `height` rows; the row it is about is in view."""
    step = max(0, min(step, chart.steps))
    filled = min(step, len(chart.lines))
    walked = chart.walk[: step - filled]
    here = walked[-1].row if walked else filled
    room = height - 3
    rows = [_heading(chart, step, filled, walked, width, glyphs)]
    first = max(0, min(here - 1 - room // 2, len(chart.lines) - room))
    shown = range(first + 1, min(first + max(0, room), len(chart.lines)) + 1)
    rows += [_line(chart, number, filled, here, walked, width, glyphs) for number in shown]
    rows.append(_axis(chart, width))
    rows.append((Span(chart.beside, "muted"),))
    return [clipped(row, width, ascii=glyphs.ascii) for row in rows[:height]]


def _heading(
    chart: TableChart,
    step: int,
    filled: int,
    walked: Sequence[WalkStep],
    width: int,
    glyphs: Glyphs,
) -> Row:
    count = Span(f"step {step} of {chart.steps}  ", "title")
    if not step:
        return (count, Span("best value within c tokens: no chunk is offered yet", "label"))
    number = walked[-1].row if walked else filled
    line = chart.lines[number - 1]
    rank = f"rank {line.rank} " if line.rank is not None else ""
    name = f"{rank}{plain_line(line.id, max(8, width // 5), ascii=glyphs.ascii)}"
    if not walked:
        said = f"row {number}: {name} offered, cost {line.cost:,}, value {line.value}"
        return (count, Span(said, "strong"))
    last = walked[-1]
    at = f"back at {last.cell:,}: "
    if last.taken:
        return (count, Span(f"{at}{name} is in, on to {last.cell - line.cost:,}", "strong"))
    return (count, Span(f"{at}{name} is out", "strong"))


def _line(
    chart: TableChart,
    number: int,
    filled: int,
    here: int,
    walked: Sequence[WalkStep],
    width: int,
    glyphs: Glyphs,
) -> Row:
    line = chart.lines[number - 1]
    stand = next((step for step in walked if step.row == number), None)
    letter = "" if stand is None else "P" if stand.taken else "S"
    label_ink = "strong" if number == here else "label" if number <= filled else "muted"
    label = f"{line.rank or '':>4}{line.cost:>7,}{line.value:>6} "
    row: Row = (
        Span(letter or (glyphs.cursor if number == here else " "), _ink(letter)),
        Span(glyphs.gold if line.gold else " ", "gold"),
        Span(pad(label, LABEL - 2), label_ink),
    )
    room = max(1, width - LABEL)
    if number > filled:
        return (*row, Span(glyphs.dot * room, "free"))
    above = chart.levels(number - 1, room)
    marks = []
    for share, before in zip(chart.levels(number, room), above, strict=True):
        better = share > before
        marks.append((level(share, glyphs), "bar" if better else "muted"))
    if stand is not None:
        at = column_of(stand.cell, chart.capacity, room)
        marks[at] = (letter, "selected")
    return (*row, *merged(marks))


def column_of(cell: int, capacity: int, width: int) -> int:
    """The column in which a capacity stands: 0 at the left, the whole at the right."""
    return 0 if not capacity else min(width - 1, cell * (width - 1) // capacity)


def _ink(letter: str) -> str:
    return {"P": "packed", "S": "skipped"}.get(letter, "title")


def _axis(chart: TableChart, width: int) -> Row:
    room = max(1, width - LABEL)
    end = f"{chart.capacity:,} tokens of budget"
    line = "0" + end.rjust(room - 1) if room > len(end) + 2 else end[:room]
    return (Span(pad("  rank   cost value", LABEL), "muted"), Span(line, "muted"))
