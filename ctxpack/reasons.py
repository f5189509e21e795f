"""Reasons in words, with their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_WORDS = {
    "banned": "banned",
    "duplicate": "duplicate",
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
        similarity = detail.get("similarity")
        near = isinstance(similarity, int | float) and similarity < 1
        return f"duplicate of {detail['of']}" + (f": {similarity:.2f} alike" if near else "")
    if reason == "over_count":
        kept, place = detail.get("max_chunks"), detail.get("place")
        return "over the count" + (f": number {place}, {kept} kept" if kept is not None else "")
    if reason == "below_cutoff":
        return _below("below the cut-off", detail)
    if reason == "below_cliff":
        return _below_cliff(detail)
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


def _below(words: str, detail: Mapping[str, Any]) -> str:
    """The score and the last one that is allowed; of distances that is the highest."""
    score, allowed = detail.get("score"), detail.get("allowed")
    if not isinstance(score, int | float) or not isinstance(allowed, int | float):
        return words
    last = "lowest" if score < allowed else "highest"
    return f"{words}: score {score:.4g}, {last} {allowed:.4g}"


def _below_cliff(detail: Mapping[str, Any]) -> str:
    words = "below the score cliff"
    score, above, after = detail.get("score"), detail.get("above"), detail.get("cliff")
    if not isinstance(score, int | float) or not isinstance(above, int | float):
        return words
    place = f" after {after}" if isinstance(after, int) else ""
    return f"{words}: score {score:.4g}, cliff at {above:.4g}{place}"
