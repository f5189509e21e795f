"""`ctxpack eval QUESTIONS --budget TOKENS,...`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

from tui.cli.log_arguments import json_option

if TYPE_CHECKING:
    from ctxpack.evaluating.grid import Grid
    from ctxpack.evaluating.measuring import Measured
    from ctxpack.evaluating.question import Question

STRATEGIES = "top,first-fit,density,optimal"
PLACEMENTS = "ends,best-first,best-last,middle"

SHARE = 64
"""Questions that one process is given at a time."""


def _listed(what: Callable[[str], Any] = str) -> Callable[..., tuple[Any, ...]]:
    """What turns an option, repeated or with commas, into a list; `none` is None for numbers."""

    def parsed(context: click.Context, option: click.Parameter, typed: Any) -> tuple[Any, ...]:
        words = [word.strip() for text in typed for word in text.split(",") if word.strip()]
        found = []
        for word in words:
            try:
                none = what is not str and word.casefold() == "none"
                found.append(None if none else what(word))
            except ValueError:
                raise click.BadParameter(f"{word!r} is not a number.", context, option) from None
        return tuple(found)

    return parsed


def _list_option(
    name: str, what: Callable[[str], Any], default: str, help: str
) -> Callable[[Any], Any]:
    return click.option(
        name,
        multiple=True,
        default=(default,) if default else (),
        callback=_listed(what),
        metavar="LIST",
        help=help,
    )


@click.command("eval")
@click.argument("questions", metavar="QUESTIONS")
@click.option("--corpus", metavar="FILE", help="Chunks that candidates name by their ids.")
@_list_option("--budget", int, "", "Tokens for evidence; separated by commas, or repeated.")
@_list_option("--strategy", str, STRATEGIES, f"Default: {STRATEGIES}.")
@_list_option("--placement", str, PLACEMENTS, f"Default: {PLACEMENTS}.")
@_list_option("--curve", str, "assumed", "Built-in curves; or one file of points.")
@_list_option("--max-chunks", int, "none", "At most so many chunks; none: any number.")
@_list_option("--mmr-lambda", float, "0.7", "For mmr.")
@_list_option("--cutoff", float, "none", "Share of the score range; none: no cut-off.")
@click.option("--value", default="gain", metavar="NAME", help="gain, score or bm25.")
@click.option("--group", default="none", metavar="NAME", help="none or document.")
@click.option("--encoding", default="o200k_base", metavar="NAME", help="The tokenizer.")
@json_option
def command(questions: str, corpus: str | None, as_json: bool, **typed: Any) -> None:
    """How often the answer is packed, and where, under every setting that is listed.

    QUESTIONS is JSON Lines, a question a line, its candidates inline or named out of --corpus.
    Every setting may be a list. Tokens are those of the texts alone.
    """
    from ctxpack.counting import Counter
    from ctxpack.errors import InputError
    from ctxpack.evaluating.evaluation import evaluation
    from ctxpack.evaluating.question import counted
    from logs.questions import QuestionFile, read_corpus
    from tui.cli.eval_text import evaluation_lines
    from tui.cli.output import print_json, print_lines, say, width

    if not typed["budget"] or None in typed["budget"]:
        raise InputError("eval needs --budget: tokens for evidence, one or more.")
    made = _grid(typed)
    chunks, bad = read_corpus(corpus) if corpus else ({}, [])
    read = QuestionFile(questions, chunks)
    count = Counter(typed["encoding"])
    measured = _measured((counted(question, count) for question in read), made)
    bad += read.bad
    for line in bad[:20]:
        say(f"left out: {line}")
    if len(bad) > 20:
        say(f"left out: {len(bad) - 20:,} more lines.")
    if not measured.questions:
        raise InputError(f"{questions}: there is no question in it that can be used.")
    found = evaluation(measured, made)
    if as_json:
        print_json(found)
    else:
        print_lines(evaluation_lines(found, width()))


def _grid(typed: dict[str, Any]) -> Grid:
    from ctxpack.errors import InputError
    from ctxpack.evaluating.grid import grid
    from ctxpack.settings import CURVES, Settings
    from tui.cli.setting_types import read_curve

    own = [read_curve(curve) for curve in typed["curve"] if curve not in CURVES]
    if len(own) > 1:
        raise InputError("eval takes one curve from a file at a time.")
    names = {curve: own[0].name for curve in typed["curve"] if curve not in CURVES}
    return grid(
        Settings(
            budget=0,
            value=typed["value"],
            group=typed["group"],
            encoding=typed["encoding"],
            curve_points=own[0] if own else None,
        ),
        budgets=typed["budget"],
        strategies=typed["strategy"],
        placements=typed["placement"],
        curves=[names.get(curve, curve) for curve in typed["curve"]],
        max_chunks=typed["max_chunks"],
        mmr_lambdas=typed["mmr_lambda"],
        cutoffs=typed["cutoff"],
    )


def _measured(questions: Iterable[Question], grid: Grid) -> Measured:
    """Measured share by share in a process for each core; one share is measured here."""
    import os
    from collections import deque
    from concurrent.futures import Future, ProcessPoolExecutor
    from itertools import islice

    from ctxpack.evaluating.measuring import measure, nothing_measured

    sums = nothing_measured(grid)
    walk = iter(questions)
    share = [*islice(walk, SHARE)]
    rest = [*islice(walk, SHARE)]
    workers = min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2)
    if not rest or workers < 2:
        sums.add(measure(share, grid))
        while rest:
            sums.add(measure(rest, grid))
            rest = [*islice(walk, SHARE)]
        return sums
    with ProcessPoolExecutor(workers) as pool:
        waiting: deque[Future[Measured]] = deque()
        waiting.append(pool.submit(measure, share, grid))
        while rest:
            waiting.append(pool.submit(measure, rest, grid))
            if len(waiting) > 2 * workers:
                _told(sums, waiting.popleft().result())
            rest = [*islice(walk, SHARE)]
        while waiting:
            _told(sums, waiting.popleft().result())
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    return sums


def _told(sums: Measured, more: Measured) -> None:
    """Put together, and how far it is shown on a terminal."""
    sums.add(more)
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{sums.questions:,} questions measured ")
        sys.stderr.flush()
