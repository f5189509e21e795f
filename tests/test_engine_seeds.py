"""The figures and examples of the texts that the engine follows."""

from __future__ import annotations

import pytest
from engine_inputs import packed_ids, skipped_reasons

from ctxpack import Candidate, InputError, Settings, pack
from ctxpack.choosing.fill import in_turn
from ctxpack.curves import ASSUMED, curve_named
from ctxpack.placement import place, relative
from ctxpack.value.valuation import gain
from ctxpack.weighed import Weighed


def ranked(*sizes: int, **fields: object) -> list[Candidate]:
    return [
        Candidate(id=f"c{rank}", rank=rank, tokens=size, **fields)  # type: ignore[arg-type]
        for rank, size in enumerate(sizes, start=1)
    ]


@pytest.mark.parametrize(
    ("rank", "expected"), [(1, 1.0), (2, 0.6309298), (3, 0.5), (7, 1 / 3), (15, 0.25), (None, 0.0)]
)
def test_gain_is_one_over_log2_of_rank_plus_one(rank: int | None, expected: float) -> None:
    assert gain(rank) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(
    ("n", "order"),
    [
        (0, []),
        (1, [1]),
        (2, [1, 2]),
        (3, [1, 3, 2]),
        (4, [1, 3, 4, 2]),
        (5, [1, 3, 5, 4, 2]),
        (6, [1, 3, 5, 6, 4, 2]),
        (7, [1, 3, 5, 7, 6, 4, 2]),
    ],
)
def test_ends_puts_the_best_first_and_the_second_last_for_odd_and_even_counts(
    n: int, order: list[int]
) -> None:
    assert place(list(range(1, n + 1)), "ends") == order


@pytest.mark.parametrize("n", range(8))
def test_middle_is_the_reversed_value_order_laid_out_as_ends(n: int) -> None:
    best_first = list(range(1, n + 1))
    assert place(best_first, "middle") == place(best_first[::-1], "ends")


def test_best_last_is_best_first_from_the_other_end() -> None:
    assert place([1, 2, 3], "best-first") == [1, 2, 3]
    assert place([1, 2, 3], "best-last") == [3, 2, 1]


def test_the_assumed_curve_has_its_three_points_and_two_parabolas() -> None:
    points = {x: ASSUMED.p(x) for x in (0.0, 0.25, 0.5, 0.75, 1.0)}
    expected = {0.0: 0.75, 0.25: 0.6, 0.5: 0.55, 0.75: 0.575, 1.0: 0.65}
    assert points == pytest.approx(expected)
    assert (ASSUMED.lowest, ASSUMED.highest) == (0.55, 0.75)


def test_a_curve_that_is_not_known_is_refused_by_its_name() -> None:
    assert curve_named("assumed") is ASSUMED
    with pytest.raises(InputError, match="unknown curve 'ours'"):
        curve_named("ours")


def test_x_is_the_middle_of_the_chunk_over_the_packed_tokens() -> None:
    result = pack(ranked(100, 60, 40), Settings(budget=200))
    assert [(c.id, c.start, c.x) for c in result.packed] == [
        ("c1", 0, 0.25),
        ("c2", 100, 0.65),
        ("c3", 160, 0.9),
    ]
    assert relative(100, 60, 200) == 0.65


@pytest.mark.parametrize("placement", ["best-first", "best-last", "ends", "middle"])
def test_one_chunk_stands_in_the_middle_under_every_placement(placement: str) -> None:
    (chunk,) = pack(ranked(70), Settings(budget=256, placement=placement)).packed
    assert (chunk.start, chunk.x, chunk.p) == (0, 0.5, pytest.approx(0.55))


