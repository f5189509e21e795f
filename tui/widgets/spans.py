"""Rows of styled text: what a layout hands to whatever draws it, a terminal or a test."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tui.text import cells, plain_line


class Span(NamedTuple):
    """A piece of one row in one style; `text` is plain already, `style` is a name of an ink."""

    text: str
    style: str = "label"


Row = tuple[Span, ...]

BLANK: Row = ()


def row_text(row: Row) -> str:
    """What the row reads as."""
    return "".join(span.text for span in row)


def row_cells(row: Row) -> int:
    """How many cells the row takes."""
    return sum(cells(span.text) for span in row)


def clipped(row: Row, width: int, *, ascii: bool = False) -> Row:
    """The row in at most `width` cells, with `…` where something had to go."""
    if row_cells(row) <= width:
        return row
    kept: list[Span] = []
    room = width
    for span in row:
        taken = cells(span.text)
        # The span that meets the edge is asked for one cell too many, so that it ends in `…`.
        if taken >= room:
            text = span.text if taken > room else span.text + " "
            kept.append(Span(plain_line(text, room, ascii=ascii), span.style))
            break
        kept.append(span)
        room -= taken
    return tuple(span for span in kept if span.text)


def filled(row: Row, width: int) -> Row:
    """The row, clipped or with blank cells behind it, in exactly `width` cells."""
    row = clipped(row, width)
    missing = width - row_cells(row)
    return (*row, Span(" " * missing, "label")) if missing > 0 else row


def merged(cells_and_styles: Iterable[tuple[str, str]]) -> Row:
    """One-cell signs with their styles as the fewest spans."""
    spans: list[Span] = []
    for sign, style in cells_and_styles:
        if spans and spans[-1].style == style:
            spans[-1] = Span(spans[-1].text + sign, style)
        else:
            spans.append(Span(sign, style))
    return tuple(spans)


def flowed(phrases: Iterable[Row], width: int, gap: str = "   ", indent: int = 0) -> list[Row]:
    """Phrases side by side, on as many rows as they need; a phrase is never broken to save room."""
    rows: list[Row] = []
    current: Row = ()
    for phrase in phrases:
        joined = (*current, Span(gap), *phrase) if current else phrase
        if current and indent + row_cells(joined) > width:
            rows.append(current)
            joined = phrase
        current = joined
    if current:
        rows.append(current)
    lead = (Span(" " * indent),) if indent else ()
    return [clipped((*lead, *row), width) for row in rows]
