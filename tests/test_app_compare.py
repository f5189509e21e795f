"""The compare screen: its figures are those of pack, its steps those of the choice."""

from __future__ import annotations

import msgspec
import pytest

from ctxpack import STRATEGIES, Counter
from ctxpack.explaining.best_table import best_table
from ctxpack.explaining.comparing import against_top
from ctxpack.explaining.steps import FILLS, filling
from ctxpack.replay import retrieved
from tests.app_screen import SIZES, lines, opened, run_screen, sample, sample_ids, settled, text
from tests.test_app_sizes import check_frames
from tests.widget_screen import on_a_screen
from tui.screens.compare import CompareScreen, Filled
from tui.state import Session, asked, open_session
from tui.views.fill_chart import chosen_rows, fill_chart, table_chart
from tui.widgets.fill_layout import FillChart, fill_rows
from tui.widgets.spans import row_text
from tui.widgets.table_layout import TableChart, table_rows

RUNS = sample_ids()
RUN = RUNS[0]


def compare_screen(pilot) -> CompareScreen:  # type: ignore[no-untyped-def]
    assert isinstance(pilot.app.screen, CompareScreen)
    return pilot.app.screen


async def pressed(pilot, *keys: str) -> None:  # type: ignore[no-untyped-def]
    for key in keys:
        await pilot.press(key)
        await settled(pilot)
        await settled(pilot)


def fields(screen: str) -> dict[str, list[str]]:
    """The lines of the strategies as read from the screen."""
    found = {}
    for line in screen.split("\n"):
        parts = line.replace("▌", " ").replace(" < ", " ").split()
        if parts and parts[0] in STRATEGIES:
            found[parts[0]] = parts[1:]
    return found


