"""The charts of an evaluation as SVG for a page: bars, intervals and marks, with their scales.

Colours are classes that the page gives a light and a dark value; no mark is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple, TypeVar

from tui.text import plain_line

WIDE, LABEL, RIGHT = 760, 230, 76
"""Units of a chart's width, of the labels on its left, and of what is kept free on its right."""

ROW, HEAD, FOOT = 22, 30, 30
LONGEST = 200
LABEL_CELLS = 32
FEW_TICKS = 6


class Bar(NamedTuple):
    """A share, 0 to 1, with the group that it stands in."""

    group: str
    label: str
    share: float


class Interval(NamedTuple):
    """A difference with its interval; None where there is none."""

    group: str
    label: str
    middle: float
    low: float | None
    high: float | None
    told: str


class Marks(NamedTuple):
    """Figures on one line, by the names in the legend."""

    group: str
    label: str
    at: dict[str, float]


def shown(text: str, most: int = LONGEST) -> str:
    """A text from outside, made plain and escaped: shown, never interpreted."""
    return escape(plain_line(text, most), quote=True)


def bars(title: str, rows: Sequence[Bar]) -> str:
    """A bar a row, from 0 to 100 %."""
    scale = _Scale(0.0, 1.0)
    body: list[str] = []
    for at, row in _placed(rows, body):
        wide = scale(row.share) - LABEL
        body.append(_label(at, row.label))
        body.append(
            f'<rect class="bar" x="{LABEL}" y="{at - 7:g}" width="{wide:.1f}" height="14" rx="2"/>'
        )
        body.append(_word(LABEL + wide + 6, at, f"{100 * row.share:.2f} %"))
    ticks = [(share / 4, f"{25 * share} %") for share in range(5)]
    return _chart(title, body, scale, ticks, _height(rows))


def intervals(title: str, rows: Sequence[Interval], unit: float = 1.0, digits: int = 4) -> str:
    """A point and its interval a row, about a line at 0; figures are shown times `unit`."""
    ends = [end for row in rows for end in (row.low, row.middle, row.high) if end is not None]
    round_figures = _ticks(min(0.0, *ends), max(0.0, *ends))
    scale = _Scale(round_figures[0], round_figures[-1])
    high = _height(rows)
    body = [f'<path class="zero" d="M{scale(0.0):.1f} {HEAD - 8}V{high - FOOT}"/>']
    for at, row in _placed(rows, body):
        body.append(_label(at, row.label))
        if row.low is not None and row.high is not None:
            left, right = scale(row.low), scale(row.high)
            ends_of_it = f"M{left:.1f} {at - 4:g}v8M{right:.1f} {at - 4:g}v8"
            body.append(f'<path class="line" d="M{left:.1f} {at:g}H{right:.1f}{ends_of_it}"/>')
        body.append(
            f'<circle class="point" cx="{scale(row.middle):.1f}" cy="{at:g}" r="4.5">'
            f"<title>{shown(row.told)}</title></circle>"
        )
        body.append(_word(WIDE - RIGHT + 12, at, f"{unit * row.middle:+.{digits}f}"))
    ticks = [(tick, f"{unit * tick:+g}" if tick else "0") for tick in round_figures]
    return _chart(title, body, scale, ticks, high)


def marks(title: str, names: Sequence[str], rows: Sequence[Marks]) -> str:
    """A mark of its own shape for each name on every row, with a legend above."""
    every = [figure for row in rows for figure in row.at.values()]
    round_figures = _ticks(min(every), max(every))
    scale = _Scale(round_figures[0], round_figures[-1])
    body, down = _legend(names)
    for at, row in _placed(rows, body, down):
        body.append(_label(at, row.label))
        if row.at:
            left, right = scale(min(row.at.values())), scale(max(row.at.values()))
            body.append(f'<path class="faint" d="M{left:.1f} {at:g}H{right:.1f}"/>')
        for name, figure in row.at.items():
            told = f"<title>{shown(f'{name}: {figure:.4f}')}</title>"
            body.append(_mark(names.index(name), scale(figure), at, told))
    ticks = [(tick, f"{tick:g}") for tick in round_figures]
    return _chart(title, body, scale, ticks, _height(rows, down), down)


