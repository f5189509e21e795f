"""The inks: a small set of styles named by meaning; every theme fills them with its colours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tui.glyphs import UNICODE, Glyphs
from tui.widgets.spans import Row, filled

if TYPE_CHECKING:
    from rich.style import Style
    from textual.strip import Strip
    from textual.widget import Widget

INKS = {
    "label": "color: $foreground",
    "strong": "color: $foreground; text-style: bold",
    "muted": "color: $text-muted",
    "title": "color: $text-primary; text-style: bold",
    "rule": "color: $foreground 30%",
    "bar": "color: $text-primary",
    "bar_other": "color: $text-success",
    "bar_third": "color: $text-secondary",
    "over": "color: $text-error; text-style: bold",
    "reserve": "color: $text-muted",
    "free": "color: $foreground 30%",
    "tick": "color: $foreground; text-style: bold",
    "cap": "color: $text-error; text-style: bold",
    "curve": "color: $text-primary",
    "marker": "color: $foreground; text-style: bold",
    "gold": "color: $text-warning; text-style: bold",
    "match": "color: $text-warning; text-style: bold underline",
    "selected": "color: $foreground; text-style: bold reverse",
    "changed": "color: $text-accent; text-style: bold",
    "packed": "color: $text-success; text-style: bold",
    "skipped": "color: $text-muted; text-style: bold",
    "cut": "color: $text-error; text-style: bold",
    "cause": "color: $text-error; text-style: bold",
    "fault": "color: $text-error",
    "warning": "color: $text-warning",
    "info": "color: $text-primary",
    "good": "color: $text-success; text-style: bold",
    "cursor": "background: $block-cursor-blurred-background",
    "resting": "background: $foreground 10%",
}
"""Each ink and its style; none is told from another by colour alone where it carries a state."""

TEXT_INKS = (
    "label", "strong", "muted", "title", "selected", "changed",
    "cause", "fault", "warning", "info", "good",
)  # fmt: skip
"""What rows of words are written in: every ink that a widget does without is not styled for it."""


def ink_css(widget: str, inks: Iterable[str] = INKS) -> str:
    """The default style sheet of a widget's inks; `widget` is its CSS type name."""
    return "".join(f"{widget} > .ink--{name} {{ {INKS[name]}; }}\n" for name in inks)


def ink_classes(inks: Iterable[str]) -> set[str]:
    """The component classes of these inks."""
    return {f"ink--{name}" for name in inks}


def glyphs_of(widget: Widget) -> Glyphs:
    """The signs that the running app draws with: its `glyphs`, the Unicode set by default."""
    found = getattr(widget.app, "glyphs", UNICODE)
    return found if isinstance(found, Glyphs) else UNICODE


_IN_ASCII = str.maketrans({"…": ">", "·": ",", "→": ">", "“": '"', "”": '"', "–": "-"})
"""Signs that sentences are written with, for terminals that have none of them."""


def painted(widget: Widget, row: Row, width: int, over: Style | None = None) -> Strip:
    """The row as a strip of exactly `width` cells in the widget's inks, `over` laid on top."""
    from rich.segment import Segment
    from textual.strip import Strip

    segments = []
    ascii = glyphs_of(widget).ascii
    for span in filled(row, width):
        style = widget.get_component_rich_style(f"ink--{span.style}")
        text = span.text.translate(_IN_ASCII) if ascii else span.text
        segments.append(Segment(text, style if over is None else style + over))
    return Strip(segments, width)


def cursor_style(widget: Widget) -> Style:
    """What the line under the cursor is laid over with: a background and weight, no ink."""
    from rich.style import Style

    ink = widget.get_component_rich_style("ink--cursor" if widget.has_focus else "ink--resting")
    return Style(bgcolor=ink.bgcolor, bold=True if widget.has_focus else None)
