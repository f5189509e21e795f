"""`ctxpack repack LOG RUN [settings]`: the what-if."""

from __future__ import annotations

from typing import Any

import click

from tui.cli.log_arguments import json_option, logs_argument, opened_log, run_argument
from tui.cli.settings_options import settings_options


@click.command("repack")
@logs_argument
@run_argument
@settings_options
@json_option
def command(logs: tuple[str, ...], run: str, as_json: bool, **typed: Any) -> None:
    """One run packed again under other settings.

    Settings that are not given are the logged ones; the budget, where none is logged, the packed
    tokens.
    """
    from ctxpack.counting import Counter
    from ctxpack.replay import against, logged_settings, packed_in_order, repack
    from ctxpack.result import result_json
    from tui.cli.output import print_json, print_lines, say_all, width
    from tui.cli.settings_options import changed

    with opened_log(logs) as reader:
        record = reader.get(reader.resolve(run))
    logged = logged_settings(record)
    say_all(logged.said)
    settings = changed(logged.settings, typed, {chunk.id for chunk in record.candidates})
    result = repack(record, settings, Counter(settings.encoding))
    say_all(result.warnings)
    before = tuple(chunk.id for chunk in packed_in_order(record))
    change = against(before, tuple(chunk.id for chunk in result.packed))
    if as_json:
        print_json(result_json(result) | {"against": change.as_json()})
        return
    from tui.cli.packing_text import packing_lines

    print_lines(packing_lines(result, width(), change=change, base=logged.settings))
