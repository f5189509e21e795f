"""Value, chunks and tokens at every budget, and the budgets at which one chunk is in, as rows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from tui.glyphs import UNICODE, Glyphs
from tui.text import plain_line
from tui.widgets.braille import braille_line, plain_curve
from tui.widgets.levels import level
from tui.widgets.spans import Row, Span, clipped, merged

SCALE = 7
"""Cells left of the plot: six for a number or a name, one for a tick."""

AROUND = 5
"""Rows that always stand around the plot: title, axis, budgets, the chunk's budgets, figures."""

SMALLEST_PLOT = 2

GOOD_PLOT = 5
"""Rows that the plot has before chunks and tokens get a row each."""

Spans = Sequence[tuple[int, int | None]]


@dataclass(frozen=True, slots=True)
class BudgetChart:
    """From `budgets[i]` up to the next one `values[i]`, `used[i]` tokens and `packed[i]` chunks.

    `held` are the budgets at which the chunk named by `label` is in, up to `known` where that is
    not every budget; None while nothing of it is known.
    """

    name: str
    budgets: tuple[int, ...]
    values: tuple[float, ...]
    used: tuple[int, ...]
    packed: tuple[int, ...]
    now: int
    logged: int
    label: str = ""
    held: tuple[tuple[int, int | None], ...] | None = None
    known: int | None = None
    said: str = ""

    @property
    def last(self) -> int:
        """The largest budget that is drawn."""
        ends = [self.budgets[-1] if self.budgets else 0, self.now, self.logged]
        return max(1, round(max(ends) * 1.02))

    def place(self, budget: int) -> int | None:
        """The index of what this budget packs; None below the first."""
        at = bisect_right(self.budgets, budget) - 1
        return None if at < 0 else at


def budget_rows(chart: BudgetChart, width: int, height: int, glyphs: Glyphs = UNICODE) -> list[Row]:
    """The chart in at most `height` rows; where there is no room for a plot, only its figures."""
    room = width - SCALE
    rows = height - AROUND
    more = [
        _share_row(chart, "chunks", [float(n) for n in chart.packed], max(1, room), glyphs),
        _full_row(chart, max(1, room), glyphs),
    ]
    more = more[: max(0, rows - GOOD_PLOT)] if chart.budgets else []
    rows -= len(more)
    figures = _figures(chart)
    if not chart.budgets or rows < SMALLEST_PLOT or room < 12:
        drawn = [_title(chart, width, glyphs), *figures, *_held_words(chart)]
    else:
        drawn = [
            _title(chart, width, glyphs),
            *_plot(chart, room, rows, glyphs),
            _axis(chart, room, glyphs),
            _axis_words(chart, room),
            *more,
            _held_row(chart, room, glyphs),
            *figures,
        ]
    return [clipped(row, width, ascii=glyphs.ascii) for row in drawn[:height]]


def _title(chart: BudgetChart, width: int, glyphs: Glyphs) -> Row:
    said = f"  {chart.said}" if chart.said else ""
    name = plain_line(chart.name, max(8, width - 17), ascii=glyphs.ascii)
    return (Span("value by budget ", "muted"), Span(name, "title"), Span(said, "warning"))


def _plot(chart: BudgetChart, room: int, rows: int, glyphs: Glyphs) -> list[Row]:
    largest = max(chart.values) or 1.0
    budget = chart.last

    def value(x: float) -> float:
        place = chart.place(round(x * budget))
        return 0.0 if place is None else chart.values[place]

    if glyphs.ascii:
        grid = plain_curve(value, 0.0, largest, room, rows, glyphs.curve)
    else:
        grid = braille_line(value, 0.0, largest, room, rows)
    now = _column(chart, chart.now, room)
    drawn = []
    for number, line in enumerate(grid):
        marks = [(sign, "curve") for sign in line]
        if marks[now][0] == " ":
            marks[now] = (glyphs.tick, "changed")
        label = {0: f"{largest:.2f}", rows - 1: "0.00"}.get(number, "")
        tick = glyphs.scale_tick if label else glyphs.tick
        lead = (Span(label.rjust(SCALE - 1), "muted"), Span(tick, "rule"))
        drawn.append((*lead, *merged(marks)))
    return drawn


