"""The curve on the screen."""

from __future__ import annotations

from typing import ClassVar

from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tui.widgets.curve_layout import CurveChart, curve_rows
from tui.widgets.ink import glyphs_of, ink_classes, ink_css, painted
from tui.widgets.marker_labels import Marker
from tui.widgets.spans import BLANK, Row

__all__ = ["Curve", "CurveChart", "Marker"]

INKS = (
    "label", "muted", "title", "rule", "curve", "marker", "gold", "selected", "changed",
)  # fmt: skip
"""What it is drawn in."""


class Curve(Widget):
    """p(x) with every packed chunk marked; fills whatever space it is given."""

    COMPONENT_CLASSES: ClassVar[set[str]] = ink_classes(INKS)
    DEFAULT_CSS = "Curve { height: 1fr; width: 1fr; min-height: 3; }\n" + ink_css("Curve", INKS)

    chart: reactive[CurveChart | None] = reactive(None)
    """What is drawn; None leaves the space blank."""

    def render_line(self, y: int) -> Strip:
        """One row of the chart."""
        rows = self._rows()
        return painted(self, rows[y] if y < len(rows) else BLANK, self.size.width)

    def _rows(self) -> list[Row]:
        if self.chart is None:
            return []
        key = (self.chart, self.size, glyphs_of(self))
        if getattr(self, "_key", None) != key:
            self._key = key
            self._laid_out = curve_rows(
                self.chart, self.size.width, self.size.height, glyphs_of(self)
            )
        return self._laid_out
