"""`ctxpack why LOG RUN CHUNK [settings]`: why one chunk is in or out."""

from __future__ import annotations

from typing import Any

import click

from tui.cli.log_arguments import json_option, logs_argument, opened_log, run_argument
from tui.cli.settings_options import settings_options


@click.command("why")
@logs_argument
@run_argument
@click.argument("chunk", metavar="CHUNK")
@settings_options
@json_option
def command(logs: tuple[str, ...], run: str, chunk: str, as_json: bool, **typed: Any) -> None:
    """Why a chunk is in or out, and what would change that.

    CHUNK is an id or its beginning. Settings that are not given are the logged ones; every change
    that is told was tried by packing again.
    """
    from ctxpack.counting import Counter
    from ctxpack.explaining.chunk_ids import find_chunk
    from ctxpack.explaining.why import why_json, why_logged
    from ctxpack.replay import logged_settings
    from tui.cli.output import print_json, print_lines, say_all, width
    from tui.cli.settings_options import changed

    with opened_log(logs) as reader:
        record = reader.get(reader.resolve(run))
    ids = [candidate.id for candidate in record.candidates]
    name = find_chunk(chunk, ids)
    settings = changed(logged_settings(record).settings, typed, set(ids))
    found = why_logged(record, settings, name, Counter(settings.encoding))
    say_all(found.said)
    if as_json:
        print_json(why_json(found))
        return
    from tui.cli.why_text import why_lines

    print_lines(why_lines(found, width()))
