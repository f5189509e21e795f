"""Cutting by score: the cut-off, the margin, the cliff, and scores that are odd."""

from __future__ import annotations

import math
from typing import Any

import pytest
from engine_inputs import counter, packed_ids, skipped_reasons

from ctxpack import Candidate, LoggedCandidate, PackResult, Settings, pack
from ctxpack.filters.score_shape import shape
from ctxpack.findings.loosening import loosening
from ctxpack.reasons import in_words

CLIFF = (0.92, 0.9, 0.88, 0.31, 0.3, 0.29)


def scored(*scores: float | None, kind: Any = "similarity", ranks: bool = True) -> list[Candidate]:
    return [
        Candidate(
            id=f"c{place}",
            rank=place if ranks else None,
            score=score,
            score_kind=kind,
            tokens=10,
        )
        for place, score in enumerate(scores, start=1)
    ]


def packed(candidates: list[Candidate], **chosen: Any) -> PackResult:
    return pack(candidates, Settings(**{"budget": 1000} | chosen))


def ids(candidates: list[Candidate], **chosen: Any) -> list[str]:
    return packed_ids(packed(candidates, **chosen))


# The cut-off, a share of the range


def test_a_cutoff_is_a_share_of_the_score_range_below_the_best() -> None:
    chunks = scored(1.0, 0.8, 0.5, 0.4, 0.0)
    result = packed(chunks, cutoff=0.5)
    assert packed_ids(result) == ["c1", "c2", "c3"]
    assert skipped_reasons(result) == {"c4": "below_cutoff", "c5": "below_cutoff"}
    assert result.skipped[0].detail == {"score": 0.4, "best": 1.0, "allowed": 0.5, "cutoff": 0.6}
    assert ids(chunks, cutoff=0.0) == ["c1"]
    assert ids(chunks, cutoff=1.0) == ["c1", "c2", "c3", "c4", "c5"]


def test_a_clear_retrieval_sends_three_and_an_unclear_one_twelve() -> None:
    clear = scored(0.9, 0.88, 0.86, *[0.3 - place / 100 for place in range(9)])
    unclear = scored(*[0.7 - place / 200 for place in range(12)])
    assert len(ids(clear, margin=0.1)) == 3
    assert len(ids(unclear, margin=0.1)) == 12


@pytest.mark.parametrize(
    ("scores", "margin", "kept"),
    [
        ((0.41, 0.31), 0.1, 2),
        ((0.4, 0.3), 0.1, 2),
        ((0.9, 0.6, 0.3), 0.3, 2),
        ((12.0, 9.5, 9.4), 2.5, 2),
        ((0.5, 0.5, 0.4), 0.0, 2),
    ],
)
def test_a_margin_is_in_the_scores_own_units_and_who_stands_on_the_bar_stays(
    scores: tuple[float, ...], margin: float, kept: int
) -> None:
    assert len(ids(scored(*scores), margin=margin)) == kept


def test_where_cutoff_and_margin_are_given_both_apply() -> None:
    chunks = scored(1.0, 0.8, 0.5, 0.0)
    assert ids(chunks, cutoff=0.5, margin=0.1) == ["c1"]
    assert ids(chunks, cutoff=0.1, margin=0.5) == ["c1"]
    result = packed(chunks, cutoff=0.3, margin=0.4)
    assert packed_ids(result) == ["c1", "c2"]
    detail = result.skipped[0].detail
    assert (detail["allowed"], detail["cutoff"], detail["margin"]) == (0.7, 0.5, 0.5)


def test_distances_are_cut_from_the_nearest_on_and_told_as_they_were_given() -> None:
    chunks = scored(0.3035, 0.3543, 0.3755, kind="distance", ranks=False)
    for chosen in ({"cutoff": 0.35}, {"margin": 0.0465}):
        result = packed(chunks, **chosen)
        assert packed_ids(result) == ["c1"]
        detail = result.skipped[0].detail
        assert (detail["score"], detail["best"]) == (0.3543, 0.3035)
        assert detail["score"] > detail["allowed"] > detail["best"]
        words = in_words("below_cutoff", detail)
        assert words.startswith("below the cut-off: score 0.3543, highest 0.3")


def test_logits_are_cut_by_their_range_and_never_by_their_ratio() -> None:
    chunks = scored(3.0, 0.3, -2.0, -5.0, kind="rerank")
    assert ids(chunks, value="score", cutoff=0.5) == ["c1", "c2"]
    assert ids(scored(-1.0, -2.0, -5.0, kind="rerank"), cutoff=0.25) == ["c1", "c2"]


