"""A logged run as one line of a list."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tui.glyphs import SEVERITY_LETTERS, UNICODE, Glyphs
from tui.text import cells, plain_line
from tui.widgets.columns import Column, Fitted, fitted, fixed
from tui.widgets.columns import line as column_line
from tui.widgets.spans import Row, Span, clipped

BAR = 8
"""Cells of the bar of tokens used against the budget."""

_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?")


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run in a list; sizes are tokens.

    `findings` is (code, severity) with the gravest first, None while the run is not looked at yet.
    """

    id: str
    time: str = ""
    request_type: str = ""
    query: str = ""
    budget: int | None = None
    used: int | None = None
    packed: int | None = None
    considered: int | None = None
    assembler: str = ""
    findings: tuple[tuple[str, str], ...] | None = ()


def run_columns(width: int) -> Fitted:
    """The columns at `width` cells: the same for every run, so that paging never shifts them."""
    time = 16 if width >= 90 else 11
    columns = (
        fixed("time", 0, time),
        Column("finding", 1, 14, 25, 25),
        Column("query", 2, 12, 34, 120),
        fixed("used", 3, BAR),
        fixed("used / budget", 6, 15 if width >= 110 else 0, "right"),
        fixed("packed", 4, 7, "right"),
        Column("type", 5, 8, 10, 14),
        Column("assembler", 7, 10, 22, 22),
        Column("run", 8, 10, 12, 16),
    )
    return fitted(columns, width)


def run_row(run: RunRow, columns: Fitted, glyphs: Glyphs = UNICODE) -> Row:
    """One run's line under these columns."""
    time = next((width for column, width in columns if column.name == "time"), 16)
    values = {
        "time": (short_time(run.time, time), "muted"),
        "type": (run.request_type, "label"),
        "query": (run.query, "label"),
        "used": ("", "bar"),
        "used / budget": (f"{_count(run.used)} / {_count(run.budget)}", "label"),
        "packed": (f"{_count(run.packed)}/{_count(run.considered)}", "label"),
        "assembler": (run.assembler, "muted"),
        "finding": ("", "label"),
        "run": (run.id, "muted"),
    }
    row: list[Span] = []
    for column, width in columns:
        if column.name == "used":
            row += used_bar(run.used, run.budget, width, glyphs)
        elif column.name == "finding":
            row += finding_cell(run.findings, width, glyphs)
        else:
            row += column_line(((column, width),), values, ascii=glyphs.ascii)
        row.append(Span(" "))
    return tuple(row[:-1])


def used_bar(used: int | None, budget: int | None, width: int, glyphs: Glyphs = UNICODE) -> Row:
    """Tokens used against the budget in exactly `width` cells; past it, `over` ends the bar."""
    if used is None or not budget:
        return (Span("?".ljust(width), "muted"),)
    full = max(1 if used else 0, min(width, (2 * used * width + budget) // (2 * budget)))
    if used > budget:
        return (Span(glyphs.bar * (width - 1), "bar"), Span(glyphs.over, "over"))
    return (Span(glyphs.bar * full, "bar"), Span(glyphs.free * (width - full), "free"))


def finding_cell(
    findings: tuple[tuple[str, str], ...] | None, width: int, glyphs: Glyphs = UNICODE
) -> Row:
    """The gravest finding with its letter, and how many more, in exactly `width` cells."""
    if findings is None:
        return (Span(glyphs.ellipsis.ljust(width), "muted"),)
    if not findings:
        return (Span(glyphs.check.ljust(width), "good"),)
    code, severity = findings[0]
    more = f" +{len(findings) - 1}" if len(findings) > 1 else ""
    letter = SEVERITY_LETTERS.get(severity, "?")
    ink = severity if severity in SEVERITY_LETTERS else "label"
    words = plain_line(code, width - 2 - len(more), ascii=glyphs.ascii)
    row: Row = (Span(f"{letter} {words}", ink), Span(more, "muted"))
    blank = width - 2 - cells(words) - len(more)
    return clipped((*row, Span(" " * blank)), width, ascii=glyphs.ascii)


def short_time(time: str, width: int) -> str:
    """An RFC 3339 time without its seconds and offset, without its year where there is no room."""
    found = _TIME.match(time)
    if found is None:
        return time
    day, minute = found.group(1), found.group(2)
    return f"{day} {minute}" if width >= 16 else f"{day[5:]} {minute}"


def _count(number: int | None) -> str:
    return "?" if number is None else f"{number:,}"
