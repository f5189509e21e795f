"""What a candidate is worth: the default, every kind of score, and scores that are none."""

from __future__ import annotations

import math
from typing import Any

import pytest
from engine_inputs import counter, packed_ids
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack import Candidate, InputError, PackResult, Settings, pack
from ctxpack.value.bm25 import TermShare, bm25_scores, term_shares, terms
from ctxpack.value.valuation import WHOLE, as_integers, gain, valuate


def scored(*scores: float | None, kind: Any = None, ranks: bool = False) -> list[Candidate]:
    return [
        Candidate(
            id=f"c{place}",
            rank=place if ranks else None,
            score=score,
            score_kind=kind,
            tokens=10,
            text=None,
        )
        for place, score in enumerate(scores, start=1)
    ]


def values(
    candidates: list[Candidate], value: str | None = "score", query: str = ""
) -> list[float]:
    return list(valuate(candidates, value, query).values)


def packed(candidates: list[Candidate], **chosen: Any) -> PackResult:
    return pack(candidates, Settings(**{"budget": 1000} | chosen))


# The default


def test_ranks_that_are_given_rule_whatever_the_scores_and_the_query_say() -> None:
    candidates = scored(0.1, 0.9, 0.5, kind="similarity", ranks=True)
    valuation = valuate(candidates, None, "c2")
    assert (valuation.by, valuation.ranks) == ("gain", (1, 2, 3))
    assert valuation.values == (1.0, gain(2), 0.5)


def test_without_ranks_scores_of_a_known_kind_rank_and_the_value_is_gain() -> None:
    valuation = valuate(scored(0.1, 0.9, 0.5, kind="similarity"), None, "a query")
    assert (valuation.by, valuation.ranks) == ("gain", (3, 1, 2))
    assert valuation.values == (0.5, 1.0, gain(2))


def test_without_ranks_distances_rank_the_nearest_first() -> None:
    assert valuate(scored(0.5, 0.3, 0.9, kind="distance"), None, "").ranks == (2, 1, 3)


def test_without_ranks_and_known_scores_a_query_ranks_and_values_by_bm25() -> None:
    candidates = [
        Candidate(id="a", text="hello there good man"),
        Candidate(id="b", text="it is quite windy in london"),
    ]
    valuation = valuate(candidates, None, "windy london")
    assert (valuation.by, valuation.ranks) == ("bm25", (2, 1))
    assert valuation.values[0] == 0 < valuation.values[1]


@pytest.mark.parametrize("kind", [None, "unknown"])
def test_scores_of_an_unknown_kind_are_not_ranked_by(kind: str | None) -> None:
    assert valuate(scored(0.1, 0.9, kind=kind), None, "").ranks == (1, 2)


def test_without_anything_input_order_and_gain() -> None:
    valuation = valuate([Candidate(id=i, text=i) for i in "abc"], None, "")
    assert (valuation.by, valuation.ranks, valuation.values[0]) == ("gain", (1, 2, 3), 1.0)


@pytest.mark.parametrize("query", [" ", "\n", "???", "zebra"])
def test_a_query_that_no_text_answers_leaves_input_order_and_gain(query: str) -> None:
    valuation = valuate([Candidate(id=i, text=f"word {i}") for i in "abc"], None, query)
    assert (valuation.by, valuation.ranks, valuation.values[0]) == ("gain", (1, 2, 3), 1.0)
    assert bool(valuation.warnings) == bool(query.strip())


def test_the_result_names_the_value_that_was_used() -> None:
    result = packed([Candidate(id="a", text="windy", tokens=3)])
    assert (result.value_by, result.settings.value) == ("gain", "gain")


def test_ranks_are_kept_as_written_holes_and_all() -> None:
    candidates = [Candidate(id=f"r{rank}", rank=rank, tokens=5) for rank in (37, 40, 99)]
    result = packed(candidates)
    assert [(c.rank, c.value) for c in result.packed] == [(r, gain(r)) for r in (37, 40, 99)]


