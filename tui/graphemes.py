"""Text cut into pieces that a terminal can show: one grapheme each, with its width in cells.

What would act on the terminal or hide from the reader (control characters, bidi controls,
zero-width and ignorable characters, lone surrogates) becomes a visible name instead. Of an emoji
only its selector and skin tone are left out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

TAB = 4
"""Cells between tab stops."""

LONGEST = 16
"""Code points in one grapheme; what is stacked beyond it stands alone, so cost stays bounded."""

ZWNJ, ZWJ = "\u200c", "\u200d"
PRESENTATION = frozenset("\ufe0e\ufe0f")
IGNORABLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u180b\u180c\u180d\u180e\u180f")


class Piece(NamedTuple):
    """What stands on the screen for `text[start:end]`, and how many cells it takes."""

    shown: str
    cells: int
    start: int
    end: int


def pieces(
    text: str, start: int = 0, end: int | None = None, *, column: int = 0, ascii: bool = False
) -> Iterator[Piece]:
    """The pieces of `text[start:end]`, lazily; `column` is the cell that the first one stands on.

    With `ascii`, controls are named as `^[` rather than `␛`. Newlines are pieces like any other.
    """
    stop = len(text) if end is None else min(end, len(text))
    at = start
    while at < stop:
        piece = _tab(at, column) if text[at] == "\t" else _piece(text, at, stop, ascii)
        yield piece
        column += piece.cells
        at = piece.end


def _tab(at: int, column: int) -> Piece:
    spaces = TAB - column % TAB
    return Piece(" " * spaces, spaces, at, at + 1)


def _piece(text: str, at: int, stop: int, ascii: bool) -> Piece:
    first = text[at]
    following = text[at + 1] if at + 1 < stop else ""
    if " " <= first <= "~" and following < "\x7f":
        return Piece(first, 1, at, at + 1)
    alone = _cells_alone(first)
    if alone and not (following and _may_extend(following)):
        return Piece(first, alone, at, at + 1)
    if is_hidden(first):
        name = _name(first, ascii)
        return Piece(name, len(name), at, at + 1)
    from rich.cells import cell_len

    end = _grapheme_end(text, at, stop)
    # Terminals disagree on how wide selectors and skin tones make a sign, so none is sent.
    shown = "".join(c for c in text[at:end] if not (c in PRESENTATION or _is_skin_tone(c)))
    if _width(first) == 0:
        # A mark with nothing to stand on is shown on a dotted circle, as in code charts.
        shown = "◌" + shown
    return Piece(shown, cell_len(shown), at, end)


def _grapheme_end(text: str, at: int, stop: int) -> int:
    first = text[at]
    end = at + 1
    if _is_flag_half(first) and end < stop and _is_flag_half(text[end]):
        return end + 1
    limit = min(stop, at + LONGEST)
    while end < limit:
        here, after = text[end], text[end + 1] if end + 1 < stop else ""
        if here in PRESENTATION:
            if text[end - 1] in PRESENTATION or _width(text[end - 1]) == 0:
                break
            end += 1
        elif here == ZWJ:
            if not (_is_picture(first) and after and _is_picture(after)):
                break
            end += 2
        elif here == ZWNJ:
            if not (_joins(text[end - 1]) and after and _joins(after)):
                break
            end += 1
        elif _is_skin_tone(here):
            if not _is_picture(text[end - 1]):
                break
            end += 1
        elif _width(here) == 0 and not is_hidden(here):
            end += 1
        else:
            break
    return end


@lru_cache(maxsize=8192)
def _cells_alone(character: str) -> int:
    """The cells of a character that needs no further look unless something extends it, else 0."""
    return 0 if is_hidden(character) else _width(character)


@lru_cache(maxsize=8192)
def _may_extend(character: str) -> bool:
    return _width(character) == 0 or _is_flag_half(character)


@lru_cache(maxsize=8192)
def is_hidden(character: str) -> bool:
    """Whether the character, standing alone, would act on a terminal or not be seen at all."""
    category = unicodedata.category(character)
    if category in ("Cc", "Cf", "Cs", "Zl", "Zp") or character in IGNORABLE:
        return True
    code = ord(character)
    selector = 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF
    tag = 0xE0000 <= code <= 0xE0FFF
    noncharacter = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return selector or tag or noncharacter or (_is_skin_tone(character))


@lru_cache(maxsize=2048)
def _name(character: str, ascii: bool) -> str:
    code = ord(character)
    if code < 0x20 or code == 0x7F:
        if ascii:
            return "^" + chr(code ^ 0x40)
        return "␡" if code == 0x7F else chr(0x2400 + code)
    return f"<U+{code:04X}>"


def _width(character: str) -> int:
    from rich.cells import get_character_cell_size

    return get_character_cell_size(character)


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _is_skin_tone(character: str) -> bool:
    return "\U0001f3fb" <= character <= "\U0001f3ff"


def _is_picture(character: str) -> bool:
    code = ord(character)
    return 0x2190 <= code <= 0x2BFF or 0x1F000 <= code <= 0x1FAFF


def _joins(character: str) -> bool:
    """Whether the character belongs to a script in which a non-joiner is part of spelling."""
    return 0x0600 <= ord(character) <= 0x109F
