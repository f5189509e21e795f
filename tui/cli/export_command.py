"""`ctxpack export LOG [RUN]`."""

from __future__ import annotations

import click

from tui.cli.log_arguments import opened_log, record_at_option


@click.command("export")
@click.argument("log", metavar="LOG")
@record_at_option
@click.argument("run", metavar="[RUN]", required=False)
@click.option(
    "--format",
    "shape",
    type=click.Choice(["jsonl"]),
    default="jsonl",
    show_default=True,
    help="One record a line.",
)
@click.option(
    "--redact", metavar="FILE", help="What of the texts goes out: a policy and patterns in TOML."
)
def command(log: str, run: str | None, shape: str, redact: str | None) -> None:
    """The records of a log as lines, oldest first; with RUN that one."""
    from logs.filtering import ALL, RunFilter
    from logs.lines import export_lines
    from logs.privacy import read_privacy
    from tui.cli.output import print_bytes

    assert shape == "jsonl"
    privacy = None if redact is None else read_privacy(redact)
    with opened_log([log]) as reader:
        wanted = ALL if run is None else RunFilter(ids=(reader.resolve(run),))
        print_bytes(export_lines(reader, wanted, privacy))