def _axis(chart: BudgetChart, room: int, glyphs: Glyphs) -> Row:
    line = [(glyphs.axis, "rule")] * room
    line[_column(chart, chart.logged, room)] = ("L", "strong")
    line[_column(chart, chart.now, room)] = (glyphs.pointer, "changed")
    return (Span(" " * (SCALE - 1)), Span(glyphs.corner, "rule"), *merged(line))


def _axis_words(chart: BudgetChart, room: int) -> Row:
    end = f"{chart.last:,}"
    names = [(_column(chart, chart.now, room), f"{chart.now:,}")]
    if chart.logged != chart.now:
        names.append((_column(chart, chart.logged, room), f"L {chart.logged:,}"))
    line = [" "] * room
    line[0] = "0"
    line[room - len(end) :] = end
    for at, words in names:
        for start in (at - len(words) // 2, at + 2, at - len(words) - 1):
            around = line[max(0, start - 1) : start + len(words) + 1]
            fits = start >= 0 and start + len(words) <= room
            if fits and all(sign == " " for sign in around):
                line[start : start + len(words)] = words
                break
    return (Span(" " * SCALE), Span("".join(line), "muted"))


def _share_row(
    chart: BudgetChart, name: str, numbers: Sequence[float], room: int, glyphs: Glyphs
) -> Row:
    largest = max(numbers, default=0.0) or 1.0
    shares = [0.0 if place is None else numbers[place] / largest for place in _places(chart, room)]
    return (Span(f"{name:>6} ", "muted"), Span("".join(level(s, glyphs) for s in shares), "bar"))


def _full_row(chart: BudgetChart, room: int, glyphs: Glyphs) -> Row:
    """How full each budget is."""
    signs = []
    for column, place in enumerate(_places(chart, room)):
        budget = _budget(chart, column, room)
        share = chart.used[place] / budget if place is not None and budget else 0.0
        signs.append(level(min(1.0, share), glyphs))
    return (Span("  used ", "muted"), Span("".join(signs), "bar_other"))


def _held_row(chart: BudgetChart, room: int, glyphs: Glyphs) -> Row:
    label = plain_line(f"{chart.label} in" if chart.label else "", SCALE - 1, ascii=glyphs.ascii)
    lead = Span(f"{label:>{SCALE - 1}} ", "strong")
    if chart.held is None:
        return (lead, Span("..." if chart.label else "", "muted"))
    marks = []
    for column in range(room):
        # A column stands for all budgets up to the next one: a narrow span is never lost.
        first, end = _budget(chart, column, room), _budget(chart, column + 1, room)
        inside = any(a < max(end, first + 1) and (b is None or b >= first) for a, b in chart.held)
        if not inside and chart.known is not None and first > chart.known:
            marks.append(("?", "muted"))
        else:
            marks.append((glyphs.bar if inside else glyphs.free, "packed" if inside else "free"))
    return (lead, *merged(marks))


def _held_words(chart: BudgetChart) -> list[Row]:
    """The chunk's budgets where there is no room to draw them: the first, and the last."""
    if not chart.held:
        return []
    ends = [f"{a:,} and up" if b is None else f"{a:,} to {b:,}" for a, b in chart.held]
    shown = ends if len(ends) < 3 else [ends[0], "...", ends[-1]]
    return [(Span(f"{chart.label} in at {', '.join(shown)}", "label"),)]


def _figures(chart: BudgetChart) -> list[Row]:
    place = chart.place(chart.now)
    if place is None:
        return [(Span(f"nothing is packed at {chart.now:,}", "label"),)]
    used = chart.used[place]
    # Rounded down: what is not full never says 100 %.
    share = f" ({used * 100 // chart.now}%)" if chart.now else ""
    said = f"value {chart.values[place]:.3f}, {chart.packed[place]} in, {used:,} used{share}"
    return [(Span(said, "label"),)]


def _places(chart: BudgetChart, room: int) -> list[int | None]:
    return [chart.place(_budget(chart, column, room)) for column in range(room)]


def _budget(chart: BudgetChart, column: int, room: int) -> int:
    return round(column * chart.last / max(1, room - 1))


def _column(chart: BudgetChart, budget: int, room: int) -> int:
    return min(room - 1, max(0, round(budget * (room - 1) / chart.last)))
