"""What takes a while to find out, found out beside the screen and kept: one question of a kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.worker import get_current_worker

from ctxpack import InputError
from ctxpack.errors import Stop, Stopped

PAUSE = 0.12
"""Seconds that the cursor and the settings must rest before anything is looked into."""

KEPT = 12
"""Answers of each kind that are kept."""


@dataclass(frozen=True)
class Found:
    """The answer to one question: what was found, or why nothing could be."""

    about: object
    what: Any = None
    problem: str = ""


class FoundOut(Message):
    """An answer from a worker."""

    def __init__(self, kind: str, found: Found) -> None:
        super().__init__()
        self.kind = kind
        self.found = found


def unforeseen(error: Exception) -> str:
    """A sentence on an error of the program's own; what the error says may be a log's text."""
    return f"This could not be worked out: the program failed with a {type(error).__name__}."


class Beside(Screen[None]):
    """A screen with questions: a kind has one open question, a newer one replaces it."""

    def __init__(self) -> None:
        super().__init__()
        self._found: dict[str, list[Found]] = {}
        self._open: dict[str, object] = {}
        self._pauses: dict[str, Timer] = {}

    def on_unmount(self) -> None:
        """Nothing is waited for on a screen that was left."""
        for kind in (*self._open,):
            self.give_up(kind)

    def show_found(self, kind: str) -> None:
        """Called when there is an answer of that kind."""

    def on_found_out(self, message: FoundOut) -> None:
        """Keep the answer, and show it."""
        kept = self._found.setdefault(message.kind, [])
        kept.append(message.found)
        del kept[:-KEPT]
        if self._open.get(message.kind) == message.found.about:
            del self._open[message.kind]
        self.show_found(message.kind)

    def ask_beside(
        self, kind: str, about: object, find: Callable[[Stop], Any], pause: float = PAUSE
    ) -> Found | None:
        """The answer where it is known; else it is looked for after a pause, and None now.

        `about` is what the answer depends on; `find` may raise InputError and Stopped.
        """
        if (found := self.known_beside(kind, about)) is not None:
            self.give_up(kind)
            return found
        if self._open.get(kind) != about:
            self.give_up(kind)
            self._open[kind] = about
            if pause:
                start = partial(self._start, kind, about, find)
                self._pauses[kind] = self.set_timer(pause, start)
            else:
                self._start(kind, about, find)
        return None

    @property
    def still_open(self) -> tuple[str, ...]:
        """The kinds of which a question is open."""
        return tuple(self._open)

    def known_beside(self, kind: str, about: object) -> Found | None:
        """The answer where it is known."""
        kept = self._found.get(kind, [])
        return next((found for found in reversed(kept) if found.about == about), None)

    def give_up(self, kind: str) -> None:
        """No answer of that kind is wanted any more."""
        if kind in self._pauses:
            self._pauses.pop(kind).stop()
        if self._open.pop(kind, None) is not None:
            self.workers.cancel_group(self, kind)

    def _start(self, kind: str, about: object, find: Callable[[Stop], Any]) -> None:
        def work() -> None:
            worker = get_current_worker()
            try:
                found = Found(about, find(lambda: worker.is_cancelled))
            except InputError as error:
                found = Found(about, problem=str(error))
            except Stopped:
                return
            except Exception as error:  # else the question would stay open for good
                found = Found(about, problem=unforeseen(error))
            self.post_message(FoundOut(kind, found))

        self.run_worker(work, group=kind, thread=True, exclusive=True, exit_on_error=False)
