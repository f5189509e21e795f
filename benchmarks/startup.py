"""How long until something is seen, against the least that could be done."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

from benchmarks.table import Line
from benchmarks.terminal import Terminal

ROUNDS = 9

_HELLO = """
from textual.app import App
from textual.widgets import Footer, Header, Static
class Hello(App):
    def compose(self):
        yield Header()
        yield Static("hello-world")
        yield Footer()
Hello().run()
"""

_APP = "from tui.cli import run; run()"


def lines() -> list[Line]:
    """First paint of the app on the sample runs, and the help text."""
    hello, app = _alternating(
        lambda: _first_paint(["-c", _HELLO], "hello-world"),
        lambda: _first_paint(["-c", _APP], "Search"),
    )
    nothing, helped = _alternating(
        lambda: _run(["-c", "pass"]), lambda: _run(["-c", _APP, "--help"])
    )
    return [
        Line("first paint of the sample runs / hello-world Textual app", app / hello, "≤ 1.6"),
        Line("ctxpack --help / python -c pass", helped / nothing, "≤ 6"),
    ]


def first_paint(*arguments: str) -> float:
    """Seconds until the app shows its first screen, on the samples or on the log that is named."""
    return _first_paint(["-c", _APP, *arguments], "Search")


def _alternating(one: Callable[[], float], other: Callable[[], float]) -> tuple[float, float]:
    """Medians of both, measured in turn so that a busy machine slows both."""
    pairs = [(one(), other()) for _ in range(ROUNDS)]
    return median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)


def _first_paint(arguments: list[str], text: str) -> float:
    with Terminal([sys.executable, *arguments]) as terminal:
        return terminal.until(text)


def _run(arguments: list[str]) -> float:
    begun = perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    return perf_counter() - begun
