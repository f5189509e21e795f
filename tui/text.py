"""The one gateway for text from logs: shown, never interpreted, never wider than was asked.

Nothing here imports Textual except `plain`, so that headless commands stay light.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Literal

from tui.graphemes import TAB, pieces
from tui.wrapping import Wrapped

if TYPE_CHECKING:
    from textual.content import Content

__all__ = [
    "Wrapped",
    "cells",
    "pad",
    "plain",
    "plain_ends",
    "plain_line",
    "plain_lines",
    "shown",
    "words",
]

PLAIN_LIMIT = 20_000
"""Characters of one text that go into a label or message."""


def cells(text: str) -> int:
    """How many terminal cells a text takes that has already been made plain."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def plain_line(text: str, width: int, *, ascii: bool = False) -> str:
    """One line of at most `width` cells: controls made visible, tabs expanded, clipped with `…`.

    No grapheme is cut. The cost depends on the width, not on how long the text is.
    """
    if width <= 0:
        return ""
    head = text[: width + 1]
    if head.isascii() and head.isprintable():
        return head if len(text) <= width else head[: width - 1] + ellipsis(ascii)
    parts: list[str] = []
    used = room = 0  # `room` is how many parts fit with the ellipsis behind them
    for piece in pieces(text, ascii=ascii):
        if used + piece.cells > width:
            return "".join(parts[:room]) + ellipsis(ascii)
        parts.append(piece.shown)
        used += piece.cells
        if used < width:
            room = len(parts)
    return "".join(parts)


def plain_ends(text: str, width: int, *, ascii: bool = False) -> str:
    """One line of at most `width` cells that keeps both ends, `…` in the middle: for ids.

    Costs no more than `plain_line`, however long the text is.
    """
    line = plain_line(text, width, ascii=ascii)
    if width < 5 or not line.endswith(ellipsis(ascii)) or len(text) == len(line):
        return line
    tail_room = (width - 1) * 3 // 5
    ending = text[-2 * width :]
    tail: list[str] = []
    for piece in reversed(list(pieces(ending, ascii=ascii))):
        if piece.start == 0 or piece.cells > tail_room:
            break
        tail.insert(0, piece.shown)
        tail_room -= piece.cells
    end = "".join(tail)
    return plain_line(text, width - cells(end), ascii=ascii) + end


def plain_lines(
    text: str, width: int, start: int = 0, count: int | None = None, *, ascii: bool = False
) -> list[str]:
    """Lines `start` to `start + count` of the text wrapped to `width` cells; all without a count.

    Wraps no further than the last line asked for. Keep a `Wrapped` to page through one text.
    """
    wrapped = Wrapped(text, width, ascii=ascii)
    lines: list[str] = []
    number = start
    while (count is None or number < start + count) and wrapped.reach(number):
        lines.append(wrapped.shown(number))
        number += 1
    return lines


def pad(
    text: str, width: int, align: Literal["left", "right"] = "left", *, ascii: bool = False
) -> str:
    """The text as one plain line of exactly `width` cells."""
    line = plain_line(text, width, ascii=ascii)
    blank = " " * (width - cells(line))
    return blank + line if align == "right" else line + blank


def words(text: str, width: int, *, ascii: bool = False) -> list[str]:
    """A sentence broken between words into lines of at most `width` cells; newlines are spaces.

    Only a word that is longer than a line is broken inside.
    """
    # Not `split()`: it would also swallow controls that have to be seen.
    return plain_lines(re.sub(r"[ \t\r\n]+", " ", text).strip(" "), width, ascii=ascii)


def shown(text: str, limit: int = PLAIN_LIMIT, *, ascii: bool = False) -> str:
    """Several lines made plain: newlines stay, every other control is visible; cut at `limit`."""
    parts: list[str] = []
    column = 0
    more = len(text) > limit
    for piece in islice(pieces(text, 0, limit, ascii=ascii), limit):
        if text[piece.start] == "\n":
            parts.append("\n")
        elif text.startswith("\r\n", piece.start):
            continue
        elif text[piece.start] == "\t":
            parts.append(" " * (TAB - column % TAB))
        else:
            parts.append(piece.shown)
        column = 0 if parts[-1] == "\n" else column + cells(parts[-1])
    return "".join(parts) + (ellipsis(ascii) if more else "")


def plain(text: str, limit: int = PLAIN_LIMIT) -> Content:
    """The text as Textual content: never markup, safe for every widget, title and toast."""
    from textual.content import Content

    return Content(shown(text, limit))


def ellipsis(ascii: bool = False) -> str:
    """The one-cell sign for a text that goes on."""
    return ">" if ascii else "…"
