"""The window's sections as bars: one stacked bar of it all, then one bar a section."""

from __future__ import annotations

from dataclasses import dataclass

from tui.glyphs import CHANGED, UNICODE, Glyphs
from tui.text import cells, pad, plain_line
from tui.widgets.spans import BLANK, Row, Span, clipped, merged
from tui.widgets.window_bar import (
    SectionShare,
    WindowShares,
    section_letters,
    section_signs,
    window_rows,
)

NARROWEST_BAR = 8
"""Cells below which a bar tells too little; the note then stands on a row of its own."""

NAME = 10
"""Cells that a name has at every width: enough for those of a usual window, whole."""

WITH_ALLOWANCE, WITH_SHARE = 52, 76
"""Widths from which a row also shows the allowance in numbers, and its share of the window."""


@dataclass(frozen=True, slots=True)
class _Columns:
    """Widths in cells of a row and its columns; `note` 0: notes stand on rows of their own."""

    row: int
    name: int
    tokens: int
    allowance: int
    share: int
    bar: int
    note: int


def section_rows(window: WindowShares, width: int, glyphs: Glyphs = UNICODE) -> list[Row]:
    """Everything about the window's sections in rows of at most `width` cells."""
    rows = [*window_rows(window, width, glyphs), BLANK]
    if not window.sections:
        rows.append((Span("no sections were logged", "muted"),))
        return [clipped(row, width, ascii=glyphs.ascii) for row in rows]
    columns = _columns(window.sections, width)
    scale = max(1, *(_largest(section) for section in window.sections))
    for index, section in enumerate(window.sections):
        rows += _rows_of(window, index, section.tokens, columns, scale, glyphs)
        if section.now != section.tokens:
            rows += _rows_of(window, index, section.now, columns, scale, glyphs, changed=True)
    return [clipped(row, width, ascii=glyphs.ascii) for row in rows]


def over_note(tokens: int, allowance: int | None, cap: int | None) -> str:
    """By how much a section is over, in words; empty where it is not."""
    allowance_note = "" if allowance is None else f"over by {tokens - allowance:,}"
    past_allowance = allowance is not None and tokens > allowance
    if cap is None or tokens <= cap:
        return allowance_note if past_allowance else ""
    past = f"{tokens - cap:,}"
    return f"{allowance_note}, cap by {past}" if past_allowance else f"over cap by {past}"


def section_bar(
    section: SectionShare,
    tokens: int,
    scale: int,
    width: int,
    signs: tuple[str, str],
    glyphs: Glyphs = UNICODE,
) -> Row:
    """One bar in exactly `width` cells: filled, what is over, free, ticks at allowance and cap.

    `scale` is the tokens that the full width stands for; `signs` the bar's sign and ink. Two cells
    are kept for the ticks, so a tick never hides a part of the bar.
    """
    room = max(1, width - 2)
    filled = min(room, max(1 if tokens else 0, _nearest(tokens, scale, room)))
    allowed = _edge(tokens, section.allowance, filled, scale, room)
    capped = _edge(tokens, section.cap, filled, scale, room)
    over_from = min(edge for edge in (allowed, capped, room) if edge is not None)
    free_to = allowed or 0
    drawn: list[tuple[str, str]] = []
    for cell in range(room + 1):
        if cell == allowed:
            drawn.append((glyphs.tick, "tick"))
        if cell == capped:
            drawn.append((glyphs.cap, "cap"))
        if cell < filled:
            drawn.append((glyphs.over, "over") if cell >= over_from else signs)
        elif cell < room:
            drawn.append((glyphs.free, "free") if cell < free_to else (" ", "label"))
    drawn += [(" ", "label")] * (width - len(drawn))
    return merged(drawn[:width])


def _edge(tokens: int, edge: int | None, filled: int, scale: int, room: int) -> int | None:
    """The cell before which an allowance or cap is marked, on the true side of the bar's end."""
    if edge is None:
        return None
    at = min(room, _nearest(edge, scale, room))
    return min(at, max(0, filled - 1)) if tokens > edge else max(at, filled)


def _nearest(tokens: int, scale: int, room: int) -> int:
    return (2 * tokens * room + scale) // (2 * scale)


def _largest(section: SectionShare) -> int:
    return max(section.tokens, section.now, section.allowance or 0, section.cap or 0)


def _tokens(tokens: int, changed: bool) -> str:
    return f"{tokens:,}{CHANGED if changed else ''}"


def _allowance(section: SectionShare) -> str:
    return "" if section.allowance is None else f" / {section.allowance:,}"


def _percent(tokens: int, whole: int) -> str:
    share = (200 * tokens + whole) // (2 * whole)
    return "<1%" if tokens and not share else f"{share}%"


def _note(section: SectionShare, tokens: int, width: int) -> str:
    over = over_note(tokens, section.allowance, section.cap)
    if not over and section.cap is not None and width >= WITH_SHARE:
        return f"cap {section.cap:,}"
    return over


def _columns(sections: tuple[SectionShare, ...], width: int) -> _Columns:
    name = min(max(cells(plain_line(s.name, 40)) for s in sections), max(NAME, width // 5))
    changed = any(section.now != section.tokens for section in sections)
    sizes = [tokens for section in sections for tokens in (section.tokens, section.now)]
    tokens = max(len(_tokens(size, changed)) for size in sizes)
    allowance = max(len(_allowance(s)) for s in sections) if width >= WITH_ALLOWANCE else 0
    share = 5 if width >= WITH_SHARE else 0
    note = max(len(_note(s, size, width)) for s in sections for size in (s.tokens, s.now))
    left = width - (2 + name + 1 + tokens + allowance + share + 1)
    if note and left - note - 2 < NARROWEST_BAR:
        note = 0
    bar = max(3, left - (note + 2 if note else 0))
    return _Columns(width, name, tokens, allowance, share, bar, note)


def _rows_of(
    window: WindowShares,
    index: int,
    tokens: int,
    columns: _Columns,
    scale: int,
    glyphs: Glyphs,
    *,
    changed: bool = False,
) -> list[Row]:
    section = window.sections[index]
    letter = section_letters([s.name for s in window.sections])[index]
    over = over_note(tokens, section.allowance, section.cap)
    # The star hangs one cell out, so that the figures themselves stay in line.
    hang = " " if window.changed and not changed else ""
    if changed:
        row = [Span(f"{CHANGED} ", "changed"), Span(pad("what-if", columns.name), "changed")]
    else:
        row = [
            Span(f"{letter} ", "strong"),
            Span(pad(section.name, columns.name, ascii=glyphs.ascii)),
        ]
    figures = (_tokens(tokens, changed) + hang).rjust(columns.tokens + 1)
    row.append(Span(figures, "changed" if changed else "strong"))
    if columns.allowance:
        row.append(Span(_allowance(section).ljust(columns.allowance), "muted"))
    if columns.share:
        whole = max(1, window.total_now if changed else window.total)
        row.append(Span(_percent(tokens, whole).rjust(columns.share), "muted"))
    row.append(Span(" "))
    row += section_bar(section, tokens, scale, columns.bar, section_signs(index, glyphs), glyphs)
    if columns.note:
        note = _note(section, tokens, columns.row).ljust(columns.note)
        row += [Span("  "), Span(note, "over" if over else "muted")]
    below: list[Row] = [(Span("  "), Span(over, "over"))] if over and not columns.note else []
    return [tuple(row), *below]
