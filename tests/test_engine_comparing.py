"""Comparing strategies: each is the same packing as alone, against what top has."""

from __future__ import annotations

from statistics import median

import msgspec
import pytest
from engine_inputs import packed_ids, settings, sized
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from ctxpack import STRATEGIES, Candidate, Settings, pack
from ctxpack.errors import Stopped
from ctxpack.explaining.comparing import compare
from ctxpack.retrieved import Retrieved


@effort(max_examples=150, deadline=None, derandomize=True)
@given(sized(min_size=1), st.data())
def test_each_is_the_packing_that_pack_gives_and_differs_from_top_as_said(
    candidates: list[Candidate], data: st.DataObject
) -> None:
    chosen = data.draw(settings(candidates))
    compared = compare(Retrieved(tuple(candidates)), chosen)
    alone = {
        strategy: pack(candidates, msgspec.structs.replace(chosen, strategy=strategy))
        for strategy in STRATEGIES
    }
    top = set(packed_ids(alone["top"]))
    assert [one.result for one in compared] == list(alone.values())
    for one in compared:
        own = set(packed_ids(one.result))
        assert set(one.gave_up) == top - own
        assert set(one.gained) == own - top
        assert one.more_value == one.result.value - alone["top"].value
        sizes = [chunk.tokens for chunk in one.result.packed]
        assert one.median_packed == (median(sizes) if sizes else None)
        assert one.median_considered == median(c.tokens or 0 for c in candidates)


def test_density_gives_up_a_long_chunk_for_two_short_ones() -> None:
    chunks = [
        Candidate(id="long", rank=1, tokens=100),
        Candidate(id="short", rank=2, tokens=40),
        Candidate(id="brief", rank=3, tokens=50),
    ]
    compared = compare(Retrieved(tuple(chunks)), Settings(budget=100))
    by_strategy = {one.result.settings.strategy: one for one in compared}
    density = by_strategy["density"]
    assert (density.gave_up, density.gained) == (("long",), ("short", "brief"))
    assert density.median_packed == 45
    assert density.median_considered == 50
    assert by_strategy["top"].gave_up == by_strategy["top"].gained == ()


def test_comparing_can_be_stopped() -> None:
    chunks = tuple(Candidate(id=f"c{n}", rank=n, tokens=50 + n) for n in range(1, 30))
    with pytest.raises(Stopped):
        compare(Retrieved(chunks), Settings(budget=500), ["optimal"], should_stop=lambda: True)
