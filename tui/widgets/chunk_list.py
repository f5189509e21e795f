"""The candidates of one run on the screen."""

from __future__ import annotations

from collections.abc import Iterable

from textual.message import Message
from textual.reactive import reactive

from tui.widgets.chunk_row import (
    ChunkLine,
    ChunkRow,
    GroupHead,
    chunk_columns,
    chunk_lines,
    chunk_row,
    group_row,
)
from tui.widgets.columns import Fitted, header
from tui.widgets.ink import glyphs_of
from tui.widgets.line_list import LineList
from tui.widgets.spans import Row, Span

__all__ = ["ChunkChosen", "ChunkHighlighted", "ChunkList", "ChunkRow"]


class ChunkHighlighted(Message):
    """The cursor of a chunk list came to another chunk."""

    def __init__(self, chunk_list: ChunkList, chunk_id: str) -> None:
        super().__init__()
        self.chunk_list = chunk_list
        self.chunk_id = chunk_id

    @property
    def control(self) -> ChunkList:
        """The list it happened in."""
        return self.chunk_list


class ChunkChosen(ChunkHighlighted):
    """A chunk was chosen with Enter or a double click."""


class ChunkList(LineList):
    """Packed chunks in window order, then skipped ones by rank, each with its reason in words."""

    DEFAULT_CSS = "ChunkList { min-width: 24; }"

    only: reactive[str] = reactive("all", init=False)
    """Which groups are listed: "all", "packed" or "skipped"."""

    value_name: reactive[str] = reactive("value", init=False)
    """What heads the column of values: gain, score, …"""

    def __init__(
        self, rows: Iterable[ChunkRow] = (), *, id: str | None = None, classes: str | None = None
    ) -> None:
        self._rows = tuple(rows)
        self._lines: list[ChunkLine] = chunk_lines(self._rows)
        self._columns: tuple[int, Fitted] | None = None
        self._told: str | None = None
        super().__init__(id=id, classes=classes)
        self.set_reactive(LineList.cursor, 1 if self._lines else 0)

    @property
    def highlighted(self) -> ChunkRow | None:
        """The chunk under the cursor."""
        line = self._lines[self.cursor] if self.cursor < len(self._lines) else None
        return line if isinstance(line, ChunkRow) else None

    def set_rows(self, rows: Iterable[ChunkRow]) -> None:
        """Show other rows; the cursor stays on the chunk it was on, where that is still there."""
        self._rows = tuple(rows)
        self._rebuild()

    def move_to(self, chunk_id: str) -> bool:
        """Put the cursor on a chunk; False where it is not listed."""
        found = self._line_of(chunk_id)
        if found is not None:
            self.cursor = found
        return found is not None

    def watch_only(self) -> None:
        """Another filter."""
        self._rebuild()

    def watch_value_name(self) -> None:
        """Another head for the values."""
        self._columns = None
        self.refresh()

    def line_count(self) -> int:
        """Chunks and heads of groups."""
        return len(self._lines)

    def selectable(self, line: int) -> bool:
        """Chunks are; heads of groups are not."""
        return 0 <= line < len(self._lines) and isinstance(self._lines[line], ChunkRow)

    def line_row(self, line: int, width: int) -> Row:
        """A chunk or the head of a group."""
        shown = self._lines[line]
        if isinstance(shown, GroupHead):
            return group_row(shown, width, glyphs_of(self))
        return chunk_row(shown, self._fitted(width), self.value_name, glyphs_of(self))

    def header_row(self, width: int) -> Row:
        """The names of the columns."""
        return header(self._fitted(width))

    def empty_row(self) -> Row:
        """What a list without chunks says."""
        words = "no candidates were logged" if not self._rows else f"no chunk is {self.only}"
        return (Span(words, "muted"),)

    def cursor_moved(self) -> None:
        """Tell the owner, once for each chunk."""
        row = self.highlighted
        if row is not None and row.id != self._told:
            self._told = row.id
            self.post_message(ChunkHighlighted(self, row.id))

    def chosen(self) -> None:
        """Tell the owner that the chunk under the cursor was chosen."""
        if (row := self.highlighted) is not None:
            self.post_message(ChunkChosen(self, row.id))

    def _rebuild(self) -> None:
        before = self.highlighted
        self._lines = chunk_lines(self._rows, self.only)
        self._columns = None
        kept = self._line_of(before.id) if before is not None else None
        if kept is not None:
            self.cursor = kept
        else:
            self._go(max(1, self.cursor), 1)
        self.lines_changed()
        self.cursor_moved()

    def _line_of(self, chunk_id: str) -> int | None:
        for number, line in enumerate(self._lines):
            if isinstance(line, ChunkRow) and line.id == chunk_id:
                return number
        return None

    def _fitted(self, width: int) -> Fitted:
        if self._columns is None or self._columns[0] != width:
            ascii = glyphs_of(self).ascii
            self._columns = (width, chunk_columns(self._rows, width, self.value_name, ascii=ascii))
        return self._columns[1]
