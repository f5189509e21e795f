"""How the Why pane sets its sentences."""

from __future__ import annotations

from tui.text import words
from tui.widgets.spans import Row, Span


def heading(text: str) -> Row:
    """The title of a section; the text is plain already."""
    return (Span(text, "title"),)


def wrapped(lead: str, text: str, style: str, width: int) -> list[Row]:
    """A sentence behind its lead, its further lines under the first."""
    lines = words(text, max(10, width - len(lead)))
    blank = " " * len(lead)
    return [
        (Span(lead if number == 0 else blank, style), Span(line, style))
        for number, line in enumerate(lines)
    ]
