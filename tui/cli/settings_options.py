"""The settings of a packing as options; what was not typed stays as it was."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

import click

from tui.cli.setting_types import NONE, number, read_calibration, read_curve, separator

if TYPE_CHECKING:
    from ctxpack.settings import Settings

DEDUPE = 0.8
"""What a bare --dedupe asks for: see `ctxpack.settings.DEDUPE`."""

_OFF = ("cutoff", "margin", "max_chunks", "dedupe", "separator")
_FILE = "calibrated="

_OPTIONS = (
    click.option("--budget", type=int, metavar="TOKENS", help="Tokens for evidence."),
    click.option(
        "--strategy", metavar="NAME", help="first-fit, top, density, optimal, mmr or ordered."
    ),
    click.option(
        "--placement",
        metavar="NAME",
        help="best-first, best-last, ends, middle, split, rank, chronological, given or optimal.",
    ),
    click.option(
        "--split-tail", type=int, metavar="N", help="For split: the N best stand at the very end."
    ),
    click.option("--group", metavar="NAME", help="none, or document: its chunks stand together."),
    click.option("--value", metavar="NAME", help="gain, score, bm25 or calibrated=FILE."),
    click.option(
        "--cutoff",
        callback=number(1),
        metavar="SHARE",
        help="Out from this share of the score range below the best; none: no cut-off.",
    ),
    click.option(
        "--margin",
        callback=number(),
        metavar="SCORE",
        help="Out from this far below the best score, in its own units; none: no margin.",
    ),
    click.option(
        "--cliff/--no-cliff",
        default=None,
        help="Out below the largest fall of the sorted scores, where it is a clear one.",
    ),
    click.option(
        "--max-chunks",
        callback=number(whole=True),
        metavar="N",
        help="At most N chunks besides pins, the best-ranked; none: any number.",
    ),
    click.option(
        "--dedupe",
        callback=number(1),
        is_flag=False,
        flag_value=str(DEDUPE),
        metavar="[SHARE]",
        help=f"Out if this alike to a better-ranked chunk; bare: {DEDUPE}; none: off.",
    ),
    click.option(
        "--mmr-lambda",
        callback=number(1, off=False),
        metavar="SHARE",
        help="For mmr: 1 is relevance alone, 0 is variety alone.",
    ),
    click.option(
        "--curve",
        metavar="NAME|FILE",
        help="The curve of p(x): assumed, mpt-30b-instruct, longchat-13b-16k, "
        "llama-2-70b-chat, or a file of points.",
    ),
    click.option("--encoding", metavar="NAME", help="The tokenizer, such as o200k_base."),
    click.option(
        "--separator",
        callback=separator,
        metavar="TEXT",
        help=r"Stands between chunks, and is counted; \n is a newline; none: off.",
    ),
    click.option("--pin", "pins", multiple=True, metavar="ID", help="Has to be in; repeatable."),
    click.option("--ban", "bans", multiple=True, metavar="ID", help="Has to be out; repeatable."),
    click.option(
        "--pins",
        "pins_policy",
        metavar="POLICY",
        help="Pins that do not fit: report or strict.",
    ),
    click.option("--pins-first", is_flag=True, default=None, help="Pins stand before the rest."),
)


def settings_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Every setting as an option of its own."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def changed(base: Settings, typed: Mapping[str, Any], known: Collection[str]) -> Settings:
    """The settings with what was typed put over them, checked.

    A pin that is typed is no longer banned, and the other way round. Raises InputError naming the
    setting, or a pin or ban that is not among the `known` ids of candidates.
    """
    import msgspec

    from ctxpack.errors import InputError
    from ctxpack.settings import check_settings

    pins, bans = tuple(typed["pins"]), tuple(typed["bans"])
    for option, names in (("--pin", pins), ("--ban", bans)):
        missing = [name for name in names if name not in known]
        if missing:
            raise InputError(f"{option} {missing[0]}: no candidate has this id.")
    given = {name: value for name, value in typed.items() if value is not None}
    given |= {name: None for name in _OFF if given.get(name) == NONE}
    given |= _calibrated(given.get("value"), base)
    given |= _curve(given.get("curve"), base)
    given["pins"] = _joined(base.pins, pins, bans)
    given["bans"] = _joined(base.bans, bans, pins)
    settings = msgspec.structs.replace(base, **given)
    if set(pins) & set(bans):
        raise InputError(f"{min(set(pins) & set(bans))!r} is both pinned and banned.")
    check_settings(settings)
    return settings


def _calibrated(value: str | None, base: Settings) -> dict[str, Any]:
    """What `--value calibrated=FILE` changes; a bare `calibrated` takes the logged calibration."""
    from ctxpack.errors import InputError

    if value is not None and value.startswith(_FILE):
        calibration = read_calibration(value.removeprefix(_FILE))
        return {"value": "calibrated", "calibration": calibration}
    if value == "calibrated" and base.calibration is None:
        raise InputError("--value calibrated needs a file: --value calibrated=FILE.")
    return {}


def _curve(curve: str | None, base: Settings) -> dict[str, Any]:
    """What `--curve` changes: a known name stays one, anything else is a file of points."""
    from ctxpack.settings import CURVES

    own = base.curve_points
    if curve is None or curve in CURVES or (own is not None and curve == own.name):
        return {}
    points = read_curve(curve)
    return {"curve": points.name, "curve_points": points}


def _joined(
    base: tuple[str, ...], typed: tuple[str, ...], other: tuple[str, ...]
) -> tuple[str, ...]:
    kept = [name for name in base if name not in other]
    return tuple(dict.fromkeys((*kept, *typed)))
