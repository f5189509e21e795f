"""What an application logs of a packing replays to the same packing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ctxpack import (
    PLACEMENTS,
    STRATEGIES,
    Candidate,
    InputError,
    LoggedCandidate,
    LoggedSettings,
    Record,
    Settings,
    decode,
    encode,
    logged_candidates,
    logged_settings_of,
    pack,
)
from ctxpack.replay import logged_settings, repack, reproduces
from ctxpack.value.calibration import Calibration


def record_of(candidates: list[Candidate], asked: Settings, query: str = "refunds") -> Record:
    result = pack(candidates, asked, query=query)
    return Record(
        schema=1,
        id="r",
        time="2026-11-19T09:30:00Z",
        query=query,
        settings=logged_settings_of(result),
        candidates=logged_candidates(candidates, result),
    )


SHARE = st.none() | st.floats(0, 1)
TABLE = Calibration(ranks=(0.6, 0.3, 0.1))
REGRESSION = Calibration(coefficients={"intercept": 0.2, "log_rank": -1.0, "score_share": 2.0})
TEXTS = ("refunds take thirty days", "Refunds  take thirty days", "shipping is free", "a refund")


@st.composite
def listed(draw: st.DrawFn) -> list[Candidate]:
    """Candidates with ranks and scores, with the one or the other, or with their texts alone."""
    kind: Any = draw(st.sampled_from(["similarity", "distance", "rerank", "bm25", None]))
    ranked = draw(st.booleans())
    score = st.floats(-4, 4) | st.none() if draw(st.booleans()) else st.floats(-4, 4)
    rows = st.tuples(st.integers(0, 30), score, st.sampled_from((*TEXTS, None)), st.integers(0, 7))
    return [
        Candidate(
            id=f"c{n}",
            rank=n if ranked else None,
            score=None if kind is None else score,
            score_kind=kind,
            text=text,
            tokens=tokens,
            pinned=pin == 7,
        )
        for n, (tokens, score, text, pin) in enumerate(draw(st.lists(rows, max_size=9)))
        if n or not ranked
    ]


ASKED = st.builds(
    Settings,
    budget=st.integers(0, 120),
    strategy=st.sampled_from(STRATEGIES),
    placement=st.sampled_from(PLACEMENTS),
    value=st.sampled_from([None, "gain", "score", "bm25", "calibrated"]),
    cutoff=SHARE,
    margin=st.none() | st.floats(0, 6),
    cliff=st.booleans(),
    max_chunks=st.none() | st.integers(0, 6),
    dedupe=SHARE,
    mmr_lambda=st.floats(0, 1),
    bans=st.sampled_from([(), ("c3",), ("c0", "c5")]),
    pins_first=st.booleans(),
    calibration=st.sampled_from([TABLE, REGRESSION]),
)


@settings(max_examples=1000, deadline=None, derandomize=True)
@given(listed(), ASKED)
def test_a_packing_of_any_settings_is_reproduced_from_its_line(
    candidates: list[Candidate], asked: Settings
) -> None:
    try:
        made = record_of(candidates, asked)
    except InputError:
        assume(False)
        return
    record = decode(encode(made)).record
    assert logged_settings(record).said == ()
    assert reproduces(record)
    logged = logged_settings(record).settings
    for name in ("cutoff", "margin", "cliff", "dedupe", "mmr_lambda", "max_chunks", "pins_first"):
        assert getattr(logged, name) == getattr(asked, name)
    assert logged.calibration is not None
    assert asked.calibration is not None
    assert logged.calibration.ranks == asked.calibration.ranks
    assert logged.calibration.coefficients == asked.calibration.coefficients


def test_word_scores_are_logged_where_they_ranked_and_no_candidate_has_a_score() -> None:
    candidates = [
        Candidate(id=n, text=text, tokens=4) for n, text in zip("abc", TEXTS, strict=False)
    ]
    record = record_of(candidates, Settings(budget=50, cutoff=0.5), query="refunds")
    assert [c.score_kind for c in record.candidates] == ["bm25"] * 3
    first, *_, last = (c.score or 0.0 for c in record.candidates)
    assert first > last == 0
    own = [Candidate(id=c.id, text=c.text, tokens=4, score=0.5) for c in candidates]
    record = record_of(own, Settings(budget=50), query="refunds")
    assert [(c.score, c.score_kind) for c in record.candidates] == [(0.5, None)] * 3


@pytest.mark.parametrize(
    ("logged", "said"),
    [
        ({"value": "calibrated"}, "value was calibrated, but no calibration is logged"),
        (
            {"value": "calibrated", "calibration": {"ranks": [2]}},
            "calibration: ranks, number 1, is 2: not from 0 to 1: gain is used.",
        ),
        ({"calibration": {"ranks": [0.5], "hash": "x"}}, "its content gives sha256:"),
        ({"cutoff": 1.5}, "cutoff was 1.5, which cannot be: left out."),
        ({"margin": -1.0}, "margin was -1, which cannot be: left out."),
        ({"dedupe": 7.0}, "dedupe was 7, which cannot be: left out."),
        ({"placement": "sideways"}, "placement 'sideways' is not one that this version knows"),
    ],
)
def test_a_logged_setting_that_cannot_be_used_is_left_out_with_a_sentence(
    logged: dict[str, Any], said: str
) -> None:
    record = Record(
        schema=1,
        id="r",
        time="2026-11-19T09:30:00Z",
        query="q",
        settings=LoggedSettings(budget=50, **logged),
        candidates=(LoggedCandidate(id="a", rank=1, tokens=5, outcome="packed"),),
    )
    found = logged_settings(record)
    assert len(found.said) == 1
    assert said in found.said[0]
    assert found.settings.value in (None, "gain")
    assert [chunk.id for chunk in repack(record, found.settings).packed] == ["a"]
    assert not reproduces(record)


def test_every_candidate_is_logged_with_its_outcome_reason_and_numbers() -> None:
    candidates = [
        Candidate(id="a", rank=1, tokens=60),
        Candidate(id="b", rank=2, tokens=90),
        Candidate(id="b", rank=3, tokens=30, text="other"),
    ]
    first, second, third = record_of(candidates, Settings(budget=100)).candidates
    assert (first.outcome, first.position, first.start) == ("packed", 0, 0)
    assert (second.outcome, second.reason) == ("skipped", "no_room")
    assert second.detail == {"needed": 90, "left": 40, "took_room": ["a"]}
    assert (third.id, third.outcome, third.start) == ("b#2", "packed", 60)
