"""A one-line question to the user."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from ctxpack.errors import InputError
from tui.keymap import DIALOG
from tui.text import plain
from tui.widgets.ink import glyphs_of


class Dialog(ModalScreen[str | None]):
    """Asks for one line; gives back what was typed, or None where it was left with Esc."""

    BINDINGS: ClassVar[list[BindingType]] = [*DIALOG]
    DEFAULT_CSS = """
    Dialog { align: center middle; }
    Dialog > Vertical { width: 64; max-width: 92%; height: auto; border: round $primary;
                        background: $surface; padding: 0 1; }
    Dialog.-ascii > Vertical { border: ascii $primary; }
    Dialog Label { width: 1fr; }
    Dialog .hint { color: $text-muted; }
    Dialog Input { margin: 1 0; background: $boost; }
    Dialog #problem { color: $text-error; display: none; }
    """

    def __init__(
        self,
        title: str,
        hint: str,
        value: str = "",
        read: Callable[[str], Any] | None = None,
    ) -> None:
        """`read` raises InputError for a line that cannot be taken: that is said, and it stays."""
        super().__init__()
        self._title = title
        self._hint = hint
        self._value = value
        self._read = read

    def compose(self) -> ComposeResult:
        """The question, the line, and what may be typed."""
        with Vertical():
            yield Label(Content(self._title))
            yield Input(self._value, compact=True, select_on_focus=True)
            yield Label("", id="problem", markup=False)
            yield Label(plain(self._hint), classes="hint")

    def on_mount(self) -> None:
        """A frame of the signs that the terminal has."""
        self.set_class(glyphs_of(self).ascii, "-ascii")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give back what was typed; what cannot be taken is said, and stays."""
        event.stop()
        typed = event.value.strip()
        try:
            if self._read is not None:
                self._read(typed)
        except InputError as error:
            problem = self.query_one("#problem", Label)
            problem.update(plain(str(error)))
            problem.display = True
        else:
            self.dismiss(typed)

    def action_cancel(self) -> None:
        """Leave it as it was."""
        self.dismiss(None)
