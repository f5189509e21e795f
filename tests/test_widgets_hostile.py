"""Hostile text from a log through every widget: no crash, no escape, and the text is there."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

import pytest
from textual.widget import Widget
from textual.widgets import Static
from widget_screen import OneWidget, on_a_screen, screen_lines, screen_text

from tui.glyphs import ASCII, UNICODE, Glyphs
from tui.text import cells, plain, plain_line
from tui.widgets.chunk_list import ChunkList, ChunkRow
from tui.widgets.curve import Curve, CurveChart, Marker
from tui.widgets.run_list import RunList, RunRow
from tui.widgets.section_bars import SectionBars, SectionShare, WindowShares
from tui.widgets.spans import Span
from tui.widgets.text_view import TextView
from tui.widgets.verdict import Verdict, VerdictWords

WIDTH, HEIGHT = 200, 30

HOSTILE = {
    "closing tag": "[/] gone",
    "closing foo": "[/foo] gone",
    "log level": "[WARN] disk",
    "generic": "list[int] = []",
    "link": "[link](x) [b]bold[/b]",
    "action": "[@click=app.bell]x[/]",
    "variable": "$error {braces} \\[x\\]",
    "clear screen": "\x1b[2J\x1b[H wiped",
    "title": "\x1b]0;owned\x07 title",
    "clipboard": "\x1b]52;c;ZXZpbA==\x07 clip",
    "c1": "\x9b31m red \x90q\x9c",
    "bidi": "\u202egnp.exe\u202c \u2066x\u2069",
    "nul": "a\x00b\x7fc\x08d",
    "lines": "one\ntwo\r\nthree\rfour\u2028five",
    "zero width": "ze\u200bro\ufeff\u2060 \u00ad soft",
    "tags": "hi\U000e0068\U000e0069 there",
    "surrogate": "lone \ud800 half",
    "wide": "退款政策 返金ポリシー 환불",
    "emoji": "👨\u200d👩\u200d👧 🇬🇧 👍🏽 ❤\ufe0f",
    "marks": "z" + "\u0301" * 60 + "algo",
    "tabs": "a\tb\tc",
    "long": "x" * 200_000,
    "long wide": "退" * 200_000,
}

IN_ASCII = ("clear screen", "nul", "wide", "long")


def chunk_list(text: str) -> Widget:
    row = ChunkRow(
        text, "S", "-", 1, 5, reason=text, title=text, source=text, version=text, date=text
    )
    return ChunkList([row])


def run_list(text: str) -> Widget:
    class One:
        def count(self) -> int:
            return 1

        def rows(self, offset: int, limit: int) -> Sequence[RunRow]:
            del offset, limit
            return [RunRow(text, text, text, text, 10, 5, 1, 2, text, ((text, "cause"),))]

    return RunList(One())


def text_view(text: str) -> Widget:
    class Shown(TextView):
        def on_mount(self) -> None:
            self.show(text, (Span(plain_line(text, 60)),), [(0, 3)])

    return Shown()


def verdict(text: str) -> Widget:
    widget = Verdict()
    # A verdict is a sentence of ours with words of the log in it: its owner bounds their length.
    short = text[:400]
    widget.words = VerdictWords("cause", short, (short,), short, short)
    return widget


def section_bars(text: str) -> Widget:
    widget = SectionBars()
    widget.window = WindowShares((SectionShare(text, 50, 40), SectionShare("question", 5)))
    return widget


def curve(text: str) -> Widget:
    widget = Curve()
    widget.chart = CurveChart(text, lambda x: x, (Marker("1", 0.5, 0.5), Marker(text, 0.9, 0.9)))
    return widget


def static(text: str) -> Widget:
    widget = Static(plain(text, 300))
    widget.border_title = plain(text, 60)  # type: ignore[assignment]
    return widget


WIDGETS: list[Callable[[str], Widget]] = [
    chunk_list,
    run_list,
    text_view,
    verdict,
    section_bars,
    curve,
    static,
]


@pytest.mark.parametrize("make", WIDGETS, ids=lambda make: make.__name__)
@pytest.mark.parametrize(
    ("name", "glyphs"),
    [*((name, UNICODE) for name in HOSTILE), *((name, ASCII) for name in IN_ASCII)],
    ids=[*HOSTILE, *(f"{name} in ascii" for name in IN_ASCII)],
)
@on_a_screen
async def test_hostile_text_is_shown_and_never_interpreted(
    make: Callable[[str], Widget], name: str, glyphs: Glyphs
) -> None:
    text = HOSTILE[name]
    app = OneWidget(lambda: make(text), glyphs)
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        await pilot.pause()
        screen, lines = screen_text(app), screen_lines(app)
        assert not [sign for sign in screen if sign != "\n" and unicodedata.category(sign) == "Cc"]
        assert not any(sign in screen for sign in "\u202e\u2066\u200b\ufeff\ud800\U000e0068")
        assert all(cells(line) == WIDTH for line in lines)
        # The first word is on the screen, as the gateway shows it.
        first = plain_line(text.split()[0], 8, ascii=glyphs.ascii and make is not static)
        assert first.rstrip("…>") in screen


@on_a_screen
async def test_a_toast_of_hostile_text_is_safe() -> None:
    app = OneWidget(lambda: Static("x"))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.notify(plain("[/] [WARN] \x1b[2J list[int]").plain, markup=False)
        await pilot.pause()
        assert "[/] [WARN] ␛[2J list[int]" in screen_text(app)
