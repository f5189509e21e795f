"""What is no candidate, or no setting, is refused in words that name it."""

from __future__ import annotations

from typing import Any

import pytest

from ctxpack import Candidate, InputError, Settings, pack

GOOD = Candidate(id="good", rank=1, tokens=5)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"rank": 0}, "candidate 'bad': rank is 0: it must be a whole number, 1 or more."),
        ({"rank": -3}, "candidate 'bad': rank is -3"),
        ({"rank": True}, "candidate 'bad': rank is True"),
        ({"rank": 1.5}, "candidate 'bad': rank is 1.5"),
        ({"index": -1}, "candidate 'bad': index is -1: it must be a whole number, 0 or more."),
        ({"tokens": "9"}, "candidate 'bad': tokens is '9': it must be a whole number."),
        ({"score": "0.9"}, "candidate 'bad': score is '0.9': it must be a number."),
        ({"text": b"bytes"}, "candidate 'bad': text is no text."),
        ({"id": ""}, "candidate 2: id is '': it must be a text."),
    ],
)
def test_a_candidate_that_is_none_is_refused_by_its_id_and_field(
    fields: dict[str, Any], words: str
) -> None:
    bad = Candidate(**{"id": "bad", "tokens": 5, **fields})
    with pytest.raises(InputError) as refused:
        pack([GOOD, bad], Settings(budget=10))
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"budget": "9"}, "budget is '9': it must be a whole number."),
        ({"budget": 1.5}, "budget is 1.5: it must be a whole number."),
        ({"budget": True}, "budget is True: it must be a whole number."),
        ({"budget": None}, "budget is None: it must be a whole number."),
        ({"max_chunks": 2.0}, "max_chunks is 2.0: it must be a whole number."),
        ({"mmr_lambda": "0.5"}, "mmr_lambda is '0.5': it must be a number."),
        ({"mmr_lambda": None}, "mmr_lambda is None: it must be a number."),
        ({"margin": "far"}, "margin is 'far': it must be a number."),
        ({"cutoff": True}, "cutoff is True: it must be a number."),
        ({"dedupe": []}, "dedupe is []: it must be a number."),
    ],
)
def test_a_setting_of_the_wrong_kind_is_refused_by_its_name(
    fields: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError) as refused:
        pack([GOOD], Settings(**{"budget": 10, **fields}))
    assert words in str(refused.value)


def test_whole_numbers_stand_for_shares() -> None:
    assert pack([GOOD], Settings(budget=10, mmr_lambda=1, dedupe=1)).used == 5
