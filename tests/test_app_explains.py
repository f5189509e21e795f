"""What the run's panes say is what the engine says: why one chunk, every budget, the scores."""

from __future__ import annotations

import re

import msgspec
import pytest

from ctxpack import STRATEGIES, Counter, InputError
from ctxpack.explaining.budgets import budget_curve, next_budget
from ctxpack.explaining.holding import holding
from ctxpack.explaining.why import why, why_logged
from ctxpack.reasons import in_words
from ctxpack.replay import retrieved
from tests.app_screen import SIZES, lines, opened, run_screen, sample_ids, settled, text
from tests.test_app_sizes import check_frames
from tests.widget_screen import on_a_screen
from tui.screens import questions
from tui.screens.run import RunScreen
from tui.state import Session
from tui.views.pane_charts import budget_chart
from tui.why_words import change_words, spans_words
from tui.widgets.budget_layout import budget_rows
from tui.widgets.chart import Chart
from tui.widgets.spans import row_text

RUNS = sample_ids()
RUN = RUNS[0]
PANES = {"5": "Why ", "6": "value by budget", "7": "rank", "8": "placement"}


def session_of(pilot) -> Session:  # type: ignore[no-untyped-def]
    session = run_screen(pilot).session
    assert session is not None
    return session


async def pressed(pilot, *keys: str) -> None:  # type: ignore[no-untyped-def]
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def squeezed(words: str) -> str:
    """Without blanks and frames: a sentence reads the same however it was broken."""
    return re.sub(r"[\s│|]+", "", words)


async def why_pane(pilot) -> str:  # type: ignore[no-untyped-def]
    """The whole of the pane, page by page."""
    await pressed(pilot, "5", "g")
    shown = text(pilot)
    for _ in range(4):
        await pressed(pilot, "space")
        shown += text(pilot)
    return squeezed(shown)


