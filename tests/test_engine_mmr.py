"""Maximal marginal relevance within a budget, against seed 2's loop written out."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import msgspec
import pytest
from engine_inputs import packed_ids, skipped_reasons
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack import (
    Candidate,
    InputError,
    Likeness,
    Record,
    Settings,
    decode,
    encode,
    logged_candidates,
    logged_settings_of,
    pack,
)
from ctxpack.choosing import choose
from ctxpack.choosing.mmr import mmr
from ctxpack.choosing.mmr_rooms import mmr_holding
from ctxpack.errors import Stopped
from ctxpack.likeness.similarity import ONE, Similarities, compare
from ctxpack.replay import reproduces
from ctxpack.retrieved import Retrieved
from ctxpack.value.valuation import WHOLE, as_integers, gain
from ctxpack.weighed import Choice, Refusal, Weighed

many = settings(max_examples=200, deadline=None, derandomize=True)
LAMBDAS = st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0])
AXIS = st.integers(-2, 3).map(float)
BROKEN = st.just((float("nan"), 1.0))


@dataclass(frozen=True)
class Race:
    """Candidates to choose from, pins that are in, and how alike all of them are."""

    free: list[Weighed]
    pins: list[Weighed]
    similarities: Similarities

    def choose(self, room: int, share: float) -> Choice:
        return mmr(self.free, room, share, self.similarities, pins=self.pins)

    def ids(self, room: int, share: float) -> list[str]:
        return [chunk.id for chunk in self.choose(room, share).taken]

    @property
    def everything(self) -> int:
        return sum(chunk.cost for chunk in self.free)


@st.composite
def races(draw: st.DrawFn, max_size: int = 9, largest: int = 12) -> Race:
    """Vectors with few different numbers, so that equal ones, zeros and ties are common."""
    vectors = draw(st.lists(st.tuples(AXIS, AXIS) | BROKEN, min_size=1, max_size=max_size))
    query = draw(st.none() | st.tuples(AXIS, AXIS))
    pinned = draw(st.integers(0, 2)) if len(vectors) > 2 else 0
    values = [gain(rank) for rank in range(1, len(vectors) + 1)]
    worths = as_integers(values)
    chunks = []
    for place, value in enumerate(values):
        size = draw(st.integers(1, largest))
        name = f"c{place}"
        chunks.append(Weighed(name, place, place + 1, size, size, value, worths[place]))
    candidates = [Candidate(id=c.id, vector=v) for c, v in zip(chunks, vectors, strict=True)]
    chance = random.Random(draw(st.integers(0, 99)))
    chance.shuffle(chunks)
    return Race(chunks[pinned:], chunks[:pinned], compare(candidates, "", query))


def seed_2(race: Race, room: int, share: float) -> tuple[list[str], list[tuple[str, int]]]:
    """max of lambda * rel - (1 - lambda) * max cos, again and again; who is in, who is not."""
    weight = Fraction(str(share))
    similarities = race.similarities
    chosen = [chunk.id for chunk in race.pins]
    waiting = sorted(race.free, key=lambda chunk: chunk.by_rank)
    taken, passed, left = [], [], room

    def score(chunk: Weighed) -> tuple[bool, Fraction]:
        relevance = Fraction(chunk.worth, WHOLE)
        if similarities.relevance is not None:
            place = similarities.places[chunk.id]
            relevance = Fraction(int(similarities.relevance[place]), ONE)
        row = similarities.row(chunk.id)
        cosines = [int(row[similarities.places[other]]) for other in chosen]
        merit = weight * relevance - (1 - weight) * Fraction(max(cosines, default=0), ONE)
        return chunk.id not in similarities.unusable, merit

    while waiting:
        best = max(waiting, key=score)
        waiting.remove(best)
        if best.cost > left:
            passed.append((best.id, left))
            continue
        taken.append(best.id)
        chosen.append(best.id)
        left -= best.cost
    return taken, passed


@many
@given(races(), LAMBDAS, st.integers(0, 60))
def test_mmr_is_seed_2s_loop_with_a_budget_for_a_count(race: Race, share: float, room: int) -> None:
    taken, passed = seed_2(race, room, share)
    choice = race.choose(room, share)
    assert [chunk.id for chunk in choice.taken] == taken
    sizes = {chunk.id: chunk.cost for chunk in race.free}
    assert [
        (r.id, r.reason, r.detail.get("left", r.detail.get("budget"))) for r in choice.refused
    ] == [
        (
            name,
            "too_long" if sizes[name] > room else "no_room",
            room if sizes[name] > room else left,
        )
        for name, left in passed
    ]


@many
@given(races(), LAMBDAS, st.integers(0, 60))
def test_each_candidate_is_in_once_or_out_once_and_the_budget_holds(
    race: Race, share: float, room: int
) -> None:
    choice = race.choose(room, share)
    names = [chunk.id for chunk in choice.taken] + [refusal.id for refusal in choice.refused]
    assert sorted(names) == sorted(chunk.id for chunk in race.free)
    assert sum(chunk.cost for chunk in choice.taken) <= room


@many
@given(races(), LAMBDAS, st.integers(0, 60))
def test_the_span_of_rooms_in_which_the_choice_stays_is_exact(
    race: Race, share: float, room: int
) -> None:
    choice = race.choose(room, share)
    ids = [chunk.id for chunk in choice.taken]
    assert choice.steady is not None
    low, high = choice.steady
    assert low <= room
    assert race.ids(low, share) == ids
    assert low == 0 or race.ids(low - 1, share) != ids
    if high is None:
        assert race.ids(10_000, share) == ids
    else:
        assert high >= room
        assert race.ids(high, share) == ids
        assert race.ids(high + 1, share) != ids


@many
@given(races(), LAMBDAS, st.integers(0, 8), st.integers(0, 30))
def test_the_rooms_that_hold_a_chunk_are_those_of_choosing_at_every_room(
    race: Race, share: float, at: int, states: int
) -> None:
    chunk = race.free[at % len(race.free)]
    largest = race.everything + 2
    expected = [room for room in range(largest + 1) if chunk.id in race.ids(room, share)]
    held = mmr_holding(race.free, race.pins, race.similarities, share, chunk.id, largest)
    assert held.known == largest
    assert [room for low, high in held.spans for room in range(low, (high or 0) + 1)] == expected
    assert all(first[1] < second[0] - 1 for first, second in pairwise(held.spans))
    capped = mmr_holding(
        race.free, race.pins, race.similarities, share, chunk.id, largest, states=states
    )
    known = [room for low, high in capped.spans for room in range(low, (high or 0) + 1)]
    assert known == [room for room in expected if room <= capped.known]


def test_the_rooms_of_one_chunk_among_two_hundred_are_found_in_a_moment() -> None:
    race = two_hundred()
    held = mmr_holding(race.free, [], race.similarities, 0.5, "c125", race.everything)
    assert held.known == race.everything
    chance = random.Random(3)
    spans = [(low, high or 0) for low, high in held.spans]
    edges = [room for low, high in spans for room in (low - 1, low, high, high + 1)]
    within = [room for room in edges if room <= race.everything]
    for room in chance.sample(within, min(20, len(within))):
        inside = any(low <= room <= high for low, high in spans)
        assert ("c125" in race.ids(room, 0.5)) == inside


def test_a_chunk_that_is_not_among_the_candidates_has_no_rooms_to_tell() -> None:
    race = two_hundred()
    with pytest.raises(KeyError, match="ghost"):
        mmr_holding(race.free, [], race.similarities, 0.5, "ghost", 100)


def test_long_work_can_be_given_up() -> None:
    race = two_hundred()
    with pytest.raises(Stopped):
        mmr(race.free, 9000, 0.5, race.similarities, should_stop=lambda: True)
    with pytest.raises(Stopped):
        mmr_holding(race.free, [], race.similarities, 0.5, "c9", 9000, should_stop=lambda: True)


def two_hundred() -> Race:
    chance = random.Random(3)
    centres = [[chance.gauss(0, 1) for _ in range(16)] for _ in range(25)]
    candidates, chunks = [], []
    values = [gain(rank) for rank in range(1, 201)]
    for place, (value, worth) in enumerate(zip(values, as_integers(values), strict=True)):
        vector = tuple(x + 0.6 * chance.gauss(0, 1) for x in chance.choice(centres))
        size = chance.randint(60, 840)
        candidates.append(Candidate(id=f"c{place}", vector=vector))
        chunks.append(Weighed(f"c{place}", place, place + 1, size, size, value, worth))
    return Race(chunks, [], compare(candidates, "", tuple(centres[0])))


# Through pack


@st.composite
def texts_to_pack(draw: st.DrawFn) -> list[Candidate]:
    words = st.sampled_from(["refund", "late", "shipping", "days", "the", "漢字"])
    texts = draw(st.lists(st.lists(words, min_size=1, max_size=6).map(" ".join), max_size=9))
    return [
        Candidate(id=f"c{place}", rank=place + 1, text=text, tokens=draw(st.integers(1, 40)))
        for place, text in enumerate(texts)
    ]


@many
@given(texts_to_pack(), LAMBDAS, st.integers(0, 120), st.randoms(use_true_random=False))
def test_shuffled_input_gives_the_same_window(
    chunks: list[Candidate], share: float, budget: int, chance: random.Random
) -> None:
    chosen = Settings(budget=budget, strategy="mmr", mmr_lambda=share)
    result = pack(chunks, chosen, query="late refund")
    shuffled = list(chunks)
    chance.shuffle(shuffled)
    again = pack(shuffled, chosen, query="late refund")
    assert packed_ids(again) == packed_ids(result)
    assert skipped_reasons(again) == skipped_reasons(result)
    assert result.used <= budget


@many
@given(texts_to_pack(), st.integers(0, 120))
def test_lambda_1_is_the_order_of_relevance_and_nothing_else(
    chunks: list[Candidate], budget: int
) -> None:
    asked = Settings(budget=budget, strategy="mmr", mmr_lambda=1.0)
    result = pack(chunks, asked, query="late refund")
    similarities = compare(chunks, "late refund", None)
    nearness = [] if similarities.relevance is None else similarities.relevance.tolist()
    left, expected = budget, set()
    for chunk in sorted(chunks, key=lambda c: (-nearness[similarities.places[c.id]], c.rank)):
        if (chunk.tokens or 0) <= left:
            expected.add(chunk.id)
            left -= chunk.tokens or 0
    assert set(packed_ids(result)) == expected


@many
@given(texts_to_pack(), st.integers(0, 120))
def test_without_a_query_lambda_1_fills_by_value(chunks: list[Candidate], budget: int) -> None:
    by_value = pack(chunks, Settings(budget=budget, strategy="mmr", mmr_lambda=1.0))
    by_rank = pack(chunks, Settings(budget=budget, strategy="top"))
    assert packed_ids(by_value) == packed_ids(by_rank)


@many
@given(texts_to_pack(), LAMBDAS, LAMBDAS, st.integers(0, 120))
def test_kept_similarities_change_nothing(
    chunks: list[Candidate], share: float, other: float, budget: int
) -> None:
    likeness = Likeness()
    for chosen in (
        Settings(budget=budget, strategy="mmr", mmr_lambda=share),
        Settings(budget=budget + 9, strategy="mmr", mmr_lambda=other),
        Settings(budget=budget, strategy="mmr", mmr_lambda=share, query_vector=(1.0, 0.0)),
        Settings(budget=budget, strategy="mmr", mmr_lambda=share, bans=("c0",)),
    ):
        kept = pack(chunks, chosen, query="late refund", likeness=likeness)
        assert kept == pack(chunks, chosen, query="late refund")


def test_what_was_retrieved_keeps_its_similarities(monkeypatch: pytest.MonkeyPatch) -> None:
    chunks = [Candidate(id=name, rank=n, text=name, tokens=9) for n, name in enumerate("abc", 1)]
    retrieved = Retrieved(tuple(chunks), "a")
    first = retrieved.pack(Settings(budget=18, strategy="mmr"))

    def never(*_: object) -> Similarities:
        raise AssertionError("compared again")

    monkeypatch.setattr("ctxpack.likeness.similarity.compare", never)
    assert packed_ids(retrieved.pack(Settings(budget=18, strategy="mmr"))) == packed_ids(first)
    assert retrieved.pack(Settings(budget=99, strategy="mmr", mmr_lambda=0.2)).used == 27
    assert retrieved.pack(Settings(budget=18, strategy="top")).used == 18
    with pytest.raises(AssertionError):
        retrieved.pack(Settings(budget=18, strategy="mmr", query_vector=(1.0,)))


def test_a_recorded_packing_is_reproduced_from_its_line() -> None:
    words = ["late refund", "refund of a late parcel", "shipping", "refund", "late late refund"]
    chunks = [
        Candidate(id=f"c{n}", rank=n, text=text, tokens=9, vector=(1.0, n % 3 - 0.5))
        for n, text in enumerate(words, 1)
    ]
    without = [msgspec.structs.replace(chunk, vector=None) for chunk in chunks]
    for given_chunks, query_vector in ((chunks, (1.0, 0.2)), (without, None)):
        asked = Settings(
            budget=30, strategy="mmr", mmr_lambda=0.35, query_vector=query_vector, dedupe=0.9
        )
        result = pack(given_chunks, asked, query="late refund")
        record = Record(
            schema=1,
            id="r",
            time="2026-11-19T09:30:00Z",
            query="late refund",
            settings=logged_settings_of(result),
            candidates=logged_candidates(given_chunks, result),
        )
        assert reproduces(decode(encode(record)).record)


def test_eight_versions_of_one_answer_do_not_crowd_the_other_answer_out() -> None:
    same = "Refunds are paid within thirty days of the return, says version {}."
    chunks = [Candidate(id=f"v{n}", rank=n, text=same.format(n), tokens=9) for n in range(1, 9)]
    chunks.append(Candidate(id="other", rank=9, text="Late parcels: the carrier pays.", tokens=9))
    query = "refund for a late parcel or a return within thirty days"
    asked = Settings(budget=18, strategy="mmr")
    assert packed_ids(pack(chunks, asked, query=query)) == ["v1", "other"]
    plain = msgspec.structs.replace(asked, strategy="top")
    assert packed_ids(pack(chunks, plain, query=query)) == ["v1", "v2"]


def test_pins_that_are_in_count_as_chosen_and_those_that_are_not_do_not() -> None:
    vectors = {"pin": (1.0, 0.1), "near": (1.0, 0.0), "far": (0.6, 0.8)}
    chunks = [
        Candidate(id=name, rank=rank, tokens=10, vector=vector, pinned=name == "pin")
        for rank, (name, vector) in enumerate(vectors.items(), 1)
    ]
    asked = Settings(budget=20, strategy="mmr", mmr_lambda=0.3, query_vector=(1.0, 0.0))
    assert set(packed_ids(pack(chunks, asked))) == {"pin", "far"}
    large = [msgspec.structs.replace(chunks[0], tokens=30), *chunks[1:]]
    assert packed_ids(pack(large, msgspec.structs.replace(asked, budget=10))) == ["near"]


def test_a_chunk_that_does_not_fit_is_passed_over_with_what_was_left_at_its_turn() -> None:
    chunks = [
        Candidate(id="a", rank=1, tokens=50, vector=(1.0, 0.0)),
        Candidate(id="b", rank=2, tokens=60, vector=(0.9, 0.1)),
        Candidate(id="c", rank=3, tokens=30, vector=(0.5, 0.5)),
        Candidate(id="d", rank=4, tokens=30, vector=(0.0, 1.0)),
        Candidate(id="e", rank=5, tokens=101, vector=(0.0, 1.0)),
    ]
    asked = Settings(budget=100, strategy="mmr", mmr_lambda=1.0, query_vector=(1.0, 0.0))
    result = pack(chunks, asked)
    assert packed_ids(result) == ["a", "c"]
    assert {chunk.id: (chunk.reason, chunk.detail) for chunk in result.skipped} == {
        "b": ("no_room", {"needed": 60, "left": 50, "took_room": ["a"]}),
        "d": ("no_room", {"needed": 30, "left": 20, "took_room": ["c"]}),
        "e": ("too_long", {"needed": 101, "budget": 100}),
    }


def test_a_separator_is_charged_between_the_chosen() -> None:
    chunks = [Candidate(id=f"c{n}", rank=n, tokens=50, vector=(1.0, float(n))) for n in (1, 2, 3)]
    asked = Settings(budget=104, strategy="mmr", separator="--")
    assert pack(chunks, asked, separator_size=4).used == 104
    tight = msgspec.structs.replace(asked, budget=103)
    assert pack(chunks, tight, separator_size=4).used == 50


def test_warnings_of_the_comparison_reach_the_result_and_only_under_mmr() -> None:
    chunks = [
        Candidate(id="a", rank=1, tokens=5, vector=(1.0, 0.0)),
        Candidate(id="b", rank=2, tokens=5, vector=(1.0,)),
        Candidate(id="c", rank=3, tokens=5, vector=(0.0, 1.0)),
    ]
    said = "'b' (length 1, not 2): not comparable, chosen last by mmr."
    assert pack(chunks, Settings(budget=9, strategy="mmr")).warnings == (said,)
    assert pack(chunks, Settings(budget=9)).warnings == ()


def test_what_cannot_be_compared_comes_last_among_equals() -> None:
    vectors = {"broken": (float("nan"), 0.0), "zero": (0.0, 0.0), "across": (0.0, 1.0)}
    chunks = [
        Candidate(id=name, rank=rank, tokens=5, vector=vector)
        for rank, (name, vector) in enumerate(vectors.items(), 1)
    ]
    asked = Settings(budget=10, strategy="mmr", mmr_lambda=1.0, query_vector=(1.0, 0.0))
    assert packed_ids(pack(chunks, asked)) == ["zero", "across"]


def test_a_vector_that_is_no_number_is_chosen_after_every_one_that_is_at_any_lambda() -> None:
    vectors = {"a": (1.0, 0.0), "nan": (float("nan"), 1.0), "b": (0.9, 0.1), "zero": (0.0, 0.0)}
    chunks = [
        Candidate(id=name, rank=rank, tokens=5, vector=vector)
        for rank, (name, vector) in enumerate(vectors.items(), 1)
    ]
    for share in (0.0, 0.3, 0.7, 1.0):
        asked = Settings(budget=15, strategy="mmr", mmr_lambda=share, query_vector=(1.0, 0.0))
        result = pack(chunks, asked)
        assert set(packed_ids(result)) == {"a", "b", "zero"}
        said = "'nan' (NaN or an infinite number): not comparable, chosen last by mmr."
        assert result.warnings == (said,)
        everything = pack(chunks, msgspec.structs.replace(asked, budget=20))
        assert "nan" in packed_ids(everything)


def test_a_lambda_outside_0_to_1_and_an_unknown_setting_are_refused() -> None:
    with pytest.raises(InputError, match=r"mmr_lambda is 1\.5: it must be from 0 to 1"):
        pack([], Settings(budget=9, strategy="mmr", mmr_lambda=1.5))
    with pytest.raises(TypeError, match="mmr needs similarities"):
        choose([], 9, Settings(budget=9, strategy="mmr"))
    with pytest.raises(TypeError, match="lambda_mult"):
        Settings(budget=9, strategy="mmr", lambda_mult=0.1)  # type: ignore[call-arg]


def test_more_candidates_than_are_kept_are_chosen_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    race = two_hundred()
    kept = race.ids(12_000, 0.5)
    monkeypatch.setattr("ctxpack.likeness.similarity.KEPT", 50)
    assert two_hundred().ids(12_000, 0.5) == kept
    refusals: Sequence[Refusal] = race.choose(12_000, 0.5).refused
    assert len(refusals) + len(kept) == 200
