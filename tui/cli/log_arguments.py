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
    """One log, in one or more files, and where in their lines its records stand."""
    return click.argument("logs", metavar="LOG...", nargs=-1)(record_at_option(function))


def record_at_option(function: Decorated) -> Decorated:
    """Where the records stand in the lines of another log; `record_at` has what was typed."""
    return click.option(
        "--record-at",
        metavar="KEYS",
        expose_value=False,
        callback=_remember,
        help="Records stand under these keys of each JSON line: a.b",
    )(function)


def record_at() -> tuple[str, ...]:
    """The keys that `--record-at` names in the command that is running; none without it."""
    context = click.get_current_context(silent=True)
    keys: tuple[str, ...] = () if context is None else context.meta.get(_RECORD_AT, ())
    return keys


_RECORD_AT = "ctxpack.record_at"


def _remember(ctx: click.Context, _option: click.Parameter, typed: str | None) -> None:
    if typed is not None:
        from logs.key_path import key_path

        ctx.meta[_RECORD_AT] = key_path(typed)


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
    with open_log(paths, record_at()) as reader:
        for note in reader.notes:
            say(note)
        yield reader
