"""A budget filling step by step: whose turn it is, what is left, and a bar of what is in."""

from __future__ import annotations

from dataclasses import dataclass

from tui.glyphs import UNICODE, Glyphs
from tui.text import cells, pad, plain_ends, plain_line
from tui.widgets.spans import Row, Span, clipped, merged

TAKEN, PASSED, STOPPED = "taken", "passed", "stopped"

LETTERS = {TAKEN: "P", PASSED: "S", STOPPED: "S"}
"""The letter of each outcome: packed, skipped, or gone again."""

WORDS = {
    TAKEN: "taken",
    PASSED: "no room",
    STOPPED: "no room: the filling stops",
}

IDS = 28
"""Cells that an id may take."""


@dataclass(frozen=True, slots=True)
class FillLine:
    """One turn: tokens needed and left, what came of it, tokens used after it; `merit` written."""

    id: str
    rank: int | None
    needed: int
    left: int
    outcome: str
    used: int
    merit: str = ""
    gold: bool = False
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class FillChart:
    """The turns of one strategy at one budget; `after` is a sentence for the end of the list."""

    order: str
    budget: int
    lines: tuple[FillLine, ...]
    merit_name: str = ""
    after: str = ""

    @property
    def steps(self) -> int:
        """How many steps there are from the empty budget to the whole fill."""
        return len(self.lines)


def fill_rows(
    chart: FillChart, step: int, width: int, height: int, glyphs: Glyphs = UNICODE
) -> list[Row]:
    """The chart after `step` turns in at most `height` rows; the turns around it are listed."""
    step = max(0, min(step, chart.steps))
    rows = [_heading(chart, step, width, glyphs), _bar(chart, step, width, glyphs)]
    rows.append(_figures(chart, step, glyphs))
    room = height - len(rows) - 1
    if room > 0 and chart.lines:
        longest = max(cells(plain_line(line.id, IDS)) for line in chart.lines)
        ids = min(IDS, max(len("id"), longest))
        rows.append(_columns(chart, ids))
        first = max(0, min(step - 1 - room // 2, chart.steps + bool(chart.after) - room))
        shown = range(first, min(first + room, chart.steps))
        rows += [_line(chart, number, step, ids, glyphs) for number in shown]
        if chart.after and len(rows) < height:
            rows.append((Span(f"  {chart.after}", "muted"),))
    return [clipped(row, width, ascii=glyphs.ascii) for row in rows[:height]]


def _heading(chart: FillChart, step: int, width: int, glyphs: Glyphs) -> Row:
    count: Row = (Span(f"step {step} of {chart.steps}  ", "title"),)
    if not step:
        return (*count, Span(f"{chart.order}: nothing is in yet", "label"))
    line = chart.lines[step - 1]
    name = plain_line(line.id, max(8, width // 4), ascii=glyphs.ascii)
    rank = f"rank {line.rank} " if line.rank is not None else ""
    said = f"{rank}{name}: {line.needed:,} needed, {line.left:,} left: {WORDS[line.outcome]}"
    return (*count, Span(said, "strong"))


def _bar(chart: FillChart, step: int, width: int, glyphs: Glyphs) -> Row:
    """What is in, chunk by chunk in two signs; what does not fit is drawn over the free room."""
    budget = max(1, chart.budget)
    marks: list[tuple[str, str]] = []
    inside = [line for line in chart.lines[:step] if line.outcome == TAKEN]
    for number, line in enumerate(inside):
        end = min(width, max(len(marks), round(line.used * width / budget)))
        sign = glyphs.bar if number % 2 == 0 else glyphs.bar_other
        last = step and line is chart.lines[step - 1]
        ink = "changed" if last else "bar" if number % 2 == 0 else "bar_other"
        marks += [(sign, ink)] * (end - len(marks))
    refused = step and chart.lines[step - 1].outcome in (PASSED, STOPPED)
    free = width - len(marks)
    marks += [(glyphs.over, "over") if refused else (glyphs.free, "free")] * free
    return merged(marks)


def _figures(chart: FillChart, step: int, glyphs: Glyphs) -> Row:
    used = chart.lines[step - 1].used if step else 0
    inside = sum(line.outcome == TAKEN for line in chart.lines[:step])
    row: Row = (
        Span("used ", "muted"),
        Span(f"{used:,}", "strong"),
        Span(f" of {chart.budget:,}   {glyphs.free} free ", "muted"),
        Span(f"{max(0, chart.budget - used):,}"),
        Span(f"   {inside} in", "muted"),
    )
    if step and chart.lines[step - 1].outcome in (PASSED, STOPPED):
        line = chart.lines[step - 1]
        row = (*row, Span(f"   {glyphs.over} lacks {line.needed - line.left:,}", "over"))
    return row


def _columns(chart: FillChart, ids: int) -> Row:
    merit = f"  {chart.merit_name:>9}" if chart.merit_name else ""
    names = f"       rank  {pad('id', ids)}  needed    left{merit}"
    return (Span(names, "muted"),)


def _line(chart: FillChart, number: int, step: int, ids: int, glyphs: Glyphs) -> Row:
    line = chart.lines[number]
    here, seen = number == step - 1, number < step
    ink = "strong" if here else "label" if seen else "muted"
    rank = "pin" if line.rank is None and line.pinned else str(line.rank or "")
    mark = glyphs.gold if line.gold else glyphs.pinned if line.pinned else " "
    letter = LETTERS[line.outcome] if seen else glyphs.dot
    letter_ink = "packed" if letter == "P" else "skipped"
    left = f"{line.left:>8,}" if seen else " " * 8
    merit = f"  {line.merit:>9}" if chart.merit_name else ""
    return (
        Span(f"{glyphs.cursor if here else ' '} ", "title"),
        Span(letter, letter_ink if seen else "muted"),
        Span(f" {mark}", "gold"),
        Span(f" {rank:>5}  ", ink),
        Span(pad(plain_ends(line.id, ids, ascii=glyphs.ascii), ids, ascii=glyphs.ascii), ink),
        Span(f"{line.needed:>8,}{left}{merit}", ink),
        Span(f"  {WORDS[line.outcome]}" if seen else "", ink),
    )
