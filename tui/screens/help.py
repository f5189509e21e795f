"""The keys of the screen below, and what the letters mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from tui.glyphs import CHANGE_WORDS, CHANGED, NOW, SEVERITY_LETTERS, STATE_WORDS
from tui.key_names import key_name
from tui.text import words
from tui.widgets.ink import glyphs_of
from tui.widgets.rows_view import RowsView
from tui.widgets.spans import BLANK, Row, Span

NAMES = 16
"""Cells of the column of keys and letters."""


class Help(ModalScreen[None]):
    """All keys of one screen with what they do, then the letters and marks."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1", "dismiss", "Close", id="help.close")
    ]
    DEFAULT_CSS = """
    Help { align: center middle; }
    Help > Vertical { width: 72; max-width: 96%; height: 90%; border: round $primary;
                      background: $surface; padding: 0 1; }
    Help.-ascii > Vertical { border: ascii $primary; }
    """

    def __init__(self, groups: Mapping[str, Sequence[Sequence[Binding]]]) -> None:
        """`groups` are names, and for each the bindings of every action that it has."""
        super().__init__()
        self._groups = groups

    def compose(self) -> ComposeResult:
        """One scrolling page."""
        with Vertical() as box:
            box.border_title = "Help"
            box.border_subtitle = "Esc closes"
            yield RowsView(self._rows)

    def on_mount(self) -> None:
        """The page takes the keys that scroll."""
        self.set_class(glyphs_of(self).ascii, "-ascii")
        self.query_one(RowsView).focus()

    def _rows(self, width: int) -> list[Row]:
        signs = glyphs_of(self)
        keys: list[Row] = []
        for group, bindings in self._groups.items():
            entries = [
                (
                    " ".join(key_name(binding.key, ascii=signs.ascii) for binding in same),
                    _says(same[0]),
                )
                for same in bindings
            ]
            keys += [*_group(group, entries, width), BLANK]
        marks = {
            **STATE_WORDS,
            **CHANGE_WORDS,
            CHANGED: "differs from the log",
            NOW: "beside a strategy: the one in use",
            signs.gold: "holds the expected answer",
            signs.pinned: "pinned",
            signs.banned: "banned",
        }
        severities = [(letter, severity) for severity, letter in SEVERITY_LETTERS.items()]
        return [
            *keys,
            *_group("Letters and marks", marks.items(), width),
            BLANK,
            *_group("Findings", severities, width),
            BLANK,
            *_group("Words", _WORDS.items(), width),
        ]


def _group(title: str, entries: Iterable[tuple[str, str]], width: int) -> list[Row]:
    """A heading, then each name with what it means, the meaning wrapped under itself."""
    rows: list[Row] = [(Span(title, "title"),)]
    for name, meaning in entries:
        for number, line in enumerate(words(meaning, max(10, width - NAMES - 2))):
            rows.append((Span(f"{'' if number else name:>{NAMES}}  ", "strong"), Span(line)))
    return rows


def _says(binding: Binding) -> str:
    return binding.tooltip or binding.description


_WORDS = {
    "gain": "1 / log2(rank + 1), what a chunk is worth by default",
    "bound": "no choice within the budget is worth more; proven: nothing better exists",
    "gap": "bound less value, the most that a better choice could add",
    "density": "value per token",
    "lambda": "of mmr: 1 weighs relevance alone, 0 unlikeness to the chosen alone",
    "cut-off": "the share of the score range, below the best, at which a chunk falls",
    "cliff": "a clear fall between neighbours of the sorted scores",
    "budget": "tokens for evidence, headers and separators included",
    "allowance": "tokens that a section is guaranteed",
    "cap": "tokens that a section may never exceed",
    "x": "where a chunk stands, 0 at the start and 1 at the end",
    "p": "the chance that the model uses what stands at x, on the curve",
}