def test_top_skips_what_no_longer_fits_and_goes_on() -> None:
    result = pack(ranked(300, 900, 400, 100, 120), Settings(budget=512))
    assert packed_ids(result) == ["c1", "c4"]
    assert skipped_reasons(result) == {"c2": "too_long", "c3": "no_room", "c5": "no_room"}
    details = {chunk.id: chunk.detail for chunk in result.skipped}
    assert details["c2"] == {"needed": 900, "budget": 512}
    assert details["c3"] == {"needed": 400, "left": 212, "took_room": ["c1"]}
    assert details["c5"] == {"needed": 120, "left": 112, "took_room": ["c4"]}


def test_first_fit_stops_at_the_first_that_does_not_fit() -> None:
    result = pack(ranked(300, 250, 100), Settings(budget=512, strategy="first-fit"))
    assert packed_ids(result) == ["c1"]
    assert skipped_reasons(result) == {"c2": "no_room", "c3": "after_stop"}
    assert result.skipped[1].detail["stopped_at"] == "c2"


def test_first_fit_stops_also_at_one_that_could_never_fit() -> None:
    result = pack(ranked(300, 900, 100), Settings(budget=512, strategy="first-fit"))
    assert packed_ids(result) == ["c1"]
    assert skipped_reasons(result) == {"c2": "too_long", "c3": "after_stop"}


def test_first_fit_goes_by_given_order_and_not_by_rank() -> None:
    given = [
        Candidate(id="late", rank=1, tokens=60, index=1),
        Candidate(id="early", rank=2, tokens=60, index=0),
    ]
    assert packed_ids(pack(given, Settings(budget=100, strategy="first-fit"))) == ["early"]
    assert packed_ids(pack(given, Settings(budget=100, strategy="top"))) == ["late"]


def test_density_lets_short_middling_chunks_jump_the_queue() -> None:
    result = pack(ranked(400, 90, 90), Settings(budget=400, strategy="density"))
    assert packed_ids(result) == ["c2", "c3"]
    assert skipped_reasons(result) == {"c1": "no_room"}


def test_density_can_prefer_a_heading_to_the_passage_it_heads() -> None:
    heading = Candidate(id="heading", tokens=4, rank=2, score=0.5, score_kind="similarity")
    passage = Candidate(id="passage", tokens=300, rank=1, score=0.9, score_kind="similarity")
    both = [passage, heading]
    by_density = pack(both, Settings(budget=300, strategy="density", value="score"))
    assert packed_ids(by_density) == ["heading"]
    assert packed_ids(pack(both, Settings(budget=300, strategy="top", value="score"))) == [
        "passage"
    ]


def test_density_is_by_the_chunks_own_tokens_and_not_by_the_separators() -> None:
    long = Candidate(id="long", rank=1, tokens=10, score=1.0, score_kind="similarity")
    short = Candidate(id="short", rank=2, tokens=1, score=0.11, score_kind="similarity")
    settings = Settings(budget=10, strategy="density", value="score", separator="-----")
    assert packed_ids(pack([long, short], settings, separator_size=10)) == ["short"]


def test_equal_values_are_ordered_by_rank_and_then_as_given() -> None:
    same = [
        Candidate(id=name, rank=rank, tokens=10, score=1.0, score_kind="similarity")
        for name, rank in (("c", 3), ("a", 1), ("b", 2))
    ]
    assert packed_ids(pack(same, Settings(budget=100, value="score"))) == ["a", "b", "c"]
    unranked = [Candidate(id=name, rank=1, tokens=10) for name in "xyz"]
    assert packed_ids(pack(unranked, Settings(budget=20))) == ["x", "y"]


def test_optimal_gives_up_one_excellent_chunk_for_two_mediocre_ones() -> None:
    candidates = ranked(500, 250, 250)
    top = pack(candidates, Settings(budget=500, strategy="top"))
    best = pack(candidates, Settings(budget=500, strategy="optimal"))
    assert packed_ids(top) == ["c1"]
    assert packed_ids(best) == ["c2", "c3"]
    assert best.value == pytest.approx(0.6309298 + 0.5)
    assert best.proven
    assert best.bound == best.value > top.value
    (left_out,) = best.skipped
    assert left_out.reason == "not_chosen"
    assert left_out.detail == {
        "needed": 500,
        "left": 0,
        "loss": pytest.approx(0.1309298),
        "took_room": ["c2", "c3"],
    }


