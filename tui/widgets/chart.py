"""A chart on the screen: any layout that makes rows for a width and a height."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from tui.glyphs import Glyphs
from tui.widgets.ink import glyphs_of, ink_classes, ink_css, painted
from tui.widgets.spans import BLANK, Row

ChartLayout = Callable[[int, int, Glyphs], list[Row]]
"""Rows for a width and a height in cells."""

CHART_INKS = (
    "label", "strong", "muted", "title", "rule", "selected", "changed", "marker", "gold",
    "bar", "bar_other", "over", "free", "curve", "packed", "skipped", "cause", "warning", "good",
)  # fmt: skip
"""What charts are drawn in."""


class Chart(Widget):
    """Fills whatever space it is given; lays its rows out once for each size."""

    COMPONENT_CLASSES: ClassVar[set[str]] = ink_classes(CHART_INKS)
    DEFAULT_CSS = "Chart { height: 1fr; width: 1fr; min-height: 1; }\n" + ink_css(
        "Chart", CHART_INKS
    )

    def __init__(self, layout: ChartLayout | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._draw = layout
        self._drawn_for: tuple[Size, Glyphs] | None = None
        self._rows: list[Row] = []

    def show(self, layout: ChartLayout | None) -> None:
        """Draw another chart; None leaves the space blank."""
        self._draw = layout
        self._drawn_for = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One row of the chart."""
        now = (self.size, glyphs_of(self))
        if self._drawn_for != now:
            self._drawn_for = now
            draw = self._draw
            self._rows = draw(self.size.width, self.size.height, now[1]) if draw else []
        return painted(self, self._rows[y] if y < len(self._rows) else BLANK, self.size.width)
