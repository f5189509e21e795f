"""The verdict on the screen: the banner on top of a run."""

from __future__ import annotations

from typing import ClassVar

from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tui.widgets.ink import glyphs_of, ink_classes, ink_css, painted
from tui.widgets.spans import BLANK, Row
from tui.widgets.verdict_layout import VerdictWords, verdict_rows

__all__ = ["Verdict", "VerdictWords"]

INKS = (
    "label", "strong", "muted", "good", "cause", "fault", "warning", "info",
)  # fmt: skip
"""What it is drawn in."""


class Verdict(Widget):
    """The cause in one sentence, what explains it, and what to do; as high as its words need."""

    COMPONENT_CLASSES: ClassVar[set[str]] = ink_classes(INKS)
    DEFAULT_CSS = "Verdict { height: auto; width: 1fr; }\n" + ink_css("Verdict", INKS)

    words: reactive[VerdictWords | None] = reactive(None, layout=True)
    """What it says; None takes no space."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As many lines as the words take at this width."""
        return len(self._rows(width))

    def render_line(self, y: int) -> Strip:
        """One line of the banner."""
        rows = self._rows(self.size.width)
        return painted(self, rows[y] if y < len(rows) else BLANK, self.size.width)

    def _rows(self, width: int) -> list[Row]:
        if self.words is None:
            return []
        return verdict_rows(self.words, width, glyphs_of(self))
