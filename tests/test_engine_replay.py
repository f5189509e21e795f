"""A logged run packed again: as it was, under other settings, and against the log."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import msgspec
import pytest
from engine_inputs import counter, packed_ids, settings, sized
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from ctxpack import (
    Candidate,
    LoggedCandidate,
    LoggedSettings,
    PackResult,
    Record,
    Settings,
    decode,
    encode,
    pack,
)
from ctxpack.curves import ASSUMED
from ctxpack.explaining.admitting import smallest_change
from ctxpack.record import Section
from ctxpack.replay import (
    Against,
    against,
    can_recount,
    logged_settings,
    packed_in_order,
    repack,
    reproduces,
)
from ctxpack.value.logged_values import logged_value
from ctxpack.window import evidence_used, placed_evidence, placed_log, placed_result

many = effort(max_examples=250, deadline=None, derandomize=True)


def logged(candidates: list[Candidate], result: PackResult) -> Record:
    """The record that an application writes of a packing, read back from its line."""
    packed = {chunk.id: chunk for chunk in result.packed}
    skipped = {chunk.id: chunk for chunk in result.skipped}
    written: list[LoggedCandidate] = []
    for candidate in candidates:
        fields: dict[str, Any] = msgspec.structs.asdict(candidate)
        if chunk := packed.get(candidate.id):
            fields |= {
                "outcome": "packed",
                "tokens": chunk.tokens,
                "position": chunk.position,
                "start": chunk.start,
            }
        else:
            out = skipped[candidate.id]
            fields |= {"outcome": "skipped", "tokens": out.tokens, "reason": out.reason}
        written.append(LoggedCandidate(**fields))
    names = {field.name for field in msgspec.structs.fields(LoggedSettings)}
    chosen = msgspec.structs.asdict(result.settings)
    record = Record(
        schema=1,
        id="r",
        time="2026-11-30T09:00:00Z",
        query="q",
        settings=LoggedSettings(**{key: chosen[key] for key in chosen if key in names}),
        candidates=tuple(written),
    )
    return decode(encode(record)).record


@st.composite
def runs(draw: st.DrawFn) -> tuple[list[Candidate], Settings, int]:
    candidates = draw(sized(max_size=10, largest=90))
    chosen = draw(settings(candidates))
    size = draw(st.integers(1, 9))
    separator = "--" if draw(st.booleans()) else None
    chosen = msgspec.structs.replace(chosen, pins_first=False, separator=separator)
    return candidates, chosen, size


@many
@given(runs())
def test_a_run_of_the_engine_packs_again_as_it_was_logged(
    run: tuple[list[Candidate], Settings, int],
) -> None:
    candidates, chosen, size = run
    result = pack(candidates, chosen, separator_size=size)
    record = logged(candidates, result)
    assert [chunk.id for chunk in packed_in_order(record)] == packed_ids(result)
    assert evidence_used(record) == result.used
    places = placed_evidence(record, ASSUMED)
    assert [place.x for place in places] == [chunk.x for chunk in result.packed]
    if chosen.separator is None or len(result.packed) > 1:
        again = repack(record, logged_settings(record).settings)
        assert packed_ids(again) == packed_ids(result)
        assert again.used == result.used
        assert reproduces(record)


def test_replay_takes_the_logged_counts_and_what_if_recounts_where_all_texts_are_there() -> None:
    texts = (
        LoggedCandidate(id="a", rank=1, text="Within 30 days.", tokens=99),
        LoggedCandidate(id="b", rank=2, text="A refund.", tokens=2),
    )
    record = Record(schema=1, id="r", time="2026-11-30T09:00:00Z", query="q", candidates=texts)
    assert can_recount(record)
    chosen = Settings(budget=50)
    assert packed_ids(repack(record, chosen)) == ["b"]
    recounted = repack(record, chosen, counter())
    assert (packed_ids(recounted), recounted.counts) == (["a", "b"], "exact")
    without = msgspec.structs.replace(texts[1], text=None)
    some = msgspec.structs.replace(record, candidates=(texts[0], without))
    assert not can_recount(some)
    assert repack(some, chosen, counter()).counts == "logged"


def test_a_separator_whose_size_the_log_does_not_tell_is_left_out_and_that_is_said() -> None:
    record = Record(
        schema=1,
        id="r",
        time="2026-11-30T09:00:00Z",
        query="q",
        settings=LoggedSettings(budget=100, separator="\n---\n"),
        candidates=(LoggedCandidate(id="a", rank=1, tokens=5, outcome="packed", position=0),),
    )
    result = repack(record, logged_settings(record).settings)
    assert (packed_ids(result), result.settings.separator) == (["a"], None)
    assert result.warnings[0].startswith("the separator is left out")


def test_what_the_log_does_not_give_is_inferred_with_a_word() -> None:
    record = Record(
        schema=1,
        id="r",
        time="2026-11-30T09:00:00Z",
        query="q",
        settings=LoggedSettings(
            strategy="magic", placement="sideways", curve="ours", cutoff=5, pins=("ghost",)
        ),
        candidates=(
            LoggedCandidate(id="a", rank=1, tokens=5, outcome="packed"),
            LoggedCandidate(id="b", rank=2, tokens=9, outcome="skipped"),
        ),
    )
    found = logged_settings(record)
    assert (found.settings.budget, found.settings.strategy, found.settings.placement) == (
        5,
        "top",
        "best-first",
    )
    assert found.settings.pins == ()
    told = " ".join(found.said)
    for word in ("no budget", "'magic'", "'sideways'", "'ours'", "cutoff was 5", "pin 'ghost'"):
        assert word in told
    assert not reproduces(record)
    assert packed_ids(repack(record, found.settings)) == ["a"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", Against((), (), ())),
        ("abc", "abc", Against((), (), ())),
        ("abc", "abd", Against(("d",), ("c",), ())),
        ("abc", "cab", Against((), (), ("c",))),
        ("abcd", "dbca", Against((), (), ("d", "a"))),
        ("ab", "", Against((), ("a", "b"), ())),
    ],
)
def test_entered_left_and_moved_are_told_against_the_log(
    before: str, after: str, expected: Against
) -> None:
    assert against(tuple(before), tuple(after)) == expected


@many
@given(st.permutations(list("abcdefg")))
def test_moved_are_the_fewest_whose_leaving_makes_the_orders_equal(after: list[str]) -> None:
    before = tuple("abcdefg")
    moved = set(against(before, tuple(after)).moved)
    assert [name for name in after if name not in moved] == [n for n in before if n not in moved]
    fewer = (set(c) for size in range(len(moved)) for c in combinations(before, size))
    assert not any(
        [n for n in after if n not in gone] == [n for n in before if n not in gone]
        for gone in fewer
    )


# The smallest change


@many
@given(runs(), st.data())
def test_the_advised_budget_lets_the_chunk_in_and_no_smaller_larger_one_does(
    run: tuple[list[Candidate], Settings, int], data: st.DataObject
) -> None:
    candidates, chosen, size = run
    chosen = msgspec.structs.replace(chosen, bans=(), max_chunks=None)
    result = pack(candidates, chosen, separator_size=size)
    out = [chunk.id for chunk in result.skipped]
    if not out or (chosen.separator and len(result.packed) < 2):
        return
    lost = data.draw(st.sampled_from(out))
    advice = smallest_change(logged(candidates, result), [lost])
    words = advice.removesuffix(".").split(" ")
    if "budget" in words:
        told = int(words[words.index("budget") + 2])
        for budget in range(chosen.budget, told + 1):
            again = pack(
                candidates,
                msgspec.structs.replace(chosen, budget=budget),
                separator_size=size,
            )
            assert (lost in packed_ids(again)) == (budget == told)
    for strategy in ("first-fit", "top", "density", "optimal"):
        again = pack(
            candidates, msgspec.structs.replace(chosen, strategy=strategy), separator_size=size
        )
        assert (f"strategy {strategy}" in advice) == (lost in packed_ids(again))
    pinned = msgspec.structs.replace(chosen, pins=(*chosen.pins, lost))
    again = pack(candidates, pinned, separator_size=size)
    assert ("pinning it" in advice) == (lost in packed_ids(again))


def out_of_reach(**settings_: Any) -> Record:
    candidates = (
        LoggedCandidate(id="a", rank=1, tokens=50, outcome="packed", position=0),
        LoggedCandidate(id="b", rank=2, tokens=60, outcome="skipped", reason="no_room"),
    )
    return Record(
        schema=1,
        id="r",
        time="2026-11-30T09:00:00Z",
        query="q",
        settings=LoggedSettings(budget=100, **settings_),
        candidates=candidates,
    )


def test_where_no_single_change_helps_that_is_said() -> None:
    said = smallest_change(out_of_reach(bans=("b",)), ["b"])
    assert said.startswith("No single change of budget, strategy or pin lets it in")


def test_a_run_that_cannot_be_packed_again_says_why() -> None:
    record = out_of_reach(value="score")
    scored_ = tuple(
        msgspec.structs.replace(candidate, score=0.5) for candidate in record.candidates
    )
    said = smallest_change(msgspec.structs.replace(record, candidates=scored_), ["b"])
    assert said.startswith("The logged candidates cannot be packed again: value score")


def test_the_advice_names_the_budget_and_how_many_tokens_more_that_is() -> None:
    record = out_of_reach()
    said = smallest_change(record, ["b"])
    assert "a budget of 110 tokens (+10)" in said


def test_the_logged_value_is_by_gain_where_its_own_cannot_be_had() -> None:
    by_gain = logged_value(out_of_reach())
    assert by_gain == 1.0
    unknown = out_of_reach(value="score")
    scored_ = tuple(msgspec.structs.replace(c, score=0.5) for c in unknown.candidates)
    assert logged_value(msgspec.structs.replace(unknown, candidates=scored_)) == 1.0


def test_what_if_places_are_told_in_the_window_as_it_would_be() -> None:
    record = msgspec.structs.replace(
        out_of_reach(),
        sections=(
            Section(name="system", tokens=100),
            Section(name="evidence", tokens=50),
            Section(name="question", tokens=40),
        ),
    )
    result = repack(record, Settings(budget=110))
    first, second = placed_result(record, result)
    total = 190 + 60
    assert (first.window_x, second.window_x) == ((100 + 25) / total, (150 + 30) / total)
    assert (first.x, second.x) == (25 / 110, 80 / 110)
    (logged_spot,) = placed_log(placed_evidence(record, ASSUMED))
    assert logged_spot.window_x == 125 / 190
    assert [spot.window_x for spot in placed_result(out_of_reach(), result)] == [None, None]