@pytest.mark.parametrize("run_id", RUNS[:: len(RUNS) // 3])
@on_a_screen
async def test_every_figure_on_the_screen_is_that_of_the_packing(run_id: str) -> None:
    async with opened(run_id) as pilot:
        await pressed(pilot, "minus", "d", "C")
        session = pilot.app.screen_stack[-2].session  # type: ignore[attr-defined]
        shown = fields(text(pilot))
        counter = Counter(session.settings.encoding)
        given = retrieved(session.record, session.settings, counter)
        results = {
            name: given.pack(msgspec.structs.replace(session.settings, strategy=name))
            for name in STRATEGIES
        }
        bound = min(one.bound for one in results.values() if one.bound_on == "value")
        for name, result in results.items():
            told = against_top(result, results["top"])
            value, top, gap, used, packed, median = shown[name][:6]
            assert value == f"{result.value:.3f}"
            assert top == f"{bound:.3f}"
            assert gap == (
                "proven" if bound - result.value < 1e-9 else f"{bound - result.value:.3f}"
            )
            assert used == f"{result.used:,}"
            assert packed == str(len(result.packed))
            assert median == ("-" if told.median_packed is None else f"{told.median_packed:,.0f}")
            rest = shown[name][6:]
            if name != "top":
                assert rest.pop(0) == f"{told.more_value:+.3f}"
            if session.gold:
                inside = any(chunk.id in session.gold for chunk in result.packed)
                assert rest.pop(0) == ("in" if inside else "out")


@on_a_screen
async def test_the_steps_are_those_of_the_choice_and_go_from_end_to_end() -> None:
    async with opened(RUN) as pilot:
        await pressed(pilot, "C")
        session: Session = pilot.app.screen_stack[-2].session  # type: ignore[attr-defined]
        given = retrieved(session.record, session.settings, Counter(session.settings.encoding))
        await pressed(pilot, "g")
        for name in STRATEGIES:
            settings = msgspec.structs.replace(session.settings, strategy=name)
            chart = compare_screen(pilot)._charts[name]
            if name in FILLS:
                told = filling(given, settings)
                assert isinstance(chart, FillChart)
                assert [line.id for line in chart.lines] == [turn.id for turn in told.turns]
                steps = len(told.turns)
            else:
                found = best_table(given, settings)
                assert found is not None
                assert isinstance(chart, TableChart)
                assert [step.taken for step in chart.walk] == [s.taken for s in found.table.steps]
                steps = 2 * len(found.rows)
            assert f"step {steps} of {steps}" in text(pilot)
            await pressed(pilot, "h")
            assert f"step {steps - 1} of {steps}" in text(pilot)
            await pressed(pilot, "home", "left")
            assert f"step 0 of {steps}" in text(pilot)
            await pressed(pilot, "l", "right")
            assert f"step 2 of {steps}" in text(pilot)
            await pressed(pilot, "end", "l")
            assert f"step {steps} of {steps}" in text(pilot)
            await pressed(pilot, "j")


@on_a_screen
async def test_enter_takes_the_strategy_as_the_what_if_and_escape_takes_nothing() -> None:
    async with opened(RUN) as pilot:
        await pressed(pilot, "C", "j", "escape")
        assert run_screen(pilot)._here().result is None
        await pressed(pilot, "C", "j", "enter")
        session = run_screen(pilot)._here()
        assert session.settings.strategy == "density"
        assert session.result is not None
        assert "density*" in text(pilot)
        await pressed(pilot, "u")
        assert "AS LOGGED" in text(pilot)


@on_a_screen
async def test_what_is_refused_says_why_in_the_place_of_figures() -> None:
    async with opened(RUN) as pilot:
        session = run_screen(pilot)._here()
        given = run_screen(pilot)._retrieved(session.settings)
        screen = CompareScreen(asked(session, budget=-1), given)
        pilot.app.push_screen(screen)
        await settled(pilot)
        # In each row, and once below for the one under the cursor.
        said = text(pilot).count("budget is -1: it must be 0 tokens or more.")
        assert said == len(STRATEGIES) + 1
        await pressed(pilot, "enter")
        assert pilot.app.screen is screen


@pytest.mark.parametrize(("size", "ascii"), [*((size, False) for size in SIZES), (SIZES[0], True)])
@on_a_screen
async def test_it_stays_in_its_frame_at_every_size_and_in_plain_ascii(
    size: tuple[int, int], ascii: bool
) -> None:
    async with opened(RUN, size=size, ascii=ascii) as pilot:
        await pressed(pilot, "C", "g")
        for _ in STRATEGIES:
            check_frames(lines(pilot), size)
            shown = text(pilot)
            for label in ("strategy", "value", "gap", "used", "packed", "median", "step"):
                assert label in shown
            if ascii:
                assert not set(shown) & set("█▓░▚▌▁▂▃▄▅▆▇★")
            await pressed(pilot, "j")


@pytest.mark.parametrize("height", [1, 2, 3, 5, 8, 30])
@pytest.mark.parametrize("width", [10, 40, 80, 200])
def test_charts_keep_to_the_room_they_are_given_at_every_step(width: int, height: int) -> None:
    session = open_session(sample(RUN))
    given = retrieved(session.record, session.settings, None)
    told = filling(given, session.settings)
    found = best_table(given, session.settings)
    assert found is not None
    fill, table = fill_chart(session, told, 20), table_chart(session, found)
    for step in range(table.steps + 2):
        for rows in (
            fill_rows(fill, step, width, height),
            table_rows(table, step, width, height),
        ):
            assert len(rows) <= height
            assert all(len(row_text(row)) <= width for row in rows)
    result = given.pack(session.settings)
    assert len(chosen_rows(session, result, width, height)) <= height


@on_a_screen
async def test_of_a_table_too_large_to_be_drawn_the_chosen_set_is_shown() -> None:
    async with opened(RUN) as pilot:
        await pressed(pilot, "C", "j", "j")
        screen = compare_screen(pilot)
        screen.post_message(Filled("optimal", None))
        await settled(pilot)
        shown = text(pilot)
        assert "is too large to be drawn. Chosen:" in shown
        for chunk in screen._compared["optimal"].result.packed:
            assert chunk.id in shown
        await pressed(pilot, "h", "home", "end")
        assert text(pilot) == shown
