"""The signs that the screens draw with: one cell each, no emoji, and a set in plain ASCII."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PACKED: Final = "P"
SKIPPED: Final = "S"
UNKNOWN: Final = "?"
CUT: Final = "!"

STATE_WORDS: Final = {
    PACKED: "packed",
    SKIPPED: "skipped",
    UNKNOWN: "unknown",
    CUT: "packed but cut",
}
"""Every state of a chunk: its letter, and the word for it."""

ENTERED: Final = "+"
LEFT: Final = "-"
MOVED: Final = "~"

CHANGE_WORDS: Final = {
    ENTERED: "entered in the what-if",
    LEFT: "left in the what-if",
    MOVED: "moved in the what-if",
}
"""Every difference from the logged packing: its mark, and the words for it."""

CHANGED: Final = "*"
"""Marks a value that differs from the log."""

NOW: Final = "<"
"""Marks the one of several that is in use."""

SEVERITY_LETTERS: Final = {"cause": "C", "fault": "F", "warning": "W", "info": "i"}
"""The letter that stands for each severity of a finding."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs, each one cell wide and in the Basic Multilingual Plane.

    `levels` are several, from the lowest to the highest.
    """

    ascii: bool
    ellipsis: str
    bar: str
    bar_other: str
    over: str
    reserve: str
    free: str
    tick: str
    cap: str
    pointer: str
    cursor: str
    check: str
    gold: str
    pinned: str
    banned: str
    marker: str
    selected: str
    curve: str
    rule: str
    corner: str
    axis: str
    axis_tick: str
    scale_tick: str
    dot: str
    to: str
    levels: str


UNICODE: Final = Glyphs(
    ascii=False,
    ellipsis="…",
    bar="█",
    bar_other="▓",
    over="▚",
    reserve="▒",
    free="░",
    tick="│",
    cap="┃",
    pointer="▲",
    cursor="▌",
    check="✓",
    gold="★",
    pinned="⊤",
    banned="×",
    marker="●",
    selected="◉",
    curve="·",
    rule="─",
    corner="└",
    axis="─",
    axis_tick="┴",
    scale_tick="┤",
    dot="·",
    to="→",
    levels="▁▂▃▄▅▆▇█",
)

ASCII: Final = Glyphs(
    ascii=True,
    ellipsis=">",
    bar="#",
    bar_other="=",
    over="x",
    reserve=":",
    free="-",
    tick="|",
    cap="]",
    pointer="^",
    cursor=">",
    check="v",
    gold="@",
    pinned="^",
    banned="x",
    marker="o",
    selected="O",
    curve=".",
    rule="-",
    corner="+",
    axis="-",
    axis_tick="+",
    scale_tick="|",
    dot=",",
    to=">",
    levels=".:-=+*%#",
)


def glyphs_for(ascii: bool) -> Glyphs:
    """The set for a terminal: plain ASCII on request, block and braille signs otherwise."""
    return ASCII if ascii else UNICODE
