"""A program in a pseudo-terminal, timed by what it writes."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
from collections.abc import Sequence
from time import perf_counter

QUIET = 0.12
"""Seconds without a byte after which a screen counts as painted."""


class Terminal:
    """A process with a terminal of its own; use as a context."""

    def __init__(self, command: Sequence[str], columns: int = 120, lines: int = 40) -> None:
        self._command = command
        self._size = struct.pack("HHHH", lines, columns, 0, 0)

    def __enter__(self) -> Terminal:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, self._size)
        environment = {**os.environ, "TERM": "xterm-256color"}
        environment.pop("NO_COLOR", None)
        self.started = perf_counter()
        self._process = subprocess.Popen(
            self._command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        os.close(self._master)

    def until(self, text: str, timeout: float = 20.0) -> float:
        """Seconds from the start until the text has been written."""
        seen = b""
        while text.encode() not in seen:
            chunk = self._read(timeout)
            if chunk is None:
                raise TimeoutError(f"{self._command}: {text!r} never came; last: {seen[-300:]!r}")
            seen += chunk
        return perf_counter() - self.started

    def press(self, keys: str, timeout: float = 2.0) -> float:
        """Seconds from a key to the last byte that it caused."""
        self.settle()
        begun = last = perf_counter()
        os.write(self._master, keys.encode())
        wait = timeout
        while self._read(wait) is not None:
            last = perf_counter()
            wait = QUIET
        return last - begun

    def settle(self, quiet: float = 0.15) -> None:
        """Read until nothing more comes."""
        while self._read(quiet) is not None:
            pass

    def _read(self, timeout: float) -> bytes | None:
        ready, _, _ = select.select([self._master], [], [], timeout)
        if not ready:
            return None
        try:
            return os.read(self._master, 65536) or None
        except OSError:
            return None