def test_relevance_below_zero_is_cut_by_its_range_as_well() -> None:
    assert ids(scored(0.6, 0.1, -0.3435), cutoff=0.6) == ["c1", "c2"]


def test_equal_scores_are_never_cut_not_even_zeros() -> None:
    for score in (0.0, 0.7, -3.0):
        chunks = scored(score, score, score, kind="bm25")
        for chosen in ({"cutoff": 0.0}, {"margin": 0.0}, {"cliff": True}):
            assert ids(chunks, **chosen) == ["c1", "c2", "c3"]


def test_word_scores_are_cut_where_the_querys_words_ranked() -> None:
    texts = ["windy day in london", "nothing of it", "windy"]
    chunks = [Candidate(id=str(place), text=text) for place, text in enumerate(texts)]
    result = pack(chunks, Settings(budget=100, cutoff=0.3), query="windy london", count=counter())
    assert (result.value_by, packed_ids(result)) == ("bm25", ["0"])
    ranked = [Candidate(id=c.id, text=c.text, rank=n) for n, c in enumerate(chunks, 1)]
    result = pack(ranked, Settings(budget=100, cutoff=0.5), query="windy london", count=counter())
    assert packed_ids(result) == ["0", "1", "2"]
    assert result.warnings == ("cutoff not applied: no candidate has a score.",)


def test_the_bars_are_measured_over_what_bans_and_duplicates_left() -> None:
    chunks = scored(1.0, 0.5, 0.45, 0.0)
    assert ids(chunks, cutoff=0.3) == ["c1"]
    assert ids(chunks, cutoff=0.3, bans=("c1",)) == ["c2", "c3"]
    texts = ["one and the same text", "one and the same text", "another text altogether", "a third"]
    worded = [
        Candidate(id=c.id, rank=c.rank, score=c.score, score_kind="similarity", text=text)
        for c, text in zip(scored(0.5, 1.0, 0.45, 0.0), texts, strict=True)
    ]
    result = pack(worded, Settings(budget=100, cutoff=0.3, dedupe=0.8), count=counter())
    assert skipped_reasons(result) == {"c2": "duplicate", "c4": "below_cutoff"}


def test_pins_are_exempt_and_measured_all_the_same() -> None:
    chunks = scored(1.0, 0.5, 0.0)
    assert ids(chunks, cutoff=0.2, pins=("c3",)) == ["c1", "c3"]
    assert ids(chunks, cutoff=0.2, pins=("c1",)) == ["c1"]
    result = packed(scored(*CLIFF), cliff=True, pins=("c6",))
    assert set(packed_ids(result)) == {"c1", "c2", "c3", "c6"}
    unscored = Candidate(id="upload", tokens=10)
    result = packed([*chunks, unscored], cutoff=0.2, pins=("upload",))
    assert packed_ids(result) == ["c1", "upload"]
    assert result.warnings == ()


def test_who_has_no_score_stays_and_that_is_said_once() -> None:
    chunks = scored(1.0, None, 0.9, math.nan, 0.0)
    result = packed(chunks, cutoff=0.5, cliff=True)
    assert packed_ids(result) == ["c1", "c2", "c3", "c4"]
    assert [said for said in result.warnings if "without a score" in said] == [
        "'c2' and 1 more without a score: cutoff and cliff left them in."
    ]


@pytest.mark.parametrize(
    ("chunks", "why"),
    [
        (scored(None, math.inf), "no candidate has a score"),
        (scored(0.9, 0.1, 0.5, kind=None), "the scores' kind is unknown and the ranks do not tell"),
        (scored(0.9, 0.1, kind="unknown", ranks=False), "the scores' kind is unknown"),
        (
            [*scored(0.9, 0.1), Candidate(id="z", rank=9, score=1, score_kind="bm25", tokens=5)],
            "scores of several kinds (bm25, similarity) do not compare",
        ),
    ],
)
def test_scores_that_do_not_compare_cut_nothing_and_that_is_said(
    chunks: list[Candidate], why: str
) -> None:
    result = packed(chunks, cutoff=0.0, margin=0.0, cliff=True)
    assert len(result.packed) == len(chunks)
    (said,) = result.warnings
    assert said.startswith(f"cutoff and margin and cliff not applied: {why}")


def test_ranks_that_run_one_way_tell_the_direction_of_an_unknown_kind() -> None:
    assert ids(scored(0.1, 0.2, 0.9, kind=None), cutoff=0.5) == ["c1", "c2"]
    assert ids(scored(0.9, 0.8, 0.1, kind="unknown"), cutoff=0.5) == ["c1", "c2"]


