"""Long text wrapped to a width in cells, line by line, no further than somebody has looked."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from tui.graphemes import Piece, pieces

# A run of plain letters that nothing after it can change: no combining mark follows.
_PLAIN = re.compile(r"[ -~]*(?![^\x00-\x7f])")


class WrappedLine(NamedTuple):
    """The source span of one line; `soft` says that the next line goes on with the same one."""

    start: int
    end: int
    soft: bool


class Wrapped:
    """`text` in lines of at most `width` cells, broken at spaces and beside wide characters.

    Lines are found when they are asked for: opening costs the same for 200 bytes and 1 GB.
    """

    def __init__(self, text: str, width: int, *, ascii: bool = False) -> None:
        self.text = text
        self.width = max(1, width)
        self.ascii = ascii
        self._lines: list[WrappedLine] = []
        self._next = 0
        self._complete = False

    @property
    def known(self) -> int:
        """How many lines have been found so far."""
        return len(self._lines)

    @property
    def reached(self) -> int:
        """The offset in the text up to which lines have been found."""
        return self._next

    @property
    def complete(self) -> bool:
        """Whether the end of the text has been reached."""
        return self._complete

    @property
    def estimate(self) -> int:
        """Lines in all: exact when complete, else judged by the lines known so far."""
        if self._complete or not self._next:
            return self.known
        return self.known + max(1, (len(self.text) - self._next) * self.known // self._next)

    def reach(self, line: int) -> bool:
        """Find lines up to number `line`, from 0; False where the text ends before it."""
        while len(self._lines) <= line and not self._complete:
            self._find_next()
        return line < len(self._lines)

    def line(self, number: int) -> WrappedLine | None:
        """The span of a line, or None past the end."""
        return self._lines[number] if self.reach(number) else None

    def pieces(self, number: int) -> list[Piece]:
        """What the line shows, piece by piece; empty past the end."""
        line = self.line(number)
        if line is None:
            return []
        found = pieces(self.text, line.start, line.end, ascii=self.ascii)
        return [piece if piece.cells <= self.width else _narrowed(piece) for piece in found]

    def shown(self, number: int) -> str:
        """The line as one string, at most `width` cells."""
        return "".join(piece.shown for piece in self.pieces(number))

    def line_at(self, offset: int) -> int:
        """The number of the line that holds the character at `offset`."""
        while self._next <= offset and not self._complete:
            self._find_next()
        return max(0, bisect_right(self._lines, offset, key=lambda line: line.start) - 1)

    def _find_next(self) -> None:
        start, size = self._next, len(self.text)
        if start >= size:
            # Empty text has one empty line; a last newline starts no further line.
            if not self._lines:
                self._lines.append(WrappedLine(0, 0, soft=False))
            self._complete = True
            return
        line, self._next = self._plain_line(start) or self._measured_line(start)
        self._lines.append(line)
        self._complete = self._next >= size

    def _plain_line(self, start: int) -> tuple[WrappedLine, int] | None:
        """The next line where it is plain ASCII throughout, else None."""
        text, edge = self.text, start + self.width
        match = _PLAIN.match(text, start, edge + 1)
        end = match.end() if match else start
        if end > edge:
            space = text.rfind(" ", start, edge + 1)
            if space > start:
                return WrappedLine(start, space, soft=True), space + 1
            # The last letter may carry a mark that stands beyond what was matched.
            return WrappedLine(start, edge, soft=True), edge
        if end >= len(text):
            return WrappedLine(start, end, soft=False), end
        if end < len(text) and (newline := _newline(text, end)):
            return WrappedLine(start, end, soft=False), end + newline
        return None

    def _measured_line(self, start: int) -> tuple[WrappedLine, int]:
        text, used = self.text, 0
        break_end, break_next = 0, 0
        for piece in pieces(text, start, ascii=self.ascii):
            if newline := _newline(text, piece.start):
                return WrappedLine(start, piece.start, soft=False), piece.start + newline
            blank = text[piece.start] in " \t"
            wide = piece.cells == 2
            if (wide or blank) and piece.start > start:
                break_end, break_next = piece.start, piece.end if blank else piece.start
            cells = min(piece.cells, self.width)
            if used + cells > self.width:
                if break_end > start:
                    return WrappedLine(start, break_end, soft=True), break_next
                return WrappedLine(start, piece.start, soft=True), piece.start
            used += cells
            if wide:
                break_end = break_next = piece.end
        return WrappedLine(start, len(text), soft=False), len(text)


def _newline(text: str, at: int) -> int:
    """How many characters of a line end stand at `at`: 0, 1 or 2."""
    if text[at] == "\n":
        return 1
    return 2 if text.startswith("\r\n", at) else 0


def _narrowed(piece: Piece) -> Piece:
    return Piece("?", 1, piece.start, piece.end)
