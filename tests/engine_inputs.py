"""Random candidates, settings and texts for the engine's property tests."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from hypothesis import strategies as st

from ctxpack import PLACEMENTS, STRATEGIES, Candidate, Counter, PackResult, Settings

BUDGETS = st.integers(0, 600)
AT_EVERY_BUDGET = tuple(name for name in STRATEGIES if name != "ordered")
"""Strategies of which is told who is in at every budget; their bound is on the value."""
KINDS = st.sampled_from(["similarity", "distance", "rerank", "bm25"])
WORDS = [
    "refund",
    "the",
    "30 days",
    "1,234",
    "naïve",
    "漢字",
    "👋🏻",
    "x" * 40,
    "|0.125|",
    "¶",
    "ß",
]
ENDS = ["", " ", "  ", "\n", "\n\n", "\t ", "   ", ".", "'", "ab", "a", "1"]


@cache
def counter() -> Counter:
    """One counter for all tests: it remembers every text."""
    return Counter()


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A few words with awkward first and last characters, so that joining changes the tokens."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6))
    text = draw(st.sampled_from(ENDS)) + " ".join(words) + draw(st.sampled_from(ENDS))
    return text or "x"


@st.composite
def sized(
    draw: st.DrawFn, min_size: int = 0, max_size: int = 14, largest: int = 250
) -> list[Candidate]:
    """Candidates with tokens and unique ranks, some with holes between them."""
    sizes = draw(st.lists(st.integers(1, largest), min_size=min_size, max_size=max_size))
    count = len(sizes)
    ranks = draw(
        st.lists(st.integers(1, 3 * count + 1), min_size=count, max_size=count, unique=True)
    )
    return [
        Candidate(id=f"c{place}", rank=rank, tokens=size)
        for place, (rank, size) in enumerate(zip(ranks, sizes, strict=True))
    ]


@st.composite
def scored(draw: st.DrawFn, min_size: int = 0, max_size: int = 12) -> list[Candidate]:
    """Candidates with scores of one kind, few distinct ones, so that equal values are common."""
    candidates = draw(sized(min_size=min_size, max_size=max_size, largest=60))
    kind = draw(KINDS)
    few = st.sampled_from([-2.0, -0.5, 0.0, 0.25, 0.5, 1.0, 3.0])
    scores = draw(
        st.lists(few | st.floats(-50, 50), min_size=len(candidates), max_size=len(candidates))
    )
    return [
        Candidate(id=c.id, rank=c.rank, tokens=c.tokens, score=score, score_kind=kind)
        for c, score in zip(candidates, scores, strict=True)
    ]


@st.composite
def awkward(draw: st.DrawFn) -> list[Candidate]:
    """Whatever an application may hand over: repeated ids, empty texts, pins, missing counts."""
    count = draw(st.integers(0, 10))
    return [
        Candidate(
            id=draw(st.sampled_from("abcdefgh")),
            rank=draw(st.none() | st.integers(1, 20)),
            score=draw(st.none() | st.floats()),
            score_kind=draw(st.none() | KINDS),
            text=draw(st.none() | texts() | st.just("")),
            header=draw(st.none() | st.just("Handbook, page 3")),
            tokens=draw(st.none() | st.integers(-3, 80)),
            pinned=draw(st.integers(0, 4)) == 4,
        )
        for _ in range(count)
    ]


@st.composite
def settings(draw: st.DrawFn, candidates: Sequence[Candidate] = ()) -> Settings:
    """Settings of every strategy and placement, with pins and bans among the candidates."""
    names = [candidate.id for candidate in candidates]
    pins = draw(st.lists(st.sampled_from(names), max_size=2, unique=True)) if names else []
    rest = [name for name in names if name not in pins]
    bans = draw(st.lists(st.sampled_from(rest), max_size=2, unique=True)) if rest else []
    return Settings(
        budget=draw(BUDGETS),
        strategy=draw(st.sampled_from(STRATEGIES)),
        placement=draw(st.sampled_from(PLACEMENTS)),
        max_chunks=draw(st.none() | st.integers(0, 8)),
        pins=tuple(pins),
        bans=tuple(bans),
        pins_first=draw(st.booleans()),
    )


def packed_ids(result: PackResult) -> list[str]:
    """Ids in window order."""
    return [chunk.id for chunk in result.packed]


def skipped_reasons(result: PackResult) -> dict[str, str]:
    """Reasons by id."""
    return {chunk.id: chunk.reason for chunk in result.skipped}