def test_a_candidate_without_a_rank_among_ranked_ones_is_ranked_last_and_that_is_said() -> None:
    candidates = [Candidate(id="x", tokens=5), Candidate(id="y", rank=4, tokens=5)]
    result = packed(candidates)
    assert [(c.id, c.rank) for c in result.packed] == [("y", 4), ("x", 5)]
    assert any("'x'" in said and "last" in said for said in result.warnings)


# Scores of every kind


def test_a_distance_is_worth_one_over_one_plus_itself() -> None:
    assert values(scored(0.0, 0.25, 1.0, 3.0, kind="distance")) == [1.0, 0.8, 0.5, 0.25]


def test_distances_above_one_stay_apart_and_are_never_clamped() -> None:
    worth = values(scored(0.41, 1.32, 1.45, kind="distance"))
    assert len(set(worth)) == 3
    assert worth == sorted(worth, reverse=True)


def test_a_distance_below_zero_is_still_better_than_all_others() -> None:
    worth = values(scored(-1.0, 0.0, 2.0, kind="distance"))
    assert worth == sorted(worth, reverse=True)
    assert all(0 < one <= 1 and math.isfinite(one) for one in worth)


def test_a_distance_far_below_zero_divides_nothing_by_zero() -> None:
    assert values(scored(0.0, -9007199254740996.0, kind="distance"))[1] == 1.0
    assert values(scored(-1e308, 1.7e308, kind="distance")) == [1.0, 0.0]


def test_the_nearest_is_packed_first_where_scores_are_distances() -> None:
    far = scored(0.3755, 0.3035, 0.3543, kind="distance")
    assert packed_ids(packed(far, value="score")) == ["c2", "c3", "c1"]
    assert packed_ids(packed(far, value="score", budget=10)) == ["c2"]


def test_reranker_logits_go_through_the_logistic() -> None:
    worth = values(scored(3.0, 0.3, -2.0, -5.0, kind="rerank"))
    assert worth == pytest.approx([0.9526, 0.5744, 0.1192, 0.0067], abs=5e-5)


def test_reranker_scores_from_0_to_1_are_taken_as_they_are() -> None:
    assert values(scored(0.0, 0.3, 1.0, kind="rerank")) == [0.0, 0.3, 1.0]


def test_one_logit_outside_0_to_1_makes_all_of_them_logits() -> None:
    assert values(scored(0.5, 1.5, kind="rerank"))[0] == pytest.approx(1 / (1 + math.exp(-0.5)))


@pytest.mark.parametrize("far", [800.0, 1e300])
def test_logits_far_out_do_not_overflow(far: float) -> None:
    assert values(scored(far, -far, kind="rerank")) == pytest.approx([1.0, 0.0])


def test_a_longer_chunk_does_not_win_because_its_score_is_negative() -> None:
    candidates = [
        Candidate(id=i, score=score, score_kind="rerank", tokens=tokens)
        for i, score, tokens in [("d3", -2.0, 50), ("d4", -5.0, 400), ("d1", 3.0, 100)]
    ]
    for strategy in ("top", "density", "optimal"):
        result = packed(candidates, value="score", strategy=strategy, budget=450)
        assert packed_ids(result) == ["d1", "d3"]


@pytest.mark.parametrize("kind", ["similarity", "bm25"])
def test_scores_below_zero_are_shifted_by_the_smallest_and_never_clamped(kind: str) -> None:
    assert values(scored(-0.5, 0.25, -1.5, kind=kind)) == [1.0, 1.75, 0.0]
    assert values(scored(0.5, 2.5, kind=kind)) == [0.5, 2.5]


def test_relevance_below_zero_from_a_squared_distance_still_orders_density() -> None:
    relevance = [1 - squared / math.sqrt(2) for squared in (1.9, 0.4, 1.0)]
    assert relevance[0] == pytest.approx(-0.3435, abs=5e-5)
    candidates = scored(*relevance, kind="similarity")
    for strategy in ("top", "density"):
        assert packed_ids(packed(candidates, value="score", strategy=strategy, budget=20)) == [
            "c2",
            "c3",
        ]


# Scores whose kind nobody told


