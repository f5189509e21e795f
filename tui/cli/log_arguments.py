"""Opening the log that was named, with its notes said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from logs.reading import LogReader

Decorated = Callable[..., Any]


def json_option(function: Decorated) -> Decorated:
    """The option that asks for one JSON document."""
    return click.option("--json", "as_json", is_flag=True, help="One JSON document.")(function)


def logs_argument(function: Decorated) -> Decorated:
    """One log, in one or more files."""
    return click.argument("logs", metavar="LOG...", nargs=-1)(function)


def run_argument(function: Decorated) -> Decorated:
    """The run that is meant."""
    return click.argument("run", metavar="RUN")(function)


@contextmanager
def opened_log(paths: Sequence[str]) -> Iterator[LogReader]:
    """The log, its notes on standard error; raises InputError where it is none."""
    from ctxpack.errors import InputError
    from logs.opening import open_log
    from tui.cli.output import say

    if not paths:
        raise InputError("LOG is missing: name the log first, then what is asked of it.")
    with open_log(paths) as reader:
        for note in reader.notes:
            say(note)
        yield reader
