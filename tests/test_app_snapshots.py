"""Snapshots of every screen at 80x24 and 120x40."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.app_screen import looked_at, sample_ids, samples, settled
from tui.app import CtxpackApp

SIZES = [(80, 24), (120, 40)]
RUN = sample_ids()[0]

SCREENS: dict[str, tuple[str | None, list[str]]] = {
    "runs": (None, []),
    "searched": (None, ["slash", *"refund", "enter"]),
    "found-nothing": (None, ["slash", *"zzzz", "enter"]),
    "run": (RUN, []),
    "sections": (RUN, ["1"]),
    "curve": (RUN, ["3"]),
    "text": (RUN, ["4"]),
    "why": (RUN, ["5"]),
    "budgets": (RUN, ["6", "right_square_bracket"]),
    "scores": (RUN, ["7", "c", *"0.5", "enter"]),
    "orders": (RUN, ["home", "8", "r", "z"]),
    "what-if": (RUN, ["plus", "plus", "t", "o"]),
    "budget": (RUN, ["equals_sign"]),
    "help": (RUN, ["question_mark"]),
    "held": (RUN, ["p", "j", "x", "d"]),
    "compare": (RUN, ["C", "j", *["left"] * 8]),
    "compare-table": (RUN, ["C", "j", "j", *["h"] * 14]),
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_looks_as_it_was_approved(
    name: str, size: tuple[int, int], snap_compare: Callable[..., bool]
) -> None:
    run_id, keys = SCREENS[name]
    with samples() as reader:
        app = CtxpackApp(reader, run_id)

        async def press(pilot: Any) -> None:
            await looked_at(pilot)
            for key in keys:
                await pilot.press(key)
                await settled(pilot)
            for line in app.screen.query("Input"):
                line.cursor_blink = False  # type: ignore[attr-defined]
            await settled(pilot)

        assert snap_compare(app, run_before=press, terminal_size=size)


@pytest.mark.parametrize("theme", ["textual-light", "ansi-dark"])
def test_a_run_in_light_and_without_colour(theme: str, snap_compare: Callable[..., bool]) -> None:
    with samples() as reader:
        app = CtxpackApp(reader, RUN, theme=theme)
        assert snap_compare(app, terminal_size=(120, 40))


def test_a_run_in_plain_ascii(snap_compare: Callable[..., bool]) -> None:
    with samples() as reader:
        app = CtxpackApp(reader, RUN, ascii=True)
        assert snap_compare(app, terminal_size=(120, 40))
