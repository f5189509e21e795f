"""What a person types for a setting, read strictly; what is off is said in one sentence."""

from __future__ import annotations

import math
import re
from typing import Any

from ctxpack.errors import InputError

LONGEST = 15
"""Digits of the longest whole number that is read."""


_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+")
"""A whole number with a comma at the thousands, as the screen writes it."""


def budget_typed(typed: str) -> dict[str, Any]:
    """A budget in tokens."""
    return {"budget": _whole(typed, "Type a whole number of tokens, 0 or more; Esc leaves.")}


def max_chunks_typed(typed: str) -> dict[str, Any]:
    """How many chunks may compete; nothing typed: all of them."""
    if not typed.strip():
        return {"max_chunks": None}
    return {"max_chunks": _whole(typed, "Type a whole number of chunks, or nothing for all.")}


def cutoff_typed(typed: str) -> dict[str, Any]:
    """A share of the score range, or `margin` and a number in the score's units; nothing: off."""
    wish = "Type a share from 0 to 1, margin and a number of 0 or more, or nothing for off."
    words = typed.split()
    if not words:
        return {"cutoff": None, "margin": None}
    if words[0].casefold() == "margin" and len(words) == 2:
        return {"cutoff": None, "margin": _number(words[1], wish)}
    if len(words) > 1:
        raise InputError(wish)
    return {"cutoff": _number(words[0], wish, 1.0), "margin": None}


def dedupe_typed(typed: str) -> dict[str, Any]:
    """The similarity from which on two texts are duplicates; nothing typed: off."""
    if not typed.strip():
        return {"dedupe": None}
    return {"dedupe": _number(typed, "Type a similarity from 0 to 1, or nothing for off.", 1.0)}


def lambda_typed(typed: str) -> dict[str, Any]:
    """What relevance weighs against newness in mmr."""
    return {"mmr_lambda": _number(typed, "Type a number from 0 to 1; Esc leaves.", 1.0)}


def _whole(typed: str, wish: str) -> int:
    typed = typed.strip()
    if _GROUPED.fullmatch(typed):
        typed = typed.replace(",", "")
    if not (typed.isascii() and typed.isdigit() and len(typed) <= LONGEST):
        raise InputError(wish)
    return int(typed)


def _number(typed: str, wish: str, largest: float = math.inf) -> float:
    typed = typed.strip()
    try:
        number = float(typed) if typed.isascii() and "_" not in typed else math.nan
    except ValueError:
        number = math.nan
    if not (0 <= number <= largest and math.isfinite(number)):
        raise InputError(wish)
    return number