def test_optimal_takes_a_chunk_only_where_that_strictly_beats_leaving_it_out() -> None:
    equal = [
        Candidate(id=f"c{rank}", rank=rank, tokens=50, score=1.0, score_kind="similarity")
        for rank in (1, 2, 3)
    ]
    worthless = Candidate(id="c4", rank=4, tokens=1, score=0.0, score_kind="similarity")
    result = pack([*equal, worthless], Settings(budget=120, strategy="optimal", value="score"))
    assert packed_ids(result) == ["c1", "c2"]
    losses = {chunk.id: chunk.detail["loss"] for chunk in result.skipped}
    assert losses == {"c3": 0, "c4": 0}


def test_optimal_beats_a_density_that_is_fooled_by_one_dense_chunk() -> None:
    fooled = [
        Candidate(id="dense", rank=3, tokens=10, score=2.0, score_kind="similarity"),
        Candidate(id="large", rank=1, tokens=100, score=10.0, score_kind="similarity"),
    ]
    settings = Settings(budget=100, strategy="density", value="score")
    assert pack(fooled, settings).value == 2.0
    assert pack(fooled, Settings(budget=100, strategy="optimal", value="score")).value == 10.0


def test_pins_are_reserved_first_and_the_rest_is_packed_into_what_is_left() -> None:
    mine = Candidate(id="upload", tokens=300)
    result = pack([*ranked(150, 150, 60), mine], Settings(budget=500, pins=("upload",)))
    assert packed_ids(result) == ["c1", "upload"]
    assert result.used == 450
    assert {chunk.id: chunk.pinned for chunk in result.packed} == {"c1": False, "upload": True}
    assert {c.id: c.detail for c in result.skipped} == {
        "c2": {"needed": 150, "left": 50, "took_room": ["c1"]},
        "c3": {"needed": 60, "left": 50, "took_room": ["c1"]},
    }


def test_what_is_alone_larger_than_the_budget_less_the_pins_is_too_long() -> None:
    mine = Candidate(id="upload", tokens=300, pinned=True)
    result = pack([*ranked(250), mine], Settings(budget=500))
    assert skipped_reasons(result) == {"c1": "too_long"}
    assert result.skipped[0].detail == {"needed": 250, "budget": 200, "reserved": 300}


def test_header_and_text_are_counted_together_as_they_are_rendered() -> None:
    from engine_inputs import counter

    chunk = Candidate(id="a", rank=1, header="Refunds, 2025", text="Within 30 days.")
    result = pack([chunk], Settings(budget=100), count=counter())
    assert result.counts == "exact"
    assert result.used == counter()("Refunds, 2025\nWithin 30 days.")


def test_an_empty_list_and_a_budget_of_nothing_pack_nothing() -> None:
    for result in (pack([], Settings(budget=100)), pack(ranked(5), Settings(budget=0))):
        assert result.packed == ()
        assert (result.used, result.value, result.gap, result.mean_p) == (0, 0, 0, None)
        assert result.proven


def test_densities_are_told_apart_however_near_and_ties_go_by_rank() -> None:
    # 3 / (2**41 + 1) and 3 / (2**41 + 3) differ by less than 2**-79.
    def weighed(name: str, rank: int, tokens: int, worth: int) -> Weighed:
        return Weighed(name, rank, rank, tokens, tokens, 1.0, worth)

    wide = [weighed("long", 1, 2**41 + 3, 3), weighed("short", 2, 2**41 + 1, 3)]
    assert [chunk.id for chunk in in_turn(wide, "density")] == ["short", "long"]
    equal = [weighed("b", 2, 10**9 * 7, 7), weighed("a", 1, 10**9 * 3, 3)]
    assert [chunk.id for chunk in in_turn(equal, "density")] == ["a", "b"]
