"""Reasons in words, whatever numbers the log gives with them."""

from __future__ import annotations

from typing import Any

import pytest

from ctxpack.reasons import in_words

REASONS = (
    *("too_long", "no_room", "not_chosen", "over_count", "duplicate", "below_cutoff"),
    "below_cliff",
)


@pytest.mark.parametrize(
    ("reason", "detail", "tokens", "words"),
    [
        ("no_room", {"needed": 912, "left": 388}, None, "no room: 912 tokens needed, 388 left"),
        ("no_room", {}, 912, "no room: 912 tokens needed"),
        ("no_room", {}, None, "no room"),
        ("too_long", {"needed": 912, "budget": 500}, None, "too long: 912 tokens needed"),
        (
            "too_long",
            {"needed": 43, "budget": 30, "reserved": 60},
            None,
            "too long: 43 tokens needed, 30 beside the pins",
        ),
        (
            "too_long",
            {"needed": 625000, "budget": 1000},
            None,
            "too long: 625,000 tokens needed, budget 1,000",
        ),
        ("no_room", {"needed": 1, "left": 0}, None, "no room: 1 token needed, 0 left"),
        (
            "over_count",
            {"place": 3, "max_chunks": 2, "pins": 1},
            None,
            "over the count: number 3 besides pins, 2 kept",
        ),
        ("after_stop", {"stopped_at": "c2"}, None, "after the stop at c2"),
        ("after_stop", {}, None, "after the packer stopped"),
        ("invalid", {"why": "empty"}, None, "invalid: empty"),
        ("invalid", {}, None, "invalid"),
        ("duplicate", {"of": "c1"}, None, "duplicate of c1"),
        ("duplicate", {}, None, "duplicate"),
        ("duplicate", {"of": "c1", "similarity": 0.834}, None, "duplicate of c1: 0.83 alike"),
        (
            "below_cutoff",
            {"score": 0.31, "best": 0.9, "allowed": 0.4412, "cutoff": 0.6},
            None,
            "below the cut-off: score 0.31, lowest 0.4412",
        ),
        (
            "below_cutoff",
            {"score": 0.9, "allowed": 0.4412},
            None,
            "below the cut-off: score 0.9, highest 0.4412",
        ),
        ("below_cutoff", {}, None, "below the cut-off"),
        (
            "below_cliff",
            {"score": 0.3, "above": 0.9, "cliff": 4, "below": 0.31},
            None,
            "below the score cliff: score 0.3, cliff at 0.9 after 4",
        ),
        ("below_cliff", {"score": 0.3}, None, "below the score cliff"),
        ("over_count", {"place": 9, "max_chunks": 5}, None, "over the count: number 9, 5 kept"),
        ("over_count", {}, None, "over the count"),
        ("not_chosen", {"needed": 90, "left": 5}, None, "not chosen: 90 tokens needed, 5 left"),
        ("not_chosen", {}, None, "not chosen"),
        ("banned", {}, None, "banned"),
        ("not_in_prompt", {}, None, "not found in the prompt"),
        ("our own rule 7", {}, 5, "our own rule 7"),
        (None, {}, 5, "no reason logged"),
    ],
)
def test_a_reason_is_told_with_the_numbers_that_are_there(
    reason: str | None, detail: dict[str, Any], tokens: int | None, words: str
) -> None:
    assert in_words(reason, detail, tokens).startswith(words)


def test_what_forcing_a_chunk_in_would_cost_is_told() -> None:
    assert "0.131" in in_words("not_chosen", {"loss": 0.1309298})
    assert "no more" in in_words("not_chosen", {"loss": 0})


@pytest.mark.parametrize("reason", REASONS)
def test_numbers_that_are_none_do_no_harm(reason: str) -> None:
    numbers = ("needed", "left", "budget", "loss", "of", "place", "score", "allowed", "above")
    hostile = {key: ["\x1b[2J"] for key in numbers}
    assert in_words(reason, hostile)
