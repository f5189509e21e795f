"""The shape of the scores: one bar a candidate, best first, with the cliff and the cut-off."""

from __future__ import annotations

from dataclasses import dataclass

from tui.glyphs import UNICODE, Glyphs
from tui.text import cells, plain_line
from tui.widgets.spans import Row, Span, clipped, merged

SCALE = 7
"""Cells left of the bars: six for a number, one for a tick."""

BELOW = 2
"""Rows below the bars: letters, and what is under the cursor."""

SMALLEST_PLOT = 2

WIDEST = 4
"""Cells of one candidate's bar at most."""


@dataclass(frozen=True, slots=True)
class ScoreBar:
    """One candidate's score, higher being better, and `own`, the number as the ranker gave it."""

    id: str
    rank: int | None
    score: float
    own: str
    letter: str
    gold: bool = False
    selected: bool = False


@dataclass(frozen=True, slots=True)
class Cut:
    """A score that a chunk must reach, and what it is called."""

    name: str
    score: float
    own: str


@dataclass(frozen=True, slots=True)
class ScoresChart:
    """Bars best first; `cliff` bars stand above a clear cliff, else None; `shape` says it.

    `cuts` are those that are in force; `without` counts candidates that have no bar.
    """

    bars: tuple[ScoreBar, ...]
    shape: str
    cliff: int | None = None
    cuts: tuple[Cut, ...] = ()
    without: int = 0


def score_rows(chart: ScoresChart, width: int, height: int, glyphs: Glyphs = UNICODE) -> list[Row]:
    """The chart in at most `height` rows; of more bars than columns evenly many are drawn.

    The bar under the cursor is always one of them.
    """
    head = [(Span(line, "label"),) for line in _sentence(chart, width, glyphs)]
    rows = height - len(head) - BELOW - bool(chart.cuts)
    room = width - SCALE - 1
    if not chart.bars or rows < SMALLEST_PLOT or room < 8:
        drawn = [*head, *_under_cursor(chart, glyphs)]
    else:
        shown = _sampled(chart.bars, room)
        drawn = [
            *head,
            *_plot(chart, shown, room, rows, glyphs),
            _letters(chart, shown, room, glyphs),
            *_under_cursor(chart, glyphs),
        ]
        if chart.cuts:
            drawn.append(_cut_words(chart, glyphs))
    return [clipped(row, width, ascii=glyphs.ascii) for row in drawn[:height]]


def _sentence(chart: ScoresChart, width: int, glyphs: Glyphs) -> list[str]:
    from tui.text import words

    said = chart.shape
    if chart.without:
        said += f"; {chart.without} not measured"
    return words(said, width, ascii=glyphs.ascii)[:3]


def _sampled(bars: tuple[ScoreBar, ...], room: int) -> list[int]:
    """Indexes of the bars that are drawn."""
    if len(bars) <= room:
        return [*range(len(bars))]
    places = [round(column * (len(bars) - 1) / (room - 1)) for column in range(room)]
    selected = next((n for n, bar in enumerate(bars) if bar.selected), None)
    if selected is not None and selected not in places:
        nearest = min(range(room), key=lambda column: abs(places[column] - selected))
        places[nearest] = selected
    return places


