"""A tiny app around one widget, and what its screen reads as."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from textual.app import App, ComposeResult
from textual.message import Message
from textual.widget import Widget

from tui.glyphs import UNICODE, Glyphs


class OneWidget(App[None]):
    """Shows one widget and keeps the messages that it sends."""

    def __init__(self, make: Callable[[], Widget], glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.make = make
        self.glyphs = glyphs
        self.heard: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.make()

    def on_chunk_highlighted(self, message: Message) -> None:
        self.heard.append(message)

    on_chunk_chosen = on_run_highlighted = on_run_chosen = on_chunk_highlighted


def screen_lines(app: App[None]) -> list[str]:
    """The lines of the screen as a reader sees them."""
    return [strip.text for strip in app.screen._compositor.render_strips()]


def screen_text(app: App[None]) -> str:
    """The whole screen, its lines joined by newlines."""
    return "\n".join(line.rstrip() for line in screen_lines(app))


def on_a_screen(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run an async test in an event loop of its own."""

    @wraps(test)
    def run(*args: Any, **named: Any) -> None:
        asyncio.run(test(*args, **named))

    return run