@pytest.mark.parametrize("kind", [None, "unknown"])
def test_an_unknown_kind_is_told_by_ranks_that_run_one_way(kind: str | None) -> None:
    assert values(scored(0.9, 0.5, 0.5, 0.1, kind=kind, ranks=True)) == [0.9, 0.5, 0.5, 0.1]
    assert values(scored(0.0, 1.0, 3.0, kind=kind, ranks=True)) == [1.0, 0.5, 0.25]


@pytest.mark.parametrize(
    "candidates",
    [
        scored(0.9, 0.1),
        scored(0.9, 0.1, 0.5, ranks=True),
        scored(0.5, 0.5, ranks=True),
        scored(0.5, ranks=True),
        scored(0.9, 0.1, kind="unknown"),
    ],
)
def test_an_unknown_kind_without_a_way_to_tell_is_refused_in_words(
    candidates: list[Candidate],
) -> None:
    with pytest.raises(InputError, match=r"kind is unknown .* give score_kind"):
        values(candidates)


def test_scores_of_several_kinds_are_refused_in_words() -> None:
    mixed = [*scored(0.5, kind="similarity"), Candidate(id="z", score=3.0, score_kind="distance")]
    with pytest.raises(InputError, match=r"several kinds \(distance, similarity\)"):
        values(mixed)


# Scores that are none


@pytest.mark.parametrize("none", [None, math.nan, math.inf, -math.inf])
def test_where_a_score_is_missing_rank_rules_and_that_is_said_once(none: float | None) -> None:
    candidates = scored(0.1, none, none, 0.9, kind="similarity", ranks=True)
    result = packed(candidates, value="score")
    assert (result.value_by, packed_ids(result)) == ("gain", ["c1", "c2", "c3", "c4"])
    said = [warning for warning in result.warnings if "no score" in warning]
    assert said == ["'c2' and 1 more have no score: rank gain is used instead."]


def test_a_pin_that_retrieval_did_not_return_needs_no_score() -> None:
    pin = Candidate(id="upload", tokens=10)
    result = packed([*scored(0.2, 0.8, kind="similarity"), pin], value="score", pins=("upload",))
    assert result.value_by == "score"
    assert [(c.id, c.rank, c.value) for c in result.packed] == [
        ("c2", 1, 0.8),
        ("c1", 2, 0.2),
        ("upload", None, 0.0),
    ]
    by_default = packed([*scored(0.2, 0.8, kind="similarity"), pin], pins=("upload",))
    assert [(c.id, c.rank) for c in by_default.packed] == [("c2", 1), ("c1", 2), ("upload", None)]


def test_no_candidates_and_pins_alone_have_no_scores_to_refuse() -> None:
    assert values([]) == []
    assert values([Candidate(id="pin", tokens=3, pinned=True)]) == [0.0]


def test_scores_too_far_apart_to_be_summed_are_refused_in_words() -> None:
    with pytest.raises(InputError, match="too far apart"):
        values(scored(1e308, -1e308, kind="similarity"))
    with pytest.raises(InputError, match="too far apart"):
        values(scored(1.7e308, 1.7e308, kind="similarity"))
    assert packed_ids(packed(scored(-1e308, 1e308, kind="similarity"))) == ["c2", "c1"]


# Whole numbers inside, real values outside


