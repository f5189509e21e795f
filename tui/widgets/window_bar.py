"""The whole window as one stacked bar, with its budget, reserve and limit in words below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tui.glyphs import CHANGED, UNICODE, Glyphs
from tui.widgets.spans import Row, Span, clipped, flowed, merged

LIMIT_IN_SCALE = 1.6
"""A limit further off than this many times the rest is told in words, not drawn."""


@dataclass(frozen=True, slots=True)
class SectionShare:
    """A section's tokens as logged, against its allowance and cap; `what_if` after a re-pack."""

    name: str
    tokens: int
    allowance: int | None = None
    cap: int | None = None
    what_if: int | None = None

    @property
    def now(self) -> int:
        """Tokens in the what-if where there is one, else as logged."""
        return self.tokens if self.what_if is None else self.what_if


@dataclass(frozen=True, slots=True)
class WindowShares:
    """One window in tokens; `other` is framing, separators and notes. None: not known."""

    sections: tuple[SectionShare, ...] = ()
    other: int = 0
    reserve: int | None = None
    budget: int | None = None
    limit: int | None = None

    @property
    def total(self) -> int:
        """All that was sent, without the reserve."""
        return sum(section.tokens for section in self.sections) + self.other

    @property
    def total_now(self) -> int:
        """All that the what-if would send."""
        return sum(section.now for section in self.sections) + self.other

    @property
    def changed(self) -> bool:
        """Whether a what-if differs from the log."""
        return any(section.now != section.tokens for section in self.sections)


def section_letters(names: Sequence[str]) -> tuple[str, ...]:
    """One letter or digit for each section, all different while there are signs left."""
    taken: set[str] = set()
    letters: list[str] = []
    for name in names:
        own = [sign for sign in name.upper() if sign.isascii() and sign.isalnum()]
        for sign in (*own, *"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", "#"):
            if sign not in taken or sign == "#":
                break
        taken.add(sign)
        letters.append(sign)
    return tuple(letters)


def section_signs(index: int, glyphs: Glyphs = UNICODE) -> tuple[str, str]:
    """The sign and ink that a section is drawn with, here and in its own bar."""
    ink = ("bar", "bar_other", "bar_third")[index % 3]
    return (glyphs.bar if index % 2 == 0 else glyphs.bar_other), ink


