"""`ctxpack list LOG`."""

from __future__ import annotations

import click

from tui.cli.log_arguments import json_option, logs_argument, opened_log


@click.command("list")
@logs_argument
@click.option("--since", metavar="TIME", help="At or after: 90m, 24h, 7d ago, or an ISO time.")
@click.option("--until", metavar="TIME", help="At or before: 90m, 24h, 7d ago, or an ISO time.")
@click.option("--type", "request_type", metavar="TYPE", help="One kind of request.")
@click.option("--version", metavar="VERSION", help="One version of the assembler.")
@click.option("--finding", metavar="CODE", help="Runs with this finding.")
@click.option("--search", metavar="WORDS", help="Words of the query or the answer.")
@click.option("--chunk", metavar="ID", help="Runs that had this chunk as a candidate.")
@click.option("--doc", metavar="ID", help="Runs that had a chunk of this document.")
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="At most N runs (50).")
@click.option("--all", "all_runs", is_flag=True, help="Every run.")
@json_option
def command(
    logs: tuple[str, ...],
    since: str | None,
    until: str | None,
    request_type: str | None,
    version: str | None,
    finding: str | None,
    search: str | None,
    chunk: str | None,
    doc: str | None,
    limit: int | None,
    all_runs: bool,
    as_json: bool,
) -> None:
    """The runs of a log, newest first."""
    from datetime import datetime

    from logs.filtering import RunFilter
    from logs.since import moment
    from tui.cli.output import print_json, print_lines, say_all, width
    from tui.cli.run_list import SHOWN, list_json, list_lines, listed

    now = datetime.now().astimezone()
    wanted = RunFilter(
        since=moment(since, now) if since is not None else None,
        until=moment(until, now) if until is not None else None,
        request_type=request_type,
        version=version,
        search=search,
        chunk=chunk,
        doc=doc,
    )
    if finding is not None:
        _refuse_unknown(finding)
    if limit is None and not all_runs:
        limit = SHOWN
    with opened_log(logs) as reader:
        found = listed(reader, wanted, None if all_runs else limit, finding)
    say_all(found.notes)
    if as_json:
        print_json(list_json(found))
    else:
        print_lines(list_lines(found, width()))


def _refuse_unknown(code: str) -> None:
    from ctxpack.errors import InputError
    from ctxpack.findings import CODES

    if code not in CODES:
        raise InputError(f"unknown finding {code!r}: choose one of {', '.join(CODES)}.")
