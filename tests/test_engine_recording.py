"""What an application logs of a packing replays to the same packing."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack import (
    STRATEGIES,
    Candidate,
    Record,
    Settings,
    decode,
    encode,
    logged_candidates,
    logged_settings_of,
    pack,
)
from ctxpack.replay import packed_in_order, reproduces


def record_of(candidates: list[Candidate], asked: Settings) -> Record:
    result = pack(candidates, asked)
    return Record(
        schema=1,
        id="r",
        time="2026-11-19T09:30:00Z",
        query="q",
        settings=logged_settings_of(result),
        candidates=logged_candidates(candidates, result),
    )


@settings(max_examples=300, deadline=None)
@given(
    sizes=st.lists(st.integers(0, 300), min_size=1, max_size=12),
    budget=st.integers(0, 900),
    strategy=st.sampled_from(STRATEGIES),
    placement=st.sampled_from(("best-first", "best-last", "ends", "middle")),
    most=st.none() | st.integers(0, 6),
)
def test_a_recorded_packing_is_reproduced_from_its_line(
    sizes: list[int], budget: int, strategy: str, placement: str, most: int | None
) -> None:
    candidates = [Candidate(id=f"c{n}", rank=n, tokens=t) for n, t in enumerate(sizes, 1)]
    asked = Settings(budget=budget, strategy=strategy, placement=placement, max_chunks=most)
    record = decode(encode(record_of(candidates, asked))).record
    assert reproduces(record)
    assert [c.id for c in packed_in_order(record)] == [c.id for c in pack(candidates, asked).packed]


def test_every_candidate_is_logged_with_its_outcome_reason_and_numbers() -> None:
    candidates = [
        Candidate(id="a", rank=1, tokens=60),
        Candidate(id="b", rank=2, tokens=90),
        Candidate(id="b", rank=3, tokens=30, text="other"),
    ]
    first, second, third = record_of(candidates, Settings(budget=100)).candidates
    assert (first.outcome, first.position, first.start) == ("packed", 0, 0)
    assert (second.outcome, second.reason) == ("skipped", "no_room")
    assert second.detail == {"needed": 90, "left": 40}
    assert (third.id, third.outcome, third.start) == ("b#2", "packed", 60)
