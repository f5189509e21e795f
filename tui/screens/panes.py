"""The panes of a run: what they are called, which share a place, and which are in view."""

from __future__ import annotations

from textual.widget import Widget

from tui.widgets.spans import Row, Span

PANES = {
    "sections": "1 Sections",
    "chunks": "2 Chunks",
    "curve": "3 Curve",
    "text": "4 Text",
    "why": "5 Why",
    "budget": "6 Budget",
    "scores": "7 Scores",
    "orders": "8 Orders",
}
"""The panes and what they are called, in the order of their keys."""

CHARTS = ("curve", "budget", "scores", "orders")
"""The panes that share one place where several are shown."""

READING = ("text", "why")
"""The panes that share another one, and are both shown in the widest terminals."""

WIDE, WIDEST = 110, 180
"""Columns from which on several panes are shown, and from which on the reading ones both."""

PLACES = {
    "left": frozenset({"sections", *CHARTS}),
    "charts": frozenset(CHARTS),
    "right": frozenset({"chunks", *READING}),
    "reading": frozenset(READING),
}
"""What stands around panes, and the panes inside."""


def panes_in_view(pane: str, chart: str, reading: str, width: int) -> frozenset[str]:
    """The panes that there is room for in `width` columns.

    `pane` is the one that was asked for; `chart` and `reading` are those that were asked for last
    among the ones that share a place.
    """
    if width < WIDE:
        return frozenset({pane})
    shown = frozenset({"sections", "chunks", chart, reading})
    return shown | frozenset(READING) if width >= WIDEST else shown


def tab_row(pane: str, width: int) -> Row:
    """The names of all panes, the one in view marked."""
    needed = sum(len(title) + 2 for title in PANES.values())
    room, gap = needed <= width, " " if needed + len(PANES) <= width or needed > width else ""
    spans: list[Span] = []
    for name, title in PANES.items():
        # Where not all names fit, the key of a pane has to do.
        shown = title if room or name == pane else title[0]
        spans += [Span(f" {shown} ", "selected" if name == pane else "muted"), Span(gap)]
    return tuple(spans)


def titled(pane: Widget) -> Widget:
    """The pane with its name on its border, and the names of those that share its place."""
    name = pane.id or ""
    pane.border_title = PANES[name]
    # Where several share one place, each says how to come to the others.
    others = [other for other in CHARTS if other != name] if name in CHARTS else []
    pane.border_subtitle = "  ".join(PANES[other] for other in others)
    return pane
