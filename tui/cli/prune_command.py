"""`ctxpack prune LOG --before TIME`."""

from __future__ import annotations

import click

from tui.cli.log_arguments import json_option


@click.command("prune")
@click.argument("log", metavar="LOG")
@click.option("--before", metavar="TIME", required=True, help="90m, 24h, 7d ago, or an ISO time.")
@click.option("--dry-run", is_flag=True, help="Say what would go, and change nothing.")
@json_option
def command(log: str, before: str, dry_run: bool, as_json: bool) -> None:
    """Delete the runs from before a time, then what only they needed, and shrink the file.

    Writers may go on meanwhile. What is deleted cannot be had back: see --dry-run and snapshot.
    """
    from datetime import datetime

    from logs.pruning import prune
    from logs.since import moment
    from tui.cli.output import count, print_json, print_lines
    from tui.cli.progress import progress

    end = moment(before, datetime.now().astimezone())
    with progress("runs deleted") as tell:
        done = prune(log, end, dry_run=dry_run, tell=tell)
    if as_json:
        print_json(done._asdict() | {"before": end.isoformat(), "dry_run": dry_run})
        return
    verb = "would go" if dry_run else "deleted"
    gone = f"{count(done.runs, 'run')}, {count(done.chunks, 'chunk')}, {count(done.texts, 'text')}"
    size = f", {_megabytes(done.bytes_before)}"
    size += "" if dry_run else f" before and {_megabytes(done.bytes_after)} now"
    print_lines([f"{log}: {gone} {verb}; {count(done.left, 'run')} left{size}."])


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
