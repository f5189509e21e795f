"""`ctxpack eval [QUESTIONS]`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tui.cli.eval_options import BUDGETS, grid_of, grid_options
from tui.cli.log_arguments import json_option
from tui.cli.setting_types import number

if TYPE_CHECKING:
    from ctxpack.evaluating.baseline import Baseline
    from ctxpack.evaluating.question import Question
    from logs.questions import LeftOut, QuestionFile

KILO = 1_000

COUNTED_WITH = 4_096
"""Questions after which a new counter is begun, so that what it remembers does not grow."""


class Asked(NamedTuple):
    """Which files are measured, what they are called, and the budgets."""

    questions: str
    corpus: str | None
    name: str
    budgets: tuple[int, ...]


@click.command("eval")
@click.argument("questions", metavar="[QUESTIONS]", required=False)
@click.option("--corpus", metavar="FILE", help="Chunks that candidates name by their ids.")
@grid_options
@click.option("--html", metavar="FILE", help="Also one page with charts, into a new file.")
@click.option(
    "--baseline", metavar="FILE", help="An earlier --json output; exit 1 if a figure is below it."
)
@click.option(
    "--tolerance",
    callback=number(1, off=False),
    metavar="SHARE",
    help="How far below the baseline is no fault: 0.01 is one point. Default: 0.",
)
@json_option
def command(
    questions: str | None,
    corpus: str | None,
    html: str | None,
    baseline: str | None,
    tolerance: float | None,
    as_json: bool,
    **typed: Any,
) -> int:
    """How often the answer is packed, and where, under every setting that is listed.

    QUESTIONS is JSON Lines, a question a line, its candidates inline or named out of --corpus; - is
    standard input. Without QUESTIONS the 200 bundled ones about the sample handbook are measured.

    Every LIST is separated by commas, or the option is repeated. Tokens are those of the texts
    alone.
    """
    from ctxpack.counting import Counter
    from ctxpack.errors import InputError
    from ctxpack.evaluating.baseline import against
    from ctxpack.evaluating.evaluation import evaluation
    from ctxpack.evaluating.measuring import nothing_measured
    from logs.questions import QuestionFile, read_corpus
    from tui.cli.eval_against_text import against_json, against_lines
    from tui.cli.eval_processes import SHARE, measured
    from tui.cli.eval_text import evaluation_lines
    from tui.cli.new_file import check_new, write_new
    from tui.cli.output import print_json, print_lines, say, width
    from tui.cli.progress import progress

    if tolerance is not None and baseline is None:
        raise InputError("--tolerance goes with --baseline: name the file to hold this against.")
    asked = _asked(questions, corpus, typed["budget"])
    made = grid_of(typed | {"budget": asked.budgets})
    before = _baseline(baseline)
    if before is not None:
        # A baseline without one row in common is refused before anything is measured.
        against(evaluation(nothing_measured(made), made), before)
    if html is not None:
        check_new(html)
    if questions is None:
        say(f"No QUESTIONS given: measuring {asked.name}.")
    Counter(typed["encoding"])("an unknown encoding is refused before anything is read")
    chunks, corpus_left_out = read_corpus(asked.corpus) if asked.corpus else ({}, None)
    read = QuestionFile(asked.questions, chunks)
    marks: deque[int] = deque()
    with progress("KB of questions measured") as tell:

        def told() -> None:
            done = marks.popleft() if marks else read.come.of
            if read.come.of:
                tell(done // KILO, -(-read.come.of // KILO))

        sums = measured(_counted(read, typed["encoding"], marks, SHARE), made, told)
    left_out = [one for one in (corpus_left_out, read.left_out) if one is not None and one.lines]
    _say_left_out(left_out)
    if not sums.questions:
        raise InputError(f"{read.left_out.file}: there is no question in it that can be used.")
    found = evaluation(sums, made)
    compared = None if before is None else against(found, before, tolerance or 0.0)
    if html is not None:
        from tui.cli.eval_page import evaluation_page

        write_new(html, evaluation_page(found, asked.name, compared, baseline, left_out))
        say(f"{html}: the page is written.")
    if as_json:
        extra = {} if compared is None else {"baseline": against_json(compared)}
        print_json(found | extra)
    else:
        print_lines(evaluation_lines(found, asked.name, width()))
        if compared is not None:
            print_lines(against_lines(compared, baseline or "", width()))
    return 1 if compared is not None and compared.lower else 0


def _asked(questions: str | None, corpus: str | None, budgets: tuple[int, ...]) -> Asked:
    from ctxpack.errors import InputError
    from logs.sources import STDIN, STDIN_NAME

    if questions is not None:
        if not budgets:
            raise InputError("eval needs --budget: tokens for evidence, one or more: 512,1024.")
        if questions == corpus == STDIN:
            raise InputError("standard input (-) can be read once: name a file for --corpus.")
        return Asked(questions, corpus, STDIN_NAME if questions == STDIN else questions, budgets)
    if corpus is not None:
        raise InputError("--corpus goes with QUESTIONS: name the file of questions as well.")
    import sample_runs

    folder = sample_runs.path().parent
    return Asked(
        str(folder / "questions.jsonl"),
        str(folder / "corpus.jsonl"),
        "the bundled questions about the sample handbook",
        budgets or tuple(int(budget) for budget in BUDGETS.split(",")),
    )


def _baseline(path: str | None) -> Baseline | None:
    from ctxpack.errors import InputError
    from ctxpack.evaluating.baseline import parse_baseline
    from logs.faults import in_words
    from tui.cli.setting_types import LONGEST

    if path is None:
        return None
    with in_words(path), open(path, "rb") as file:
        content = file.read(LONGEST + 1)
    if len(content) > LONGEST:
        raise InputError(f"{path}: larger than {LONGEST // 2**20} MB: no output of eval --json.")
    try:
        return parse_baseline(content)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _counted(
    read: QuestionFile, encoding: str, marks: deque[int], share: int
) -> Iterator[Question]:
    """Every question with its tokens; after each share how far the file was read is marked."""
    from ctxpack.counting import Counter
    from ctxpack.evaluating.question import counted

    count = Counter(encoding)
    for many, question in enumerate(read, 1):
        if many % COUNTED_WITH == 0:
            count = Counter(encoding)
        if many % share == 0:
            marks.append(read.come.done)
        yield counted(question, count)


def _say_left_out(left_out: list[LeftOut]) -> None:
    from tui.cli.output import say

    for one in left_out:
        for line in one.named:
            say(f"left out: {line}")
        if one.lines > len(one.named):
            say(f"left out: {one.lines - len(one.named):,} more lines of {one.file}.")
