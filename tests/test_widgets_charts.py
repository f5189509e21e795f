"""The budget chart and the score chart: everything where it belongs, in any room."""

from __future__ import annotations

import pytest

from tui.glyphs import ASCII, UNICODE
from tui.text import cells
from tui.widgets.budget_layout import SCALE, BudgetChart, budget_rows
from tui.widgets.scores_layout import Cut, ScoreBar, ScoresChart, score_rows
from tui.widgets.spans import row_text

HOSTILE = ["[/]", "[b]x[/b]", "\x1b[31mred", "a\u202eb", "tab\there", "漢" * 60, ""]


def budgets(**changes: object) -> BudgetChart:
    named = {
        "name": "top",
        "budgets": (0, 100, 250, 600),
        "values": (0.0, 1.0, 1.5, 2.0),
        "used": (0, 100, 240, 600),
        "packed": (0, 1, 2, 3),
        "now": 300,
        "logged": 120,
        "label": "7",
        "held": ((250, 299), (600, None)),
    }
    return BudgetChart(**(named | changes))  # type: ignore[arg-type]


def scores(count: int = 6, **changes: object) -> ScoresChart:
    bars = tuple(
        ScoreBar(
            id=f"c{n}",
            rank=n + 1,
            score=10.0 - n - (4 if n > 2 else 0),
            own=f"{10.0 - n - (4 if n > 2 else 0):g}",
            letter="P" if n % 2 == 0 else "S",
            gold=n == 1,
            selected=n == 3,
        )
        for n in range(count)
    )
    return ScoresChart(**({"bars": bars, "shape": "cliff after 3", "cliff": 3} | changes))  # type: ignore[arg-type]


def texts(rows: list[tuple]) -> list[str]:  # type: ignore[type-arg]
    return [row_text(row) for row in rows]


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["signs", "ascii"])
@pytest.mark.parametrize("width", [6, 12, 30, 42, 78, 200])
@pytest.mark.parametrize("height", [1, 3, 6, 9, 15, 40])
def test_both_charts_keep_to_their_room(width: int, height: int, glyphs) -> None:  # type: ignore[no-untyped-def]
    for rows in (
        budget_rows(budgets(), width, height, glyphs),
        budget_rows(budgets(budgets=(), values=(), used=(), packed=()), width, height, glyphs),
        budget_rows(budgets(held=None, now=0, logged=0), width, height, glyphs),
        score_rows(scores(), width, height, glyphs),
        score_rows(scores(500), width, height, glyphs),
        score_rows(scores(0), width, height, glyphs),
        score_rows(scores(1, cliff=None), width, height, glyphs),
        score_rows(scores(cuts=(Cut("cut-off 0.5:", 5.0, "5"),)), width, height, glyphs),
    ):
        assert len(rows) <= height
        for text in texts(rows):
            assert cells(text) <= width
            if glyphs is ASCII:
                assert text.isascii()


def test_the_budget_chart_marks_the_present_the_logged_and_the_chunks_budgets() -> None:
    chart = budgets()
    width = SCALE + 101
    rows = texts(budget_rows(chart, width, 16))
    assert chart.last == 612
    axis = next(row for row in rows if "▲" in row)
    assert axis.index("▲") - SCALE == round(300 * 100 / 612)
    assert axis.index("L") - SCALE == round(120 * 100 / 612)
    held = next(row for row in rows if row.startswith("  7 in"))[SCALE:]
    for column, sign in enumerate(held):
        first, end = round(column * 612 / 100), round((column + 1) * 612 / 100)
        inside = any(
            250 <= budget <= 299 or budget >= 600 for budget in range(first, max(end, first + 1))
        )
        assert (sign == "█") == inside, (column, first)
    assert rows[-1].startswith("value 1.500, 2 in, 240 used (80%)")
    assert any("L 120" in row for row in rows)


def test_a_narrow_span_of_budgets_is_never_lost_and_what_is_not_known_is_said() -> None:
    chart = budgets(held=((311, 311),), known=400)
    held = next(row for row in texts(budget_rows(chart, 40, 16)) if row.startswith("  7 in"))
    assert held.count("█") == 1
    assert "?" in held
    waiting = texts(budget_rows(budgets(held=None), 40, 16))
    assert any(row.startswith("  7 in ...") for row in waiting)


def test_every_score_has_its_bar_and_letter_and_the_cliff_stands_between_its_two() -> None:
    rows = texts(score_rows(scores(), 60, 12))
    letters = next(row for row in rows if "P" in row and "S" in row and "│" in row)
    assert [sign for sign in letters if sign in "PS"] == list("PSPSPS")
    before, _, after = letters.partition("│")
    assert [sign for sign in before if sign in "PS"] == list("PSP")
    assert [sign for sign in after if sign in "PS"] == list("SPS")
    heights = [sum(row[column] != " " for row in rows[1:-2]) for column in (8, 12, 16)]
    assert heights == sorted(heights, reverse=True)
    assert rows[-1].startswith("S rank 4 c3: 3, skipped")


def test_of_many_scores_the_one_under_the_cursor_is_drawn() -> None:
    chart = scores(5000)
    rows = texts(score_rows(chart, 60, 12))
    assert any("rank 4 c3" in row for row in rows)


def test_a_cut_is_a_line_at_its_score_with_its_name_below() -> None:
    rows = texts(score_rows(scores(cuts=(Cut("cut-off 0.5:", 5.5, "5.5 and better"),)), 60, 13))
    assert any("───" in row for row in rows[1:-3])
    assert rows[-1] == "── cut-off 0.5: 5.5 and better"


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_are_shown_and_never_break_a_row(text: str) -> None:
    bar = ScoreBar(text, None, 1.0, "1", "P", selected=True)
    rows = score_rows(ScoresChart((bar,), text), 40, 9)
    rows += budget_rows(budgets(name=text, label=text), 40, 14)
    for shown in texts(rows):
        assert cells(shown) <= 40
        assert shown.isprintable()
