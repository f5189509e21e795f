"""A curve of one's own: measured points, from a file or a log.

A curve file is one JSON object:

    {"curve": 1, "name": "our-sweep", "points": [[0.05, 0.71], [0.5, 0.58], [0.95, 0.66]]}

x is where a chunk's middle stands, p how often it was used there, both from 0 to 1, x rising, two
points or more. Between points the curve is a monotone cubic, outside it is flat. `about` may say
anything, and is not read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ctxpack.errors import InputError

FORMAT = 1
"""The number under `curve` in a file."""

BUILT_IN = ("assumed", "mpt-30b-instruct", "longchat-13b-16k", "llama-2-70b-chat")
"""The curves that need no file."""

LONGEST_NAME = 60
"""Characters of the longest name."""

_KEYS = {"curve", "name", "points", "about"}


class CurvePoints(msgspec.Struct, frozen=True, kw_only=True):
    """A name and measured points, x and p."""

    name: str
    points: tuple[tuple[float, float], ...]


def parse_curve(content: bytes) -> CurvePoints:
    """Read a curve file's content; raises InputError saying what is wrong with it."""
    try:
        given = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"curve: it is not JSON: {error}.") from None
    if not isinstance(given, dict):
        raise InputError('curve: it must be a JSON object, {"curve": 1, "name": ..., ...}.')
    if given.get("curve") != FORMAT or isinstance(given["curve"], bool):
        raise InputError(f'curve: "curve": {FORMAT} must name the format.')
    return curve_points_from(given)


def curve_points_from(given: Mapping[str, Any]) -> CurvePoints:
    """Points from a file's or a log's object; raises InputError saying what is wrong."""
    unknown = sorted(str(key) for key in given if key not in _KEYS)
    if unknown:
        raise InputError(f"curve: unknown key {unknown[0]!r}: name, points and about are.")
    name = given.get("name")
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise InputError("curve: name must be a text of its own, on one line.")
    if len(name) > LONGEST_NAME:
        raise InputError(f"curve: its name has over {LONGEST_NAME} characters.")
    if name in BUILT_IN:
        raise InputError(f"curve: {name!r} is the name of a built-in curve: choose another.")
    listed = given.get("points")
    if not isinstance(listed, Sequence) or isinstance(listed, str | bytes) or len(listed) < 2:
        raise InputError("curve: points must be a list of two or more pairs, [x, p].")
    points = tuple(_point(place, point) for place, point in enumerate(listed, 1))
    for place, (x, _) in enumerate(points[1:], 2):
        if x <= points[place - 2][0]:
            raise InputError(f"curve: point {place}: x is {x:g}: it must be above the one before.")
    return CurvePoints(name=name, points=points)


def _point(place: int, given: object) -> tuple[float, float]:
    if not isinstance(given, Sequence) or isinstance(given, str | bytes) or len(given) != 2:
        raise InputError(f"curve: point {place} must be a pair, [x, p].")
    x, p = (_share(place, name, number) for name, number in zip("xp", given, strict=True))
    return x, p


def _share(place: int, name: str, given: object) -> float:
    number = given if isinstance(given, int | float) and not isinstance(given, bool) else math.nan
    if not 0 <= number <= 1:
        raise InputError(f"curve: point {place}: {name} is {given!r}: it must be from 0 to 1.")
    return float(number)
