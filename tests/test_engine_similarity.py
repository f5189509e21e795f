"""How alike candidates are: cosines of vectors, or of the TF-IDF of texts."""

from __future__ import annotations

import math
import random
import time
import tracemalloc
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxpack.likeness.similarity
from ctxpack import Candidate
from ctxpack.likeness.similarity import ONE, Likeness, Similarities, compare
from ctxpack.likeness.tfidf import term_rows
from ctxpack.value.bm25 import terms

GRID = 1 / ONE
WORDS = ["refund", "Refund", "days", "the", "30", "漢字", "shipping", "late", ""]


def cosine(first: list[float], second: list[float]) -> float:
    lengths = math.sqrt(math.fsum(x * x for x in first) * math.fsum(x * x for x in second))
    return math.fsum(x * y for x, y in zip(first, second, strict=True)) / lengths if lengths else 0


def tfidf(texts: list[str]) -> list[list[float]]:
    """The rows written out term by term: count times log((1 + N) / (1 + n)) + 1."""
    counts = [Counter(terms(text)) for text in texts]
    every = sorted(set().union(*counts))
    rarity = {
        term: math.log((1 + len(texts)) / (1 + sum(term in held for held in counts))) + 1
        for term in every
    }
    return [[held[term] * rarity[term] for term in every] for held in counts]


def of_vectors(*vectors: tuple[float, ...]) -> list[Candidate]:
    return [Candidate(id=f"c{n}", vector=vector) for n, vector in enumerate(vectors)]


def of_texts(*texts: str | None) -> list[Candidate]:
    return [Candidate(id=f"c{n}", text=text) for n, text in enumerate(texts)]


def relevance(similarities: Similarities, name: str) -> float:
    assert similarities.relevance is not None
    return int(similarities.relevance[similarities.places[name]]) / ONE


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), min_size=1, max_size=12),
    st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join),
)
def test_texts_are_compared_by_tfidf_with_the_query_in_the_corpus(
    texts: list[str], query: str
) -> None:
    similarities = compare(of_texts(*texts), query, None)
    rows = tfidf([*texts, query] if query.strip() else texts)
    for one, first in enumerate(texts):
        for two, _ in enumerate(texts):
            expected = cosine(rows[one], rows[two])
            assert similarities.cosine(f"c{one}", f"c{two}") == pytest.approx(expected, abs=GRID)
        if query.strip():
            expected = cosine(rows[one], rows[-1])
            assert relevance(similarities, f"c{one}") == pytest.approx(expected, abs=GRID)
        assert similarities.cosine(f"c{one}", f"c{one}") == (1.0 if terms(first) else 0.0)
    assert (similarities.relevance is None) == (not query.strip())
    assert similarities.warnings == ()


@pytest.mark.parametrize("count", [12, 60])
def test_rare_and_common_terms_and_single_rows_give_the_same_cosines(count: int) -> None:
    chance = random.Random(count)
    texts = [" ".join(str(int(chance.paretovariate(0.6))) for _ in range(30)) for _ in range(count)]
    weighed = term_rows(texts)
    rows = tfidf(texts)
    products = weighed.products()
    for one in range(0, count, 5):
        expected = [cosine(rows[one], row) for row in rows]
        assert products[one].tolist() == pytest.approx(expected, abs=1e-12)
        assert weighed.row(one).tolist() == pytest.approx(expected, abs=1e-12)
    apart = term_rows(["alone", "apart", ""])
    assert apart.row(1).tolist() == apart.products()[1].tolist() == [0.0, 1.0, 0.0]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(*[st.floats(-1e200, 1e200)] * 3), min_size=1, max_size=8),
    st.tuples(*[st.floats(-1e9, 1e9)] * 3),
)
def test_given_vectors_are_compared_by_their_cosine_whatever_their_length(
    vectors: list[tuple[float, ...]], query: tuple[float, ...]
) -> None:
    similarities = compare(of_vectors(*vectors), "", query)
    scaled = [[x / (max(map(abs, vector)) or 1) for x in vector] for vector in [*vectors, query]]
    for one, _ in enumerate(vectors):
        for two, _ in enumerate(vectors):
            expected = cosine(scaled[one], scaled[two])
            assert similarities.cosine(f"c{one}", f"c{two}") == pytest.approx(expected, abs=2e-12)
        expected = cosine(scaled[one], scaled[-1])
        assert relevance(similarities, f"c{one}") == pytest.approx(expected, abs=2e-12)


def test_equal_candidates_have_equal_cosines_to_the_last_digit() -> None:
    chance = random.Random(5)
    vectors = [tuple(chance.gauss(0, 1) for _ in range(100)) for _ in range(40)]
    similarities = compare(of_vectors(*vectors, *vectors), "", vectors[3])
    for n in range(40):
        assert similarities.row(f"c{n}").tolist() == similarities.row(f"c{n + 40}").tolist()
        assert similarities.cosine(f"c{n}", f"c{n + 40}") == 1.0
        assert relevance(similarities, f"c{n}") == relevance(similarities, f"c{n + 40}")


