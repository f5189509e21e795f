"""The settings of `ctxpack eval` as options, each of which may be a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from tui.cli.setting_types import NONE, read_calibration, read_curve

if TYPE_CHECKING:
    from ctxpack.evaluating.grid import Grid

BUDGETS = "256,512,1024"
"""What the bundled questions are measured at where no budget is typed."""

STRATEGIES = "top,first-fit,density,optimal"
PLACEMENTS = "ends,best-first,best-last,middle"

_FILE = "calibrated="


def _listed(what: Callable[[str], Any] = str) -> Callable[..., tuple[Any, ...]]:
    """What turns an option, repeated or with commas, into a list; `none` is None for numbers."""

    def parsed(context: click.Context, option: click.Parameter, typed: Any) -> tuple[Any, ...]:
        words = [word.strip() for text in typed for word in text.split(",") if word.strip()]
        if typed and not words:
            raise click.BadParameter("there is nothing in the list.", context, option)
        found = []
        for word in words:
            try:
                none = what is not str and word.casefold() == NONE
                found.append(None if none else what(word))
            except ValueError:
                kind = "a whole number" if what is int else "a number"
                raise click.BadParameter(f"{word!r} is not {kind}.", context, option) from None
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


_OPTIONS = (
    _list_option("--budget", int, "", f"Tokens for evidence. Bundled questions: {BUDGETS}."),
    _list_option("--strategy", str, STRATEGIES, f"Default: {STRATEGIES}. Also mmr, ordered."),
    _list_option("--placement", str, PLACEMENTS, f"Default: {PLACEMENTS}."),
    _list_option("--curve", str, "assumed", "Built-in curves; or one file of points."),
    _list_option("--max-chunks", int, "none", "At most so many chunks; none: any number."),
    _list_option("--mmr-lambda", float, "0.7", "For mmr."),
    _list_option("--cutoff", float, "none", "Share of the score range; none: no cut-off."),
    click.option(
        "--value", default="gain", metavar="NAME", help="gain, score, bm25 or calibrated=FILE."
    ),
    click.option("--group", default="none", metavar="NAME", help="none or document."),
    click.option("--encoding", default="o200k_base", metavar="NAME", help="The tokenizer."),
)


def grid_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Every setting that is measured side by side."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def grid_of(typed: dict[str, Any]) -> Grid:
    """What was typed as a grid; raises InputError naming the setting that is refused."""
    from ctxpack.errors import InputError
    from ctxpack.evaluating.grid import grid
    from ctxpack.settings import CURVES, Settings

    if None in typed["budget"]:
        raise InputError("budget is none: eval measures within a budget, so give tokens.")
    if None in typed["mmr_lambda"]:
        raise InputError("mmr-lambda is none: it must be from 0 to 1.")
    own = [read_curve(curve) for curve in typed["curve"] if curve not in CURVES]
    if len(own) > 1:
        raise InputError("eval takes one curve from a file at a time.")
    names = {curve: own[0].name for curve in typed["curve"] if curve not in CURVES}
    value = typed["value"]
    calibrated = value.startswith(_FILE)
    return grid(
        Settings(
            budget=0,
            value="calibrated" if calibrated else value,
            calibration=read_calibration(value.removeprefix(_FILE)) if calibrated else None,
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
