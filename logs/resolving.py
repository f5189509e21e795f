"""Which run a typed name means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ctxpack.errors import InputError

Ask = Callable[[str, tuple[Any, ...]], Sequence[Sequence[Any]]]
"""Runs a query with its values and gives the rows."""

LAST = "@last"
_LOOKED_AT = 2_000
"""Newest runs among which a near id is looked for."""

_BY_TIME = "ORDER BY time_us DESC, run DESC"
_BY_PREFIX = "SELECT id FROM runs WHERE id >= ? AND id < ?"


def resolve(ask: Ask, typed: str, log: str) -> str:
    """The id of the one run that `typed` means.

    An exact id comes first, then `@last`, a trace id, and a prefix that only one id has. Raises
    InputError where no run or more than one is meant; it names up to three near ids.
    """
    name = typed.encode("utf-8", "replace").decode()
    if ask("SELECT 1 FROM runs WHERE id = ?", (name,)):
        return name
    if name == LAST:
        newest = _ids(ask, f"SELECT id FROM runs {_BY_TIME} LIMIT 1")
        if not newest:
            raise InputError(f"{log} holds no run.")
        return newest[0]
    if not name:
        raise InputError("run '' is empty: give an id, the beginning of one, or @last.")
    traced = _ids(ask, f"SELECT id FROM runs WHERE trace_id = ? {_BY_TIME} LIMIT 4", name)
    if len(traced) == 1:
        return traced[0]
    if traced:
        raise InputError(f"trace {name!r} has several runs in {log}: {_listed(traced)}.")
    begun = _ids(ask, f"{_BY_PREFIX} ORDER BY id LIMIT 4", name, _after(name))
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise InputError(f"run {name!r} is not one run in {log}: {_listed(begun)} begin so.")
    near = _near(ask, name)
    hint = f" Near it: {_listed(near)}." if near else ""
    raise InputError(f"no run {name!r} in {log}.{hint}")


def _near(ask: Ask, name: str) -> list[str]:
    from difflib import get_close_matches

    looked_at = _ids(ask, f"SELECT id FROM runs {_BY_TIME} LIMIT {_LOOKED_AT}")
    for length in range(len(name) - 1, 0, -1):
        same = _ids(ask, f"{_BY_PREFIX} LIMIT 50", name[:length], _after(name[:length]))
        if same:
            looked_at += same
            break
    return get_close_matches(name, dict.fromkeys(looked_at), n=3, cutoff=0.5)


def _ids(ask: Ask, sql: str, *values: str) -> list[str]:
    return [row[0] for row in ask(sql, values)]


def _after(prefix: str) -> str:
    return prefix + "\U0010ffff"


def _listed(ids: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in ids[:3])
    return f"{shown} and more" if len(ids) > 3 else shown
