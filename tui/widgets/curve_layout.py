"""The curve p(x) with every packed chunk on it, as rows of cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tui.glyphs import UNICODE, Glyphs
from tui.text import cells, plain_line
from tui.widgets.braille import braille_line, height_of, plain_curve
from tui.widgets.marker_labels import Labels, Marker, Spot, importance, place_labels
from tui.widgets.spans import Row, Span, clipped, merged

SCALE = 5
"""Cells of the p axis: four for the number, one for its tick."""

SMALLEST_PLOT = 2
"""Rows below which there is no plot, only words."""

MEASURED = "o"
"""Stands where the curve was measured."""

Cells = list[list[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class CurveChart:
    """What is drawn: a named curve over x from 0 to 1, and the chunks that stand on it.

    `points` are what was measured of the curve, x and p; between them it is interpolated. `below`
    are places of the same markers that are counted in another way, named in four letters.
    """

    name: str
    p: Callable[[float], float]
    markers: tuple[Marker, ...] = ()
    points: tuple[tuple[float, float], ...] = ()
    below: tuple[float, ...] = ()
    below_name: str = ""


def curve_rows(chart: CurveChart, width: int, height: int, glyphs: Glyphs = UNICODE) -> list[Row]:
    """The chart in at most `height` rows of at most `width` cells.

    Every marker's label is in the plot; where that is impossible the last row names the others.
    """
    room, rows = width - SCALE, height - (4 if chart.below else 3)
    if rows < SMALLEST_PLOT or room < 8:
        return [clipped(row, width, ascii=glyphs.ascii) for row in _in_words(chart, width)][:height]
    low, high = _range(chart, room)
    labels, spots = _fit(chart, low, high, room, rows, glyphs)
    if labels.left_over:
        rows -= 1
        labels, spots = _fit(chart, low, high, room, rows, glyphs)
    plot = _plot(chart, low, high, room, rows, labels, spots, glyphs)
    drawn = [_title(chart, width, glyphs)]
    for number, line in enumerate(plot):
        drawn.append((*_scale(number, rows, low, high, glyphs), *merged(line)))
    drawn.append(_axis(room, glyphs))
    drawn.append(_axis_words(room))
    if chart.below:
        drawn.append(_below(chart, room))
    if labels.left_over:
        names = ", ".join(chart.markers[i].words for i in labels.left_over)
        drawn.append((Span(f"+{len(labels.left_over)} more: {names}", "marker"),))
    return [clipped(row, width, ascii=glyphs.ascii) for row in drawn]


def _range(chart: CurveChart, room: int) -> tuple[float, float]:
    samples = [chart.p(step / (2 * room)) for step in range(2 * room + 1)]
    values = samples + [marker.p for marker in chart.markers]
    low, high = min(values), max(values)
    return (low - 0.05, high + 0.05) if high - low < 1e-9 else (low, high)


def _fit(
    chart: CurveChart, low: float, high: float, room: int, rows: int, glyphs: Glyphs
) -> tuple[Labels, list[Spot]]:
    spots = [
        Spot(
            round(min(1.0, max(0.0, marker.x)) * (room - 1)),
            _row_of(marker.p, low, high, rows, glyphs),
        )
        for marker in chart.markers
    ]
    line = _line(chart, low, high, room, rows, glyphs)
    drawn = {(y, x) for y, row in enumerate(line) for x, sign in enumerate(row) if sign != " "}
    return place_labels(chart.markers, spots, drawn, room, rows), spots


def _row_of(p: float, low: float, high: float, rows: int, glyphs: Glyphs) -> int:
    """The row of cells that the curve itself passes through at this chance."""
    if glyphs.ascii:
        return height_of(p, low, high, rows)
    return height_of(p, low, high, rows * 4) // 4


def _line(
    chart: CurveChart, low: float, high: float, room: int, rows: int, glyphs: Glyphs
) -> list[list[str]]:
    if glyphs.ascii:
        return plain_curve(chart.p, low, high, room, rows, glyphs.curve)
    return braille_line(chart.p, low, high, room, rows)


def _plot(
    chart: CurveChart,
    low: float,
    high: float,
    room: int,
    rows: int,
    labels: Labels,
    spots: list[Spot],
    glyphs: Glyphs,
) -> Cells:
    line = _line(chart, low, high, room, rows, glyphs)
    plot: Cells = [[(sign, "curve") for sign in row] for row in line]
    for x, p in chart.points:
        row = _row_of(p, low, high, rows, glyphs)
        plot[row][round(x * (room - 1))] = (MEASURED, "curve")
    for index in reversed(importance(chart.markers)):
        plot[spots[index].row][spots[index].column] = _sign(chart.markers[index], glyphs)
    for index, spot in labels.placed.items():
        marker = chart.markers[index]
        ink = _label_ink(marker)
        words = [*marker.words]
        # Each label is plain text of one-cell letters, so a letter is a cell.
        plot[spot.row][spot.column : spot.column + len(words)] = [(sign, ink) for sign in words]
    return plot


def _sign(marker: Marker, glyphs: Glyphs) -> tuple[str, str]:
    if marker.gold:
        return glyphs.gold, "gold"
    if marker.selected:
        return glyphs.selected, "marker"
    return glyphs.marker, "changed" if marker.changed else "marker"


def _label_ink(marker: Marker) -> str:
    if marker.selected:
        return "selected"
    if marker.gold:
        return "gold"
    return "changed" if marker.changed else "label"


def _title(chart: CurveChart, width: int, glyphs: Glyphs) -> Row:
    name = plain_line(chart.name, max(8, width - 7), ascii=glyphs.ascii)
    title: Row = (Span("curve ", "muted"), Span(name, "title"))
    legend = []
    if any(marker.gold for marker in chart.markers):
        legend.append(f"{glyphs.gold} answer")
    if any(marker.changed for marker in chart.markers):
        legend.append("* moved or new")
    if chart.points:
        legend.append(f"{MEASURED} measured")
    legend.append("p: chance of use")
    taken = cells(title[0].text) + cells(name)
    while legend and taken + 3 + len("   ".join(legend)) > width:
        legend.pop()
    if not legend:
        return title
    words = "   ".join(legend)
    return (*title, Span(words.rjust(width - taken), "muted"))


def _scale(number: int, rows: int, low: float, high: float, glyphs: Glyphs) -> Row:
    text = ""
    if number == 0:
        text = f"{high:.2f}"
    elif number == rows - 1:
        text = f"{low:.2f}"
    tick = glyphs.scale_tick if text else glyphs.tick
    return (Span(text.rjust(SCALE - 1), "muted"), Span(tick, "rule"))


def _axis(room: int, glyphs: Glyphs) -> Row:
    line = [glyphs.axis] * room
    line[0] = line[(room - 1) // 2] = line[-1] = glyphs.axis_tick
    return (Span(" " * (SCALE - 1)), Span(glyphs.corner + "".join(line), "rule"))


def _below(chart: CurveChart, room: int) -> Row:
    """The markers' words at their other places; a dot where there is no room for one."""
    line: list[tuple[str, str]] = [(" ", "label")] * room
    for index in importance(chart.markers):
        marker = chart.markers[index]
        at = round(min(1.0, max(0.0, chart.below[index])) * (room - 1))
        words = [*marker.words]
        begin = min(at, room - len(words))
        if all(sign == " " for sign, _ in line[max(0, begin - 1) : begin + len(words) + 1]):
            ink = _label_ink(marker)
            line[begin : begin + len(words)] = [(sign, ink) for sign in words]
        elif line[at][0] == " ":
            line[at] = ("·", "muted")
    return (Span(chart.below_name.ljust(SCALE), "muted"), *merged(line))


def _axis_words(room: int) -> Row:
    start, middle, end = "0 start", "0.5 middle", "1 end"
    if room < len(start) + len(middle) + len(end) + 4:
        start, middle, end = "0", "0.5", "1"
    line = [" "] * room
    line[: len(start)] = start
    line[room - len(end) :] = end
    at = (room - 1) // 2 - middle.index("5" if "5" in middle else "0") // 2
    line[at : at + len(middle)] = middle
    return (Span(" " * SCALE), Span("".join(line), "muted"))


def _in_words(chart: CurveChart, width: int) -> list[Row]:
    """What stands in the place of a chart that has no room."""
    names = ", ".join(marker.words for marker in chart.markers)
    return [
        (Span("curve ", "muted"), Span(plain_line(chart.name, width), "title")),
        (Span(names, "marker"),),
    ]
