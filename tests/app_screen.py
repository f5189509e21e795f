"""The app on the sample runs, as a test opens it and reads it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

import pytest
from textual.pilot import Pilot

import sample_runs
from ctxpack import Record
from logs import LogReader, open_log
from tests.widget_screen import screen_lines, screen_text
from tui.app import CtxpackApp
from tui.screens.beside import Beside
from tui.screens.run import RunScreen
from tui.screens.runs import RunsScreen

PATIENCE = 20.0
"""Seconds after which a test gives up waiting."""

SIZES = [(80, 24), (120, 40), (200, 50)]


def samples() -> LogReader:
    """The shipped sample runs, named as the command names them: no path in a snapshot."""
    reader = open_log([str(sample_runs.path())])
    reader.name = "sample runs"
    return reader


def sample_ids() -> list[str]:
    """The ids of the sample runs."""
    with samples() as reader:
        return reader.ids()


def sample(run_id: str) -> Record:
    """One of the sample runs."""
    with samples() as reader:
        return reader.get(run_id)


@asynccontextmanager
async def opened(
    run_id: str | None = None,
    size: tuple[int, int] = (120, 40),
    log: Path | None = None,
    **settings: object,
) -> AsyncIterator[Pilot[None]]:
    """The app with its first screen painted."""
    with open_log([str(log)]) if log else samples() as reader:
        app = CtxpackApp(reader, run_id, **settings)  # type: ignore[arg-type]
        async with app.run_test(size=size, notifications=True) as pilot:
            await pilot.pause()
            await looked_at(pilot)
            yield pilot


async def looked_at(pilot: Pilot[None]) -> None:
    """Wait until every run on the list has been diagnosed, which follows the first paint."""
    runs = next(s for s in pilot.app.screen_stack if isinstance(s, RunsScreen))
    await until(pilot, lambda: runs.all_looked_at, "runs to be diagnosed")
    await settled(pilot)


async def settled(pilot: Pilot[None]) -> None:
    """Wait until what was asked for, and what explains it, is on the screen."""
    await _done(pilot)
    await until(pilot, lambda: not _still_open(pilot), lambda: ", ".join(_still_open(pilot)))
    await _done(pilot)


async def until(
    pilot: Pilot[None], holds: Callable[[], bool], what: str | Callable[[], str]
) -> None:
    """Wait until something holds; fails, naming it, where that takes longer than PATIENCE."""
    end = monotonic() + PATIENCE
    while not holds():
        if monotonic() > end:
            named = what if isinstance(what, str) else what()
            pytest.fail(f"waited {PATIENCE} s for: {named}")
        await pilot.pause(0.02)


async def _done(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: all(w.is_finished for w in pilot.app.workers), "workers")
    await pilot.pause()


def _still_open(pilot: Pilot[None]) -> list[str]:
    """Kinds of the questions that no answer has come to."""
    return [kind for s in pilot.app.screen_stack if isinstance(s, Beside) for kind in s.still_open]


def run_screen(pilot: Pilot[None]) -> RunScreen:
    """The screen of the run that is open."""
    screen = pilot.app.screen
    assert isinstance(screen, RunScreen)
    return screen


def text(pilot: Pilot[None]) -> str:
    """What is on the screen."""
    return screen_text(pilot.app)


def lines(pilot: Pilot[None]) -> list[str]:
    """The lines of the screen."""
    return screen_lines(pilot.app)
