"""One strategy's packing as a line of the comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tui.glyphs import NOW
from tui.text import cells, plain_line
from tui.widgets.columns import Fitted, fitted, fixed, flexible, line
from tui.widgets.spans import Row, Span


@dataclass(frozen=True, slots=True)
class StrategyRow:
    """What is shown of one strategy, written out already; `problem` stands in place of figures.

    `answer` is in, out, or empty where no expected answer is known; `differs` the ranks that it
    has out and in against top.
    """

    name: str
    value: str = ""
    bound: str = ""
    gap: str = ""
    used: str = ""
    packed: str = ""
    median: str = ""
    against_top: str = ""
    answer: str = ""
    differs: str = ""
    problem: str = ""
    waiting: bool = False
    current: bool = False


def strategy_columns(rows: Sequence[StrategyRow], width: int) -> Fitted:
    """The columns at `width` cells; figures first, then what differs as far as there is room."""
    differs = max((cells(row.differs) for row in rows), default=0)
    answer = 6 if any(row.answer for row in rows) else 0
    columns = (
        fixed("strategy", 0, max(8, *(cells(row.name) + 2 for row in rows), 0)),
        fixed("value", 1, _widest(rows, "value", 6), "right"),
        fixed("bound", 9, _widest(rows, "bound", 6), "right"),
        fixed("gap", 2, _widest(rows, "gap", 6), "right"),
        fixed("used", 3, _widest(rows, "used", 5), "right"),
        fixed("packed", 4, _widest(rows, "packed", 6), "right"),
        fixed("median", 5, _widest(rows, "median", 6), "right"),
        fixed("vs top", 6, _widest(rows, "against_top", 7), "right"),
        fixed("answer", 7, answer),
        flexible("chunks against top", 8, 6, 12, differs),
    )
    return fitted(columns, width)


def strategy_row(row: StrategyRow, columns: Fitted, width: int) -> Row:
    """One line; what is still being packed, or was refused, says so instead of figures."""
    name = row.name + (f" {NOW}" if row.current else "")
    if row.problem or row.waiting:
        said = row.problem or "packing ..."
        first = columns[0][1] if columns else 0
        words = plain_line(said, max(0, width - first - 1))
        ink = "fault" if row.problem else "muted"
        return (Span(f"{name:<{first}} ", "strong"), Span(words, ink))
    values = {
        "strategy": (name, "strong"),
        "value": (row.value, "label"),
        "bound": (row.bound, "muted"),
        "gap": (row.gap, "good" if row.gap == "proven" else "label"),
        "used": (row.used, "label"),
        "packed": (row.packed, "label"),
        "median": (row.median, "label"),
        "vs top": (row.against_top, "label"),
        "answer": (row.answer, "good" if row.answer == "in" else "cause"),
        "chunks against top": (row.differs, "changed"),
    }
    return line(columns, values)


def _widest(rows: Sequence[StrategyRow], name: str, least: int) -> int:
    return max(least, *(cells(getattr(row, name)) for row in rows), 0)
