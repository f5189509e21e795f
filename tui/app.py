"""The terminal app: its screens, themes, signals, and what happens when something goes wrong."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import traceback
from pathlib import Path
from time import monotonic
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import CommandPalette, Provider

from ctxpack.errors import InputError
from logs.reading import LogReader
from tui.commands import KeyCommands
from tui.glyphs import glyphs_for
from tui.keymap import EVERYWHERE, GROUPS, MOVING, group_of
from tui.screens.runs import RunsScreen
from tui.text import plain
from tui.widgets.ascii_scroll_bar import draw_scroll_bars

DARK, NO_COLOUR = "textual-dark", "ansi-dark"

SECOND_PRESS = 2.0
"""Seconds within which a second Ctrl+C quits."""


class CtxpackApp(App[None]):
    """Looks into one log. It never writes to it."""

    TITLE = "ctxpack"
    BINDINGS: ClassVar[list[BindingType]] = [*EVERYWHERE]
    COMMANDS: ClassVar[set[type[Provider] | object]] = {KeyCommands}  # type: ignore[assignment]
    ENABLE_COMMAND_PALETTE = True
    CSS = """
    Footer { background: $panel; }
    Screen { background: $background; }
    ModalScreen { background: $background 60%; }
    .-ascii CommandPalette SearchIcon { display: none; }
    .-ascii CommandPalette #--input { border: ascii $primary; }
    .-ascii CommandPalette #--input.--list-visible { border: ascii $primary; }
    .-ascii CommandPalette CommandList { border: none; }
    .-ascii CommandPalette CommandList:focus { border: none; }
    .-ascii Toast { border: none; }
    .-ascii RunsScreen #about { border-top: ascii $foreground 20%; }
    """

    def __init__(
        self,
        reader: LogReader,
        run_id: str | None = None,
        *,
        theme: str | None = None,
        ascii: bool = False,
        keys: dict[str, str] | None = None,
        expect: str | None = None,
    ) -> None:
        no_colour = bool(os.environ.get("NO_COLOR"))
        if not no_colour:
            # An empty NO_COLOR means colour, by the convention; Textual takes it for a wish.
            os.environ.pop("NO_COLOR", None)
        # Textual chooses its colour filter here, before a theme can be set.
        super().__init__(ansi_color=True if no_colour else None)
        self.reader = reader
        self.glyphs = glyphs_for(ascii)
        self.set_class(ascii, "-ascii")
        draw_scroll_bars(ascii=ascii)
        self.animation_level = "none"
        self._run_id = run_id
        self._expect = expect
        self._failed: Exception | None = None
        self._pressed = -SECOND_PRESS
        if theme is not None and theme not in self.available_themes:
            names = ", ".join(sorted(self.available_themes))
            raise InputError(f"unknown theme {theme!r}: choose one of {names}.")
        self.theme = theme or (NO_COLOUR if no_colour else DARK)
        if keys:
            self.set_keymap(keys)

    def on_mount(self) -> None:
        """Open the list, and the run that was asked for on top of it."""
        loop = asyncio.get_running_loop()
        for lost in (signal.SIGTERM, signal.SIGHUP):
            # Without this the terminal is left in the alternate screen with the mouse on.
            with contextlib.suppress(ValueError, NotImplementedError, RuntimeError):
                loop.add_signal_handler(lost, self.exit)
        runs = RunsScreen(self.reader)
        self.push_screen(runs)
        if self._run_id is not None:
            runs.open_run(self._run_id, self._expect)

    def action_command_palette(self) -> None:
        """Every command by name."""
        if not CommandPalette.is_open(self):  # type: ignore[arg-type]
            self.push_screen(CommandPalette(placeholder="a command by name"))

    def action_help(self) -> None:
        """The keys of the screen that is on top."""
        # Only keys with an id are ours; a binding of several keys comes once for each of them.
        ours = [
            active.binding
            for active in self.screen.active_bindings.values()
            if active.enabled and active.binding.id
        ]
        keys: dict[str, list[Binding]] = {}
        for binding in ours:
            keys.setdefault(binding.id or "", []).append(binding)
        grouped = {
            group: [keys[b.id] for b in bindings if b.id in keys]
            for group, bindings in GROUPS.items()
        }
        grouped[MOVING] = [same for name, same in keys.items() if group_of(name) is None]
        from tui.screens.help import Help

        self.push_screen(Help({group: found for group, found in grouped.items() if found}))

    def action_quit_twice(self) -> None:
        """Quit at the second press; the first says so."""
        now = monotonic()
        if now - self._pressed < SECOND_PRESS:
            self.exit()
        self._pressed = now
        self.say("Press Ctrl+C once more to quit, or q.")

    def say(self, sentence: str, *, error: bool = False) -> None:
        """A toast; its text is never markup."""
        self.notify(
            plain(sentence).plain, markup=False, severity="error" if error else "information"
        )

    def _handle_exception(self, error: Exception) -> None:
        """Leave with a sentence and a file, never with a traceback full of logged text."""
        if self._failed is None:
            # What goes wrong on the way out would hide why.
            self._failed = self._exception = error
        self._return_code = 1
        self._exception_event.set()
        self.exit(return_code=1)

    @property
    def failure(self) -> Exception | None:
        """What the app died of, if it did."""
        return self._failed


def run_app(
    reader: LogReader,
    run_id: str | None = None,
    *,
    theme: str | None = None,
    ascii: bool = False,
    mouse: bool = True,
    keymap: str | None = None,
    expect: str | None = None,
) -> int:
    """Run the app until the user leaves; the exit code.

    Raises InputError for an unknown theme or a keymap file that is off.
    """
    from tui.keymap import keymap_from

    keys = keymap_from(keymap) if keymap else None
    app = CtxpackApp(reader, run_id, theme=theme, ascii=ascii, keys=keys, expect=expect)
    app.run(mouse=mouse)
    if app.failure is None:
        return 0
    where = _report(app.failure)
    print(
        f"ctxpack stopped on a {type(app.failure).__name__}. "
        f"Where in the program, without any text of the log, is in {where}.",
        file=sys.stderr,
    )
    return 1


def _report(error: Exception) -> Path:
    """A file with the traceback's places, without values: logged text stays out of it."""
    handle, name = tempfile.mkstemp(prefix="ctxpack-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(f"{type(error).__name__}\n")
        file.writelines(traceback.format_tb(error.__traceback__))
    return Path(name)
