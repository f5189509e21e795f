"""The curve that a name, or the settings of a packing, ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxpack.curves.curve import ASSUMED, Curve
from ctxpack.curves.points import BUILT_IN
from ctxpack.errors import InputError

if TYPE_CHECKING:
    from ctxpack.settings import Settings


def curve_named(name: str) -> Curve:
    """The built-in curve of that name; raises InputError where there is none."""
    if name == ASSUMED.name:
        return ASSUMED
    from ctxpack.curves.published import PUBLISHED

    if name not in PUBLISHED:
        raise InputError(f"unknown curve {name!r}: this version knows {', '.join(BUILT_IN)}.")
    return PUBLISHED[name]


def curve_of(settings: Settings) -> Curve:
    """The curve of the settings: through their own points where it is named after them."""
    own = settings.curve_points
    if own is None or own.name != settings.curve:
        return curve_named(settings.curve)
    from ctxpack.curves.monotone import through

    return through(own.name, own.points)
