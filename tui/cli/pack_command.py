"""`ctxpack pack FILE... --budget TOKENS`."""

from __future__ import annotations

from typing import Any

import click

from tui.cli.log_arguments import json_option
from tui.cli.settings_options import settings_options


@click.command("pack")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--query", default="", metavar="TEXT", help="The question, for bm25 values.")
@settings_options
@click.option("--compare", is_flag=True, help="Every strategy, side by side.")
@json_option
def command(files: tuple[str, ...], query: str, compare: bool, as_json: bool, **typed: Any) -> None:
    """Candidates or texts packed for a budget.

    FILE is JSON or JSON Lines of candidates, or a text, which is one candidate; - is standard
    input, where a pasted text is split at blank lines or ---.
    """
    import msgspec

    from ctxpack.counting import Counter
    from ctxpack.errors import InputError
    from ctxpack.packing import pack, valid_or_refuse
    from ctxpack.result import result_json
    from ctxpack.settings import STRATEGIES, Settings
    from tui.cli.candidate_files import read_candidates
    from tui.cli.output import print_json, print_lines, say_all, width
    from tui.cli.packing_text import compared_lines, packing_lines
    from tui.cli.settings_options import changed

    if typed["budget"] is None:
        raise InputError("pack needs --budget: tokens for evidence.")
    if compare and typed["strategy"] is not None:
        raise InputError("--compare packs with every strategy: leave --strategy out.")
    changed(Settings(budget=0), {**typed, "pins": (), "bans": ()}, ())
    read = read_candidates(files)
    say_all(read.said)
    known = {candidate.id for candidate in read.candidates}
    settings = changed(Settings(budget=0), typed, known)
    question = query.encode("utf-8", "replace").decode()
    counter = Counter(settings.encoding)
    results = [
        pack(
            read.candidates,
            msgspec.structs.replace(settings, strategy=strategy),
            query=question,
            count=counter,
        )
        for strategy in (STRATEGIES if compare else (settings.strategy,))
    ]
    valid_or_refuse(results[0])
    say_all(results[0].warnings)
    if as_json:
        found = [result_json(result) for result in results]
        print_json({"runs": found} if compare else found[0])
    elif compare:
        print_lines(compared_lines(results, width()))
    else:
        print_lines(packing_lines(results[0], width()))
