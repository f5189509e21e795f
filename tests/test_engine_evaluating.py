"""What eval measures, on questions whose every figure is worked out by hand."""

from __future__ import annotations

from math import sqrt

import pytest

from ctxpack import Candidate, InputError, Settings
from ctxpack.evaluating.differences import mean_difference, share_difference
from ctxpack.evaluating.evaluation import evaluation
from ctxpack.evaluating.grid import grid
from ctxpack.evaluating.measuring import measure, nothing_measured
from ctxpack.evaluating.question import Question, counted, holding_an_answer


def question(name: str, sizes: list[int], *gold: int) -> Question:
    candidates = tuple(
        Candidate(id=f"c{rank}", rank=rank, tokens=tokens) for rank, tokens in enumerate(sizes, 1)
    )
    return Question(id=name, candidates=candidates, gold=tuple(f"c{rank}" for rank in gold))


QUESTIONS = [
    # top: c1, c2 of 100 each; first-fit the same.
    question("both", [100, 100, 100], 1),
    # top: c1, c3; first-fit stops at c2 and has c1 alone: the answer in c3 is lost.
    question("skipped", [100, 300, 100], 3),
    # Two golds, of which both pack c1 only.
    question("half", [100, 200, 200], 1, 2),
    # Nothing retrieved holds it.
    question("absent", [100, 100], 9),
]
SECOND, THIRD = 0.6309297535714575, 0.5


def measured() -> dict:  # type: ignore[type-arg]
    made = grid(
        Settings(budget=0),
        budgets=[200],
        strategies=["top", "first-fit"],
        placements=["best-first", "best-last"],
    )
    return evaluation(measure(QUESTIONS, made), made)


def test_hit_rates_and_means_are_those_worked_out_by_hand() -> None:
    found = measured()
    assert (found["questions"], found["retrieved"]) == (4, 3)
    top, first_fit = found["packing"]
    assert (top["strategy"], top["budget"], top["value_by"]) == ("top", 200, "gain")
    assert (top["hit_rate"], top["hit_rate_all"]) == (0.75, 0.5)
    assert (first_fit["hit_rate"], first_fit["hit_rate_all"]) == (0.5, 0.25)
    values = [1 + SECOND, 1 + THIRD, 1.0, 1 + SECOND]
    assert top["mean_value"] == pytest.approx(sum(values) / 4)
    assert (top["mean_used"], top["mean_packed"]) == (175, 1.75)
    assert (first_fit["mean_used"], first_fit["mean_packed"]) == (150, 1.5)


def test_mean_p_is_at_the_answer_over_the_questions_where_it_is_packed() -> None:
    first, last = measured()["placement"][:2]
    # Two chunks of 100: x 0.25 and 0.75, p 0.6 and 0.575; one chunk alone: x 0.5, p 0.55.
    assert (first["placement"], first["questions"], first["curve"]) == ("best-first", 3, "assumed")
    assert first["mean_p"] == pytest.approx((0.6 + 0.575 + 0.55) / 3)
    assert last["mean_p"] == pytest.approx((0.575 + 0.6 + 0.55) / 3)


def test_differences_are_paired_with_their_counts_and_intervals() -> None:
    hits, places, _ = measured()["differences"]
    assert (hits["a"]["strategy"], hits["b"]["strategy"]) == ("top", "first-fit")
    counts = [hits[name] for name in ("both", "only_a", "only_b", "neither")]
    assert counts == [2, 1, 0, 1]
    assert hits["difference"] == -0.25
    assert hits["low"] < -0.25 < 0 < hits["high"]
    assert (places["a"], places["b"]) == ("best-first", "best-last")
    assert (places["better"], places["worse"], places["same"]) == (1, 1, 1)
    assert places["difference"] == pytest.approx(0.0)


def test_the_intervals_are_those_of_their_formulas() -> None:
    # 40 both, 9 only a, 3 only b, 48 neither: (3.5 - 9.5) / 102, half a question in each cell.
    difference, low, high = share_difference(40, 9, 3, 48)
    middle, spread = -6 / 102, 1.959963984540054 * sqrt(13 - 36 / 102) / 102
    assert difference == pytest.approx(-0.06)
    assert (low, high) == (pytest.approx(middle - spread), pytest.approx(middle + spread))
    # 1, 2, 3: mean 2, standard deviation 1.
    mean, low_p, high_p = mean_difference(3, 6.0, 14.0)
    assert mean == 2
    assert high_p == pytest.approx(2 + 1.959963984540054 / sqrt(3))
    assert low_p == pytest.approx(2 - 1.959963984540054 / sqrt(3))
    assert mean_difference(1, 0.3, 0.09) == (0.3, None, None)
    assert mean_difference(0, 0.0, 0.0) == (0.0, None, None)


def test_shares_measured_apart_add_up_to_the_whole() -> None:
    made = grid(Settings(budget=0), budgets=[150, 250], strategies=["top", "optimal"],
                placements=["ends", "optimal"], curves=["assumed", "longchat-13b-16k"])  # fmt: skip
    whole = evaluation(measure(QUESTIONS, made), made)
    parts = nothing_measured(made)
    for one in QUESTIONS:
        parts.add(measure([one], made))
    assert evaluation(parts, made) == whole


def test_every_setting_that_is_listed_is_combined_and_lambda_only_with_mmr() -> None:
    made = grid(
        Settings(budget=0),
        budgets=[100, 200],
        strategies=["top", "mmr"],
        placements=["ends"],
        max_chunks=[None, 3],
        mmr_lambdas=[0.3, 0.7],
        cutoffs=[None, 0.5],
    )
    assert len(made.choices) == 2 * 2 * 2 * (1 + 2)
    with pytest.raises(InputError, match="unknown placement 'sideways'"):
        grid(Settings(budget=0), budgets=[1], strategies=["top"], placements=["sideways"])


def test_an_answer_may_be_looked_for_in_the_texts_and_tokens_counted_from_them() -> None:
    chunks = (Candidate(id="a", text="It takes 14 days."), Candidate(id="b", text="Ask us."))
    assert holding_an_answer(chunks, ["14 days"]) == ("a",)
    assert holding_an_answer(chunks, [" "]) == ()
    sized = counted(Question(id="q", candidates=chunks), lambda text: len(text.split()))
    assert [chunk.tokens for chunk in sized.candidates] == [4, 2]


def test_ordered_chooses_for_each_curve_and_is_laid_out_in_its_own_order_alone() -> None:
    made = grid(
        Settings(budget=0),
        budgets=[200],
        strategies=["top", "ordered"],
        placements=["ends", "best-first"],
        curves=["assumed", "llama-2-70b-chat"],
    )
    found = evaluation(measure(QUESTIONS, made), made)
    named = [(row["strategy"], row["curve"]) for row in found["packing"]]
    assert named == [("top", None), ("ordered", "assumed"), ("ordered", "llama-2-70b-chat")]
    places = [
        (row["curve"], row["placement"])
        for row in found["placement"]
        if row["strategy"] == "ordered"
    ]
    assert places == [("assumed", "optimal"), ("llama-2-70b-chat", "optimal")]
    # "both" alone: c1 at rank 1 and another; its best end is the first under assumed, p 0.6 at
    # x 0.25, and 0.575 at x 0.75 for the other.
    (alone,) = [
        row
        for row in evaluation(measure(QUESTIONS[:1], made), made)["placement"]
        if row["strategy"] == "ordered" and row["curve"] == "assumed"
    ]
    assert alone["mean_p"] == pytest.approx(0.6)
    assert alone["mean_expected_use"] == pytest.approx(0.6 + SECOND * 0.575)
