"""Reasons in words, with their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_WORDS = {
    "banned": "banned",
    "duplicate": "duplicate",
    "below_cutoff": "below the cut-off",
    "below_cliff": "below the score cliff",
    "over_cap": "over the section's cap",
    "dropped": "dropped by the application",
    "not_in_prompt": "not found in the prompt",
}


def in_words(reason: str | None, detail: Mapping[str, Any], tokens: int | None = None) -> str:
    """Why a chunk is out: `no room: 912 tokens needed, 388 left`.

    A reason of the application's own is given as it was logged; no reason is said to be none.
    """
    needed = detail.get("needed", tokens)
    left = detail.get("left")
    if reason is None:
        return "no reason logged"
    if reason == "too_long":
        against = detail.get("budget", left)
        if needed is None or against is None:
            return "too long"
        return f"too long: {needed} tokens needed, budget {against}"
    if reason == "no_room":
        return _with_numbers("no room", needed, left, "left")
    if reason == "after_stop":
        stopped = detail.get("stopped_at")
        return f"after the stop at {stopped}" if stopped else "after the packer stopped"
    if reason == "not_chosen":
        return _not_chosen(needed, left, detail.get("loss"))
    if reason == "invalid":
        return f"invalid: {detail['why']}" if "why" in detail else "invalid"
    if reason == "duplicate" and "of" in detail:
        return f"duplicate of {detail['of']}"
    if reason == "over_count":
        kept, place = detail.get("max_chunks"), detail.get("place")
        return "over the count" + (f": number {place}, {kept} kept" if kept is not None else "")
    return _WORDS.get(reason, reason)


def _with_numbers(words: str, needed: object, against: object, what: str) -> str:
    if needed is None or against is None:
        return f"{words}: {needed} tokens needed" if needed is not None else words
    return f"{words}: {needed} tokens needed, {against} {what}"


def _not_chosen(needed: object, left: object, loss: object) -> str:
    words = "not chosen"
    if isinstance(loss, int | float):
        words += f": value {loss:.3f} lower with it" if loss else ": worth no more with it"
    elif needed is not None and left is not None:
        words += f": {needed} tokens needed, {left} left"
    return words