@pytest.mark.parametrize("by", ["vectors", "texts"])
def test_above_the_number_that_is_kept_rows_are_made_when_asked_and_are_the_same(
    by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(7)
    if by == "vectors":
        chunks = of_vectors(*(tuple(chance.gauss(0, 1) for _ in range(20)) for _ in range(30)))
    else:
        chunks = of_texts(*(" ".join(chance.choices(WORDS, k=9)) for _ in range(30)))
    query = tuple(chance.gauss(0, 1) for _ in range(20))
    kept = compare(chunks, "late refund", query)
    monkeypatch.setattr(ctxpack.likeness.similarity, "KEPT", 10)
    asked = compare(chunks, "late refund", query)
    assert kept.relevance is not None
    assert asked.relevance is not None
    assert kept.relevance.tolist() == asked.relevance.tolist()
    for chunk in chunks:
        assert kept.row(chunk.id).tolist() == asked.row(chunk.id).tolist()


def test_headers_are_part_of_the_text_that_is_compared() -> None:
    chunks = [
        Candidate(id="a", header="Returns", text="Within thirty days."),
        Candidate(id="b", header="Shipping", text="Within thirty days."),
    ]
    assert relevance(compare(chunks, "returns", None), "a") > 0.3
    assert relevance(compare(chunks, "returns", None), "b") == 0.0


# What cannot be compared


def test_a_vector_with_nan_or_of_another_length_is_unlike_everything_and_named() -> None:
    vectors = ((1.0, 0.0), (math.nan, 1.0), (1.0,), (0.0, 0.0), (math.inf, 0.0), (2.0, 0.0))
    similarities = compare(of_vectors(*vectors), "", (1.0, 0.0))
    assert similarities.unusable == {"c1", "c2", "c4"}
    assert similarities.warnings == (
        "'c1' (NaN or an infinite number), 'c2' (length 1, not 2), "
        "'c4' (NaN or an infinite number): not comparable, chosen last by mmr.",
    )
    for name in ("c1", "c2", "c3", "c4"):
        assert relevance(similarities, name) == 0.0
        assert all(similarities.cosine(name, f"c{n}") == 0.0 for n in range(6))
    assert similarities.cosine("c0", "c5") == relevance(similarities, "c0") == 1.0


def test_a_chunk_without_a_vector_among_such_with_one_and_without_texts_is_named() -> None:
    similarities = compare([Candidate(id="a", vector=(1.0,)), Candidate(id="b")], "", (1.0,))
    assert similarities.cosine("a", "b") == 0.0
    assert similarities.warnings == ("'b' (no vector): not comparable, chosen last by mmr.",)


@pytest.mark.parametrize("query", [(1.0, 0.0, 0.0), (math.nan, 1.0)])
def test_a_query_vector_that_cannot_be_compared_is_left_out_and_said(
    query: tuple[float, ...],
) -> None:
    similarities = compare(of_vectors((1.0, 0.0), (0.0, 1.0)), "", query)
    assert similarities.relevance is None
    (said,) = similarities.warnings
    assert said.startswith("query vector (")
    assert said.endswith("): not compared, relevance is the value.")


def test_vectors_of_the_querys_length_are_the_right_ones_however_few() -> None:
    vectors = ((1.0, 0.0), (1.0,), (1.0,))
    assert compare(of_vectors(*vectors), "", (1.0, 0.0)).unusable == {"c1", "c2"}
    assert compare(of_vectors(*vectors), "", None).unusable == {"c0"}


def test_texts_are_compared_where_more_have_a_text_than_a_vector_and_that_is_said() -> None:
    chunks = [
        Candidate(id="a", text="late refund", vector=(1.0, 0.0)),
        Candidate(id="b", text="late refund"),
        Candidate(id="c", vector=(1.0, 0.0)),
        Candidate(id="d", text="late"),
    ]
    similarities = compare(chunks, "", None)
    assert similarities.cosine("a", "b") == 1.0
    assert similarities.unusable == {"c"}
    assert similarities.warnings == (
        "2 of 4 have a vector: their texts are compared instead.",
        "'c' (no text): not comparable, chosen last by mmr.",
    )
    assert compare([chunks[0], chunks[2]], "", None).cosine("a", "c") == 1.0


def test_with_neither_texts_nor_vectors_nothing_is_compared_and_that_is_said() -> None:
    similarities = compare([Candidate(id="a"), Candidate(id="b")], "query", None)
    assert similarities.relevance is None
    assert similarities.cosine("a", "b") == 0.0
    assert similarities.warnings == (
        "neither texts nor vectors to compare: mmr goes by value alone.",
    )
    assert compare([], "query", None).warnings == ()


# Keeping


def test_the_same_comparison_is_made_once_and_any_difference_makes_it_anew() -> None:
    chunks = [Candidate(id="a", text="late refund"), Candidate(id="b", text="shipping")]
    likeness = Likeness()
    first = likeness.compare(chunks, "refund", None)
    again = [Candidate(id="a", text="late refund", rank=7), Candidate(id="b", text="shipping")]
    assert likeness.compare(again, "refund", None) is first
    for changed, query, vector in (
        (chunks, "shipping", None),
        (chunks, "refund", (1.0,)),
        (chunks[:1], "refund", None),
        ([chunks[0], Candidate(id="b", text="late")], "refund", None),
        ([chunks[0], Candidate(id="b", header="H", text="shipping")], "refund", None),
    ):
        assert likeness.compare(chunks, "refund", None) is not likeness.compare(
            changed, query, vector
        )


def test_two_thousand_texts_with_twenty_thousand_terms_stay_in_little_memory() -> None:
    chance = random.Random(11)
    texts = [
        " ".join(f"w{int(chance.random() ** 4 * 20_000)}" for _ in range(60)) for _ in range(2000)
    ]
    weighed = term_rows(texts)
    tracemalloc.start()
    begun = time.process_time()
    products = weighed.products()
    spent, (_, peak) = time.process_time() - begun, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert products.nbytes < 33_000_000
    assert peak < 90_000_000
    assert spent < 3
