"""Maximal marginal relevance and near-duplicates against how they are commonly done."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from statistics import quantiles
from time import process_time

from benchmarks.table import Line
from ctxpack import Candidate, Settings
from ctxpack.choosing.mmr import mmr
from ctxpack.filters.duplicates import near_duplicates
from ctxpack.likeness.similarity import compare
from ctxpack.retrieved import Retrieved
from ctxpack.value.valuation import as_integers, gain
from ctxpack.weighed import Weighed

CHUNKS, SIZE, LAMBDA = 200, 384, 0.5


def lines() -> list[Line]:
    """Ratios of CPU time on 200 chunks, and the 95th percentile of packing them again."""
    return [*_diversity(), *_again(), _duplicates()]


def _diversity() -> list[Line]:
    """All 200 of 200, similarities included, against LangChain's where that is installed."""
    if find_spec("langchain_core") is None:
        return []
    import numpy as np

    maximal_marginal_relevance = import_module(
        "langchain_core.vectorstores.utils"
    ).maximal_marginal_relevance
    query, vectors = _vectors()
    chunks = _weighed([1] * CHUNKS)
    candidates = [
        Candidate(id=chunk.id, vector=vector) for chunk, vector in zip(chunks, vectors, strict=True)
    ]
    theirs_query = np.array(query)
    theirs_vectors = [np.array(vector) for vector in vectors]

    def ours() -> list[int]:
        similarities = compare(candidates, "", query)
        return [chunk.order for chunk in mmr(chunks, CHUNKS, LAMBDA, similarities).taken]

    def theirs() -> list[int]:
        return [
            *maximal_marginal_relevance(theirs_query, theirs_vectors, lambda_mult=LAMBDA, k=CHUNKS)
        ]

    if ours() != theirs():
        raise AssertionError("mmr: the two choose differently")
    what = f"LangChain's MMR / ours, {CHUNKS} of {CHUNKS}, {SIZE} numbers, the same order"
    return [Line(what, _median(theirs, 5) / _median(ours, 15), "≥ 80")]


def _again() -> list[Line]:
    """A pack with another lambda, similarities kept, against the first one that makes them."""
    query, vectors = _vectors()
    chance = random.Random(11)
    candidates = tuple(
        Candidate(id=str(rank), rank=rank, tokens=chance.randint(60, 900), vector=vector)
        for rank, vector in enumerate(vectors, 1)
    )
    asked = [
        Settings(budget=12_000, strategy="mmr", mmr_lambda=n / 40, query_vector=query)
        for n in range(41)
    ]
    first = _median(lambda: Retrieved(candidates).pack(asked[20]), 9)
    kept = Retrieved(candidates)
    kept.pack(asked[20])
    again = [_time(lambda settings=settings: kept.pack(settings)) for settings in asked]  # type: ignore[misc]
    slow = quantiles(again, n=20)[-1]
    what = f"mmr, {CHUNKS} @ 12,000"
    return [
        Line(f"{what}: packed first / again with another lambda", first / sorted(again)[20], "> 1"),
        Line(f"{what}: packed again, 95th percentile", slow * 1000, "< 16", "ms"),
    ]


def _duplicates() -> Line:
    """Near-duplicates of 200 chunks of 300 words, against comparing every pair of sets."""
    chance = random.Random(1)
    words = [f"w{n}" for n in range(3000)]
    texts: list[list[str]] = []
    for _ in range(CHUNKS):
        copied = texts and chance.random() < 0.3
        text = list(chance.choice(texts)) if copied else chance.choices(words, k=300)
        if copied:
            for _ in range(chance.choice((3, 9))):
                text[chance.randrange(300)] = chance.choice(words)
        texts.append(text)
    chunks = _weighed([1] * CHUNKS)
    named = {
        chunk.id: Candidate(id=chunk.id, text=" ".join(text))
        for chunk, text in zip(chunks, texts, strict=True)
    }

    # Another threshold each time, for the comparison of the last one is kept.
    thresholds = (0.8 + n * 1e-9 for n in count())

    def ours() -> set[str]:
        return {refusal.id for refusal in near_duplicates(chunks, named, next(thresholds))}

    def theirs() -> set[str]:
        kept: list[set[tuple[str, ...]]] = []
        gone = set()
        for chunk in chunks:
            split = (named[chunk.id].text or "").split()
            own = {tuple(split[at : at + 5]) for at in range(len(split) - 4)}
            if any(len(own & other) / len(own | other) >= 0.8 for other in kept):
                gone.add(chunk.id)
            else:
                kept.append(own)
        return gone

    if ours() != theirs():
        raise AssertionError("near-duplicates: the two find different ones")
    what = f"every pair of sets / near-duplicates, {CHUNKS} chunks of 300 words, the same found"
    return Line(what, _median(theirs, 3) / _median(ours, 9), "> 1")


def _vectors() -> tuple[tuple[float, ...], list[tuple[float, ...]]]:
    chance = random.Random(3)
    centres = [[chance.gauss(0, 1) for _ in range(SIZE)] for _ in range(CHUNKS // 8)]
    vectors = [
        tuple(x + 0.6 * chance.gauss(0, 1) for x in chance.choice(centres)) for _ in range(CHUNKS)
    ]
    return tuple(x + 0.3 * chance.gauss(0, 1) for x in centres[0]), vectors


def _weighed(sizes: list[int]) -> list[Weighed]:
    values = [gain(rank) for rank in range(1, len(sizes) + 1)]
    worths = as_integers(values)
    return [
        Weighed(str(place), place, place + 1, size, size, values[place], worths[place])
        for place, size in enumerate(sizes)
    ]


def _time(work: Callable[[], object]) -> float:
    begun = process_time()
    work()
    return process_time() - begun


def _median(work: Callable[[], object], times: int) -> float:
    work()
    return sorted(_time(work) for _ in range(times))[times // 2]
