"""The signs and inks that everything is drawn with."""

from __future__ import annotations

import unicodedata
from dataclasses import fields

import pytest
from rich.cells import cell_len
from textual.app import App
from textual.widget import Widget
from widget_screen import OneWidget, on_a_screen

from tui.glyphs import ASCII, CHANGE_WORDS, SEVERITY_LETTERS, STATE_WORDS, UNICODE, glyphs_for
from tui.widgets.chart import Chart
from tui.widgets.chunk_list import ChunkList, ChunkRow
from tui.widgets.curve import Curve, CurveChart, Marker
from tui.widgets.rows_view import RowsView
from tui.widgets.section_bars import SectionBars
from tui.widgets.text_view import TextView
from tui.widgets.verdict import Verdict


def test_every_sign_is_one_cell_of_the_basic_plane_and_no_emoji() -> None:
    pairs = [(getattr(UNICODE, f.name), getattr(ASCII, f.name)) for f in fields(UNICODE)[1:-1]]
    for sign, plain in [*pairs, *zip(UNICODE.levels, ASCII.levels, strict=True)]:
        assert len(sign) == 1
        assert cell_len(sign) == 1
        assert ord(sign) < 0x10000
        # A presentation selector would not widen it, so no terminal draws it as an emoji.
        assert cell_len(sign + "\ufe0f") == 1, sign
        assert unicodedata.east_asian_width(sign) not in "WF"
        assert len(plain) == 1
        assert plain.isascii()
        assert plain.isprintable()
    assert glyphs_for(True) is ASCII
    assert glyphs_for(False) is UNICODE


def test_signs_that_stand_side_by_side_differ() -> None:
    for glyphs in (UNICODE, ASCII):
        bars = {glyphs.bar, glyphs.bar_other, glyphs.over, glyphs.reserve, glyphs.free}
        assert len(bars | {glyphs.tick, glyphs.cap, glyphs.dot}) == 8
        assert len({glyphs.marker, glyphs.gold, glyphs.selected, glyphs.curve}) == 4


def test_every_state_change_and_severity_has_a_letter_of_its_own() -> None:
    assert set(STATE_WORDS) == set("PS?!")
    assert set(CHANGE_WORDS) == set("+-~")
    assert len(set(SEVERITY_LETTERS.values())) == 4


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light", "ansi-dark", "ansi-light"])
@pytest.mark.parametrize(
    "widget", [ChunkList, Chart, Curve, RowsView, SectionBars, TextView, Verdict]
)
@on_a_screen
async def test_every_ink_can_be_read_on_its_ground_in_every_theme(
    theme: str, widget: type[Widget]
) -> None:
    app = OneWidget(widget)
    async with app.run_test(size=(80, 24)) as pilot:
        app.theme = theme
        await pilot.pause()
        shown = app.query_one(widget)
        for name in widget.COMPONENT_CLASSES:
            style = shown.get_component_rich_style(name)
            assert style.color is not None
            if "ansi" in theme:
                assert style.color.triplet is None, "the terminal's own colours, none of ours"
            else:
                assert style.color != style.bgcolor


def drawn(app: App[None]) -> set[str]:
    """Every piece of text on the screen."""
    return {segment.text for strip in app.screen._compositor.render_strips() for segment in strip}


@on_a_screen
async def test_a_chart_and_a_list_are_drawn_in_ascii_when_the_app_says_so() -> None:
    def chart() -> Curve:
        curve = Curve()
        curve.chart = CurveChart("assumed", lambda x: x, (Marker("1", 0.5, 0.5, gold=True),))
        return curve

    for make in (chart, lambda: ChunkList([ChunkRow("c1", "P", gold=True, pinned=True)])):
        app = OneWidget(make, ASCII)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert all(text.isascii() for text in drawn(app))
