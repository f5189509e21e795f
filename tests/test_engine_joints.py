"""Joining texts can take tokens more: they are set aside, told, logged, and replayed."""

from __future__ import annotations

import msgspec
import pytest
from engine_inputs import counter

from ctxpack import (
    STRATEGIES,
    Candidate,
    Record,
    Settings,
    logged_candidates,
    logged_settings_of,
    pack,
)
from ctxpack.explaining.why import why_logged
from ctxpack.replay import logged_settings, reproduces

JOINED = (
    Candidate(id="a", rank=1, header="doc A", text="the refund window is 14 days after receipt"),
    Candidate(id="a2", rank=2, text="the refund window is 14 days after receipt of goods"),
    Candidate(id="b", rank=3, text="shipping to japan costs nine euros"),
    Candidate(id="c", rank=4, text="refund fee applies to opened stations"),
)
"""12, 11, 6 and 6 tokens; the first two joined are 25, all four 38."""


def test_what_the_joints_take_is_set_aside_and_what_still_fits_comes_in() -> None:
    result = pack(JOINED, Settings(budget=24), count=counter())
    assert [chunk.id for chunk in result.packed] == ["a", "b"]
    assert result.settings.joints == 2
    assert {chunk.id: chunk.detail for chunk in result.skipped} == {
        "a2": {"needed": 11, "left": 10, "took_room": ["a"], "joints": 2},
        "c": {"needed": 6, "left": 4, "took_room": ["b"], "joints": 2},
    }


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("budget", range(11, 40))
def test_a_record_of_joined_texts_replays_by_its_logged_counts_alone(
    strategy: str, budget: int
) -> None:
    settings_ = Settings(budget=budget, strategy=strategy)
    result = pack(JOINED, settings_, query="refund days", count=counter())
    record = Record(
        schema=1,
        id="joined",
        time="2026-11-19T09:30:00+01:00",
        query="refund days",
        settings=logged_settings_of(result),
        candidates=logged_candidates(JOINED, result),
    )
    assert reproduces(record)
    known = logged_settings(record).settings
    for chunk in result.skipped:
        found = why_logged(record, known, chunk.id, counter())
        assert found.verdict == "skipped"
        for change in found.changes:
            if change.kind == "budget":
                more = pack(
                    JOINED,
                    msgspec.structs.replace(settings_, budget=budget + int(change.amount or 0)),
                    query="refund days",
                    count=counter(),
                )
                assert chunk.id in [one.id for one in more.packed]
