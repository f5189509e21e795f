"""The verdict and the text of a chunk: every word there, long texts at once, matches marked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from textual.geometry import Offset
from textual.selection import SELECT_ALL, Selection
from widget_screen import OneWidget, on_a_screen, screen_lines, screen_text

from tui.glyphs import ASCII
from tui.text import cells
from tui.widgets.spans import Span, row_cells, row_text
from tui.widgets.text_view import TO_THE_END, TextView
from tui.widgets.verdict import Verdict, VerdictWords
from tui.widgets.verdict_layout import verdict_rows

SKIPPED = VerdictWords(
    "cause",
    "Skipped: 912 tokens needed, 388 left; three near-duplicates of one page took 1,204.",
    ("duplicates_packed",),
    "Raise the budget by 524 tokens.",
    "W history_crowds",
)


@given(st.text(max_size=120), st.text(max_size=60), st.text(max_size=60), st.integers(3, 120))
def test_no_word_of_a_verdict_is_lost_or_wider_than_its_row(
    title: str, because: str, advice: str, width: int
) -> None:
    rows = verdict_rows(VerdictWords("fault", title, (because,), advice), width)
    assert all(row_cells(row) <= width for row in rows)


@given(st.lists(st.text("abcdef", min_size=1, max_size=12), min_size=1, max_size=30))
def test_words_of_a_verdict_are_never_broken(said: list[str]) -> None:
    rows = verdict_rows(VerdictWords("cause", " ".join(said)), 16)
    assert " ".join(row_text(row)[2:].strip() for row in rows).split() == said


def test_a_verdict_begins_with_the_letter_of_its_severity() -> None:
    lines = [row_text(row) for row in verdict_rows(SKIPPED, 60)]
    assert lines[0].startswith("C Skipped: 912 tokens")
    assert lines[1].startswith("  ")
    assert any(line.startswith("  because duplicates_packed") for line in lines)
    assert any(line.startswith("→ Raise the budget") for line in lines)
    for severity, letter in (("fault", "F"), ("warning", "W"), ("info", "i"), ("odd", "?")):
        assert row_text(verdict_rows(VerdictWords(severity, "x"), 20)[0]) == f"{letter} x"
    assert row_text(verdict_rows(VerdictWords("good", "fine"), 20)[0]) == "✓ fine"
    assert row_text(verdict_rows(VerdictWords("good", "fine"), 20, ASCII)[0]) == "v fine"


@on_a_screen
async def test_the_verdict_is_as_high_as_its_words() -> None:
    app = OneWidget(Verdict)
    async with app.run_test(size=(40, 20)) as pilot:
        verdict = app.query_one(Verdict)
        assert verdict.size.height == 0
        verdict.words = SKIPPED
        await pilot.pause()
        assert verdict.size.height == len(verdict_rows(SKIPPED, 40))
        assert "1,204." in screen_text(app)


@on_a_screen
async def test_a_line_of_200_kb_opens_unwrapped_beyond_the_screen_and_scrolls_to_its_end() -> None:
    app = OneWidget(TextView)
    async with app.run_test(size=(80, 24)) as pilot:
        view = app.query_one(TextView)
        view.focus()
        view.show("0123456789" * 20_000 + " the end", (Span("c1  912 tokens", "title"),))
        await pilot.pause()
        assert view._wrapped.known < 400
        assert screen_lines(app)[0].startswith("c1  912 tokens")
        assert screen_lines(app)[1].startswith("  0123456789")
        await pilot.press("G")
        await pilot.pause()
        assert "the end" in screen_text(app)
        await pilot.press("g")
        assert view.scroll_offset.y == 0


@on_a_screen
async def test_scrolling_wraps_ahead_and_one_press_of_end_is_bounded() -> None:
    app = OneWidget(TextView)
    async with app.run_test(size=(20, 10)) as pilot:
        view = app.query_one(TextView)
        view.focus()
        view.show("x\n" * 500_000)
        await pilot.press("space", "space", "space")
        assert view.scroll_offset.y == 27
        await pilot.press("b", "j", "k", "ctrl+d", "ctrl+u")
        assert view.scroll_offset.y == 18
        await pilot.press("G")
        assert TO_THE_END <= view._wrapped.reached < 1.1 * TO_THE_END
        assert view.scroll_offset.y > TO_THE_END // 2


@on_a_screen
async def test_matches_are_marked_in_the_gutter_and_can_be_scrolled_to() -> None:
    text = "filler line\n" * 300 + "refunds take 30 days\n" + "filler line\n" * 300
    at = text.index("30 days")
    app = OneWidget(TextView)
    async with app.run_test(size=(40, 12)) as pilot:
        view = app.query_one(TextView)
        view.show(text, matches=[(at, at + 7)])
        assert view.show_match(0)
        assert not view.show_match(1)
        await pilot.pause()
        line = next(line for line in screen_lines(app) if "refunds" in line)
        assert line.startswith("★ refunds take 30 days")
        row = view._line_row(view._wrapped.line_at(at))
        assert [span.text for span in row if span.style == "match"] == ["30 days"]


@on_a_screen
async def test_a_resize_keeps_the_place_in_the_text() -> None:
    text = " ".join(f"word{number}" for number in range(3000))
    app = OneWidget(TextView)
    async with app.run_test(size=(60, 12)) as pilot:
        view = app.query_one(TextView)
        view.show(text)
        view.scroll_to(y=100, animate=False)
        await pilot.pause()
        first = screen_lines(app)[1].split()[0]
        await pilot.resize_terminal(35, 12)
        await pilot.pause()
        assert first in " ".join(screen_lines(app)[1:4])


@on_a_screen
async def test_selected_text_is_what_is_shown_with_wrapped_lines_joined() -> None:
    app = OneWidget(TextView)
    async with app.run_test(size=(20, 8)) as pilot:
        view = app.query_one(TextView)
        view.show("the quick brown fox jumps\nover 退款 \x1b dogs")
        await pilot.pause()
        assert view.get_selection(SELECT_ALL) == (
            "the quick brown fox jumps\nover 退款 ␛ dogs",
            "\n",
        )
        part = Selection(Offset(6, 0), Offset(8, 1))
        got = view.get_selection(part)
        assert got is not None
        assert "quick brown" in got[0]
        assert cells(got[0]) < 30
