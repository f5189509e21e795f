"""A share as the height of one cell."""

from __future__ import annotations

from tui.glyphs import Glyphs


def level(share: float, glyphs: Glyphs) -> str:
    """The sign for a share from 0 to 1; a blank for 0, never one for more."""
    if share <= 0:
        return " "
    return glyphs.levels[min(len(glyphs.levels) - 1, int(share * len(glyphs.levels)))]
