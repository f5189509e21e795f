"""The figures of the public question sets: hit rate, value, chunks, mean p of each placement."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from engine_inputs import counter

from ctxpack import Candidate, PackResult, Settings, pack

WITHIN = 0.0005
SETS = ("xquad_en", "xquad_zh", "chroma_eval_200")
PLACED = ("ends", "best-first", "best-last", "middle")


class Row(NamedTuple):
    """One line of the table of figures to meet."""

    budget: int
    strategy: str
    hit_rate: float
    value: float
    chunks: float
    mean_p: dict[str, float]


class Question(NamedTuple):
    """Candidates in rank order and the chunks that hold the answer."""

    candidates: list[Candidate]
    gold: set[str]


def rows(readme: Path, name: str) -> Iterator[Row]:
    for line in readme.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 11 and cells[0] == name:
            p = dict(zip(PLACED, map(float, cells[7:]), strict=True))
            yield Row(int(cells[2]), cells[3], float(cells[4]) / 100, *map(float, cells[5:7]), p)


def questions(folder: Path, name: str) -> list[Question]:
    corpus = lines(folder / f"{name}.corpus.jsonl")
    tokens = {chunk["id"]: counter()(chunk["text"]) for chunk in corpus}
    return [
        Question(
            [
                Candidate(id=chunk, rank=rank, tokens=tokens[chunk])
                for rank, (chunk, _) in enumerate(question["candidates"], start=1)
            ],
            set(question["gold_ids"]),
        )
        for question in lines(folder / f"{name}.questions.jsonl")
    ]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def measured(asked: list[Question], row: Row) -> Row:
    hits = value = chunks = 0.0
    p: dict[str, list[float]] = {placement: [] for placement in PLACED}
    for question in asked:
        result = pack(question.candidates, _settings(row, PLACED[0]))
        hits += any(chunk.id in question.gold for chunk in result.packed)
        value += result.value
        chunks += len(result.packed)
        for placement in PLACED:
            if placement != PLACED[0] and _matters(result, question):
                result = pack(question.candidates, _settings(row, placement))
            gold = [chunk for chunk in result.packed if chunk.id in question.gold]
            if gold:
                p[placement].append(min(gold, key=lambda chunk: chunk.rank or 0).p)
    count = len(asked)
    means = {placement: sum(found) / len(found) for placement, found in p.items()}
    return Row(row.budget, row.strategy, hits / count, value / count, chunks / count, means)


def _settings(row: Row, placement: str) -> Settings:
    return Settings(budget=row.budget, strategy=row.strategy, placement=placement)


def _matters(result: PackResult, question: Question) -> bool:
    """Whether another placement can move the answer: one chunk alone always stands at 0.5."""
    found = any(chunk.id in question.gold for chunk in result.packed)
    return found and len(result.packed) > 1


@pytest.mark.parametrize("name", SETS)
def test_every_strategy_and_placement_meets_the_figures_of_the_question_set(
    shared: Path, name: str
) -> None:
    folder = shared / "data"
    asked = questions(folder, name)
    expected = list(rows(folder / "README.md", name))
    assert len(expected) == 12
    for row in expected:
        found = measured(asked, row)
        told = f"{name} {row.budget} {row.strategy}"
        assert found.hit_rate == pytest.approx(row.hit_rate, abs=WITHIN), told
        assert found.value == pytest.approx(row.value, abs=WITHIN), told
        assert found.chunks == pytest.approx(row.chunks, abs=0.005001), told
        assert found.mean_p == pytest.approx(row.mean_p, abs=WITHIN), told