def _cells_each(shown: list[int], room: int) -> int:
    return max(1, min(WIDEST, room // max(1, len(shown))))


def _plot(chart: ScoresChart, shown: list[int], room: int, rows: int, glyphs: Glyphs) -> list[Row]:
    high, low = _range(chart)
    each = _cells_each(shown, room)
    steps = len(glyphs.levels) * rows
    heights = [_height(chart.bars[at].score, low, high, steps) for at in shown]
    cut_rows = {
        rows - 1 - (_height(cut.score, low, high, steps) - 1) // len(glyphs.levels)
        for cut in chart.cuts
        if low <= cut.score <= high
    }
    drawn = []
    for number in range(rows):
        floor = (rows - 1 - number) * len(glyphs.levels)
        marks: list[tuple[str, str]] = []
        for column, at in enumerate(shown):
            if chart.cliff is not None and _first_below(chart.cliff, shown, column):
                marks.append((glyphs.tick, "cause"))
            bar = chart.bars[at]
            above = heights[column] - floor
            level = max(0, min(len(glyphs.levels), above))
            sign = glyphs.levels[level - 1] if level else " "
            if number in cut_rows and sign == " ":
                sign = glyphs.axis
            body = [(sign, _ink(bar, sign, glyphs))] * each
            if each > 1 and level:
                body[-1] = (glyphs.axis if number in cut_rows else " ", "over")
            marks += body
        label = {0: _first_own(chart), rows - 1: _last_own(chart)}.get(number, "")
        tick = glyphs.scale_tick if label else glyphs.tick
        drawn.append(
            (Span(label[: SCALE - 1].rjust(SCALE - 1), "muted"), Span(tick, "rule"), *merged(marks))
        )
    return drawn


def _ink(bar: ScoreBar, sign: str, glyphs: Glyphs) -> str:
    if sign == glyphs.axis:
        return "over"
    if bar.selected:
        return "changed"
    if bar.gold:
        return "gold"
    return "bar" if bar.letter == "P" else "muted"


def _range(chart: ScoresChart) -> tuple[float, float]:
    return chart.bars[0].score, chart.bars[-1].score


def _height(score: float, low: float, high: float, steps: int) -> int:
    """Steps from the ground, at least one: also the worst score has a bar."""
    if high <= low:
        return steps
    share = min(1.0, max(0.0, (score / 2 - low / 2) / (high / 2 - low / 2)))
    return 1 + round(share * (steps - 1))


def _first_below(cliff: int, shown: list[int], column: int) -> bool:
    return shown[column] >= cliff and (column == 0 or shown[column - 1] < cliff)


def _letters(chart: ScoresChart, shown: list[int], room: int, glyphs: Glyphs) -> Row:
    each = _cells_each(shown, room)
    marks: list[tuple[str, str]] = []
    for column, at in enumerate(shown):
        if chart.cliff is not None and _first_below(chart.cliff, shown, column):
            marks.append((glyphs.tick, "cause"))
        bar = chart.bars[at]
        ink = "selected" if bar.selected else "packed" if bar.letter == "P" else "skipped"
        marks.append((bar.letter, ink))
        if each > 1:
            marks.append((glyphs.gold if bar.gold else " ", "gold"))
        marks += [(" ", "label")] * (each - 2)
    return (Span(" " * SCALE), *merged(marks))


def _under_cursor(chart: ScoresChart, glyphs: Glyphs) -> list[Row]:
    bar = next((bar for bar in chart.bars if bar.selected), None)
    if bar is None:
        return [(Span("the chunk under the cursor has no score", "muted"),)] if chart.bars else []
    rank = f"rank {bar.rank} " if bar.rank is not None else ""
    gold = f" {glyphs.gold}" if bar.gold else ""
    name = plain_line(bar.id, 28, ascii=glyphs.ascii)
    state = "packed" if bar.letter == "P" else "skipped" if bar.letter == "S" else "unknown"
    return [
        (
            Span(f"{bar.letter} ", "packed" if bar.letter == "P" else "skipped"),
            Span(f"{rank}{name}: {bar.own}, {state}", "strong"),
            Span(gold, "gold"),
        )
    ]


def _cut_words(chart: ScoresChart, glyphs: Glyphs) -> Row:
    words = "   ".join(f"{cut.name} {cut.own}" for cut in chart.cuts)
    return (Span(f"{glyphs.axis}{glyphs.axis} ", "over"), Span(words, "label"))


def _first_own(chart: ScoresChart) -> str:
    return chart.bars[0].own if cells(chart.bars[0].own) < SCALE else ""


def _last_own(chart: ScoresChart) -> str:
    return chart.bars[-1].own if cells(chart.bars[-1].own) < SCALE else ""
