"""The same packing under every placement, and what the best of them gains."""

from __future__ import annotations

import pytest

from ctxpack import PLACEMENTS, Candidate, Settings, pack
from ctxpack.explaining.orders import every_order, gain_over, most_used
from ctxpack.retrieved import Retrieved

SIZES = (300, 120, 500, 80, 250)
CHUNKS = tuple(
    Candidate(id=f"c{rank}", rank=rank, tokens=tokens) for rank, tokens in enumerate(SIZES, 1)
)


def test_there_is_one_packing_a_placement_and_it_is_what_pack_gives() -> None:
    settings = Settings(budget=1_000, placement="middle")
    found = every_order(Retrieved(CHUNKS), settings)
    assert [result.settings.placement for result in found] == [*PLACEMENTS]
    for result in found:
        again = pack(CHUNKS, Settings(budget=1_000, placement=result.settings.placement))
        assert result.packed == again.packed
        assert result.expected_use == again.expected_use


def test_what_ordered_chose_is_laid_out_in_every_other_order_too() -> None:
    settings = Settings(budget=800, strategy="ordered")
    found = every_order(Retrieved(CHUNKS), settings)
    assert [result.settings.placement for result in found] == [*PLACEMENTS]
    own = pack(CHUNKS, settings)
    assert {frozenset(chunk.id for chunk in result.packed) for result in found} == {
        frozenset(chunk.id for chunk in own.packed)
    }
    assert most_used(found).packed == own.packed
    assert len({result.packed for result in found}) > 3


def test_the_most_used_gains_over_the_present_by_what_their_uses_differ() -> None:
    # Two chunks of 100 tokens: x 0.25 and 0.75, p 0.60 and 0.575; values 1 and 0.63093.
    two = (Candidate(id="a", rank=1, tokens=100), Candidate(id="b", rank=2, tokens=100))
    found = every_order(
        Retrieved(two), Settings(budget=200), placements=("best-last", "best-first")
    )
    best = most_used(found)
    assert best.settings.placement == "best-first"
    more, share = gain_over(best, found[0])
    first, second = 1.0, 0.6309297535714575
    assert more == pytest.approx((first - second) * 0.025)
    assert share == pytest.approx(more / (first * 0.575 + second * 0.60))


def test_of_equal_orders_the_first_is_the_best_and_nothing_packed_gains_no_share() -> None:
    found = every_order(Retrieved(CHUNKS), Settings(budget=0))
    assert most_used(found) is found[0]
    assert gain_over(found[1], found[0]) == (0.0, None)
