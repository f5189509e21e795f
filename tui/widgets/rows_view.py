"""Rows on the screen: a few that take their own height, or many that scroll."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from tui.widgets.ink import TEXT_INKS, ink_classes, ink_css, painted
from tui.widgets.spans import BLANK, Row

Layout = Callable[[int], list[Row]]
"""Rows for a width in cells."""


SCROLL_BAR = 1
"""Cells kept for the scroll bar, so that its coming and going never breaks the rows anew."""


def _nothing(_width: int) -> list[Row]:
    return []


class Rows(Widget):
    """Rows at the height that they take."""

    COMPONENT_CLASSES: ClassVar[set[str]] = ink_classes(TEXT_INKS)
    DEFAULT_CSS = "Rows { height: auto; width: 1fr; }\n" + ink_css("Rows", TEXT_INKS)

    def __init__(self, layout: Layout = _nothing, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._layout_rows = layout
        self._laid_out: tuple[int, list[Row]] | None = None

    def show(self, layout: Layout) -> None:
        """Draw other rows, or the same layout's rows anew."""
        self._layout_rows = layout
        self._laid_out = None
        self.refresh(layout=len(self._rows(self.size.width)) != self.size.height)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As many lines as there are rows at this width, laid out anew: the screen has changed."""
        self._laid_out = None
        return len(self._rows(width))

    def render_line(self, y: int) -> Strip:
        """One row."""
        rows = self._rows(self.size.width)
        return painted(self, rows[y] if y < len(rows) else BLANK, self.size.width)

    def _rows(self, width: int) -> list[Row]:
        if self._laid_out is None or self._laid_out[0] != width:
            self._laid_out = (width, self._layout_rows(width))
        return self._laid_out[1]


class RowsView(ScrollView, can_focus=True):
    """Rows that scroll."""

    COMPONENT_CLASSES: ClassVar[set[str]] = ink_classes(TEXT_INKS)
    DEFAULT_CSS = """
    RowsView { height: 1fr; width: 1fr; overflow-x: hidden; overflow-y: auto;
               scrollbar-size-vertical: 1; }
    """ + ink_css("RowsView", TEXT_INKS)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll_down", "Down", id="rows.down", show=False),
        Binding("k,up", "scroll_up", "Up", id="rows.up", show=False),
        Binding("g,home", "scroll_home", "First", id="rows.first", show=False),
        Binding("G,end", "scroll_end", "Last", id="rows.last", show=False),
        Binding("space,pagedown", "page_down", "Page down", id="rows.page-down", show=False),
        Binding("b,pageup", "page_up", "Page up", id="rows.page-up", show=False),
    ]

    def __init__(self, layout: Layout = _nothing, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._layout_rows = layout
        self._rows: list[Row] = []

    def show(self, layout: Layout, *, keep: bool = False) -> None:
        """Draw other rows, from the top, or from where the reader is."""
        self._layout_rows = layout
        if not keep:
            self.scroll_to(y=0, animate=False)
        self._lay_out()

    def on_resize(self) -> None:
        """Lay out anew for the width."""
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        """One row."""
        line = y + self.scroll_offset.y
        row = self._rows[line] if line < len(self._rows) else BLANK
        return painted(self, row, self.size.width)

    def _lay_out(self) -> None:
        width = max(0, self.size.width - SCROLL_BAR)
        self._rows = self._layout_rows(width) if width else []
        self.virtual_size = Size(0, len(self._rows))
        self.refresh()