def test_solvers_see_whole_numbers_on_one_scale() -> None:
    assert as_integers([2.0, 1.0, 0.0]) == [WHOLE, WHOLE // 2, 0]
    assert as_integers([0.0, 0.0]) == [0, 0]
    assert as_integers([]) == []
    assert as_integers([5e-324, 0.0]) == [WHOLE, 0]
    assert as_integers([1e308, 1.0]) == [WHOLE, 0]


def test_the_reported_value_is_the_sum_of_the_real_values() -> None:
    result = packed(scored(0.1, 0.2, 0.7, kind="similarity"), value="score", strategy="optimal")
    assert result.value == 0.7 + 0.2 + 0.1


# BM25


@pytest.mark.parametrize("texts", [[], ["", ""], ["...", "—"]])
def test_bm25_of_nothing_is_nothing(texts: list[str]) -> None:
    assert bm25_scores("a", texts) == [0.0] * len(texts)


def test_bm25_finds_a_term_that_stands_in_half_of_a_tiny_corpus() -> None:
    scores = bm25_scores("windy london", ["hello there good man", "it is quite windy in london"])
    assert scores[0] == 0
    assert scores[1] > 0.5


def test_bm25_is_never_negative_for_terms_in_every_text() -> None:
    scores = bm25_scores("the refund", ["the refund", "the", "the the the"])
    assert all(score > 0 for score in scores)
    assert scores[0] == max(scores)


def test_bm25_reads_words_in_any_case_and_scripts_without_spaces() -> None:
    assert terms("Straße 30-days") == ["strasse", "30", "days"]
    assert terms("漢字 ab") == ["漢", "字", "ab"]
    scores = bm25_scores("返金", ["返金は三十日以内です。", "配送について"])
    assert scores[0] > 0 == scores[1]


def test_the_terms_of_a_score_are_told_with_their_shares_the_largest_first() -> None:
    texts = ["windy, windy london", "windy in paris", "rain in london", "london"]
    found = term_shares("Windy London tokyo", texts, 0)
    assert [share.term for share in found] == ["windy", "london", "tokyo"]
    assert math.fsum(share.score for share in found) == pytest.approx(
        bm25_scores("Windy London tokyo", texts)[0], rel=1e-12
    )
    assert math.fsum(share.share for share in found) == pytest.approx(1)
    assert (found[2].score, found[2].share) == (0, 0)
    assert found[0].share == found[0].score / (found[0].score + found[1].score)


def test_a_term_that_stands_twice_in_the_query_counts_twice() -> None:
    texts = ["windy london", "windy", "rain"]
    once, twice = (term_shares(query, texts, 0) for query in ("windy london", "windy windy london"))
    score = {share.term: share.score for share in once}
    assert {share.term: share.score for share in twice} == {
        "windy": 2 * score["windy"],
        "london": score["london"],
    }


def test_a_text_without_a_word_of_the_query_has_no_shares_above_nothing() -> None:
    assert [(s.term, s.score, s.share) for s in term_shares("a b", ["c", "a"], 0)] == [
        ("a", 0, 0),
        ("b", 0, 0),
    ]
    assert term_shares("a", ["", ""], 1) == (TermShare("a", 0.0, 0.0),)
    assert term_shares("", ["a"], 0) == ()
    for place in (-1, 1):
        with pytest.raises(IndexError):
            term_shares("a", ["a"], place)


@settings(max_examples=1000, deadline=None, derandomize=True)
@given(
    st.lists(st.sampled_from("abcde"), max_size=5),
    st.lists(st.lists(st.sampled_from("abcdef"), max_size=8), min_size=1, max_size=6),
)
def test_the_shares_of_every_text_sum_to_its_score(
    query: list[str], texts: list[list[str]]
) -> None:
    asked, corpus = " ".join(query), [" ".join(words) for words in texts]
    for place, score in enumerate(bm25_scores(asked, corpus)):
        found = term_shares(asked, corpus, place)
        assert math.fsum(share.score for share in found) == pytest.approx(score, rel=1e-12)
        assert [share.score for share in found] == sorted((s.score for s in found), reverse=True)
        assert {share.term for share in found} == set(query)
        assert math.fsum(share.share for share in found) == pytest.approx(1 if score else 0)


def test_bm25_that_was_asked_for_needs_a_query() -> None:
    with pytest.raises(InputError, match="needs a query"):
        packed([Candidate(id="a", tokens=3)], value="bm25")


def test_bm25_of_candidates_without_texts_is_zero_and_keeps_their_order() -> None:
    result = pack(
        [Candidate(id=i, tokens=3) for i in "ab"],
        Settings(budget=10, value="bm25"),
        query="refund",
    )
    assert packed_ids(result) == ["a", "b"]
    assert result.value == 0


def test_score_zero_is_not_taken_for_not_retrieved() -> None:
    texts = ["good man", "windy day in london", "another"]
    candidates = [Candidate(id=str(place), text=text) for place, text in enumerate(texts)]
    result = pack(candidates, Settings(budget=100), query="windy", count=counter())
    assert packed_ids(result) == ["1", "0", "2"]
