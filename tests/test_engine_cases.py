"""Inputs of the kind that broke other tools: what the engine makes of them."""

from __future__ import annotations

import json

import pytest
from engine_inputs import counter, packed_ids, skipped_reasons

from ctxpack import (
    STRATEGIES,
    Candidate,
    InputError,
    Settings,
    decode,
    encode,
    pack,
    result_json,
)
from ctxpack.packing import valid_or_refuse


def ranked(*sizes: int) -> list[Candidate]:
    return [Candidate(id=f"c{n}", rank=n, tokens=size) for n, size in enumerate(sizes, start=1)]


# Filling


def test_filling_goes_on_past_a_chunk_that_does_not_fit_and_stopping_is_a_strategy_of_its_own() -> (
    None
):
    chunks = ranked(250, 700, 90, 200)
    assert packed_ids(pack(chunks, Settings(budget=400))) == ["c1", "c3"]
    assert packed_ids(pack(chunks, Settings(budget=400, strategy="first-fit"))) == ["c1"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_header_longer_than_the_budget_leaves_its_chunk_out_and_stops_nothing(
    strategy: str,
) -> None:
    chunks = [
        Candidate(id="m", rank=1, header="page " * 140, text="Twenty tokens of text."),
        Candidate(id="n", rank=2, text="Short."),
    ]
    result = pack(chunks[:1], Settings(budget=128, strategy=strategy), count=counter())
    assert (packed_ids(result), skipped_reasons(result)) == ([], {"m": "too_long"})
    if strategy != "first-fit":
        both = pack(chunks, Settings(budget=128, strategy=strategy), count=counter())
        assert packed_ids(both) == ["n"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_one_budget_bounds_the_sum_and_not_each_chunk(strategy: str) -> None:
    result = pack(ranked(*[900] * 100), Settings(budget=5000, strategy=strategy))
    assert (len(result.packed), result.used) == (5, 4500)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("placement", ["best-first", "ends"])
def test_an_empty_chunk_is_invalid_and_nothing_is_divided_by_its_length(
    strategy: str, placement: str
) -> None:
    chunks = [
        Candidate(id="blank", rank=1, text="", tokens=0, score=2.0, score_kind="bm25"),
        Candidate(id="good", rank=2, text="ok", tokens=1, score=1.0, score_kind="bm25"),
    ]
    for count in (None, counter()):
        for value in ("gain", "score"):
            settings = Settings(budget=100, strategy=strategy, placement=placement, value=value)  # type: ignore[arg-type]
            result = pack(chunks, settings, count=count)
            assert packed_ids(result) == ["good"]
            (out,) = result.skipped
            assert (out.reason, out.detail, out.tokens) == ("invalid", {"why": "empty"}, None)
            assert result.warnings == ("candidate 'blank' is invalid: empty.",)


@pytest.mark.parametrize(
    ("chunk", "why"),
    [
        (Candidate(id="a", rank=1), "neither text nor tokens"),
        (Candidate(id="a", rank=1, text=""), "empty"),
        (Candidate(id="a", rank=1, text="", header="A header", tokens=9), "empty"),
        (Candidate(id="a", rank=1, tokens=0), "0 tokens"),
        (Candidate(id="a", rank=1, tokens=-5), "-5 tokens"),
        (Candidate(id="a", rank=1, text="not counted"), "not counted"),
    ],
)
def test_what_cannot_be_packed_is_invalid_and_says_which(chunk: Candidate, why: str) -> None:
    result = pack([chunk, *ranked(0, 5)[1:]], Settings(budget=100))
    assert result.skipped[0].detail == {"why": why}
    assert packed_ids(result) == ["c2"]
    valid_or_refuse(result)


def test_a_list_without_one_valid_candidate_is_refused_naming_the_first() -> None:
    nothing = pack([Candidate(id="a"), Candidate(id="b", text="")], Settings(budget=100))
    with pytest.raises(
        InputError, match="not one valid candidate among 2; the first, 'a': neither"
    ):
        valid_or_refuse(nothing)
    with pytest.raises(InputError, match="not one valid candidate among 0"):
        valid_or_refuse(pack([], Settings(budget=100)))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_where_everything_is_larger_than_the_budget_nothing_is_packed_and_used_is_nothing(
    strategy: str,
) -> None:
    result = pack(ranked(36, 41), Settings(budget=10, strategy=strategy))
    assert (result.packed, result.used) == ((), 0)
    assert result.skipped[0].reason == "too_long"
    assert "NaN" not in json.dumps(result_json(result))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(budget=-271), "budget is -271: it must be 0 tokens or more"),
        (Settings(budget=9, max_chunks=-1), "max_chunks is -1"),
        (Settings(budget=9, strategy="best"), "unknown strategy 'best': choose one of first-fit"),
        (Settings(budget=9, placement="top"), "unknown placement 'top': choose one of best-first"),
        (Settings(budget=9, curve="ours"), "unknown curve 'ours'"),
        (Settings(budget=9, pins=("a",), bans=("a",)), "'a' is both pinned and banned"),
        (Settings(budget=9, pins=("ghost",)), "pin 'ghost' is not among the candidates"),
        (Settings(budget=9, separator="--"), "a separator needs counting"),
        (Settings(budget=9, group="page"), "unknown group 'page'"),
        (Settings(budget=9, cutoff=1.01), "cutoff is 1.01: it must be from 0 to 1"),
        (Settings(budget=9, cutoff=float("nan")), "cutoff is nan"),
        (Settings(budget=9, dedupe=-0.1), "dedupe is -0.1: it must be from 0 to 1"),
        (Settings(budget=9, mmr_lambda=2.0), "mmr_lambda is 2: it must be from 0 to 1"),
        (Settings(budget=9, margin=-1.0), "margin is -1: it must be 0 or more"),
        (Settings(budget=9, margin=float("inf")), "margin is inf: it must be 0 or more"),
        (Settings(budget=9, margin=float("nan")), "margin is nan: it must be 0 or more"),
        (Settings(budget=9, value="calibrated"), "value calibrated needs a calibration"),
        (Settings(budget=9, rendering="markdown"), "unknown rendering 'markdown': choose"),
    ],
)
def test_settings_that_cannot_be_packed_with_are_refused_in_one_sentence(
    settings: Settings, words: str
) -> None:
    with pytest.raises(InputError) as caught:
        pack(ranked(5), settings)
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)


