"""`ctxpack import FILE... --into LOG`."""

from __future__ import annotations

import click

from tui.cli.log_arguments import json_option, record_at, record_at_option


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--into", metavar="LOG", required=True, help="The log; made where there is none.")
@click.option("--quarantine", metavar="FILE", help="Bad lines are appended here, with reasons.")
@click.option("--privacy", metavar="FILE", help="What of the texts is kept: a policy in TOML.")
@record_at_option
@json_option
def command(
    files: tuple[str, ...], into: str, quarantine: str | None, privacy: str | None, as_json: bool
) -> int:
    """Records from other files into a log.

    A bad line is left out and named; the good ones are in. The exit code is then 1.
    """
    from logs.importing import import_files
    from logs.privacy import read_privacy
    from logs.taking_in import import_json
    from tui.cli.entry import FAILED_CHECK, FINE
    from tui.cli.output import count, print_json, print_lines, say_all

    policy = None if privacy is None else read_privacy(privacy)
    report = import_files(files, into, quarantine, record_at(), policy)
    say_all(report.warnings)
    say_all(str(bad) for bad in report.quarantined)
    if as_json:
        print_json(import_json(report))
    else:
        waiting = f" {count(report.waiting, 'last line')} not whole yet." if report.waiting else ""
        print_lines(
            [
                f"{count(report.read, 'line')} read: {report.records:,} new in the log, "
                f"{report.already:,} there already, {len(report.quarantined):,} left out."
                f"{waiting}"
            ]
        )
    return FAILED_CHECK if report.quarantined else FINE
