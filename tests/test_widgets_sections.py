"""Section bars: exact cells, every letter, every excess in words."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tui.glyphs import ASCII, UNICODE, Glyphs
from tui.text import cells
from tui.widgets.section_layout import over_note, section_bar, section_rows
from tui.widgets.spans import Span as S
from tui.widgets.spans import clipped, filled, flowed, row_cells, row_text
from tui.widgets.window_bar import (
    SectionShare,
    WindowShares,
    apportioned,
    section_letters,
    stacked_bar,
    window_rows,
)

HANDBOOK = WindowShares(
    sections=(
        SectionShare("system", 412, 500, 600),
        SectionShare("tools", 90, 200),
        SectionShare("reference", 300, 300),
        SectionShare("evidence", 2388, 2000, 2200),
        SectionShare("memory", 4, 100),
        SectionShare("history", 1904, 1200, 4000),
        SectionShare("question", 31),
    ),
    other=86,
    reserve=800,
    budget=6000,
    limit=8192,
)

TOKENS = st.one_of(st.integers(0, 12), st.integers(0, 200_000))
MAYBE = st.none() | TOKENS
SECTIONS = st.builds(SectionShare, st.text(max_size=20), TOKENS, MAYBE, MAYBE, MAYBE)
WINDOWS = st.builds(
    WindowShares, st.lists(SECTIONS, max_size=12).map(tuple), TOKENS, MAYBE, MAYBE, MAYBE
)


def words_of(window: WindowShares, width: int, glyphs: Glyphs = UNICODE) -> list[str]:
    return [row_text(row) for row in section_rows(window, width, glyphs)]


@given(st.lists(st.integers(0, 10_000), max_size=20), st.integers(0, 200))
def test_cells_are_shared_exactly_and_no_part_is_off_by_a_cell(parts: list[int], room: int) -> None:
    given_cells = apportioned(parts, room)
    whole = sum(parts)
    assert sum(given_cells) == (room if whole else 0)
    assert all(cell >= 0 for cell in given_cells)
    if whole and sum(part > 0 for part in parts) <= room:
        assert all(cell > 0 for part, cell in zip(parts, given_cells, strict=True) if part)
    if whole and all(part * room >= whole for part in parts if part):
        for part, cell in zip(parts, given_cells, strict=True):
            assert abs(cell - part * room / whole) < 1


@given(WINDOWS, st.integers(1, 200), st.sampled_from([UNICODE, ASCII]))
def test_no_row_is_wider_than_its_space(window: WindowShares, width: int, glyphs: Glyphs) -> None:
    for row in section_rows(window, width, glyphs):
        assert row_cells(row) <= width


@given(WINDOWS, st.integers(38, 200))
def test_every_section_has_a_row_with_its_letter_and_its_tokens(
    window: WindowShares, width: int
) -> None:
    rows = words_of(window, width)
    letters = section_letters([section.name for section in window.sections])
    for section, letter in zip(window.sections, letters, strict=True):
        assert any(row.startswith(f"{letter} ") and f"{section.tokens:,}" in row for row in rows), (
            section
        )


@given(WINDOWS, st.integers(60, 200))
def test_every_excess_is_told_in_words(window: WindowShares, width: int) -> None:
    text = "\n".join(words_of(window, width))
    for section in window.sections:
        note = over_note(section.tokens, section.allowance, section.cap)
        assert note in text


@given(WINDOWS, st.integers(1, 200), st.integers(1, 400_000))
def test_the_stacked_bar_fills_its_width_exactly(
    window: WindowShares, width: int, scale: int
) -> None:
    assert row_cells(stacked_bar(window, width, scale)) == width


@given(SECTIONS, st.integers(3, 150), st.data())
def test_a_section_bar_fills_its_width_and_shows_what_is_over(
    section: SectionShare, width: int, data: st.DataObject
) -> None:
    largest = max(section.tokens, section.allowance or 0, section.cap or 0, 1)
    scale = data.draw(st.integers(largest, 2 * largest))
    row = section_bar(section, section.tokens, scale, width, ("█", "bar"))
    bar = row_text(row)
    assert cells(bar) == width
    over = over_note(section.tokens, section.allowance, section.cap)
    assert ("▚" in bar) == bool(over)
    assert bar.count("│") == (section.allowance is not None)
    assert bar.count("┃") == (section.cap is not None)
    if section.allowance is not None and section.tokens <= section.allowance:
        assert "█" not in bar.split("│")[1]


@given(st.lists(st.text(min_size=1, max_size=12), max_size=35))
def test_every_section_has_a_letter_of_its_own(names: list[str]) -> None:
    letters = section_letters(names)
    assert len(letters) == len(set(letters)) == len(names)
    assert all(re.fullmatch("[A-Z0-9]", letter) for letter in letters)


def test_the_letters_are_those_of_the_names_where_they_can_be() -> None:
    names = ["system", "tools", "reference", "evidence", "session", "退款"]
    assert section_letters(names) == ("S", "T", "R", "E", "I", "1")


def test_the_stacked_bar_has_every_letter_even_of_a_section_under_one_cell() -> None:
    bar = row_text(stacked_bar(HANDBOOK, 60, 6015))
    assert [sign for sign in bar if sign.isalpha()] == list("STREMHQ")


def test_a_window_over_its_budget_says_so_and_marks_what_is_beyond() -> None:
    rows = [row_text(row) for row in window_rows(HANDBOOK, 78)]
    text = "\n".join(rows)
    assert "over budget by 15" in text
    assert "▚" in rows[0]
    assert "budget 6,000 ▲" in rows[1]
    within = WindowShares(HANDBOOK.sections, 86, 700, 6000, 8192)
    assert "free 85" in "\n".join(row_text(row) for row in window_rows(within, 78))


def test_a_window_over_its_limit_says_by_how_much() -> None:
    window = WindowShares((SectionShare("evidence", 9000),), 0, 500, 8000, 8192)
    text = "\n".join(row_text(row) for row in window_rows(window, 60))
    assert "over limit by 1,308" in text


def test_a_what_if_stands_beside_the_logged_value_and_is_marked() -> None:
    sections = (SectionShare("evidence", 2388, 2000, None, 1988), SectionShare("question", 31))
    rows = words_of(WindowShares(sections, budget=3000), 78)
    assert any(row.startswith("E evidence") and " 2,388 " in row for row in rows)
    assert any(row.startswith("* what-if") and " 1,988* " in row for row in rows)
    assert rows[0].startswith("logged ")
    assert rows[1].startswith("what-if* ")
    assert any("free 981*" in row for row in rows)


def test_narrow_rows_keep_the_words_on_a_row_of_their_own() -> None:
    rows = words_of(HANDBOOK, 38)
    at = next(number for number, row in enumerate(rows) if row.startswith("E evidence"))
    assert rows[at + 1].strip() == "over by 388, cap by 188"
    assert any(row.startswith("R reference ") for row in rows)
    long = words_of(WindowShares((SectionShare("retrieved passages", 5),)), 38)
    assert long[-1].startswith("R retrieved… ")


def test_an_empty_window_says_that_nothing_was_logged() -> None:
    assert "no sections were logged" in words_of(WindowShares(), 60)[-1]


def test_a_row_is_clipped_with_an_ellipsis_and_filled_to_its_width() -> None:
    row = (S("退款", "bar"), S("policy", "label"))
    assert row_text(clipped(row, 10)) == "退款policy"
    assert row_text(clipped(row, 7)) == "退款po…"
    assert row_text(clipped(row, 4)) == "退…"
    assert row_text(clipped(row, 0)) == ""
    assert row_cells(filled(row, 14)) == row_cells(filled(row, 3)) + 11 == 14


def test_phrases_flow_onto_further_rows_unbroken() -> None:
    rows = flowed([(S("budget 6,000"),), (S("limit 8,192"),)], 20)
    assert [row_text(row) for row in rows] == ["budget 6,000", "limit 8,192"]