# Reasons


def test_the_reason_is_the_rule_that_left_the_chunk_out_and_not_another() -> None:
    chunks = ranked(*[50] * 21)
    result = pack(chunks, Settings(budget=100_000, max_chunks=20, bans=("c3",)))
    assert skipped_reasons(result) == {"c3": "banned"}
    result = pack(chunks, Settings(budget=100_000, max_chunks=20))
    assert skipped_reasons(result) == {"c21": "over_count"}
    assert result.skipped[0].detail == {"place": 21, "max_chunks": 20}
    assert result.used == 1000 < result.budget


def test_the_count_is_by_rank_and_pins_do_not_count() -> None:
    chunks = [
        Candidate(id="third", rank=30, tokens=5),
        Candidate(id="first", rank=4, tokens=5),
        Candidate(id="second", rank=9, tokens=5),
        Candidate(id="pin", tokens=5, pinned=True),
    ]
    result = pack(chunks, Settings(budget=100, max_chunks=2))
    assert packed_ids(result) == ["first", "second", "pin"]
    assert skipped_reasons(result) == {"third": "over_count"}


# Pins


def test_a_pin_that_does_not_fit_is_reported_loudly() -> None:
    chunks = [
        Candidate(id="p1", tokens=600, pinned=True),
        Candidate(id="p2", tokens=700, pinned=True),
        Candidate(id="c1", rank=1, tokens=200),
    ]
    result = pack(chunks, Settings(budget=1000))
    assert sorted(packed_ids(result)) == ["c1", "p1"]
    (out,) = result.skipped
    assert (out.id, out.reason) == ("p2", "no_room")
    assert out.detail == {"needed": 700, "left": 400, "pinned": True}
    assert result.warnings == ("PIN NOT IN: 'p2' needs 700 tokens, 400 are left.",)


