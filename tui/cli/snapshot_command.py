"""`ctxpack snapshot LOG OUT`."""

from __future__ import annotations

import click


@click.command("snapshot")
@click.argument("log", metavar="LOG")
@click.argument("out", metavar="OUT")
def command(log: str, out: str) -> None:
    """A log as one clean file to hand to a colleague, with nothing beside it.

    The log may be written meanwhile: the file has the runs of one moment.
    """
    from tui.cli.log_arguments import opened_log
    from tui.cli.output import count, print_lines

    with opened_log([log]) as reader:
        reader.snapshot(out)
        print_lines([f"{out}: {count(reader.count(), 'run')}."])
