"""A list with a cursor, drawn line by line: a key press repaints two lines, whatever its length."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.widgets.ink import cursor_style, glyphs_of, ink_classes, ink_css, painted
from tui.widgets.spans import BLANK, Row, Span

HEADER = 1
"""Lines that stay on top while the list scrolls."""

LIST_KEYS: list[BindingType] = [
    Binding("j,down", "cursor_by(1)", "Down", id="list.down", show=False),
    Binding("k,up", "cursor_by(-1)", "Up", id="list.up", show=False),
    Binding("g,home", "cursor_first", "First", id="list.first", show=False),
    Binding("G,end", "cursor_last", "Last", id="list.last", show=False),
    Binding("space,pagedown", "cursor_page(1)", "Page down", id="list.page-down", show=False),
    Binding("b,pageup", "cursor_page(-1)", "Page up", id="list.page-up", show=False),
    Binding("ctrl+d", "cursor_half(1)", "Half a page down", id="list.half-down", show=False),
    Binding("ctrl+u", "cursor_half(-1)", "Half a page up", id="list.half-up", show=False),
    Binding("enter", "choose", "Open", id="list.choose", show=False),
]

INKS = (
    "label", "strong", "muted", "title", "rule", "bar", "free", "over", "gold", "changed",
    "packed", "skipped", "cut", "cause", "fault", "warning", "info", "good", "cursor", "resting",
)  # fmt: skip
"""What lines are written in."""


class LineList(ScrollView, can_focus=True):
    """Lines under a fixed header row, one of them under the cursor.

    A list says how many lines it has (`line_count`), draws one (`line_row`), and is told when the
    cursor comes to a line (`cursor_moved`) and when it is chosen (`chosen`). Lines that are not
    `selectable` are stepped over.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = ink_classes(INKS)
    DEFAULT_CSS = """
    LineList { width: 1fr; height: 1fr; overflow-x: hidden; overflow-y: auto;
               scrollbar-size-vertical: 1; }
    """ + ink_css("LineList", INKS)
    BINDINGS: ClassVar[list[BindingType]] = LIST_KEYS

    cursor: reactive[int] = reactive(0, repaint=False, init=False)
    """The line under the cursor, from 0."""

    def line_count(self) -> int:
        """How many lines the list has."""
        raise NotImplementedError

    def line_row(self, line: int, width: int) -> Row:
        """One line in at most `width` cells; the sign of the cursor is drawn before it."""
        raise NotImplementedError

    def header_row(self, width: int) -> Row:
        """The names of the columns."""
        raise NotImplementedError

    def selectable(self, line: int) -> bool:
        """Whether the cursor may stand on the line."""
        return 0 <= line < self.line_count()

    def cursor_moved(self) -> None:
        """Called when the cursor has come to another line."""

    def chosen(self) -> None:
        """Called when the line under the cursor is chosen."""

    def empty_row(self) -> Row:
        """What a list without lines says."""
        return (Span("nothing here", "muted"),)

    def lines_changed(self) -> None:
        """To be called when there are other lines: sizes, scrolls and draws the list anew."""
        self.virtual_size = Size(0, self.line_count() + HEADER)
        self._keep_in_view()
        self.refresh()

    def on_mount(self) -> None:
        """Take the size of what is there already, and tell where the cursor is."""
        self.lines_changed()
        if self.selectable(self.cursor):
            self.cursor_moved()

    def on_resize(self) -> None:
        """Keep the cursor on the screen when there is less room."""
        self._keep_in_view()

    def on_focus(self) -> None:
        """The cursor looks different with focus."""
        self.refresh_line(self.cursor)

    def on_blur(self) -> None:
        """The cursor looks different without focus."""
        self.refresh_line(self.cursor)

    def validate_cursor(self, line: int) -> int:
        """No further than the first and last line."""
        return max(0, min(line, self.line_count() - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Repaint the line that was left and the one that was reached, nothing else."""
        self.refresh_line(old)
        self.refresh_line(new)
        self._keep_in_view()
        if self.selectable(new):
            self.cursor_moved()

    def refresh_line(self, y: int) -> None:
        """Repaint line `y` of the list, where it is on the screen."""
        shown = y - self.scroll_offset.y + HEADER
        if HEADER <= shown < self.size.height:
            self.refresh(Region(0, shown, self.size.width, 1))

    def render_line(self, y: int) -> Strip:
        """The header, or the line that stands at `y` on the screen."""
        width = self.scrollable_content_region.width
        if y < HEADER:
            return painted(self, (Span("  "), *self.header_row(max(0, width - 2))), width)
        line = y - HEADER + self.scroll_offset.y
        if line >= self.line_count():
            first = line == 0
            return painted(self, (Span("  "), *self.empty_row()) if first else BLANK, width)
        row = self.line_row(line, max(0, width - 2))
        if line != self.cursor or not self.selectable(line):
            return painted(self, (Span("  "), *row), width)
        sign = glyphs_of(self).cursor
        return painted(self, (Span(f"{sign} ", "title"), *row), width, cursor_style(self))

    def action_cursor_by(self, lines: int) -> None:
        """Move by lines, over those that cannot be selected."""
        self._go(self.cursor + lines, 1 if lines > 0 else -1)

    def action_cursor_first(self) -> None:
        """Move to the first line."""
        self._go(0, 1)
        self.scroll_to(y=0, animate=False, force=True)

    def action_cursor_last(self) -> None:
        """Move to the last line."""
        self._go(self.line_count() - 1, -1)

    def action_cursor_page(self, pages: int) -> None:
        """Move by the lines that are on the screen."""
        self._go(self.cursor + pages * self._page(), 1 if pages > 0 else -1)

    def action_cursor_half(self, halves: int) -> None:
        """Move by half the lines that are on the screen."""
        self._go(self.cursor + halves * max(1, self._page() // 2), 1 if halves > 0 else -1)

    def action_choose(self) -> None:
        """Choose the line under the cursor."""
        if self.selectable(self.cursor):
            self.chosen()

    def on_click(self, event: events.Click) -> None:
        """Move to the clicked line; a second click chooses it."""
        offset = event.get_content_offset(self)
        if offset is None or offset.y < HEADER:
            return
        line = offset.y - HEADER + self.scroll_offset.y
        if self.selectable(line):
            self.cursor = line
            if event.chain > 1:
                self.action_choose()

    def _page(self) -> int:
        return max(1, self.size.height - HEADER)

    def _go(self, line: int, step: int) -> None:
        """To `line`, or the nearest that can be selected: onward first, then back."""
        last = self.line_count() - 1
        line = max(0, min(line, last))
        for direction in (step, -step):
            at = line
            while 0 <= at <= last:
                if self.selectable(at):
                    self.cursor = at
                    return
                at += direction

    def _keep_in_view(self) -> None:
        if self.size.height <= HEADER:
            # Not laid out yet, or hidden: there is no view to keep it in.
            return
        top, room = self.scroll_offset.y, self._page()
        # The heading right above a group's first line comes into view with it.
        above = self.cursor - 1
        first = above if above >= 0 and not self.selectable(above) else self.cursor
        if first < top:
            self.scroll_to(y=first, animate=False, force=True)
        elif self.cursor >= top + room:
            self.scroll_to(y=self.cursor - room + 1, animate=False, force=True)
