"""Scroll bars without a sign of their own: the bar is blanks in the colour of the bar."""

from __future__ import annotations

from typing import ClassVar

from textual.scrollbar import ScrollBar, ScrollBarRender


class AsciiScrollBar(ScrollBarRender):
    """A bar of whole cells."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


def draw_scroll_bars(*, ascii: bool) -> None:
    """Have all scroll bars of the process drawn so, or as Textual draws them."""
    ScrollBar.renderer = AsciiScrollBar if ascii else ScrollBarRender
