"""An evaluation against an earlier one, with rows and falls that are made by hand."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ctxpack import Candidate, InputError, Settings
from ctxpack.evaluating.baseline import against, parse_baseline
from ctxpack.evaluating.evaluation import evaluation
from ctxpack.evaluating.grid import grid
from ctxpack.evaluating.measuring import measure
from ctxpack.evaluating.question import Question

QUESTIONS = [
    Question(
        id=f"q{n}",
        candidates=tuple(Candidate(id=f"c{rank}", rank=rank, tokens=100) for rank in (1, 2, 3)),
        gold=(f"c{n}",),
    )
    for n in (1, 2, 3, 4)
]


def found(*strategies: str, budget: int = 200) -> dict[str, Any]:
    made = grid(
        Settings(budget=0),
        budgets=[budget],
        strategies=strategies or ("top",),
        placements=["best-first", "best-last"],
    )
    return evaluation(measure(QUESTIONS, made), made)


def changed(before: dict[str, Any], place: int = 0, **figures: Any) -> Any:
    """The baseline that `before` would be with other figures in one of its rows."""
    copy = msgspec.json.decode(msgspec.json.encode(before))
    for name, figure in figures.items():
        rows = copy["placement" if name == "mean_p" else "packing"]
        rows[place][name] = figure
    return parse_baseline(msgspec.json.encode(copy))


def test_an_evaluation_is_never_below_itself() -> None:
    now = found("top", "density")
    compared = against(now, parse_baseline(msgspec.json.encode(now)))
    assert compared.compared == 2 + 4
    assert compared.lower == compared.only_before == compared.only_now == compared.notes == ()


def test_a_fall_of_either_figure_is_found_with_its_row_and_size() -> None:
    now = found()
    # Two of four questions are hit: c1 and c2 of 100 tokens each fit 200.
    assert now["packing"][0]["hit_rate"] == 0.5
    (hit,) = against(now, changed(now, hit_rate=0.75)).lower
    assert (hit.of, hit.row, hit.before, hit.now) == ("hit_rate", "top at 200", 0.75, 0.5)
    assert hit.difference == -0.25
    was = now["placement"][1]["mean_p"] + 0.001
    (place,) = against(now, changed(now, 1, mean_p=was)).lower
    assert (place.of, place.row) == ("mean_p", "top at 200, best-last on the assumed curve")
    assert place.difference == pytest.approx(-0.001)


@pytest.mark.parametrize(("tolerance", "falls"), [(0.0, 1), (0.24, 1), (0.25, 0), (1.0, 0)])
def test_a_fall_within_the_tolerance_is_none(tolerance: float, falls: int) -> None:
    now = found()
    assert len(against(now, changed(now, hit_rate=0.75), tolerance).lower) == falls


def test_a_rise_and_the_rounding_of_sums_are_no_fall() -> None:
    now = found()
    assert against(now, changed(now, hit_rate=0.25)).lower == ()
    was = now["placement"][0]["mean_p"] + 1e-12
    assert against(now, changed(now, mean_p=was)).lower == ()


def test_an_answer_that_is_packed_no_more_is_a_fall_and_one_that_never_was_is_none() -> None:
    nothing = found(budget=50)
    assert nothing["placement"][0]["mean_p"] is None
    fallen = against(nothing, changed(nothing, mean_p=0.6)).lower
    assert [(one.before, one.now) for one in fallen] == [(0.6, None)]
    compared = against(nothing, changed(nothing))
    assert (compared.compared, compared.lower) == (1, ())


def test_rows_of_one_side_and_another_set_of_questions_are_told() -> None:
    before, now = found("top", "optimal"), found("top", "ordered")
    copy = before | {"questions": 9}
    copy["packing"] = [row | {"value_by": "score"} for row in before["packing"]]
    compared = against(now, parse_baseline(msgspec.json.encode(copy)))
    assert "hit rate of optimal at 200" in compared.only_before
    assert "hit rate of ordered at 200 for the assumed curve" in compared.only_now
    assert len(compared.only_before) == 1 + 2
    assert len(compared.only_now) == 1 + 1
    assert compared.notes == (
        "the baseline is of 9 questions, this of 4.",
        "the baseline valued chunks by score, this by gain.",
    )


def test_a_baseline_without_one_row_in_common_is_refused_naming_both() -> None:
    before = parse_baseline(msgspec.json.encode(found(budget=100)))
    with pytest.raises(InputError, match="'top at 100', and this evaluation has 'top at 200'"):
        against(found(), before)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no output of eval --json"),
        (b"\xff\xfe", "no output of eval --json"),
        (b"[" * 100_000, "no output of eval --json"),
        (b"[]", "Expected `object`"),
        (b'{"runs": []}', "missing required field"),
        (b'{"questions": 3, "packing": [], "placement": []}', "no output of eval --json"),
        (
            b'{"questions": 1, "placement": [], '
            b'"packing": [{"strategy": "top", "budget": 1, "hit_rate": 61.5}]}',
            "<= 1",
        ),
        (
            b'{"questions": 0, "placement": [], '
            b'"packing": [{"strategy": "top", "budget": 1, "hit_rate": 0}]}',
            "of no question",
        ),
    ],
)
def test_what_is_no_evaluation_is_refused_in_words(content: bytes, said: str) -> None:
    with pytest.raises(InputError, match="it is ") as refused:
        parse_baseline(content)
    assert said in str(refused.value)


def test_a_row_that_is_there_twice_is_refused() -> None:
    now = found()
    now["packing"] *= 2
    with pytest.raises(InputError, match="the hit rate of top at 200 is in it twice"):
        parse_baseline(msgspec.json.encode(now))