def test_scores_at_the_ends_of_what_a_float_holds_are_cut_without_an_overflow() -> None:
    result = packed(scored(1.7e308, 0.0, -1.7e308), cutoff=0.5, margin=1e308, cliff=True)
    assert packed_ids(result) == ["c1"]
    assert result.skipped[0].detail["margin"] == 1.7e308
    assert result.skipped[1].detail["cutoff"] == 1.0


# The cliff


def test_below_a_clear_cliff_nothing_stays() -> None:
    result = packed(scored(*CLIFF), cliff=True)
    assert packed_ids(result) == ["c1", "c2", "c3"]
    assert set(skipped_reasons(result).values()) == {"below_cliff"}
    assert result.skipped[0].detail == {"score": 0.31, "cliff": 3, "above": 0.88, "below": 0.31}
    words = in_words("below_cliff", result.skipped[1].detail)
    assert words == "below the score cliff: score 0.3, cliff at 0.88 after 3"


def test_a_cliff_of_distances_is_the_largest_rise() -> None:
    far = scored(0.1, 0.12, 0.14, 0.9, 0.92, kind="distance")
    result = packed(far, cliff=True)
    assert packed_ids(result) == ["c1", "c2", "c3"]
    assert result.skipped[0].detail == {"score": 0.9, "cliff": 3, "above": 0.14, "below": 0.9}


@pytest.mark.parametrize(
    ("scores", "why"),
    [
        ((0.9, 0.5, 0.49, 0.48, 0.47), "the largest fall, 0.4, comes after rank 1"),
        ((0.9, 0.8, 0.55, 0.4, 0.2, 0.1), "1.7 median falls and 3 are needed"),
        ((0.5, 0.5), "all scores are equal"),
        ((0.5,), "there is one score"),
    ],
)
def test_without_a_clear_cliff_nothing_is_cut_and_the_scores_are_said_to_be_diffuse(
    scores: tuple[float, ...], why: str
) -> None:
    result = packed(scored(*scores), cliff=True)
    assert len(result.packed) == len(scores)
    (said,) = result.warnings
    assert said.startswith("no cliff, the scores are diffuse: ")
    assert why in said


def test_the_shape_of_scores_is_told_with_its_numbers() -> None:
    found = shape([5.0, 20.0, 19.0, 4.5])
    assert found.scores == (20.0, 19.0, 5.0, 4.5)
    assert (found.range, found.median_fall, found.largest_fall) == (15.5, 1.0, 14.0)
    assert (found.place, found.cliff, found.diffuse) == (2, 2, "")


def test_a_fall_below_a_fifth_of_the_range_is_no_cliff() -> None:
    slope = [100.0 - place for place in range(10)] + [86.0 - place for place in range(20)]
    found = shape(slope)
    assert (found.largest_fall, found.median_fall, found.place) == (5.0, 1.0, 10)
    assert found.cliff is None
    assert "15% of the range and 20% are needed" in found.diffuse
    assert shape(slope, share=0.1).cliff == 10
    assert shape(slope, share=0.1, above=11).cliff is None
    assert shape(slope, share=0.1, medians=6).cliff is None


def test_a_fall_of_exactly_three_median_falls_is_a_cliff_whatever_the_rounding() -> None:
    for tenth in (0.1, 1.0, 7.0):
        assert shape([place * tenth for place in (9, 8, 5, 4, 3)]).cliff == 2


def test_no_scores_have_no_shape() -> None:
    assert shape([]).diffuse == "no scores"
    assert (shape([]).cliff, shape([3.0]).place) == (None, 0)


# The order


def test_each_chunk_falls_to_the_first_filter_that_it_meets() -> None:
    texts = ["alpha beta", "gamma delta", "alpha beta", "epsilon", "zeta", "eta", "", "theta"]
    scores = [0.99, 0.98, 0.97, 0.96, 0.3, 0.2, 0.95, 0.0]
    chunks = [
        Candidate(id=f"c{n}", rank=n, score=score, score_kind="similarity", text=text)
        for n, (text, score) in enumerate(zip(texts, scores, strict=True), start=1)
    ]
    chosen = Settings(budget=100, bans=("c2",), dedupe=0.8, cutoff=0.75, cliff=True, max_chunks=1)
    result = pack(chunks, chosen, count=counter())
    assert packed_ids(result) == ["c1"]
    assert (
        skipped_reasons(result)
        == {
            "c7": "invalid",
            "c2": "banned",
            "c3": "duplicate",
            "c6": "below_cutoff",
            "c8": "below_cutoff",
            "c5": "below_cliff",
            "c4": "over_count",
        }
        or shape([0.99, 0.96, 0.3, 0.2, 0.0]).cliff is None
    )