def test_a_pin_larger_than_the_whole_budget_is_reported_as_that() -> None:
    result = pack([Candidate(id="p", tokens=700, pinned=True)], Settings(budget=500))
    assert result.skipped[0].detail == {"needed": 700, "budget": 500, "pinned": True}
    assert result.warnings == ("PIN NOT IN: 'p' needs 700 tokens, 500 are left.",)


def test_strict_pins_refuse_what_does_not_fit_or_cannot_be_packed() -> None:
    strict = Settings(budget=1000, pins_policy="strict", pins=("p1", "p2"))
    pins = [Candidate(id="p1", tokens=600), Candidate(id="p2", tokens=700)]
    with pytest.raises(InputError, match="pin 'p2' needs 700 tokens and 400 are left"):
        pack(pins, strict)
    with pytest.raises(InputError, match="pin 'p2' cannot be packed: empty"):
        pack([pins[0], Candidate(id="p2", text="")], strict)


def test_pins_are_kept_in_given_order_the_settings_first() -> None:
    pins = [
        Candidate(id="flagged", tokens=60, pinned=True, index=0),
        Candidate(id="named", tokens=60, index=1),
    ]
    result = pack(pins, Settings(budget=100, pins=("named",)))
    assert packed_ids(result) == ["named"]
    assert skipped_reasons(result) == {"flagged": "no_room"}


def test_pins_are_placed_like_the_others_or_first() -> None:
    chunks = [*ranked(10, 10), Candidate(id="pin", tokens=10, pinned=True)]
    assert packed_ids(pack(chunks, Settings(budget=100))) == ["c1", "c2", "pin"]
    first = pack(chunks, Settings(budget=100, pins_first=True, placement="best-last"))
    assert packed_ids(first) == ["pin", "c2", "c1"]


def test_a_pin_that_is_banned_is_told_to_be_out() -> None:
    pin = Candidate(id="p", tokens=5, pinned=True)
    result = pack([pin, *ranked(5)], Settings(budget=100, bans=("p",)))
    assert skipped_reasons(result) == {"p": "banned"}
    assert result.warnings == ("PIN NOT IN: 'p' is banned.",)


# The same id again


def test_the_same_id_and_text_is_a_duplicate_of_the_first() -> None:
    twice = [
        Candidate(id="f1", rank=1, text="Same passage."),
        Candidate(id="f1", rank=4, text="Same passage."),
        Candidate(id="f3", rank=2, text="Other."),
    ]
    result = pack(twice, Settings(budget=100), count=counter())
    assert packed_ids(result) == ["f1", "f3"]
    (out,) = result.skipped
    assert (out.id, out.reason) == ("f1#2", "duplicate")
    assert out.detail == {"of": "f1", "similarity": 1.0}
    assert "id 'f1' stands twice with the same text: one is left out." in result.warnings


def test_the_same_id_with_another_text_is_another_chunk_and_that_is_said() -> None:
    twice = [Candidate(id="a", rank=1, text="One."), Candidate(id="a", rank=2, text="Two.")]
    result = pack(twice, Settings(budget=100), count=counter())
    assert packed_ids(result) == ["a", "a#2"]
    assert result.warnings == ("id 'a' stands twice: the second is called 'a#2'.",)


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_merge_of_equal_ids_keeps_the_score_the_better_rank_and_the_pin(
    missing: float | None,
) -> None:
    unscored = Candidate(id="b", tokens=5, text="t", score=missing, rank=7)
    known = Candidate(
        id="b", tokens=5, text="t", score=0.9, score_kind="similarity", rank=2, pinned=True
    )
    other = Candidate(id="c", tokens=5, text="u", score=0.4, score_kind="similarity", rank=3)
    for order in ([unscored, known, other], [known, unscored, other], [other, unscored, known]):
        result = pack(order, Settings(budget=100, value="score"))
        merged = next(chunk for chunk in result.packed if chunk.id == "b")
        assert (merged.rank, merged.value, merged.pinned) == (2, 0.9, True)
        assert (result.value_by, result.value) == ("score", 1.3)
        assert skipped_reasons(result) == {"b#2": "duplicate"}


