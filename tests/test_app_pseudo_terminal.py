"""The installed command in a real pseudo-terminal: typed at, read from the screen."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pyte
import pytest

import sample_runs

COLUMNS, LINES = 120, 40


class Session:
    """A process with a terminal, and what a person would see on it."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        found = Path(sys.executable).with_name("ctxpack")
        command = str(found) if found.exists() else shutil.which("ctxpack")
        assert command, "the command is not installed"
        kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLORTERM")}
        self.raw = b""
        self.process = pexpect.spawn(
            command,
            list(arguments),
            env={**kept, "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment},
            dimensions=(LINES, COLUMNS),
            timeout=20,
        )
        self.screen = pyte.Screen(COLUMNS, LINES)
        self.stream = pyte.ByteStream(self.screen)

    def read(self, seconds: float = 0.2) -> str:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                part = self.process.read_nonblocking(65536, timeout=0.05)
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                break
            self.raw += part
            self.stream.feed(part)
        return "\n".join(self.screen.display)

    def until(self, words: str, seconds: float = 20) -> str:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            shown = self.read()
            if words in shown:
                return shown
        raise AssertionError(f"{words!r} never came:\n{self.read()}")

    def type(self, keys: str) -> None:
        self.process.send(keys)

    def ended(self) -> int | None:
        self.process.expect(pexpect.EOF)
        self.raw += self.process.before
        self.process.close()
        return self.process.exitstatus


@pytest.fixture
def session() -> Iterator[Session]:
    opened = Session()
    yield opened
    opened.process.close(force=True)


def test_the_main_path_from_the_list_to_a_what_if_and_out(session: Session) -> None:
    before = sample_runs.path().read_bytes()
    assert "33 runs" in session.until("newest first")
    session.type("/")
    session.until("words in the question")
    session.type("restocking\r")
    assert "of 33 runs with" in session.until("restocking”")
    session.type("\r")
    shown = session.until("AS LOGGED")
    assert "The answer was retrieved at rank 7" in shown
    session.type("+")
    shown = session.until("WHAT-IF")
    assert "budget 1460*" in shown
    session.type("0")
    assert "WHAT-IF" not in session.until("AS LOGGED")
    session.type("\x1b")
    session.until("of 33 runs with")
    session.type("q")
    assert session.ended() == 0
    assert sample_runs.path().read_bytes() == before


def test_a_run_named_on_the_command_line_is_on_the_first_screen() -> None:
    session = Session(str(sample_runs.path()), "--run", "@last")
    session.until("C The answer was retrieved")
    session.type("q")
    assert session.ended() == 0


@pytest.mark.parametrize("lost", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_gives_the_terminal_back(session: Session, lost: signal.Signals) -> None:
    session.until("newest first")
    session.process.kill(lost)
    if lost is signal.SIGINT:
        session.read(0.5)
        session.type("q")
    session.ended()
    # The alternate screen is left, and the mouse is off again.
    assert session.raw.rfind(b"\x1b[?1049l") > session.raw.rfind(b"\x1b[?1049h")
    assert session.raw.rfind(b"\x1b[?1000l") > session.raw.rfind(b"\x1b[?1000h")


def test_no_color_writes_no_colour() -> None:
    session = Session(NO_COLOR="1")
    session.until("newest first")
    session.type("\r")
    session.until("AS LOGGED")
    styles = set(re.findall(rb"\x1b\[([0-9;]*)m", session.raw))
    # Reset, bold, dim, italic, underline, reverse, and the terminal's own two colours.
    plain = {b"0", b"1", b"2", b"3", b"4", b"7", b"39", b"49"}
    assert {part for style in styles for part in style.split(b";")} <= plain
    session.type("q")
    assert session.ended() == 0


def test_a_dumb_terminal_gets_the_list_as_text() -> None:
    session = Session(TERM="dumb")
    assert session.ended() == 0
    assert b"req-" in session.raw
    assert b"\x1b" not in session.raw


def test_hostile_text_of_a_log_reaches_the_terminal_only_as_signs() -> None:
    session = Session("--run", "req-d20f48")
    session.until("AS LOGGED")
    for key in ("\r", " ", " ", *"32G", "\r", *"567xCjjh", "\x1b"):
        session.type(key)
        session.read(0.3)
    # Textual itself sets the mouse pointer's shape, and nothing else by this kind of sequence.
    written = session.raw.replace(b"\x1b]22;default\x07", b"")
    for forbidden in ("\u202e", "\u2066", "\u200b", "\x07", "\x1b]", "\x1bP", "\x9b"):
        assert forbidden.encode() not in written
    session.type("q")
    assert session.ended() == 0