class _Scale:
    """From a figure to a place on the chart."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.span = low, (high - low) or 1.0

    def __call__(self, figure: float) -> float:
        return LABEL + (WIDE - LABEL - RIGHT) * (figure - self.low) / self.span


def _ticks(low: float, high: float) -> list[float]:
    """Round figures, a few, that hold both ends between them."""
    rough = max(high - low, 1e-3) / (FEW_TICKS - 1)
    size = 10.0 ** floor(log10(rough))
    step = next(size * many for many in (1, 2, 5, 10) if size * many >= rough)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(many * step, 10) for many in range(first, max(last, first + 1) + 1)]


Row = TypeVar("Row", Bar, Interval, Marks)


def _placed(rows: Sequence[Row], body: list[str], down: int = 0) -> Iterator[tuple[float, Row]]:
    """Every row with the middle of its line; a group's name stands above its first row."""
    at, group = HEAD + down, ""
    for row in rows:
        if row.group != group:
            group = row.group
            body.append(f'<text class="head" x="0" y="{at + 15}">{shown(group, 90)}</text>')
            at += ROW
        yield at + ROW / 2, row
        at += ROW


def _height(rows: Sequence[Bar] | Sequence[Interval] | Sequence[Marks], down: int = 0) -> int:
    groups = [row.group for row in rows]
    heads = sum(one not in ("", before) for before, one in pairwise(["", *groups]))
    return HEAD + down + ROW * (len(rows) + heads) + FOOT


def _chart(
    title: str,
    body: Iterable[str],
    scale: _Scale,
    ticks: Iterable[tuple[float, str]],
    high: int,
    down: int = 0,
) -> str:
    lines = []
    for figure, word in ticks:
        x = f"{scale(figure):.1f}"
        lines.append(f'<path class="grid" d="M{x} {HEAD + down - 8}V{high - FOOT}"/>')
        lines.append(f'<text class="tick" x="{x}" y="{high - 10}">{word}</text>')
    return (
        f'<svg viewBox="0 0 {WIDE} {high}" role="img" '
        f'aria-label="{shown(title)}" font-family="system-ui, sans-serif" font-size="12">'
        f'<text class="head" x="0" y="14">{shown(title, 110)}</text>{"".join(lines)}'
        f"{''.join(body)}</svg>"
    )


def _label(at: float, label: str) -> str:
    whole = f"<title>{shown(label)}</title>" if len(label) > LABEL_CELLS else ""
    return (
        f'<text class="label" x="{LABEL - 10}" y="{at + 4:g}">'
        f"{shown(label, LABEL_CELLS)}{whole}</text>"
    )


def _word(x: float, at: float, word: str) -> str:
    return f'<text class="word" x="{x:.1f}" y="{at + 4:g}">{word}</text>'


_SHAPES = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z",
    "M-4.5-4.5h9v9h-9Z",
    "M0-6L5.5 4.5h-11Z",
    "M0-6L6 0L0 6L-6 0Z",
    "M0 6L5.5-4.5h-11Z",
    "M-1.5-6h3v4.5h4.5v3h-4.5v4.5h-3v-4.5h-4.5v-3h4.5Z",
    "M-2-6h4v12h-4Z",
    "M-6-2h12v4h-12Z",
    "M-6-5L0-1L6-5L2 0L6 5L0 1L-6 5L-2 0Z",
)
"""A shape for each placement that there is."""

_COLOURS = 4


def _mark(place: int, x: float, at: float, inside: str = "") -> str:
    shape = _SHAPES[place % len(_SHAPES)]
    return (
        f'<path class="mark m{place % _COLOURS}" d="{shape}" '
        f'transform="translate({x:.1f} {at:g})">{inside}</path>'
    )


def _legend(names: Sequence[str]) -> tuple[list[str], int]:
    """The mark and name of each, and how far down they push the rows."""
    parts: list[str] = []
    x, y = 8, HEAD + 4
    for place, name in enumerate(names):
        wide = 30 + 8 * len(name)
        if x + wide > WIDE:
            x, y = 8, y + ROW
        parts.append(_mark(place, x, y))
        parts.append(_word(x + 12, y, shown(name, 40)))
        x += wide
    return parts, y - HEAD + ROW
