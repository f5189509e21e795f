"""Inputs on which other tools' diversity and de-duplication went wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from engine_inputs import packed_ids

from ctxpack import Candidate, PackResult, Settings, pack

NAN = float("nan")


def chosen(vectors: dict[str, list[float]], query: list[float], k: int, share: float) -> PackResult:
    """Choose k of equally long chunks, listed in their order."""
    chunks = [
        Candidate(id=name, rank=rank, tokens=1, vector=tuple(map(float, vector)))
        for rank, (name, vector) in enumerate(vectors.items(), 1)
    ]
    asked = Settings(
        budget=k, strategy="mmr", mmr_lambda=share, query_vector=tuple(map(float, query))
    )
    return pack(chunks, asked)


def without_duplicates(candidates: list[dict[str, str]], dedupe: float | None) -> PackResult:
    chunks = [
        Candidate(id=one["id"], rank=rank, tokens=3, text=one["text"], doc_id=one.get("doc"))
        for rank, one in enumerate(candidates, 1)
    ]
    return pack(chunks, Settings(budget=100, dedupe=dedupe))


NEAR = {"a": [1, 0.05], "a2": [1, 0.06], "b": [0.6, 0.8]}


def test_lambda_1_is_relevance_and_lambda_0_takes_the_most_different_second() -> None:
    assert packed_ids(chosen(NEAR, [1, 0], 2, 1.0)) == ["a", "a2"]
    assert packed_ids(chosen(NEAR, [1, 0], 2, 0.0)) == ["a", "b"]
    assert packed_ids(chosen(NEAR, [1, 0], 2, 0.1)) != packed_ids(chosen(NEAR, [1, 0], 2, 0.9))


def test_a_lambda_of_zero_is_honoured() -> None:
    across = {"a": [1, 0.05], "a2": [1, 0.06], "b": [0, 1]}
    assert packed_ids(chosen(across, [1, 0], 2, 0)) == ["a", "b"]


@pytest.mark.parametrize("share", [0.0, 0.5, 0.7, 1.0])
def test_identical_vectors_are_each_in_once_and_in_rank_order(share: float) -> None:
    same: dict[str, list[float]] = {"a": [1, 0], "b": [1, 0], "c": [1, 0]}
    assert packed_ids(chosen(same, [1, 0], 3, share)) == ["a", "b", "c"]
    for k, first in enumerate(["a", "b"], start=1):
        assert packed_ids(chosen(same, [1, 0], k, share))[-1] == first


@pytest.mark.parametrize("share", [0.5, 0.7, 1.0])
def test_a_zero_vector_is_like_nothing_and_one_with_nan_comes_last_with_a_warning(
    share: float,
) -> None:
    odd: dict[str, list[float]] = {"z": [0, 0], "nan": [NAN, 0], "a": [1, 0]}
    assert packed_ids(chosen(odd, [1, 0], 1, share)) == ["a"]
    assert set(packed_ids(chosen(odd, [1, 0], 2, share))) == {"a", "z"}
    every = chosen(odd, [1, 0], 3, share)
    assert set(packed_ids(every)) == {"a", "z", "nan"}
    (said,) = every.warnings
    assert "'nan'" in said
    assert "'z'" not in said


SAME = [
    {"id": "f1#3", "text": "Same passage."},
    {"id": "f2#3", "text": "Same passage."},
    {"id": "f3#1", "text": "Other."},
]


def test_one_text_under_two_ids_takes_one_place_and_the_other_is_told_as_its_duplicate() -> None:
    result = without_duplicates(SAME, 0.8)
    assert packed_ids(result) == ["f1#3", "f3#1"]
    (out,) = result.skipped
    assert (out.id, out.detail) == ("f2#3", {"of": "f1#3", "similarity": 1.0})


BOILERPLATE = [
    {"id": "a#1", "doc": "a", "text": "Boilerplate."},
    {"id": "b#1", "doc": "b", "text": "Boilerplate."},
]


def test_the_kept_chunk_lists_all_sources_and_dedupe_is_off_unless_asked_for() -> None:
    (kept,) = without_duplicates(BOILERPLATE, 0.8).packed
    assert (kept.id, kept.sources) == ("a#1", ("a", "b"))
    assert packed_ids(without_duplicates(BOILERPLATE, None)) == ["a#1", "b#1"]


# The case files beside the checkout


def case(shared: Path, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    (path,) = sorted((shared / "cases").glob(f"{name}-*.json"))
    read = json.loads(path.read_text("utf-8"))
    return read["input"], read["expect"]


def test_diversity_case_files(shared: Path) -> None:
    given, expect = case(shared, "M01")
    query, vectors, k = given["query"], given["vectors"], given["k"]
    assert packed_ids(chosen(vectors, query, k, 1.0)) == expect["lambda_1"]
    assert packed_ids(chosen(vectors, query, k, 0.0)) == expect["lambda_0"]

    given, expect = case(shared, "M03")
    result = chosen(given["vectors"], given["query"], given["k"], given["lambda"])
    assert packed_ids(result) == expect["picked"]

    given, expect = case(shared, "M05")
    result = chosen(given["vectors"], given["query"], given["k"], 0.7)
    assert packed_ids(result) == expect["picked"]

    given, expect = case(shared, "M07")
    assert packed_ids(chosen(given["vectors"], given["query"], 1, 0.7)) == [expect["first"]]
    every = chosen(given["vectors"], given["query"], given["k"], 0.7)
    assert all(any(repr(name) in said for said in every.warnings) for name in expect["warns"])


def test_duplicate_case_files(shared: Path) -> None:
    given, expect = case(shared, "D01")
    result = without_duplicates(given["candidates"], 0.8)
    assert packed_ids(result) == expect["kept"]
    assert {out.id: out.detail["of"] for out in result.skipped} == expect["duplicate_of"]

    given, expect = case(shared, "D03")
    result = without_duplicates(given["candidates"], 0.8)
    assert packed_ids(result) == expect["kept"]
    assert [*result.packed[0].sources] == expect["sources"]
    assert len(without_duplicates(given["candidates"], None).packed) == 2