@pytest.mark.parametrize("run_id", RUNS[:: len(RUNS) // 3])
@on_a_screen
async def test_why_of_the_chunk_under_the_cursor_is_the_engines(run_id: str) -> None:
    async with opened(run_id, size=(80, 60)) as pilot:
        session, chunk = session_of(pilot), run_screen(pilot)._chunk
        assert chunk is not None
        count = Counter(session.settings.encoding)
        found = why_logged(session.record, session.settings, chunk, count)
        shown = await why_pane(pilot)
        assert squeezed(f"Why {chunk}") in shown
        words = "packed"
        if found.verdict == "skipped":
            words = in_words(found.reason, found.detail, found.tokens)
        assert squeezed(words) in shown
        for change in found.changes:
            assert squeezed(change_words(change, found)) in shown
        for strategy, spans in found.in_at.items():
            told = spans_words(spans, found.known_to.get(strategy))
            assert squeezed(f"{strategy}{told}") in shown
        await pressed(pilot, "t", "minus", "minus")
        session = session_of(pilot)
        given = retrieved(session.record, session.settings, count)
        found = why(given, session.settings, chunk)
        shown = await why_pane(pilot)
        for change in found.changes:
            assert squeezed(change_words(change, found)) in shown
        assert squeezed(f"by {found.strategy} at a budget of {found.budget:,}") in shown


@on_a_screen
async def test_the_verdict_is_there_at_once_and_an_older_answer_is_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with opened(RUN) as pilot:
        screen = run_screen(pilot)
        await pressed(pilot, "5")
        before = screen._chunk
        asked: list[tuple[object, ...]] = []
        monkeypatch.setattr(RunScreen, "_start", lambda _, *given: asked.append(given))
        await pressed_only(pilot, "2", "j")
        await pilot.pause(0.2)
        assert screen._chunk != before
        shown = text(pilot)
        assert f"Why {screen._chunk}" in shown
        assert "..." in shown
        assert asked[-1][0] == "why"
        monkeypatch.undo()
        await pressed_only(pilot, "k")
        await settled(pilot)
        assert f"Why {before}" in text(pilot)


async def pressed_only(pilot, *keys: str) -> None:  # type: ignore[no-untyped-def]
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


@on_a_screen
async def test_the_next_budget_is_the_engines_and_presses_add_up() -> None:
    async with opened(RUN) as pilot:
        session = session_of(pilot)
        given = retrieved(session.record, session.settings, Counter(session.settings.encoding))

        def after(budget: int, direction: int) -> int:
            now = msgspec.structs.replace(session.settings, budget=budget)
            found = next_budget(given, now, direction)
            assert found is not None
            return found

        logged = session.settings.budget
        await pressed(pilot, "right_square_bracket")
        first = session_of(pilot)
        assert first.settings.budget == after(logged, 1)
        assert first.against is not None
        assert first.against.entered or first.against.left
        await pilot.press("right_square_bracket", "right_square_bracket", "right_square_bracket")
        await settled(pilot)
        wanted = after(after(after(first.settings.budget, 1), 1), 1)
        assert session_of(pilot).settings.budget == wanted
        await pressed(pilot, "left_square_bracket")
        assert session_of(pilot).settings.budget == after(wanted, -1)
        await pressed(pilot, "u")
        assert session_of(pilot).settings.budget == wanted


@on_a_screen
async def test_where_no_other_budget_changes_anything_that_is_said() -> None:
    async with opened(RUN) as pilot:
        await pressed(pilot, "equals_sign", "ctrl+u", *"90000", "enter")
        await pressed(pilot, "right_square_bracket")
        assert "No larger budget packs another set." in text(pilot)
        assert session_of(pilot).settings.budget == 90_000


@on_a_screen
async def test_the_budget_pane_draws_the_engines_curve_of_every_strategy() -> None:
    async with opened(RUN) as pilot:
        await pressed(pilot, "6")
        for _ in STRATEGIES:
            await check_budget_pane(pilot)
            await pressed(pilot, "t")


async def check_budget_pane(pilot) -> None:  # type: ignore[no-untyped-def]
    session, chunk = session_of(pilot), run_screen(pilot)._chunk
    assert chunk is not None
    given = retrieved(session.record, session.settings, Counter(session.settings.encoding))
    curve = budget_curve(given, session.settings)
    held = holding(given, session.settings, session.settings.strategy, chunk)
    area = run_screen(pilot).query_one("#budget").query_one(Chart)
    expected = budget_chart(session, curve, held, chunk)
    shown = text(pilot)
    for row in budget_rows(expected, area.size.width, area.size.height):
        assert row_text(row).rstrip() in shown
    point = curve.at(session.settings.budget)
    assert point is not None
    assert f"value {point.value:.3f}, {point.packed} in, {point.used:,} used" in shown


@on_a_screen
async def test_the_score_pane_has_a_letter_a_chunk_and_says_the_shape() -> None:
    async with opened(RUN) as pilot:
        await pressed(pilot, "7")
        session = session_of(pilot)
        scored = sorted(session.record.candidates, key=lambda c: -(c.score or 0))
        states = "".join("P" if c.outcome == "packed" else "S" for c in scored)
        left = [line.split("││")[0].strip("│ ") for line in lines(pilot)]
        assert states in ["".join(line.split()).replace("★", "") for line in left]
        assert any("cliff" in line for line in left)
        await pressed(pilot, "c", *"0.5", "enter")
        assert "cut-off 0.5:" in text(pilot)


@pytest.mark.parametrize(
    ("run_id", "size"), [*((RUN, size) for size in SIZES), ("req-d20f48", SIZES[0])]
)
@on_a_screen
async def test_every_pane_is_one_key_away_and_stays_in_its_frame(
    run_id: str, size: tuple[int, int]
) -> None:
    async with opened(run_id, size=size) as pilot:
        for key, words in PANES.items():
            await pressed(pilot, key)
            check_frames(lines(pilot), size)
            assert words in text(pilot)
        await pressed(pilot, "2", "6")
        shown = text(pilot)
        for name in ("3 Curve", "6 Budget", "7 Scores", "8 Orders", "4 Text", "5 Why"):
            assert name in shown


@on_a_screen
async def test_what_cannot_be_worked_out_says_why_in_the_pane(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_given: object, **_named: object) -> None:
        raise InputError("[/] is refused")

    for name in ("budget_curve", "scored", "why_logged"):
        monkeypatch.setattr(questions, name, refuse)
    async with opened(RUN) as pilot:
        for key in "567":
            await pressed(pilot, key)
            assert "[/] is refused" in text(pilot)


@on_a_screen
async def test_an_error_of_the_programs_own_ends_the_question_and_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_given: object) -> None:
        raise ZeroDivisionError("[/] text of a log")

    monkeypatch.setattr(questions, "scored", fail)
    async with opened(RUN, size=(80, 24)) as pilot:
        await pressed(pilot, "7")
        shown = squeezed(text(pilot))
        assert squeezed("the program failed with a ZeroDivisionError") in shown
        assert "[/]" not in shown
