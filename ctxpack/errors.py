"""What the engine raises on purpose."""

from __future__ import annotations

from collections.abc import Callable

Stop = Callable[[], bool]
"""Asked between the steps of long work: whether it should be given up."""


class InputError(ValueError):
    """Bad input or wrong usage, said in one plain sentence: what is wrong, where, what to do.

    The command prints the sentence and exits with 2; it never carries a traceback to a user.
    """


class Stopped(Exception):
    """Long work was given up because its caller asked for that; there is no result."""


def stop_if(should_stop: Stop | None) -> None:
    """Raise Stopped where the caller wants no result any more."""
    if should_stop is not None and should_stop():
        raise Stopped
