"""The text of one chunk on the screen, wrapped no further than somebody has scrolled."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from tui.text import Wrapped
from tui.widgets.ink import glyphs_of, ink_classes, ink_css, painted
from tui.widgets.spans import BLANK, Row, Span, merged

GUTTER = 2
"""Cells left of the text; a line that holds a match has its sign there."""

SCROLL_BAR = 1
"""Cells kept for the scroll bar, so that its coming and going never wraps the text anew."""

AHEAD = 200
"""Lines wrapped beyond what is on the screen, so that the scroll bar has something to go by."""

TO_THE_END = 400_000
"""Characters that one press of End wraps at most: a text of 1 GB never holds the screen up."""

TEXT_KEYS: list[BindingType] = [
    Binding("j,down", "lines(1)", "Down", id="text.down", show=False),
    Binding("k,up", "lines(-1)", "Up", id="text.up", show=False),
    Binding("g,home", "first", "Top", id="text.first", show=False),
    Binding("G,end", "last", "End", id="text.last", show=False),
    Binding("space,pagedown", "page(1)", "Page down", id="text.page-down", show=False),
    Binding("b,pageup", "page(-1)", "Page up", id="text.page-up", show=False),
    Binding("ctrl+d", "half(1)", "Half a page down", id="text.half-down", show=False),
    Binding("ctrl+u", "half(-1)", "Half a page up", id="text.half-up", show=False),
]

INKS = (
    "label", "title", "strong", "muted", "gold", "match", "selected",
)  # fmt: skip
"""What it is drawn in."""


class TextView(ScrollView, can_focus=True):
    """A header row, and below it a text of any length with its matches marked."""

    ALLOW_SELECT = True
    COMPONENT_CLASSES: ClassVar[set[str]] = ink_classes(INKS)
    DEFAULT_CSS = """
    TextView { width: 1fr; height: 1fr; overflow-x: hidden; overflow-y: auto;
               scrollbar-size-vertical: 1; }
    """ + ink_css("TextView", INKS)
    BINDINGS: ClassVar[list[BindingType]] = TEXT_KEYS

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        self._text = ""
        self._header: Row = BLANK
        self._starts: list[int] = []
        self._matches: list[tuple[int, int]] = []
        self._wrapped = Wrapped("", 1)
        super().__init__(id=id, classes=classes)

    def show(self, text: str, header: Row = BLANK, matches: Sequence[tuple[int, int]] = ()) -> None:
        """Show a text from a log, from its top.

        `header` is plain already; `matches` are spans of characters of `text`, ends excluded.
        """
        self._text, self._header = text, header
        self._matches = sorted((a, b) for a, b in matches if 0 <= a < b)
        self._starts = [start for start, _ in self._matches]
        self._rewrap()
        self.scroll_to(y=0, animate=False, force=True)
        self.refresh()

    def show_match(self, number: int) -> bool:
        """Scroll to a match, from 0 in the order of the text; False where there is none."""
        if not 0 <= number < len(self._matches):
            return False
        line = self._wrapped.line_at(self._starts[number])
        self._grow(line + AHEAD)
        self.scroll_to(y=max(0, line - self._room() // 3), animate=False, force=True)
        return True

    def on_resize(self) -> None:
        """Wrap for the new width; the line on top stays the one that is read."""
        top = self._wrapped.line(self.scroll_offset.y)
        self._rewrap()
        if top is not None and top.start:
            line = self._wrapped.line_at(top.start)
            self._grow(line + AHEAD)
            self.scroll_to(y=line, animate=False, force=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Wrap ahead of where the reader is."""
        super().watch_scroll_y(old_value, new_value)
        self._grow(round(new_value) + AHEAD)

    def render_line(self, y: int) -> Strip:
        """The header, or one line of the text."""
        width = self.scrollable_content_region.width
        if y == 0:
            return painted(self, self._header, width)
        number = y - 1 + self.scroll_offset.y
        strip = painted(self, self._line_row(number), width)
        return strip.apply_offsets(0, number)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text as it is shown; lines that were only wrapped are joined again."""
        parts: list[str] = []
        last = self._wrapped.known - 1 if selection.end is None else selection.end.y
        for number in range(0 if selection.start is None else selection.start.y, last + 1):
            span, line = selection.get_span(number), self._wrapped.line(number)
            if span is None or line is None:
                continue
            row = " " * GUTTER + self._wrapped.shown(number)
            start, end = max(GUTTER, span[0]), len(row) if span[1] == -1 else span[1]
            parts.append(row[start:end])
            parts.append(
                (" " if self._text[line.end : line.end + 1] == " " else "") if line.soft else "\n"
            )
        return "".join(parts[:-1]), "\n"

    def action_lines(self, lines: int) -> None:
        """Scroll by lines."""
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False, force=True)

    def action_page(self, pages: int) -> None:
        """Scroll by what is on the screen."""
        self.action_lines(pages * self._room())

    def action_half(self, halves: int) -> None:
        """Scroll by half of what is on the screen."""
        self.action_lines(halves * max(1, self._room() // 2))

    def action_first(self) -> None:
        """Scroll to the top."""
        self.scroll_to(y=0, animate=False, force=True)

    def action_last(self) -> None:
        """Scroll to the end, or as far as one press may wrap."""
        self._grow(self._wrapped.line_at(self._wrapped.reached + TO_THE_END))
        self.scroll_to(y=self._wrapped.known, animate=False, force=True)

    def _room(self) -> int:
        return max(1, self.size.height - 1)

    def _rewrap(self) -> None:
        width = max(1, self.size.width - GUTTER - SCROLL_BAR)
        self._wrapped = Wrapped(self._text, width, ascii=glyphs_of(self).ascii)
        self._grow(self._room() + AHEAD)

    def _grow(self, line: int) -> None:
        self._wrapped.reach(line)
        if self._wrapped.known + 1 != self.virtual_size.height:
            self.virtual_size = Size(0, self._wrapped.known + 1)

    def _line_row(self, number: int) -> Row:
        glyphs = glyphs_of(self)
        selected = self.text_selection
        span = selected.get_span(number) if selected is not None else None
        first, last = span if span is not None else (0, 0)
        signs: list[tuple[str, str]] = []
        column, matched = GUTTER, False
        for piece in self._wrapped.pieces(number):
            hit = self._in_match(piece.start)
            matched |= hit
            ink = "match" if hit else "label"
            if first <= column and (column < last or last == -1):
                ink = "selected"
            signs.append((piece.shown, ink))
            column += len(piece.shown)
        gutter = Span(f"{glyphs.gold if matched else ' '} ", "gold")
        return (gutter, *merged(signs))

    def _in_match(self, offset: int) -> bool:
        at = bisect_right(self._starts, offset) - 1
        return at >= 0 and offset < self._matches[at][1]
