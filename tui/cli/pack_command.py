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
@click.option("--compare", "side_by_side", is_flag=True, help="Every strategy, side by side.")
@json_option
def command(
    files: tuple[str, ...], query: str, side_by_side: bool, as_json: bool, **typed: Any
) -> None:
    """Candidates or texts packed for a budget.

    FILE is JSON or JSON Lines of candidates, or a text, which is one candidate; - is standard
    input, where a pasted text is split at blank lines or ---.
    """
    from ctxpack.counting import Counter
    from ctxpack.errors import InputError
    from ctxpack.explaining.comparing import compare
    from ctxpack.packing import valid_or_refuse
    from ctxpack.result import result_json
    from ctxpack.retrieved import Retrieved
    from ctxpack.settings import Settings
    from tui.cli.candidate_files import read_candidates
    from tui.cli.compared_text import compared_lines
    from tui.cli.output import print_json, print_lines, say_all, width
    from tui.cli.packing_text import packing_lines
    from tui.cli.settings_options import changed

    if typed["budget"] is None:
        raise InputError("pack needs --budget: tokens for evidence.")
    if side_by_side and typed["strategy"] is not None:
        raise InputError("--compare packs with every strategy: leave --strategy out.")
    asked = changed(Settings(budget=0), {**typed, "pins": (), "bans": ()}, ())
    read = read_candidates(files)
    say_all(read.said)
    known = {candidate.id for candidate in read.candidates}
    settings = changed(asked, {"pins": typed["pins"], "bans": typed["bans"]}, known)
    question = query.encode("utf-8", "replace").decode()
    retrieved = Retrieved(read.candidates, question, Counter(settings.encoding))
    if side_by_side:
        compared = compare(retrieved, settings)
        results = [one.result for one in compared]
    else:
        results = [retrieved.pack(settings)]
    valid_or_refuse(results[0])
    say_all(dict.fromkeys(said for result in results for said in result.warnings))
    if side_by_side and as_json:
        print_json({"runs": [one.as_json() for one in compared]})
    elif side_by_side:
        print_lines(compared_lines(compared, width()))
    elif as_json:
        print_json(result_json(results[0]))
    else:
        print_lines(packing_lines(results[0], width()))
