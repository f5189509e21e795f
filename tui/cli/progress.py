"""How far long work has come, on standard error where a person watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

EVERY = 0.2
"""Seconds between two words about it."""

_CLEAR = "\r\x1b[K"


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A function to tell `done, of`: one line that is written over, and gone at the end.

    Silent where standard error is no terminal: a file or a pipe gets no half lines.
    """
    last = 0.0
    watched = sys.stderr is not None and sys.stderr.isatty()

    def tell(done: int, of: int) -> None:
        nonlocal last
        now = time.monotonic()
        if watched and now - last >= EVERY:
            last = now
            share = f" ({done / of:.0%})" if of else ""
            print(f"{_CLEAR}{done:,} of {of:,} {what}{share}", end="", file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        if watched and last:
            print(_CLEAR, end="", file=sys.stderr, flush=True)
