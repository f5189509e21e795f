"""The runs of a log on the screen, a page at a time: a million cost what a hundred do."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol

from textual.message import Message

from tui.widgets.columns import Fitted, header
from tui.widgets.ink import glyphs_of
from tui.widgets.line_list import LineList
from tui.widgets.run_row import RunRow, run_columns, run_row
from tui.widgets.spans import Row, Span

__all__ = ["RunBackend", "RunChosen", "RunHighlighted", "RunList", "RunRow"]

PAGE = 128
"""Runs that are read at once."""

PAGES = 32
"""Pages that are kept; the one unused for longest goes first."""


class RunBackend(Protocol):
    """Where the runs come from: a log, or what a search found in it."""

    def count(self) -> int:
        """How many runs there are."""
        ...

    def rows(self, offset: int, limit: int) -> Sequence[RunRow]:
        """Up to `limit` runs from number `offset`, from 0, in the order of the list."""
        ...


class RunHighlighted(Message):
    """The cursor of a run list came to another run."""

    def __init__(self, run_list: RunList, run_id: str) -> None:
        super().__init__()
        self.run_list = run_list
        self.run_id = run_id

    @property
    def control(self) -> RunList:
        """The list it happened in."""
        return self.run_list


class RunChosen(RunHighlighted):
    """A run was chosen with Enter or a double click."""


class RunList(LineList):
    """Runs, newest first or as their backend orders them, with the gravest finding of each."""

    def __init__(
        self,
        backend: RunBackend | None = None,
        *,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        self._backend = backend
        self._count = backend.count() if backend is not None else 0
        self._pages: OrderedDict[int, Sequence[RunRow]] = OrderedDict()
        self._columns: tuple[int, Fitted] | None = None
        self.empty_words = "no runs"
        super().__init__(id=id, classes=classes)

    def set_backend(self, backend: RunBackend, cursor: int = 0) -> None:
        """Show another backend's runs, or the same one's anew, with the cursor on line `cursor`."""
        self._backend = backend
        self._count = backend.count()
        self._pages.clear()
        moved = self.cursor != self.validate_cursor(cursor)
        self.cursor = cursor
        self.lines_changed()
        if not moved:
            self.cursor_moved()

    def read_again(self) -> None:
        """Draw what the backend has learnt since; the same runs in the same order."""
        self._pages.clear()
        self.refresh()

    @property
    def highlighted(self) -> RunRow | None:
        """The run under the cursor."""
        return self.run_at(self.cursor)

    def run_at(self, line: int) -> RunRow | None:
        """The run on a line, read with its page; None where the log has become shorter."""
        if self._backend is None or not 0 <= line < self._count:
            return None
        number, place = divmod(line, PAGE)
        if number not in self._pages:
            self._pages[number] = self._backend.rows(number * PAGE, PAGE)
            while len(self._pages) > PAGES:
                self._pages.popitem(last=False)
        self._pages.move_to_end(number)
        page = self._pages[number]
        return page[place] if place < len(page) else None

    def line_count(self) -> int:
        """How many runs there are."""
        return self._count

    def line_row(self, line: int, width: int) -> Row:
        """One run."""
        run = self.run_at(line)
        if run is None:
            return (Span("this run is no longer there", "muted"),)
        return run_row(run, self._fitted(width), glyphs_of(self))

    def header_row(self, width: int) -> Row:
        """The names of the columns."""
        return header(self._fitted(width))

    def empty_row(self) -> Row:
        """What a list without runs says: `empty_words`, which the owner may set."""
        return (Span(self.empty_words, "muted"),)

    def cursor_moved(self) -> None:
        """Tell the owner which run the cursor is on."""
        if (run := self.highlighted) is not None:
            self.post_message(RunHighlighted(self, run.id))

    def chosen(self) -> None:
        """Tell the owner that the run under the cursor was chosen."""
        if (run := self.highlighted) is not None:
            self.post_message(RunChosen(self, run.id))

    def _fitted(self, width: int) -> Fitted:
        if self._columns is None or self._columns[0] != width:
            self._columns = (width, run_columns(width))
        return self._columns[1]
