"""The candidates of one run as the lines of a list: grouped, aligned, reasons in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tui.glyphs import CUT, PACKED, SKIPPED, STATE_WORDS, UNICODE, UNKNOWN, Glyphs
from tui.text import cells, plain_line
from tui.widgets.columns import Column, Fitted, fitted, fixed, flexible, line
from tui.widgets.spans import Row, Span

LONGEST = 60
"""Cells beyond which a text is not measured: no column needs more."""

IDS = ((90, 40), (70, 28), (62, 20), (56, 16))
"""From which width on how many cells an id may take before reasons get theirs."""


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """One candidate as it is shown. `state` is P, S, ? or !; `change` is +, -, ~ or empty.

    `position` counts from 1 and is None for what is not packed; `reason` is in words; `value` is
    already written out. Texts may come straight from a log.
    """

    id: str
    state: str
    change: str = ""
    rank: int | None = None
    tokens: int | None = None
    value: str = ""
    position: int | None = None
    reason: str = ""
    title: str = ""
    source: str = ""
    version: str = ""
    date: str = ""
    gold: bool = False
    pinned: bool = False
    banned: bool = False


@dataclass(frozen=True, slots=True)
class GroupHead:
    """The line above a group of chunks; `tokens` None where not all are known."""

    state: str
    chunks: int
    tokens: int | None


ChunkLine = ChunkRow | GroupHead

GROUPS = ((PACKED, CUT), (SKIPPED,), (UNKNOWN,))
"""The groups of a list by state, in the order in which they stand."""

ONLY = {"all": GROUPS, "packed": GROUPS[:1], "skipped": GROUPS[1:2]}
"""What each filter leaves."""


def chunk_lines(rows: Sequence[ChunkRow], only: str = "all") -> list[ChunkLine]:
    """Rows under the heads of their groups: packed in window order, the others by rank.

    `only` is "all", "packed" or "skipped". A group without chunks has no head.
    """
    lines: list[ChunkLine] = []
    for states in ONLY[only]:
        group = [row for row in rows if row.state in states]
        if not group:
            continue
        place = _window_order if PACKED in states else _rank_order
        known = [row.tokens for row in group if row.tokens is not None]
        tokens = sum(known) if len(known) == len(group) else None
        lines += [GroupHead(states[0], len(group), tokens), *sorted(group, key=place)]
    return lines


def chunk_columns(
    rows: Sequence[ChunkRow], width: int, value_name: str = "value", *, ascii: bool = False
) -> Fitted:
    """The columns for these rows at `width` cells, from 24 up."""
    longest = {
        name: max((_measured(getattr(row, name), ascii) for row in rows), default=0)
        for name in ("id", "value", "reason", "title", "source", "version", "date")
    }
    ids = min(
        _at_least(longest["id"], len("id")),
        next((most for least, most in IDS if width >= least), 10),
    )
    marks = 2 * any(row.gold or row.pinned or row.banned for row in rows)
    columns = (
        fixed("", 0, 2),
        fixed(" ", 1, marks),
        fixed("at", 7, 3 if any(row.position for row in rows) else 0, "right"),
        fixed("rank", 2, 4, "right"),
        Column("id", 3, min(ids, 8), ids, longest["id"], ends=True),
        fixed("tokens", 4, max(6, 0, *(len(_count(row.tokens)) for row in rows)), "right"),
        fixed(value_name, 5, _at_least(longest["value"], len(value_name)) * (width >= 60), "right"),
        flexible("why", 6, 8, 40, longest["reason"]),
        flexible("title", 10, 12, 24, longest["title"]),
        flexible("version", 8, 7, 8, _at_least(longest["version"], 7)),
        flexible("date", 9, 10, 10, longest["date"]),
        flexible("source", 11, 10, 24, longest["source"]),
    )
    return fitted(columns, width)


def chunk_row(row: ChunkRow, columns: Fitted, value_name: str, glyphs: Glyphs = UNICODE) -> Row:
    """One chunk's line under these columns."""
    packed = row.state in (PACKED, CUT)
    ink = "label" if packed else "muted"
    state_ink = {PACKED: "packed", CUT: "cut", SKIPPED: "skipped"}.get(row.state, "warning")
    held = glyphs.banned if row.banned else glyphs.pinned if row.pinned else " "
    marks = (glyphs.gold if row.gold else " ") + held
    values = {
        "": (row.state + (row.change or " "), "changed" if row.change else state_ink),
        " ": (marks, "gold"),
        "at": ("" if row.position is None else str(row.position), "label"),
        "rank": ("" if row.rank is None else str(row.rank), "label"),
        "id": (row.id, "strong" if packed else "label"),
        "tokens": (_count(row.tokens), "label"),
        value_name: (row.value, "muted"),
        "why": (row.reason, ink),
        "title": (row.title or row.source, "label"),
        "version": (row.version, "muted"),
        "date": (row.date, "muted"),
        "source": (row.source, "muted"),
    }
    return line(columns, values, ascii=glyphs.ascii)


def group_row(head: GroupHead, width: int, glyphs: Glyphs = UNICODE) -> Row:
    """The head of a group: its state in capitals, and its sums."""
    chunks = "1 chunk" if head.chunks == 1 else f"{head.chunks:,} chunks"
    tokens = "" if head.tokens is None else f", {head.tokens:,} tokens"
    name, sums = f"{STATE_WORDS[head.state].upper()} ", f"{chunks}{tokens} "
    rule = glyphs.rule * max(0, width - len(name) - len(sums))
    return (Span(name, "title"), Span(sums, "muted"), Span(rule, "rule"))


def _window_order(row: ChunkRow) -> tuple[bool, int, bool, int]:
    return (row.position is None, row.position or 0, row.rank is None, row.rank or 0)


def _rank_order(row: ChunkRow) -> tuple[bool, int]:
    return (row.rank is None, row.rank or 0)


def _count(tokens: int | None) -> str:
    return "?" if tokens is None else f"{tokens:,}"


def _measured(text: str, ascii: bool) -> int:
    if text.isascii() and text.isprintable():
        return min(len(text), LONGEST)
    return cells(plain_line(text, LONGEST, ascii=ascii))


def _at_least(longest: int, width: int) -> int:
    return max(longest, width) if longest else 0
