"""The case files beside the checkout: one promise a case, with the file's own numbers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engine_inputs import counter, packed_ids, skipped_reasons

from ctxpack import Candidate, InputError, Record, Settings, pack
from ctxpack.findings import diagnose, open_case
from ctxpack.placement import place
from ctxpack.record import Section
from ctxpack.result import number_of
from ctxpack.value.bm25 import bm25_scores
from ctxpack.value.valuation import valuate

Named = Callable[[str], "Case"]


class Case:
    """One case file: its input and what is expected."""

    def __init__(self, folder: Path, name: str) -> None:
        (path,) = sorted(folder.glob(f"{name}-*.json"))
        self.all: dict[str, Any] = json.loads(path.read_text("utf-8"))
        self.input: dict[str, Any] = self.all["input"]
        self.expect: dict[str, Any] = self.all["expect"]

    def candidates(self, **more: Any) -> list[Candidate]:
        known = set(Candidate.__struct_fields__)
        listed = self.input["candidates"]
        return [Candidate(**{k: v for k, v in one.items() if k in known} | more) for one in listed]


@pytest.fixture
def case(shared: Path) -> Named:
    return lambda name: Case(shared / "cases", name)


# Packing and budgets


def test_b01_filling_goes_on_after_a_chunk_that_does_not_fit_unless_it_is_first_fit(
    case: Named,
) -> None:
    found = case("B01")
    budget = found.input["budget"]
    result = pack(found.candidates(), Settings(budget=budget))
    assert packed_ids(result) == found.expect["skip_fill"]
    assert skipped_reasons(result)["c2"] == "too_long"
    stopping = Settings(budget=budget, strategy="first-fit")
    assert packed_ids(pack(found.candidates(), stopping)) == found.expect["stop_at_first"]


def test_b03_a_header_longer_than_the_budget_drops_the_chunk_and_nothing_else(case: Named) -> None:
    found = case("B03")
    (size,) = found.input["candidates"]
    chunk = Candidate(
        id=size["id"], rank=size["rank"], tokens=size["header_tokens"] + size["text_tokens"]
    )
    small = Candidate(id="small", rank=2, tokens=found.input["budget"])
    result = pack([chunk, small], Settings(budget=found.input["budget"]))
    assert packed_ids(result) == [*found.expect["selected"], "small"]
    assert skipped_reasons(result) == {size["id"]: "too_long"}


def test_b05_room_below_nothing_is_refused_in_words_and_reaches_no_slice(case: Named) -> None:
    # The window, the reserve and the section are named by whoever knows them: pack knows the room.
    found = case("B05")
    room = found.expect["room"]
    fixed = sum(found.input["fixed_sections"].values())
    assert found.input["window"] - found.input["reserve"] - fixed == room
    with pytest.raises(InputError, match=f"budget is {room}: it must be 0 tokens or more"):
        pack([Candidate(id="a", rank=1, tokens=1)], Settings(budget=room))
    record = Record(
        schema=1,
        id="b05",
        time="2026-11-19T09:30:00+01:00",
        query="",
        limit=found.input["window"],
        reserved_output=found.input["reserve"],
        sections=tuple(
            Section(name=name, tokens=size) for name, size in found.input["fixed_sections"].items()
        ),
    )
    (first, *_) = diagnose(open_case(record))
    assert first.code == "over_limit"
    assert all(name in first.title for name in found.expect["error_names"])


def test_b09_a_pin_that_does_not_fit_is_never_dropped_in_silence(case: Named) -> None:
    found = case("B09")
    pins = [Candidate(pinned=True, **pin) for pin in found.input["pinned"]]
    candidates = [*pins, *found.candidates()]
    result = pack(candidates, Settings(budget=found.input["budget"]))
    assert sorted(packed_ids(result)) == sorted(found.expect["kept"])
    assert list(skipped_reasons(result)) == found.expect["reported_dropped_pins"]
    assert any("PIN NOT IN: 'p2'" in said for said in result.warnings) != found.expect["silent"]
    with pytest.raises(InputError, match="pin 'p2' needs 700 tokens"):
        pack(candidates, Settings(budget=found.input["budget"], pins_policy="strict"))


def test_b10_the_reason_is_the_count_where_the_count_dropped_it_and_not_the_tokens(
    case: Named,
) -> None:
    found = case("B10")
    many, tokens = found.input["messages"], found.input["tokens"]
    sizes = [tokens // many + (place < tokens % many) for place in range(many)]
    assert sum(sizes) == tokens
    chunks = [Candidate(id=f"m{n}", rank=n, tokens=size) for n, size in enumerate(sizes, 1)]
    most = found.input["max_messages"]
    result = pack(chunks, Settings(budget=found.input["token_limit"], max_chunks=most))
    assert len(result.skipped) == found.expect["dropped"]
    assert skipped_reasons(result) == {f"m{many}": "over_count"}
    assert result.skipped[0].detail == {"place": many, "max_chunks": most}


def test_b11_a_budget_bounds_the_sum_of_all_chunks(case: Named) -> None:
    found = case("B11")
    each = found.input["tokens_each"]
    chunks = [Candidate(id=f"c{n}", rank=n, tokens=each) for n in range(1, 101)]
    assert len(chunks) == found.input["chunks"]
    for strategy in ("first-fit", "top", "density", "optimal"):
        result = pack(chunks, Settings(budget=found.input["budget"], strategy=strategy))
        assert len(result.packed) == found.expect["chunks_used"]


def test_b14_an_empty_chunk_is_dropped_with_its_reason_and_divides_nothing(case: Named) -> None:
    found = case("B14")
    for strategy in ("first-fit", "top", "density", "optimal"):
        result = pack(found.candidates(), Settings(budget=100, strategy=strategy))
        assert packed_ids(result) == found.expect["selected"]
        assert skipped_reasons(result) == {"e": "invalid"}
        assert {c.id: c.detail["why"] for c in result.skipped} == found.expect["dropped"]


# Tokens


def test_b12_a_table_of_numbers_is_counted_and_not_estimated_by_its_words(case: Named) -> None:
    found = case("B12")
    text, exact = found.input["text"], found.expect["tokens_o200k"]
    assert counter()(text) == exact > 10 * found.expect["words_x_1_3"]
    chunk = Candidate(id="table", rank=1, text=text)
    assert packed_ids(pack([chunk], Settings(budget=exact), count=counter())) == ["table"]
    result = pack([chunk], Settings(budget=exact - 1), count=counter())
    assert result.skipped[0].detail == {"needed": exact, "budget": exact - 1}


def test_t02_chinese_text_is_counted_and_not_a_quarter_of_its_characters(case: Named) -> None:
    found = case("T02")
    text, exact = found.input["text"], found.expect["tokens_o200k"]
    assert len(text) == found.expect["chars"]
    assert counter()(text) == exact > found.expect["chars_div_4"]
    result = pack([Candidate(id="c", rank=1, text=text)], Settings(budget=49), count=counter())
    assert (result.counts, skipped_reasons(result)) == ("exact", {"c": "too_long"})


def test_t04_only_contents_are_counted_where_no_framing_is_asked_for(case: Named) -> None:
    found = case("T04")
    contents = sum(counter()(message["content"]) for message in found.input["messages"])
    assert contents == found.expect["content_tokens"]


def test_t06_what_stands_between_sections_is_counted_in_the_rendered_text(case: Named) -> None:
    found = case("T06")
    assert counter()(found.input["rendered"]) == found.expect["rendered_tokens"]


def test_t08_an_envelope_larger_than_the_budget_leaves_no_room_and_no_error(case: Named) -> None:
    found = case("T08")
    left = max(0, found.input["budget"] - found.input["envelope_tokens"])
    result = pack(found.candidates(), Settings(budget=left))
    assert packed_ids(result) == found.expect["selected"]
    assert result.used <= found.expect["used_at_most"]


def test_t09_a_composed_character_is_counted_whole(case: Named) -> None:
    found = case("T09")
    assert counter()(found.input["text"]) == found.all["full_tokens"]


def test_t11_a_million_of_one_character_is_counted_within_seconds(case: Named) -> None:
    found = case("T11")
    one, times = found.input["text_repeat"]
    begun = time.process_time()
    assert counter()(one * times) == found.expect["tokens_o200k"]
    assert time.process_time() - begun < found.expect["seconds_at_most"]


def test_x06_a_stated_size_below_the_count_is_counted_anew(case: Named) -> None:
    found = case("X06")
    one, times = found.input["text_repeat"]
    chunk = Candidate(id="x", rank=1, text=one * times, tokens=found.input["chunk_size"])
    result = pack([chunk], Settings(budget=100), count=counter())
    assert result.skipped[0].detail["needed"] > found.input["chunk_size"]


# Scores


def test_s01_the_nearest_is_the_best_and_stays_where_scores_are_distances(case: Named) -> None:
    found = case("S01")
    chunks = found.candidates(score_kind=found.input["score_kind"], tokens=10)
    assert packed_ids(pack(chunks, Settings(budget=10, value="score"))) == [found.expect["best"]]
    # The case's cut-off is a distance: as a share of the range, or as a margin below the best,
    # it keeps the same.
    cutoff = found.input["cutoff"]
    nearest = min(chunk.score or 0.0 for chunk in chunks)
    for chosen in (
        Settings(budget=100, cutoff=cutoff),
        Settings(budget=100, margin=cutoff - nearest),
    ):
        result = pack(chunks, chosen)
        assert packed_ids(result) == found.expect["kept_at_cutoff"]
        assert set(skipped_reasons(result).values()) == {"below_cutoff"}


def test_s01_ranks_and_scores_that_run_opposite_ways_are_warned_of_once(case: Named) -> None:
    found = case("S01")
    ranked = [
        Candidate(id=one["id"], score=one["score"], rank=rank, tokens=10, score_kind=kind)
        for kind in ("similarity",)
        for rank, one in enumerate(found.input["candidates"], start=1)
    ]
    (said,) = pack(ranked, Settings(budget=100)).warnings
    assert said.startswith("ranks and scores run opposite ways: higher is better")


def test_s03_negative_scores_are_ordered_by_density_and_cut_off_relatively(case: Named) -> None:
    found = case("S03")
    squared = found.input["squared_distance"]
    relevance = 1 - squared / 1.41421356
    assert relevance == pytest.approx(found.expect["relevance"], abs=5e-5)
    chunks = [
        Candidate(id=name, score=score, score_kind="similarity", tokens=10)
        for name, score in (("far", relevance), ("near", 0.6), ("mid", 0.1))
    ]
    for strategy in ("top", "density"):
        chosen = Settings(budget=100, value="score", strategy=strategy)
        assert packed_ids(pack(chunks, chosen)) == ["near", "mid", "far"]
    cut = pack(chunks, Settings(budget=100, value="score", cutoff=0.6))
    assert packed_ids(cut) == ["near", "mid"]


def test_s05_reranker_logits_are_ordered_mapped_and_cut_by_their_range(case: Named) -> None:
    found = case("S05")
    chunks = found.candidates(score_kind="rerank")
    everything = Settings(budget=10_000, value="score")
    assert packed_ids(pack(chunks, everything)) == found.expect["order"]
    worth = valuate(chunks, "score", "").values
    assert list(worth) == pytest.approx(found.expect["sigmoid"], abs=5e-5)
    dense = Settings(budget=450, value="score", strategy="density")
    assert packed_ids(pack(chunks, dense)) == ["d1", "d2", "d3"]
    cut = Settings(budget=10_000, value="score", cutoff=found.input["relative_cutoff"])
    assert packed_ids(pack(chunks, cut)) == ["d1", "d2"]


def test_s07_a_merge_of_equal_ids_keeps_the_score_that_is_known(case: Named) -> None:
    found = case("S07")
    both = [Candidate(tokens=5, score_kind="similarity", **found.input[key]) for key in "ba"]
    (merged,) = pack(both, Settings(budget=100, value="score")).packed
    assert merged.value == found.expect["score"]


def test_s09_scores_past_their_range_are_warned_of_and_never_clamped(case: Named) -> None:
    found = case("S09")
    chunks = [
        Candidate(id=f"c{n}", score=score, score_kind="similarity", tokens=5)
        for n, score in enumerate(found.input["scores"])
    ]
    result = pack(chunks, Settings(budget=100, value="score"))
    assert len({chunk.value for chunk in result.packed}) == found.expect["distinct"]
    (said,) = result.warnings
    assert said.startswith("the score of 'c1' and 1 more (1.32) lies outside the range of kind")
    far = [Candidate(id=c.id, score=c.score, score_kind="distance", tokens=5) for c in chunks]
    values = valuate(far, "score", "").values
    assert len(set(values)) == found.expect["distinct"]
    assert pack(far, Settings(budget=100, value="score")).warnings == ()


def test_s11_a_perfect_match_in_a_tiny_corpus_scores_and_zero_is_not_cut(case: Named) -> None:
    found = case("S11")
    query, corpus = found.input["query"], found.input["corpus"]
    miss, hit = bm25_scores(query, corpus)
    assert miss == 0 < hit
    zeros = found.expect["rank_bm25_0.2.2_scores"]
    chunks = [
        Candidate(id=str(n), text=text, score=score, score_kind="bm25")
        for n, (text, score) in enumerate(zip(corpus, zeros, strict=True))
    ]
    for chosen in (Settings(budget=100, cutoff=0.0), Settings(budget=100, margin=0.0, cliff=True)):
        assert packed_ids(pack(chunks, chosen, query=query, count=counter())) == ["0", "1"]


def test_s13_an_empty_corpus_and_empty_texts_raise_nothing(case: Named) -> None:
    found = case("S13")
    for corpus in found.input["corpora"]:
        assert bm25_scores(found.input["query"], corpus) == [0.0] * len(corpus)
        chunks = [Candidate(id=str(n), text=text) for n, text in enumerate(corpus)]
        chosen = Settings(budget=100, value="bm25", cutoff=0.5, cliff=True)
        result = pack(chunks, chosen, query=found.input["query"], count=counter())
        assert packed_ids(result) == found.expect["candidates"]


def test_s15_a_document_that_two_lists_return_is_one_candidate_of_its_best_rank(
    case: Named,
) -> None:
    # Fusing is the retriever's; what reaches us are real ranks, from 1, one candidate a document.
    found = case("S15")
    listed = [
        Candidate(id=name, rank=rank, text=name, tokens=1)
        for names in found.input["lists"]
        for rank, name in enumerate(names, start=1)
    ]
    result = pack(listed, Settings(budget=100))
    ranks = {chunk.id: chunk.rank for chunk in result.packed}
    assert ranks == {"X": 1, "b": 1, "a": 2, "c": 2, found.expect["first"]: 3}
    assert skipped_reasons(result) == {"Y#2": "duplicate"}
    k = found.input["k"]
    fused = {
        name: sum(
            1 / (k + ranks_.index(name) + 1) for ranks_ in found.input["lists"] if name in ranks_
        )
        for name in ranks
    }
    chunks = [
        Candidate(id=name, score=score, score_kind="similarity", tokens=1)
        for name, score in fused.items()
    ]
    assert packed_ids(pack(chunks, Settings(budget=1))) == [found.expect["first"]]


# Placement


def test_p01_the_best_stands_first_and_the_second_last_for_odd_and_even_counts(
    case: Named,
) -> None:
    found = case("P01")
    for n, order in found.expect["ends"].items():
        assert place(list(range(1, int(n) + 1)), "ends") == order
    assert place(list(range(1, 11)), "ends") == found.expect["haystack_10"]


def test_p03_numbers_follow_the_window_as_sent_and_belong_to_ids(case: Named) -> None:
    found = case("P03")
    names = found.input["rank_order"]
    chunks = [Candidate(id=name, rank=rank, tokens=10) for rank, name in enumerate(names, 1)]
    result = pack(chunks, Settings(budget=100, placement="ends"))
    assert packed_ids(result) == found.input["window_order"]
    assert number_of(result) == found.expect["number_of"]
