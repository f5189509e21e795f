"""`ctxpack show LOG RUN`."""

from __future__ import annotations

import click

from tui.cli.log_arguments import json_option, logs_argument, opened_log, run_argument


@click.command("show")
@logs_argument
@run_argument
@click.option("--expect", metavar="TEXT", help="What the answer should have said.")
@json_option
def command(logs: tuple[str, ...], run: str, expect: str | None, as_json: bool) -> None:
    """One run: what was packed, what was skipped and why, what is wrong."""
    from tui.cli.output import print_json, print_lines, width

    with opened_log(logs) as reader:
        record = reader.get(reader.resolve(run))
    if as_json:
        from ctxpack.findings import diagnose, open_case
        from ctxpack.showing import show_json

        case = open_case(record, expect)
        print_json(show_json(case, diagnose(case)))
        return
    from tui.cli.run_text import run_lines

    print_lines(run_lines(record, expect, width()))
