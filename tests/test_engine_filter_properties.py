"""What holds for the filters and for values of every kind, over random candidates."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
from engine_inputs import packed_ids, skipped_reasons
from hypothesis import assume, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from ctxpack import Candidate, Settings, pack
from ctxpack.filters.filtering import filter_candidates
from ctxpack.filters.score_shape import shape
from ctxpack.weighing import Weighing, weigh

many = effort(max_examples=1200, deadline=None, derandomize=True)
some = effort(max_examples=500, deadline=None, derandomize=True)

KINDS = ("similarity", "distance", "rerank", "bm25")
# Quarters, so that sums and shares are exact and a bar is never met by rounding alone.
QUARTERS = st.integers(-12, 80).map(lambda n: n / 4)
SHARES = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
TEXTS = ("refunds take thirty days", "Refunds take  thirty days", "shipping is free", "no", "yes")


def chunks(*, holes: bool = True) -> st.SearchStrategy[list[Candidate]]:
    """Ranked candidates of one kind of score, some without one, some alike, some pinned."""
    score = st.none() | QUARTERS if holes else QUARTERS
    each = st.tuples(score, st.integers(0, 9), st.integers(0, 11))
    return st.builds(_numbered, st.lists(each, max_size=14), st.sampled_from(KINDS))


def _numbered(rows: list[tuple[float | None, int, int]], kind: Any) -> list[Candidate]:
    return [
        Candidate(
            id=f"c{place}",
            rank=place + 1,
            score=score,
            score_kind=kind,
            text=TEXTS[draw] if draw < len(TEXTS) else f"text {place}",
            tokens=tokens,
            pinned=draw > 9,
        )
        for place, (score, tokens, draw) in enumerate(rows)
    ]


ASKED = st.builds(
    Settings,
    budget=st.just(1000),
    cutoff=st.none() | SHARES,
    margin=st.none() | QUARTERS.map(abs),
    cliff=st.booleans(),
    dedupe=st.sampled_from([None, 0.0, 0.5, 0.8, 1.0]),
    max_chunks=st.none() | st.integers(0, 9),
    bans=st.sampled_from([(), ("c0",), ("c1", "c4"), ("c2", "c3", "c7")]),
)
Run = tuple[list[Candidate], Settings]


def weighed(run: Run) -> Weighing:
    return weigh(*run, "", None, 0)


def better(candidate: Candidate) -> Fraction | None:
    """The score, exactly, turned so that higher is better."""
    if candidate.score is None:
        return None
    return Fraction(candidate.score) * (-1 if candidate.score_kind == "distance" else 1)


@many
@given(st.tuples(chunks(), ASKED))
def test_what_survived_the_filters_survives_the_same_bars_again(
    run: Run,
) -> None:
    chosen, weighing = run[1], weighed(run)
    once = filter_candidates(weighing.candidates, chosen, weighing.named)
    again = filter_candidates(once.kept, chosen, weighing.named, once.bars)
    assert again.kept == once.kept
    assert again.refused == ()


@many
@given(st.tuples(chunks(), ASKED))
def test_every_candidate_survives_or_falls_to_the_first_filter_that_it_meets(
    run: Run,
) -> None:
    candidates, chosen = run
    result = pack(candidates, chosen)
    reasons = skipped_reasons(result)
    left = [chunk for chunk in candidates if chunk.tokens]
    assert {name for name, why in reasons.items() if why == "invalid"} == {
        chunk.id for chunk in candidates if not chunk.tokens
    }
    assert {name for name, why in reasons.items() if why == "banned"} == {
        chunk.id for chunk in left if chunk.id in chosen.bans
    }
    left = [chunk for chunk in left if chunk.id not in chosen.bans]
    alike = {name for name, why in reasons.items() if why == "duplicate"}
    assert not alike or chosen.dedupe is not None
    left = [chunk for chunk in left if chunk.id not in alike]
    scores = sorted((s for chunk in left if (s := better(chunk)) is not None), reverse=True)
    cliff = shape([float(score) for score in scores]).cliff if chosen.cliff else None
    expected: dict[str, str] = {}
    for chunk in left:
        score = better(chunk)
        if score is None or chunk.pinned:
            continue
        below = scores[0] - score
        by_share = chosen.cutoff is not None and below > Fraction(chosen.cutoff) * (
            scores[0] - scores[-1]
        )
        if by_share or (chosen.margin is not None and below > Fraction(chosen.margin)):
            expected[chunk.id] = "below_cutoff"
        elif cliff is not None and score < scores[cliff - 1]:
            expected[chunk.id] = "below_cliff"
    rest = [chunk.id for chunk in left if chunk.id not in expected and not chunk.pinned]
    if chosen.max_chunks is not None:
        expected |= dict.fromkeys(rest[chosen.max_chunks :], "over_count")
    others = ("invalid", "banned", "duplicate")
    assert {name: why for name, why in reasons.items() if why not in others} == expected


@many
@given(st.tuples(chunks(), ASKED))
def test_pins_fall_to_bans_and_to_nothing_else(
    run: Run,
) -> None:
    chosen, weighing = run[1], weighed(run)
    found = filter_candidates(weighing.candidates, chosen, weighing.named)
    kept = {candidate.id for candidate in found.kept}
    for candidate in weighing.candidates:
        if candidate.pinned:
            assert (candidate.id in kept) == (candidate.id not in chosen.bans)


@some
@given(st.tuples(chunks(), ASKED))
def test_the_numbers_of_a_refusal_are_enough_to_let_it_in(
    run: Run,
) -> None:
    candidates, chosen = run
    chosen = msgspec.structs.replace(chosen, cliff=False, max_chunks=None)
    for out in pack(candidates, chosen).skipped:
        if out.reason == "below_cutoff":
            changes = {
                name: out.detail[name] for name in ("cutoff", "margin") if name in out.detail
            }
            assert changes
            wider: Settings = msgspec.structs.replace(chosen, **changes)
            assert out.id in packed_ids(pack(candidates, wider))


@some
@given(
    chunks(holes=False),
    SHARES,
    st.booleans(),
    st.sampled_from([0.25, 0.5, 2.0, 64.0]),
    st.sampled_from([-16.0, 0.0, 8.0]),
)
def test_scores_that_are_shifted_or_scaled_are_cut_alike(
    candidates: list[Candidate], cutoff: float, cliff: bool, scale: float, shift: float
) -> None:
    moved = [
        msgspec.structs.replace(c, score=None if c.score is None else c.score * scale + shift)
        for c in candidates
    ]
    chosen = Settings(budget=1000, cutoff=cutoff, cliff=cliff)
    assert skipped_reasons(pack(moved, chosen)) == skipped_reasons(pack(candidates, chosen))


@many
@given(
    st.lists(
        QUARTERS | st.sampled_from([-900.0, -800.0, 40.0, 50.0, 800.0, 1e9, 1e17]),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from(KINDS),
    st.sampled_from([0.25, 1.0, 4.0]),
    st.sampled_from([-32.0, 0.0, 0.5]),
)
def test_the_order_by_score_is_that_of_the_scores_however_they_are_shifted_or_scaled(
    scores: list[float], kind: Any, scale: float, shift: float
) -> None:
    moved = [score * scale + shift for score in scores]
    assume(
        all(
            (a < b) == (x < y)
            for a, x in zip(scores, moved, strict=True)
            for b, y in zip(scores, moved, strict=True)
        )
    )
    candidates = [
        Candidate(id=f"c{n}", score=score, score_kind=kind, tokens=1)
        for n, score in enumerate(moved)
    ]
    result = pack(candidates, Settings(budget=100, value="score"))
    sign = 1 if kind == "distance" else -1
    expected = sorted(range(len(scores)), key=lambda n: sign * scores[n])
    assert packed_ids(result) == [f"c{n}" for n in expected]
    assert all(chunk.value >= 0 for chunk in result.packed)
