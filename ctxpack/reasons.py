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
        beside = "beside the pins" if detail.get("reserved") else ""
        room = f"{_shown(against)} {beside}" if beside else f"budget {_shown(against)}"
        return f"too long: {_shown(needed, 'tokens')} needed, {room}"
    if reason == "no_room":
        joints = detail.get("joints")
        aside = f" ({_shown(joints)} set aside for joining)" if joints else ""
        return _with_numbers("no room", needed, left, "left") + aside
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
        beside = " besides pins" if detail.get("pins") else ""
        over = f": number {place}{beside}, {kept} kept" if kept is not None else ""
        return f"over the count{over}"
    if reason == "below_cutoff":
        return _below("below the cut-off", detail)
    if reason == "below_cliff":
        return _below_cliff(detail)
    return _WORDS.get(reason, reason)


def tokens_in_words(tokens: int) -> str:
    """`1 token`, `1,204 tokens`."""
    return f"{tokens:,} token{'' if tokens == 1 else 's'}"


def _shown(number: object, unit: str = "") -> str:
    """A number of a log with marks at the thousands; what is none, as it was logged."""
    if isinstance(number, int) and not isinstance(number, bool):
        return tokens_in_words(number) if unit else f"{number:,}"
    return f"{number} {unit}".strip()


def _with_numbers(words: str, needed: object, against: object, what: str) -> str:
    if needed is None or against is None:
        return f"{words}: {_shown(needed, 'tokens')} needed" if needed is not None else words
    return f"{words}: {_shown(needed, 'tokens')} needed, {_shown(against)} {what}"


def _not_chosen(needed: object, left: object, loss: object) -> str:
    words = "not chosen"
    if isinstance(loss, int | float):
        words += f": value {loss:.3f} lower with it" if loss else ": worth no more with it"
    elif needed is not None and left is not None:
        words += f": {_shown(needed, 'tokens')} needed, {_shown(left)} left"
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