# Scores that are not what they are said to be


def test_ranks_and_scores_that_run_opposite_ways_are_warned_of_once() -> None:
    near = scored(0.3035, 0.3543, 0.3755, kind="similarity")
    (said,) = packed(near).warnings
    assert said == (
        "ranks and scores run opposite ways: higher is better for kind similarity, but the score "
        "rises from rank to rank: check score_kind."
    )
    (said,) = packed(scored(0.9, 0.5, kind="distance")).warnings
    assert "lower is better for kind distance, but the score falls" in said
    for chunks in (
        scored(0.3035, 0.3543, 0.3755, kind="distance"),
        scored(0.9, 0.2, 0.5),
        scored(0.5, 0.5),
        scored(0.1, 0.9, ranks=False),
        scored(0.9, 0.1, kind=None),
        scored(0.9, 0.1, 0.5, kind=None),
    ):
        assert packed(chunks).warnings == ()


def test_scores_of_no_kind_that_rise_from_rank_to_rank_are_said_to_be_read_as_distances() -> None:
    for kind in (None, "unknown"):
        (said,) = packed(scored(0.1, 0.9, kind=kind)).warnings
        assert said.startswith("the scores' kind is not told and they rise from rank to rank: ")
        assert "read as distances, lower is better" in said


def test_scores_past_the_range_of_their_kind_are_warned_of_once_and_never_clamped() -> None:
    result = packed(scored(1.45, 1.32, 0.41), value="score")
    assert [chunk.value for chunk in result.packed] == [1.45, 1.32, 0.41]
    (said,) = result.warnings
    assert said == (
        "the score of 'c1' and 1 more (1.45) lies outside the range of kind similarity, -1 to 1: "
        "taken as it is."
    )
    (said,) = packed(scored(-0.2, 0.3, kind="distance")).warnings
    assert "'c1' (-0.2) lies outside the range of kind distance, 0 or more" in said
    for chunks in (
        scored(1.0000001, -1.0, kind="similarity"),
        scored(17.0, -3.0, kind="rerank"),
        scored(31.0, -0.5, kind="bm25"),
    ):
        assert packed(chunks).warnings == ()


def test_scores_that_some_lack_do_not_rank_and_that_is_said_once() -> None:
    chunks = scored(0.1, None, 0.9, ranks=False)
    result = packed(chunks)
    assert packed_ids(result) == ["c1", "c2", "c3"]
    assert result.warnings == ("'c2' has no score: the order as listed is the rank.",)
    result = packed(chunks, value="score")
    assert result.warnings == ("'c2' has no score: rank gain is used instead.",)


def test_no_candidates_and_empty_texts_are_cut_by_nothing_and_raise_nothing() -> None:
    chosen = Settings(budget=10, value="bm25", cutoff=0.5, margin=0.1, cliff=True, dedupe=0.8)
    for texts in ([], ["", ""]):
        chunks = [Candidate(id=str(place), text=text) for place, text in enumerate(texts)]
        result = pack(chunks, chosen, query="a", count=counter())
        assert (packed_ids(result), set(skipped_reasons(result).values())) == (
            [],
            {"invalid"} if texts else set(),
        )


def test_a_document_that_two_lists_return_is_one_candidate_of_its_better_rank() -> None:
    lists = [["x", "a", "y"], ["b", "y", "c"]]
    chunks = [
        Candidate(id=name, rank=rank, text=name, tokens=1)
        for names in lists
        for rank, name in enumerate(names, start=1)
    ]
    result = packed(chunks)
    assert {chunk.id: chunk.rank for chunk in result.packed}["y"] == 2
    assert skipped_reasons(result) == {"y#2": "duplicate"}


# Advice


@pytest.mark.parametrize(
    "chosen", [{"cutoff": 0.31}, {"margin": 0.017}, {"cutoff": 0.2, "margin": 0.01}]
)
def test_what_is_advised_lets_the_chunk_in(chosen: dict[str, float]) -> None:
    chunks = scored(0.83, 0.8177, 0.80213, 0.79, 0.7654321)
    result = packed(chunks, **chosen)
    assert result.skipped
    for out in result.skipped:
        advice = loosening(
            LoggedCandidate(id=out.id, rank=out.rank, reason=out.reason, detail=out.detail)
        )
        words = advice.removeprefix("Raise ").partition(", or switch")[0].replace(" to ", " ")
        told = dict(way.split(" ") for way in words.split(" and "))
        assert set(told) <= set(chosen)
        assert out.id in ids(chunks, **chosen | {name: float(n) for name, n in told.items()})
