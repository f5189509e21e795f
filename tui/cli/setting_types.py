"""What is typed for a setting, turned into its value or refused in words."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import click

LONGEST = 4 * 2**20
"""Bytes of the longest calibration, or curve, that is read."""

NONE = "none"
"""What switches a setting off that a log has switched on."""


Checked = Callable[[click.Context, click.Parameter, str | None], "float | str | None"]


def number(most: float = math.inf, *, off: bool = True, whole: bool = False) -> Checked:
    """What turns an option's text into a finite number from 0 to `most`, or into NONE.

    Refuses anything else in words that name the option; what was not typed stays None.
    """
    kind = "a whole number" if whole else "a number"
    span = f"from 0 to {most:g}" if math.isfinite(most) else "of 0 or more"
    what = f"{kind} {span}" + (f", or {NONE}" if off else "")

    def checked(
        context: click.Context, option: click.Parameter, typed: str | None
    ) -> float | str | None:
        if typed is None or (off and typed.strip().casefold() == NONE):
            return typed if typed is None else NONE
        try:
            found = int(typed) if whole else float(typed)
        except ValueError:
            found = math.nan
        if not 0 <= found <= most or math.isinf(found):
            raise click.BadParameter(f"{typed!r} is not {what}.", context, option)
        return found

    return checked


def separator(_: click.Context, __: click.Parameter, typed: str | None) -> str | None:
    r"""What is typed for a separator: `\n` is a newline, and NONE switches it off."""
    if typed is None or typed.strip().casefold() == NONE:
        return typed if typed is None else NONE
    return typed.replace("\\n", "\n")


def read_calibration(path: str) -> Any:
    """The calibration in a file; raises InputError naming the file."""
    from ctxpack.errors import InputError
    from ctxpack.value.calibration import parse_calibration

    if not path:
        raise InputError("--value calibrated= needs a file: --value calibrated=FILE.")
    return _read(path, "a calibration", parse_calibration)


def read_curve(path: str) -> Any:
    """The points of a curve in a file; raises InputError naming the file, or the known names."""
    import os

    from ctxpack.curves.points import BUILT_IN, parse_curve
    from ctxpack.errors import InputError

    if not os.path.exists(path):
        raise InputError(
            f"unknown curve {path!r}: choose one of {', '.join(BUILT_IN)}, or a file of points."
        )
    return _read(path, "a curve", parse_curve)


def _read(path: str, what: str, parse: Callable[[bytes], Any]) -> Any:
    from ctxpack.errors import InputError
    from logs.faults import in_words

    with in_words(path), open(path, "rb") as file:
        content = file.read(LONGEST + 1)
    if len(content) > LONGEST:
        raise InputError(f"{path}: larger than {LONGEST // 2**20} MB: not {what}.")
    try:
        return parse(content)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
