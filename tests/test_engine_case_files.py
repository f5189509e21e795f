"""The case files beside the checkout whose expected values map directly to the engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from engine_inputs import counter, packed_ids, skipped_reasons

from ctxpack import Candidate, InputError, Settings, pack
from ctxpack.bm25 import bm25_scores
from ctxpack.placement import place
from ctxpack.values import valuate


class Case:
    """One case file: its input and what is expected."""

    def __init__(self, shared: Path, name: str) -> None:
        (path,) = sorted((shared / "cases").glob(f"{name}-*.json"))
        self.all: dict[str, Any] = json.loads(path.read_text("utf-8"))
        self.input: dict[str, Any] = self.all["input"]
        self.expect: dict[str, Any] = self.all["expect"]

    def candidates(self, **more: Any) -> list[Candidate]:
        known = set(Candidate.__struct_fields__)
        listed = self.input["candidates"]
        return [Candidate(**{k: v for k, v in one.items() if k in known} | more) for one in listed]


def test_filling_cases(shared: Path) -> None:
    case = Case(shared, "B01")
    budget = case.input["budget"]
    assert packed_ids(pack(case.candidates(), Settings(budget=budget))) == case.expect["skip_fill"]
    stopping = Settings(budget=budget, strategy="first-fit")
    assert packed_ids(pack(case.candidates(), stopping)) == case.expect["stop_at_first"]

    case = Case(shared, "B03")
    sizes = case.input["candidates"]
    chunks = [
        Candidate(id=c["id"], rank=c["rank"], tokens=c["header_tokens"] + c["text_tokens"])
        for c in sizes
    ]
    assert packed_ids(pack(chunks, Settings(budget=128))) == case.expect["selected"]

    case = Case(shared, "B11")
    each = case.input["tokens_each"]
    chunks = [Candidate(id=f"c{n}", rank=n + 1, tokens=each) for n in range(case.input["chunks"])]
    packed = pack(chunks, Settings(budget=case.input["budget"])).packed
    assert len(packed) == case.expect["chunks_used"]

    case = Case(shared, "B14")
    result = pack(case.candidates(), Settings(budget=100, strategy="density"))
    assert packed_ids(result) == case.expect["selected"]
    assert {c.id: c.detail["why"] for c in result.skipped} == case.expect["dropped"]


def test_room_below_nothing_is_refused_in_words(shared: Path) -> None:
    room = Case(shared, "B05").expect["room"]
    with pytest.raises(InputError, match=f"budget is {room}: it must be 0 tokens or more"):
        pack([], Settings(budget=room))
    case = Case(shared, "T08")
    left = max(0, case.input["budget"] - case.input["envelope_tokens"])
    result = pack(case.candidates(), Settings(budget=left))
    assert packed_ids(result) == case.expect["selected"]
    assert result.used <= case.expect["used_at_most"]


def test_pin_case(shared: Path) -> None:
    case = Case(shared, "B09")
    pins = [Candidate(pinned=True, **pin) for pin in case.input["pinned"]]
    result = pack([*pins, *case.candidates()], Settings(budget=case.input["budget"]))
    assert sorted(packed_ids(result)) == sorted(case.expect["kept"])
    assert list(skipped_reasons(result)) == case.expect["reported_dropped_pins"]
    assert any("'p2'" in said for said in result.warnings) != case.expect["silent"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("B12", "text", "tokens_o200k"),
        ("T02", "text", "tokens_o200k"),
        ("T06", "rendered", "rendered_tokens"),
    ],
)
def test_counting_cases(shared: Path, name: str, text: str, expected: str) -> None:
    case = Case(shared, name)
    assert counter()(case.input[text]) == case.expect[expected]


def test_counts_of_repeated_and_composed_text(shared: Path) -> None:
    case = Case(shared, "T11")
    one, times = case.input["text_repeat"]
    assert counter()(one * times) == case.expect["tokens_o200k"]
    emoji = Case(shared, "T09")
    assert counter()(emoji.input["text"]) == emoji.all["full_tokens"]
    messages = Case(shared, "T04")
    contents = sum(counter()(message["content"]) for message in messages.input["messages"])
    assert contents == messages.expect["content_tokens"]


def test_a_stated_size_is_recounted(shared: Path) -> None:
    case = Case(shared, "X06")
    one, times = case.input["text_repeat"]
    chunk = Candidate(id="x", rank=1, text=one * times, tokens=case.input["chunk_size"])
    result = pack([chunk], Settings(budget=100), count=counter())
    assert result.skipped[0].detail["needed"] > case.input["chunk_size"]


def test_score_cases(shared: Path) -> None:
    case = Case(shared, "S01")
    kind = case.input["score_kind"]
    chunks = case.candidates(score_kind=kind, tokens=10)
    assert packed_ids(pack(chunks, Settings(budget=10, value="score"))) == [case.expect["best"]]

    case = Case(shared, "S05")
    chunks = case.candidates(score_kind="rerank")
    everything = Settings(budget=10_000, value="score")
    assert packed_ids(pack(chunks, everything)) == case.expect["order"]
    worth = valuate(chunks, "score", "").values
    assert list(worth) == pytest.approx(case.expect["sigmoid"], abs=5e-5)

    case = Case(shared, "S07")
    both = [Candidate(tokens=5, score_kind="similarity", **case.input[key]) for key in "ba"]
    (merged,) = pack(both, Settings(budget=100, value="score")).packed
    assert merged.value == case.expect["score"]

    case = Case(shared, "S09")
    chunks = [
        Candidate(id=str(n), score=score, score_kind="distance")
        for n, score in enumerate(case.input["scores"])
    ]
    assert len(set(valuate(chunks, "score", "").values)) == case.expect["distinct"]


def test_bm25_cases(shared: Path) -> None:
    tiny = Case(shared, "S11")
    miss, hit = bm25_scores(tiny.input["query"], tiny.input["corpus"])
    assert miss == 0 < hit
    empty = Case(shared, "S13")
    for corpus in empty.input["corpora"]:
        assert bm25_scores(empty.input["query"], corpus) == [0.0] * len(corpus)


def test_placement_case(shared: Path) -> None:
    case = Case(shared, "P01")
    for n, order in case.expect["ends"].items():
        assert place(list(range(1, int(n) + 1)), "ends") == order
    assert place(list(range(1, 11)), "ends") == case.expect["haystack_10"]
