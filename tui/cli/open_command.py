"""`ctxpack [LOG...] [--run RUN]`: the app; without a terminal, the same as text."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from tui.cli.app_options import app_options
from tui.cli.log_arguments import record_at, record_at_option

if TYPE_CHECKING:
    from logs.reading import LogReader


def _help(ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        whole = ctx.parent or ctx
        click.echo(whole.get_help())
        ctx.exit()


@click.command("open", add_help_option=False, params=app_options())
@click.option("--help", is_flag=True, is_eager=True, expose_value=False, callback=_help)
@record_at_option
@click.argument("logs", metavar="LOG", nargs=-1)
def command(
    logs: tuple[str, ...],
    run: str | None,
    expect: str | None,
    theme: str | None,
    ascii: bool,
    no_mouse: bool,
    keymap: str | None,
) -> int:
    """Open a log in the app, on a run where one is named."""
    from logs.opening import open_log
    from tui.cli.output import say_all

    _refuse_misspelt(logs)
    with open_log(logs or _samples(), record_at()) as reader:
        if not logs:
            reader.name = "sample runs"
        say_all(reader.notes)
        run_id = reader.resolve(run) if run is not None else None
        if not _has_terminal(from_input="-" in logs):
            _print(reader, run_id, expect)
            return 0
        from tui.app import run_app

        return run_app(
            reader,
            run_id,
            theme=theme,
            ascii=ascii,
            mouse=not no_mouse,
            keymap=keymap,
            expect=expect,
        )


def _samples() -> Sequence[str]:
    import sample_runs

    return [str(sample_runs.path())]


def _has_terminal(*, from_input: bool) -> bool:
    """Whether the app can be drawn and has keys; a log from a pipe leaves the terminal's own."""
    if os.environ.get("TERM", "dumb") in ("dumb", "") or not _is_terminal(sys.stdout):
        return False
    if not from_input:
        return _is_terminal(sys.stdin)
    try:
        keys = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        return False
    os.dup2(keys, 0)
    os.close(keys)
    return True


def _is_terminal(stream: object) -> bool:
    return stream is not None and bool(getattr(stream, "isatty", lambda: False)())


def _print(reader: LogReader, run_id: str | None, expect: str | None) -> None:
    from tui.cli.output import print_lines, width

    if run_id is None:
        from tui.cli.run_list import list_lines, listed

        print_lines(list_lines(listed(reader), width()))
        return
    from tui.cli.run_text import run_lines

    print_lines(run_lines(reader.get(run_id), expect, width()))


def _refuse_misspelt(logs: Sequence[str]) -> None:
    """A first argument that is no file and nearly a command was meant as one."""
    if not logs or logs[0] == "-" or os.path.lexists(logs[0]):
        return
    from difflib import get_close_matches

    from ctxpack.errors import InputError
    from tui.cli.main import COMMANDS

    near = get_close_matches(logs[0], COMMANDS, n=1, cutoff=0.7)
    if near:
        raise InputError(f"{logs[0]} is no file and no command: did you mean {near[0]}?")
