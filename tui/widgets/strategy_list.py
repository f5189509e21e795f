"""The strategies side by side on the screen, one of them under the cursor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from tui.widgets.columns import Fitted, header
from tui.widgets.line_list import LineList
from tui.widgets.spans import Row
from tui.widgets.strategy_row import StrategyRow, strategy_columns, strategy_row


class StrategyHighlighted(Message):
    """The cursor came to another strategy."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


class StrategyList(LineList, inherit_bindings=False):
    """A line a strategy. Left, right, Home and End are not its keys: they step through the fill."""

    DEFAULT_CSS = "StrategyList { height: auto; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "cursor_by(1)", "Down", id="list.down", show=False),
        Binding("k,up", "cursor_by(-1)", "Up", id="list.up", show=False),
        Binding("g", "cursor_first", "First", id="list.first", show=False),
        Binding("G", "cursor_last", "Last", id="list.last", show=False),
    ]

    def __init__(self, rows: Iterable[StrategyRow] = (), *, id: str | None = None) -> None:
        self._rows = tuple(rows)
        self._columns: tuple[int, Fitted] | None = None
        super().__init__(id=id)

    @property
    def highlighted(self) -> str | None:
        """The strategy under the cursor."""
        return self._rows[self.cursor].name if self.cursor < len(self._rows) else None

    def set_rows(self, rows: Iterable[StrategyRow]) -> None:
        """Show other figures; the cursor stays where it is."""
        self._rows = tuple(rows)
        self._columns = None
        self.lines_changed()

    def line_count(self) -> int:
        """A line a strategy."""
        return len(self._rows)

    def line_row(self, line: int, width: int) -> Row:
        """One strategy."""
        return strategy_row(self._rows[line], self._fitted(width), width)

    def header_row(self, width: int) -> Row:
        """The names of the columns."""
        return header(self._fitted(width))

    def cursor_moved(self) -> None:
        """Tell the screen."""
        if (name := self.highlighted) is not None:
            self.post_message(StrategyHighlighted(name))

    def _fitted(self, width: int) -> Fitted:
        if self._columns is None or self._columns[0] != width:
            self._columns = (width, strategy_columns(self._rows, width))
        return self._columns[1]
