"""The section bars on the screen."""

from __future__ import annotations

from typing import ClassVar

from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tui.widgets.ink import glyphs_of, ink_classes, ink_css, painted
from tui.widgets.section_layout import section_rows
from tui.widgets.spans import BLANK, Row
from tui.widgets.window_bar import SectionShare, WindowShares

__all__ = ["SectionBars", "SectionShare", "WindowShares"]

INKS = (
    "label", "strong", "muted", "free", "bar", "bar_other", "bar_third", "over", "reserve",
    "tick", "cap", "changed",
)  # fmt: skip
"""What it is drawn in."""


class SectionBars(Widget):
    """Every section against its allowance and cap, below one bar of the whole window."""

    COMPONENT_CLASSES: ClassVar[set[str]] = ink_classes(INKS)
    DEFAULT_CSS = "SectionBars { height: auto; width: 1fr; }\n" + ink_css("SectionBars", INKS)

    window: reactive[WindowShares] = reactive(WindowShares(), layout=True)
    """What is drawn; setting it draws it."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As many lines as the rows take at this width."""
        return len(self._rows(width))

    def render_line(self, y: int) -> Strip:
        """One row of the chart."""
        rows = self._rows(self.size.width)
        return painted(self, rows[y] if y < len(rows) else BLANK, self.size.width)

    def _rows(self, width: int) -> list[Row]:
        key = (self.window, width, glyphs_of(self))
        if getattr(self, "_key", None) != key:
            self._key, self._laid_out = key, section_rows(*key)
        return self._laid_out
