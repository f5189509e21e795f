"""Which columns of a list fit a width, and how wide each is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tui.text import pad, plain_ends
from tui.widgets.spans import Row, Span
from tui.widgets.window_bar import apportioned

Align = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column in cells: shown from `least`, content with `enough`, never wider than `want`.

    The columns are served by `turn`: one is added only when those before it can have enough.
    With `ends`, a text that is too long loses its middle rather than its end.
    """

    name: str
    turn: int
    least: int
    enough: int
    want: int
    align: Align = "left"
    ends: bool = False


Fitted = tuple[tuple[Column, int], ...]


def fixed(name: str, turn: int, width: int, align: Align = "left") -> Column:
    """A column that is `width` cells wide or not there."""
    return Column(name, turn, width, width, width, align)


def flexible(name: str, turn: int, least: int, enough: int, longest: int) -> Column:
    """A column for texts of up to `longest` cells; 0: nothing to show, so not there."""
    return Column(name, turn, min(least, longest), min(enough, longest), longest)


def fitted(columns: Sequence[Column], width: int) -> Fitted:
    """The columns that fit with a blank between them, in the order given, with their widths."""
    chosen: list[Column] = []
    for column in sorted(columns, key=lambda column: column.turn):
        if not column.want:
            continue
        if sum(c.enough + 1 for c in chosen) + column.least > width:
            break
        chosen.append(column)
    widths = {column.name: column.least for column in chosen}
    for column in chosen:
        room = max(0, width - sum(widths.values()) - len(chosen) + 1)
        widths[column.name] += min(room, column.enough - column.least)
    room = max(0, width - sum(widths.values()) - len(chosen) + 1)
    needs = [max(0, column.want - widths[column.name]) for column in chosen]
    shares = needs if sum(needs) <= room else _shared(needs, room)
    for column, share in zip(chosen, shares, strict=True):
        widths[column.name] += share
    return tuple((column, widths[column.name]) for column in columns if column.name in widths)


def header(columns: Fitted) -> Row:
    """The names of the columns over their cells; a name that does not fit is left out."""
    names = [(c.name if len(c.name) <= width else "", width, c.align) for c, width in columns]
    return (Span(" ".join(pad(*name) for name in names), "muted"),)


def line(columns: Fitted, values: Mapping[str, tuple[str, str]], *, ascii: bool = False) -> Row:
    """One line: for each column its value, a text from anywhere, and the ink it is written in."""
    row: list[Span] = []
    for column, width in columns:
        text, ink = values[column.name]
        if column.ends:
            text = plain_ends(text, width, ascii=ascii)
        row += [Span(pad(text, width, column.align, ascii=ascii), ink), Span(" ")]
    return tuple(row[:-1])


def _shared(needs: list[int], room: int) -> list[int]:
    return [min(need, share) for need, share in zip(needs, apportioned(needs, room), strict=True)]
