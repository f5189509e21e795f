"""README's own figures are those that `ctxpack eval` gives, and what it says of them holds."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import pytest

import sample_runs
from ctxpack.counting import Counter
from logs.questions import read_corpus
from tests.command import ctxpack

README = Path(__file__).parents[1] / "README.md"
PLACEMENTS = ("ends", "best-first", "best-last", "middle")


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    done = ctxpack("eval", "--json")
    assert done.code == 0
    measured: dict[str, Any] = done.json
    return measured


@pytest.fixture(scope="module")
def tables() -> list[list[str]]:
    section = README.read_text("utf-8").split("## Measured\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def rates(found: dict[str, Any], budget: int) -> dict[str, float]:
    return {row["strategy"]: row["hit_rate"] for row in found["packing"] if row["budget"] == budget}


def told(found: dict[str, Any], row: dict[str, Any]) -> str:
    if row["strategy"] == "top":
        return ""
    (pair,) = [
        one
        for one in found["differences"]
        if one["of"] == "hit_rate"
        and (one["b"]["strategy"], one["b"]["budget"]) == (row["strategy"], row["budget"])
    ]
    assert pair["a"]["strategy"] == "top"
    points, low, high = (f"{100 * pair[name]:+.2f}" for name in ("difference", "low", "high"))
    return f"{points} ({low} to {high})"


def test_the_packing_table_is_what_the_command_gives(
    found: dict[str, Any], tables: list[list[str]]
) -> None:
    own = [cells[:5] for cells in tables if len(cells) == 7 and cells[0] != "budget"]
    assert own == [
        [
            f"{row['budget']:,}",
            row["strategy"],
            f"{100 * row['hit_rate']:.2f} %",
            told(found, row),
            f"{row['mean_value']:.4f}",
        ]
        for row in found["packing"]
    ]


def test_the_placement_table_is_what_the_command_gives(
    found: dict[str, Any], tables: list[list[str]]
) -> None:
    (heads,) = [cells for cells in tables if cells[1:] == [*PLACEMENTS]]
    (own,) = [cells for cells in tables if cells[0] == "measured"]
    at = {
        row["placement"]: f"{row['mean_p']:.4f}"
        for row in found["placement"]
        if (row["strategy"], row["budget"]) == ("top", 1024)
    }
    assert dict(zip(heads[1:], own[1:], strict=True)) == at


def test_half_of_the_chunks_are_as_short_as_is_said() -> None:
    chunks, _ = read_corpus(str(sample_runs.path().with_name("corpus.jsonl")))
    count = Counter()
    assert median(count(chunk.text or "") for chunk in chunks.values()) == 75
    assert "no more than 75 tokens" in README.read_text("utf-8")


def test_what_is_said_to_agree_and_to_differ_does(found: dict[str, Any]) -> None:
    readme = README.read_text("utf-8")
    assert "190 questions have a chunk with the answer" in readme.replace("\n", " ")
    assert found["retrieved"] == 190
    for budget in (256, 512, 1024):
        by = rates(found, budget)
        assert by["top"] == max(by.values())
        values = {
            row["strategy"]: row["mean_value"]
            for row in found["packing"]
            if row["budget"] == budget
        }
        assert values["optimal"] == max(values.values())
    by = rates(found, 512)
    assert by["top"] > by["optimal"] > by["density"]
    gaps = {
        budget: rates(found, budget)["top"] - rates(found, budget)["density"]
        for budget in (256, 512, 1024)
    }
    assert max(gaps, key=lambda budget: gaps[budget]) == 512
    assert len(set(rates(found, 1024).values())) > 1
    chance = [
        one["b"]["budget"]
        for one in found["differences"]
        if one["of"] == "hit_rate"
        and one["b"]["strategy"] in ("density", "optimal")
        and one["low"] < 0 < one["high"]
    ]
    assert sorted(chance) == [256, 256, 1024, 1024]
    at = {
        row["placement"]: row["mean_p"]
        for row in found["placement"]
        if (row["strategy"], row["budget"]) == ("top", 1024)
    }
    assert sorted(at, key=lambda name: -at[name]) == [*PLACEMENTS]


def test_the_published_figures_are_the_published_ones(
    shared: Path, tables: list[list[str]]
) -> None:
    (article,) = (shared / "seeds").glob("1-*.txt")
    text = article.read_text("utf-8")
    published = {
        cell.removesuffix(" or more").replace(" %", "%")
        for cells in tables
        if len(cells) == 7 and cells[0] != "budget"
        for cell in cells[5:]
        if cell != "-"
    }
    assert len(published) == 8
    (places,) = [cells[1:] for cells in tables if cells[0] == "published"]
    for figure in (*published, *places):
        assert figure in text
