"""`ctxpack analyse LOG`."""

from __future__ import annotations

import click

from tui.cli.log_arguments import json_option, logs_argument, opened_log


@click.command("analyse")
@logs_argument
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Processes (one a core).")
@json_option
def command(logs: tuple[str, ...], workers: int | None, as_json: bool) -> None:
    """Every finding of every run, kept for lists and searches in your own data folder.

    The log is not changed. Stopped with Ctrl-C it keeps what it has done and goes on from there
    the next time; runs that were appended since are added.
    """
    from logs.analysing import analyse
    from tui.cli.output import count, print_json, print_lines
    from tui.cli.progress import progress

    with opened_log(logs) as reader:
        with progress("runs analysed") as tell:
            done = analyse(reader, workers, tell)
        name = str(reader.sidecar())
    if as_json:
        print_json(done._asdict() | {"sidecar": name})
        return
    print_lines([f"{count(done.new, 'run')} analysed, {done.already:,} were before: {name}"])
    print_lines(f"{runs:>10,}  {code.replace('_', ' ')}" for code, runs in done.found.items())
