"""Records inside the lines of another log, found by the keys that lead to them."""

from __future__ import annotations

from typing import Any

import msgspec

from ctxpack.decoding import parse_leniently
from ctxpack.errors import InputError
from logs.canonical import as_json

KeyPath = tuple[str, ...]
"""Keys from a line's object to the record in it; a number counts in a list, from 0."""


def key_path(typed: str) -> KeyPath:
    """The keys of `a.b`; a key that has a dot in it is written with `\\.` there.

    Raises InputError where a key is empty.
    """
    keys = tuple(key.replace("\0", ".") for key in typed.replace("\\.", "\0").split("."))
    if not all(keys):
        raise InputError(
            f"key path {typed!r}: give keys with dots between them, such as log.record."
        )
    return keys


def record_within(line: bytes, at: KeyPath) -> bytes | None:
    """The JSON of what stands under the keys, an object or a text that holds one; None for nothing.

    A line that is no JSON is a line of something else, too.
    """
    part = _parsed(line)
    for key in at:
        if isinstance(part, dict):
            part = part.get(key)
        elif isinstance(part, list) and key.isascii() and key.isdigit() and int(key) < len(part):
            part = part[int(key)]
        else:
            return None
    if isinstance(part, str):
        return part.encode("utf-8", "replace") if part.lstrip().startswith("{") else None
    return as_json(part).encode() if isinstance(part, dict) else None


def _parsed(line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        pass
    try:
        return parse_leniently(line)[0]
    except InputError:
        return None
