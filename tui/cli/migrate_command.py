"""`ctxpack migrate LOG`."""

from __future__ import annotations

import click

from tui.cli.log_arguments import json_option


@click.command("migrate")
@click.argument("log", metavar="LOG")
@json_option
def command(log: str, as_json: bool) -> None:
    """Make a log of an older version one that this version reads and writes.

    It is changed in place, all of it or nothing; a log of this version is left as it is.
    """
    from logs.migrating import migrate
    from tui.cli.output import count, print_json, print_lines
    from tui.cli.progress import progress

    with progress("runs written anew") as tell:
        done = migrate(log, tell)
    if as_json:
        print_json(done._asdict())
    elif done.before == done.after:
        print_lines([f"{log} is of this version ({done.after}) already: nothing was changed."])
    else:
        runs = count(done.runs, "run")
        print_lines([f"{log}: {runs}, from store version {done.before} to {done.after}."])