def test_a_record_of_repeated_ids_packs_again_as_the_live_run_did() -> None:
    twice = [{"id": "a", "rank": 1, "text": "Same.", "tokens": 3}] * 2
    live = pack([Candidate(**one) for one in twice], Settings(budget=100))
    line = json.dumps(
        {
            "schema": 1,
            "id": "r",
            "time": "2026-11-30T09:00:00Z",
            "query": "q",
            "candidates": twice,
        }
    )
    logged = decode(line).record
    again = pack(decode(encode(logged)).record.candidates, Settings(budget=100))
    assert packed_ids(again) == packed_ids(live) == ["a"]
    assert skipped_reasons(again) == skipped_reasons(live) == {"a#2": "duplicate"}


def test_two_texts_that_are_equal_under_their_own_ids_stay_two_chunks_without_dedupe() -> None:
    same = [Candidate(id="x", rank=1, text="Same."), Candidate(id="y", rank=2, text="Same.")]
    assert packed_ids(pack(same, Settings(budget=100), count=counter())) == ["x", "y"]


def test_ten_thousand_times_the_same_id_are_told_apart_in_no_time() -> None:
    same = [Candidate(id="a", rank=1, tokens=5, text="t")] * 10_000
    result = pack(same, Settings(budget=100))
    assert (len(result.packed), len(result.skipped)) == (1, 9_999)


# Counts


def test_a_stated_size_is_never_trusted_where_the_text_is_there() -> None:
    chunk = Candidate(id="a", rank=1, text="x" * 5000, tokens=10)
    result = pack([chunk], Settings(budget=10), count=counter())
    assert skipped_reasons(result) == {"a": "too_long"}
    needed = counter()("x" * 5000)
    assert result.skipped[0].detail == {"needed": needed, "budget": 10}
    assert result.warnings[0] == f"a: 10 tokens given, its text has {needed}."


def test_the_result_says_whether_counts_are_exact_or_logged() -> None:
    text = Candidate(id="a", rank=1, text="Within 30 days.", tokens=5)
    size = Candidate(id="b", rank=2, tokens=5)
    junk = Candidate(id="c", rank=3)
    assert pack([text], Settings(budget=50), count=counter()).counts == "exact"
    assert pack([text, junk], Settings(budget=50), count=counter()).counts == "exact"
    assert pack([text, size], Settings(budget=50), count=counter()).counts == "logged"
    assert pack([text], Settings(budget=50)).counts == "logged"


def test_the_room_that_a_reason_names_is_never_larger_than_the_budget() -> None:
    chunks = ranked(60, 101, 38)
    result = pack(chunks, Settings(budget=100, separator="--"), separator_size=4)
    assert packed_ids(result) == ["c1"]
    assert {chunk.id: chunk.detail for chunk in result.skipped} == {
        "c2": {"needed": 101, "budget": 100},
        "c3": {"needed": 38, "left": 36, "took_room": ["c1"]},
    }


def test_metadata_pass_through_a_packing_unchanged() -> None:
    chunk = Candidate(
        id="a", rank=1, tokens=5, doc_id="d", section="7 of 9", date="not a date", version="v2"
    )
    before = repr(chunk)
    pack([chunk], Settings(budget=100, pins=("a",)))
    assert repr(chunk) == before
