"""The way in and out of the command: exit codes, one plain sentence for every fault."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

FINE, FAILED_CHECK, WRONG, INTERRUPTED = 0, 1, 2, 130
"""Exit codes. A closed pipe is fine, and silent."""


def run(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command with the process's arguments and leave with its exit code."""
    if sys.stdout is None:
        # Closed by the caller: nobody reads, and that is no fault.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for the whole run
    code = _code_of(sys.argv[1:] if arguments is None else list(arguments))
    sys.exit(code)


def _code_of(arguments: list[str]) -> int:
    try:
        code = _obeyed(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _close_quietly()
        return FINE
    except OSError as error:
        _close_quietly()
        return _say(_unwritten(error))
    except KeyboardInterrupt:
        _close_quietly()
        return INTERRUPTED


def _obeyed(arguments: list[str]) -> int:
    import click

    from tui.cli.main import main

    try:
        # Not click's own `main`, which has other codes for a closed pipe and for Ctrl-C.
        with main.make_context("ctxpack", arguments) as context:
            code = main.invoke(context)
        return code if isinstance(code, int) else FINE
    except click.exceptions.Exit as left:
        return left.exit_code
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:
            raise
        return _say(f"{error.filename}: {error.strerror or error}.")
    except click.ClickException as error:
        return _say(error.format_message())
    except Exception as error:
        return _say(_fault(error))


def _fault(error: Exception) -> str:
    from tui.cli.ownership import stranger

    if isinstance(error, ImportError) and (said := stranger(error)):
        return said
    if isinstance(error, ImportError):
        return f"ctxpack is not installed whole: {error}."
    from ctxpack.errors import InputError

    if isinstance(error, InputError):
        return str(error)
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = trace.tb_frame.f_code.co_filename if trace else "?"
    line = trace.tb_lineno if trace else 0
    return (
        f"this is a fault of ctxpack itself: {type(error).__name__} in "
        f"{os.path.basename(where)} line {line}; please report it."
    )


def _unwritten(error: OSError) -> str:
    return f"the output cannot be written: {error.strerror or error}."


def _say(sentence: str) -> int:
    from tui.cli.output import say

    say(f"ctxpack: {sentence}")
    return WRONG


def _close_quietly() -> None:
    """Point the output at nothing, so that the interpreter's own last flush stays silent."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            try:
                os.dup2(nothing, stream.fileno())
            except (OSError, ValueError, AttributeError):
                continue
    os.close(nothing)