def apportioned(parts: Sequence[int], room: int) -> list[int]:
    """`room` cells shared by size, by largest remainder: the cells always sum to `room`.

    A part above zero keeps at least one cell, taken from the widest, where the room allows it.
    """
    whole = sum(parts)
    if whole <= 0 or room <= 0:
        return [0] * len(parts)
    given = [part * room // whole for part in parts]
    by_remainder = sorted(range(len(parts)), key=lambda i: (-(parts[i] * room % whole), i))
    for index in by_remainder[: room - sum(given)]:
        given[index] += 1
    if sum(part > 0 for part in parts) <= room:
        for index, part in enumerate(parts):
            if part > 0 and not given[index]:
                given[max(range(len(given)), key=given.__getitem__)] -= 1
                given[index] = 1
    return given


def window_rows(window: WindowShares, width: int, glyphs: Glyphs = UNICODE) -> list[Row]:
    """The stacked bar, a row that points at budget and limit, and the figures in words."""
    lead = 9 if window.changed else 0
    room = max(1, width - lead)
    scale = _scale(window)
    rows: list[Row] = []
    if not window.changed:
        rows.append(stacked_bar(window, room, scale, glyphs))
    else:
        logged = tuple(SectionShare(s.name, s.tokens) for s in window.sections)
        before = WindowShares(logged, window.other, window.reserve, window.budget, window.limit)
        rows.append((Span("logged   ", "muted"), *stacked_bar(before, room, scale, glyphs)))
        rows.append(
            (Span(f"what-if{CHANGED} ", "changed"), *stacked_bar(window, room, scale, glyphs))
        )
    pointers = _pointers(window, room, scale, glyphs)
    if pointers:
        rows.append((Span(" " * lead), *pointers))
    rows += flowed(_figures(window, glyphs), width)
    return [clipped(row, width, ascii=glyphs.ascii) for row in rows]


def stacked_bar(window: WindowShares, width: int, scale: int, glyphs: Glyphs = UNICODE) -> Row:
    """All sections of the window as it now is, in exactly `width` cells; `scale` in tokens.

    Each section begins with its letter. What stands beyond the budget has the `over` sign.
    """
    reserve = window.reserve or 0
    used = window.total_now + reserve
    free = max(0, (window.budget or 0) - used)
    sizes = [section.now for section in window.sections]
    parts = [*sizes, window.other, reserve, free, max(0, scale - used - free)]
    given = apportioned(parts, width)
    letters = section_letters([section.name for section in window.sections])
    drawn: list[tuple[str, str]] = []
    for index, room in enumerate(given[: len(sizes)]):
        if room:
            sign, ink = section_signs(index, glyphs)
            drawn += [(letters[index], "strong"), *[(sign, ink)] * (room - 1)]
    other, kept, unused, _ = given[len(sizes) :]
    drawn += [(glyphs.dot, "muted")] * other
    drawn += [(glyphs.reserve, "reserve")] * kept
    if window.budget is not None and used > window.budget:
        # However little is over, the last cell shows it.
        edge = min(_at(window.budget, scale, width), len(drawn) - 1)
        drawn = [
            (glyphs.over, "over") if cell >= edge and ink != "strong" else (sign, ink)
            for cell, (sign, ink) in enumerate(drawn)
        ]
    drawn += [(glyphs.free, "free")] * unused
    drawn += [(" ", "label")] * (width - len(drawn))
    return merged(drawn)


def _scale(window: WindowShares) -> int:
    reserve = window.reserve or 0
    scale = max(window.total, window.total_now, 1 if not reserve else 0) + reserve
    scale = max(scale, window.budget or 0)
    if window.limit is not None and scale < window.limit <= LIMIT_IN_SCALE * scale:
        scale = window.limit
    return scale


def _at(tokens: int, scale: int, width: int) -> int:
    return min(width - 1, max(0, (2 * tokens * width + scale) // (2 * scale)))


def _pointers(window: WindowShares, width: int, scale: int, glyphs: Glyphs) -> Row:
    """One row with `▲ budget` and `▲ limit` under the cells where they end; () for none."""
    cells = [" "] * width
    for name, tokens in (("budget", window.budget), ("limit", window.limit)):
        if tokens is None or tokens > scale:
            continue
        at = max(0, _at(tokens, scale, width + 1) - 1)
        words = name if width < 30 else f"{name} {tokens:,}"
        for start, text in (
            (at - len(words) - 1, f"{words} {glyphs.pointer}"),
            (at, f"{glyphs.pointer} {words}"),
        ):
            end = start + len(text)
            if start < 0 or end > width:
                continue
            if all(cell == " " for cell in cells[max(0, start - 1) : end + 1]):
                cells[start:end] = text
                break
    text = "".join(cells).rstrip()
    return (Span(text, "muted"),) if text else ()


def _figures(window: WindowShares, glyphs: Glyphs) -> list[Row]:
    """The window's sums as phrases that are never broken."""
    reserve = window.reserve or 0
    total, now = window.total, window.total_now
    star = CHANGED if now != total else ""
    phrases: list[Row] = [(Span("window ", "muted"), Span(f"{total:,}", "strong"))]
    if star:
        phrases.append((Span(f"{glyphs.to} ", "muted"), Span(f"{now:,}{star}", "changed")))
    if window.reserve is not None:
        phrases.append((Span(f"{glyphs.reserve} reserve ", "muted"), Span(f"{reserve:,}")))
    if window.budget is not None:
        left = window.budget - now - reserve
        phrases.append((Span("budget ", "muted"), Span(f"{window.budget:,}")))
        if left < 0:
            phrases.append((Span(f"{glyphs.over} over budget by {-left:,}{star}", "over"),))
        else:
            phrases.append((Span(f"{glyphs.free} free ", "muted"), Span(f"{left:,}{star}")))
    if window.limit is not None:
        phrases.append((Span("limit ", "muted"), Span(f"{window.limit:,}")))
        past = now + reserve - window.limit
        if past > 0:
            phrases.append((Span(f"over limit by {past:,}{star}", "over"),))
    if window.other:
        phrases.append((Span(f"{glyphs.dot} framing, notes ", "muted"), Span(f"{window.other:,}")))
    return phrases
