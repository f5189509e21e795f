"""The calibrated value: what a calibration file may be, and what it makes of candidates."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from engine_inputs import counter, packed_ids
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack import Candidate, InputError, PackResult, Settings, pack
from ctxpack.value.calibration import FEATURES, Calibration, content_hash, parse_calibration
from ctxpack.value.chances import chances, logistic

RANKS = {"calibration": 1, "ranks": [0.6, 0.25, 0.1]}
WEIGHTS = {
    "intercept": -0.3,
    "log_rank": -1.5,
    "score_share": 2.0,
    "log_tokens": 0.2,
    "lead": 0.7,
    "log_rank_score_share": 0.4,
    "log_rank_log_tokens": -0.1,
}


def parsed(**content: Any) -> Calibration:
    return parse_calibration(json.dumps({"calibration": 1} | content).encode())


def packed(candidates: list[Candidate], calibration: Calibration, **more: Any) -> PackResult:
    chosen: dict[str, Any] = {"budget": 1000, "value": "calibrated", "calibration": calibration}
    return pack(candidates, Settings(**chosen | more))


def scored(*scores: float | None, kind: Any = "similarity") -> list[Candidate]:
    return [
        Candidate(id=f"c{n}", rank=n, score=score, score_kind=kind, tokens=10 * n)
        for n, score in enumerate(scores, start=1)
    ]


def values(result: PackResult) -> dict[str, float]:
    return {chunk.id: chunk.value for chunk in result.packed}


# Files


def test_a_table_and_coefficients_are_read_with_a_hash_of_their_content() -> None:
    table = parse_calibration(json.dumps(RANKS).encode())
    assert (table.ranks, table.coefficients) == ((0.6, 0.25, 0.1), {})
    assert table.hash is not None
    assert table.hash.startswith("sha256:")
    assert table.hash == content_hash(table)
    assert parsed(**RANKS, hash=table.hash, about={"questions": 512}) == table
    both = parsed(ranks=[0.5, 0], coefficients=WEIGHTS)
    assert tuple(both.coefficients) == FEATURES
    assert both.hash != table.hash


def test_the_hash_is_of_the_content_however_it_is_written() -> None:
    turned = parsed(coefficients=dict(reversed(WEIGHTS.items())))
    spaced = json.dumps({"coefficients": WEIGHTS, "calibration": 1}, indent=3).encode()
    assert turned.hash == parse_calibration(spaced).hash
    assert parsed(ranks=[1]).hash == parsed(ranks=[1.0]).hash
    assert parsed(ranks=[0.5]).hash != parsed(ranks=[0.5000001]).hash


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it is not JSON"),
        (b"ranks: 1", "it is not JSON"),
        (b"\xff\xfe", "it is not JSON"),
        (b"[0.5]", "it must be a JSON object"),
        (b"{}", '"calibration": 1 must name the format'),
        (b'{"calibration": true, "ranks": [1]}', '"calibration": 1 must name the format'),
        (b'{"calibration": 2, "ranks": [1]}', '"calibration": 1 must name the format'),
        (b'{"calibration": 1}', "it has neither ranks nor coefficients"),
        (b'{"calibration": 1, "ranks": []}', "it has neither ranks nor coefficients"),
        (b'{"calibration": 1, "ranks": 0.5}', "ranks must be a list"),
        (b'{"calibration": 1, "ranks": "0.5"}', "ranks must be a list"),
        (b'{"calibration": 1, "ranks": [0.5, 1.5]}', "ranks, number 2, is 1.5: not from 0 to 1"),
        (b'{"calibration": 1, "ranks": [0.5, -0.1]}', "ranks, number 2, is -0.1"),
        (b'{"calibration": 1, "ranks": [null]}', "ranks, number 1 is None: it must be a finite"),
        (b'{"calibration": 1, "ranks": [true]}', "ranks, number 1 is True: it must be a finite"),
        (b'{"calibration": 1, "coefficients": [1]}', "coefficients must be an object"),
        (b'{"calibration": 1, "coefficients": {"rank": 1}}', "unknown coefficient 'rank': choose"),
        (b'{"calibration": 1, "coefficients": {"lead": "1"}}', "coefficient lead is '1'"),
        (b'{"calibration": 1, "coefficients": {"lead": 1e7}}', "coefficient lead is 1e+07: past"),
        (b'{"calibration": 1, "rank": [0.5]}', "unknown key 'rank'"),
        (b'{"calibration": 1, "ranks": [0.5], "hash": "sha256:0"}', "its hash is 'sha256:0' but"),
    ],
)
def test_what_is_no_calibration_is_refused_in_one_sentence(content: bytes, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_calibration(content)
    assert str(caught.value).startswith("calibration: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@settings(max_examples=500, deadline=None, derandomize=True)
@given(
    st.binary(max_size=60)
    | st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["calibration", "ranks", "coefficients", "hash", *FEATURES]), inner
            )
        ),
        max_leaves=8,
    ).map(lambda value: json.dumps(value).encode())
)
def test_any_bytes_are_a_calibration_or_refused_in_words(content: bytes) -> None:
    try:
        found = parse_calibration(content)
    except InputError:
        return
    assert found.ranks or found.coefficients


@pytest.mark.parametrize(
    ("calibration", "said"),
    [
        (Calibration(), "it has neither ranks nor coefficients"),
        (Calibration(ranks=(0.5, 2.0)), "ranks, number 2, is 2"),
        (Calibration(coefficients={"lead": math.nan}), "coefficient lead is nan"),
        (Calibration(coefficients={"mood": 1.0}), "unknown coefficient 'mood'"),
        (Calibration(ranks=(0.5,), hash="sha256:0"), "its hash is 'sha256:0'"),
    ],
)
def test_a_calibration_made_in_python_is_checked_as_a_file_is(
    calibration: Calibration, said: str
) -> None:
    with pytest.raises(InputError, match=f"calibration: {said}"):
        packed(scored(0.9, 0.5), calibration)


# Values


def test_a_table_gives_the_chance_by_rank_and_its_last_number_to_later_ranks() -> None:
    result = packed(scored(None, None, None, None, None), parsed(**RANKS))
    assert result.value_by == result.settings.value == "calibrated"
    assert values(result) == {"c1": 0.6, "c2": 0.25, "c3": 0.1, "c4": 0.1, "c5": 0.1}
    assert result.warnings == ()


def test_coefficients_are_of_the_features_that_they_name() -> None:
    result = packed(scored(0.8, 0.6, 0.2), parsed(coefficients=WEIGHTS))
    lead = (0.8 - 0.6) / 0.8
    for chunk in result.packed:
        rank = int(chunk.id[1:])
        share = {1: 1.0, 2: 0.6 / 0.8, 3: 0.2 / 0.8}[rank]
        log_rank, log_tokens = math.log(rank), math.log(10 * rank)
        odds = (
            -0.3
            - 1.5 * log_rank
            + 2.0 * share
            + 0.2 * log_tokens
            + 0.7 * lead
            + 0.4 * log_rank * share
            - 0.1 * log_rank * log_tokens
        )
        assert chunk.value == pytest.approx(1 / (1 + math.exp(-odds)), rel=1e-12)


def test_distances_and_logits_are_shared_by_their_value_and_not_as_they_are() -> None:
    share = parsed(coefficients={"score_share": 1.0})
    near = values(packed(scored(0.0, 1.0, kind="distance"), share))
    assert near == {"c1": logistic(1.0), "c2": logistic(0.5)}
    deep = values(packed(scored(-1.0, -3.0, kind="rerank"), share))
    assert deep["c2"] == pytest.approx(logistic(logistic(-3.0) / logistic(-1.0)))
    shifted = values(packed(scored(2.0, -2.0, kind="bm25"), share))
    assert shifted == {"c1": logistic(1.0), "c2": logistic(0.0)}


def test_scores_that_are_all_nothing_are_all_the_best() -> None:
    share = parsed(coefficients={"score_share": 1.0, "lead": 5.0})
    assert set(values(packed(scored(0.0, 0.0, kind="bm25"), share)).values()) == {logistic(1.0)}


def test_word_scores_are_the_scores_where_they_ranked() -> None:
    texts = ["windy day in london", "nothing of it", "windy"]
    chunks = [Candidate(id=str(place), text=text) for place, text in enumerate(texts)]
    chosen = Settings(
        budget=100, value="calibrated", calibration=parsed(coefficients={"score_share": 9.0})
    )
    result = pack(chunks, chosen, query="windy london", count=counter())
    assert packed_ids(result) == ["0", "2", "1"]
    assert (values(result)["0"], values(result)["1"]) == (logistic(9.0), 0.5)


def test_without_scores_the_table_stands_in_and_without_one_rank_gain_and_that_is_said_once() -> (
    None
):
    chunks = scored(0.9, None, None)
    alone = packed(chunks, parsed(coefficients=WEIGHTS))
    assert (alone.value_by, values(alone)["c3"]) == ("gain", 0.5)
    assert alone.warnings == (
        "value calibrated: 'c2' and 1 more have no score: rank gain is used instead.",
    )
    both = packed(chunks, parsed(coefficients=WEIGHTS, ranks=[0.6, 0.2]))
    assert (both.value_by, values(both)["c3"]) == ("calibrated", 0.2)
    assert both.warnings == (
        "value calibrated: 'c2' and 1 more have no score: the calibration's table by rank is used "
        "instead.",
    )
    unknown = packed(scored(0.1, 0.9, 0.5, kind=None), parsed(coefficients=WEIGHTS))
    assert unknown.value_by == "gain"
    assert "the scores' kind is unknown" in unknown.warnings[0]


def test_coefficients_that_need_no_scores_do_without() -> None:
    result = packed(scored(None, None), parsed(coefficients={"log_rank": -1.0, "lead": 0.0}))
    assert (result.value_by, result.warnings) == ("calibrated", ())
    assert values(result) == {"c1": 0.5, "c2": pytest.approx(1 / 3)}


def test_a_pin_that_retrieval_did_not_return_is_worth_nothing_and_lacks_nothing() -> None:
    pin = Candidate(id="upload", tokens=5)
    for calibration in (parsed(**RANKS), parsed(coefficients=WEIGHTS)):
        result = packed([*scored(0.9, 0.5), pin], calibration, pins=("upload",))
        assert (result.value_by, values(result)["upload"]) == ("calibrated", 0.0)
        assert result.warnings == ()


def test_a_candidate_without_tokens_is_invalid_and_the_others_keep_their_chances() -> None:
    calibration = parsed(coefficients=WEIGHTS)
    blank = Candidate(id="blank", rank=4, score=0.1, score_kind="similarity", text="")
    assert values(packed([*scored(0.9, 0.5, 0.4), blank], calibration)) == values(
        packed(scored(0.9, 0.5, 0.4), calibration)
    )


def test_with_a_calibration_the_optimum_is_no_longer_fooled_by_two_mediocre_chunks() -> None:
    chunks = [
        Candidate(id="answer", rank=1, tokens=100),
        Candidate(id="so", rank=2, tokens=50),
        Candidate(id="la", rank=3, tokens=50),
    ]
    by_gain = pack(chunks, Settings(budget=100, strategy="optimal"))
    by_chance = packed(chunks, parsed(**RANKS), budget=100, strategy="optimal")
    assert packed_ids(by_gain) == ["so", "la"]
    assert packed_ids(by_chance) == ["answer"]


@settings(max_examples=500, deadline=None, derandomize=True)
@given(
    st.dictionaries(st.sampled_from(FEATURES), st.floats(-1e6, 1e6)),
    st.lists(
        st.tuples(
            st.none() | st.integers(1, 2**53),
            st.none() | st.integers(-1, 2**53),
            st.none() | st.floats(0, 1e300),
        ),
        max_size=6,
    ),
)
def test_chances_are_from_0_to_1_whatever_the_coefficients_and_the_candidates(
    coefficients: dict[str, float], rows: list[tuple[int | None, int | None, float | None]]
) -> None:
    calibration = Calibration(coefficients=coefficients)
    ranks, tokens, worths = (
        (list(column) for column in zip(*rows, strict=True)) if rows else ([],) * 3
    )
    found = chances(calibration, ranks, tokens, worths)
    assert len(found) == len(rows)
    assert all(0 <= chance <= 1 for chance in found)
