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


def _missing() -> str:
    """The log takes what the other arguments leave, so that it is the last that is not there."""
    asked = [
        one.make_metavar(context).removesuffix("...")
        for context in [click.get_current_context()]
        for one in context.command.params
        if isinstance(one, click.Argument)
    ]
    order = f": name {', then '.join(asked)}" if asked[1:] else ": name the log"
    return f"{asked[-1]} is missing{order}."


@contextmanager
def opened_log(paths: Sequence[str]) -> Iterator[LogReader]:
    """The log, its notes on standard error; raises InputError where it is none."""
    from ctxpack.errors import InputError
    from logs.opening import open_log
    from tui.cli.output import say

    if not paths:
        raise InputError(_missing())
    with open_log(paths) as reader:
        for note in reader.notes:
            say(note)
        yield reader
