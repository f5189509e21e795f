"""Which candidate is meant: its id, or the beginning of one."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.errors import InputError

NEAREST = 3
"""How many ids are named where what was typed fits none, or several."""


def find_chunk(typed: str, ids: Sequence[str]) -> str:
    """The id that was typed, or the only one that begins with it.

    Raises InputError where there is none, naming the nearest ids, or where several begin so.
    """
    if typed in ids:
        return typed
    beginning = [name for name in ids if name.startswith(typed)] if typed else []
    if len(beginning) == 1:
        return beginning[0]
    if beginning:
        more = len(beginning) - NEAREST
        others = f" and {more:,} more" if more > 0 else ""
        named = ", ".join(beginning[:NEAREST])
        raise InputError(f"several candidates begin with {typed!r}: {named}{others}.")
    raise InputError(f"no candidate {typed!r} among {len(ids):,}{_near(typed, ids)}.")


def _near(typed: str, ids: Sequence[str]) -> str:
    from difflib import get_close_matches

    within = [name for name in ids if typed and typed.casefold() in name.casefold()]
    close = get_close_matches(typed, ids, n=NEAREST, cutoff=0.4)
    nearest = [*dict.fromkeys([*within, *close])][:NEAREST]
    return f"; near: {', '.join(nearest)}" if nearest else ""
