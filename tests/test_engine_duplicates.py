"""Near-duplicates left out before choosing: exact, in rank order, and the kept one remembers."""

from __future__ import annotations

import random
import time

import msgspec
import pytest
from engine_inputs import packed_ids, skipped_reasons
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack import (
    STRATEGIES,
    Candidate,
    PackResult,
    Record,
    Settings,
    decode,
    encode,
    logged_candidates,
    logged_settings_of,
    pack,
    result_json,
)
from ctxpack.filters.duplicates import near_duplicates
from ctxpack.filters.shingles import ShingleIndex, tokens
from ctxpack.weighed import Refusal, Weighed

many = settings(max_examples=150, deadline=None, derandomize=True)
WORDS = ["refund", "Refund", "the", "30", "days", "漢", "字", "ﬁne", "fine", "late"]
THRESHOLDS = st.sampled_from([0.0, 0.2, 0.5, 0.8, 1.0])
ALL = Settings(budget=10_000, dedupe=0.8)


@st.composite
def worded(draw: st.DrawFn) -> list[Candidate]:
    """Texts over few words, so that many are alike; some without any, some pinned."""
    words = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
    texts = draw(st.lists(st.none() | words, max_size=9))
    ranks = draw(st.permutations(range(1, len(texts) + 1)))
    return [
        Candidate(
            id=f"c{place}",
            rank=rank,
            text=text,
            tokens=draw(st.integers(1, 30)),
            pinned=draw(st.integers(0, 5)) == 5,
        )
        for place, (text, rank) in enumerate(zip(texts, ranks, strict=True))
    ]


def weighed(chunks: list[Candidate]) -> list[Weighed]:
    return [
        Weighed(c.id, place, c.rank, c.tokens or 0, c.tokens or 0, 1.0, 1, pinned=c.pinned)
        for place, c in enumerate(chunks)
    ]


def shingles(text: str) -> set[tuple[str, ...]]:
    """Runs of five tokens, a shorter text whole."""
    words = tokens(text)
    runs = {tuple(words[at : at + 5]) for at in range(len(words) - 4)}
    return runs or ({tuple(words)} if words else set())


def pair_by_pair(chunks: list[Candidate], threshold: float) -> list[Refusal]:
    """Every candidate against every kept one, pins first, then in rank order."""
    pins = [chunk for chunk in chunks if chunk.pinned]
    free = sorted((c for c in chunks if not c.pinned), key=lambda chunk: chunk.rank or 0)
    kept: list[tuple[str, set[tuple[str, ...]]]] = []
    refused = []
    for chunk in [*pins, *free]:
        own = shingles(chunk.text or "")
        for name, other in kept if own and not chunk.pinned else ():
            share = len(own & other) / len(own | other)
            if own & other and share >= threshold:
                refused.append(Refusal(chunk.id, "duplicate", {"of": name, "similarity": share}))
                break
        else:
            kept.append((chunk.id, own))
    return refused


def of_texts(*texts: str) -> list[Candidate]:
    return [Candidate(id=f"c{n}", rank=n, text=text, tokens=10) for n, text in enumerate(texts, 1)]


def details(result: PackResult) -> dict[str, tuple[str, float]]:
    return {
        chunk.id: (chunk.detail["of"], chunk.detail["similarity"])
        for chunk in result.skipped
        if chunk.reason == "duplicate"
    }


@many
@given(worded(), THRESHOLDS)
def test_similarities_are_those_of_comparing_every_pair(
    chunks: list[Candidate], threshold: float
) -> None:
    named = {chunk.id: chunk for chunk in chunks}
    assert near_duplicates(weighed(chunks), named, threshold) == pair_by_pair(chunks, threshold)


@many
@given(worded(), THRESHOLDS, st.sampled_from(STRATEGIES))
def test_what_was_filtered_once_loses_nothing_when_filtered_again(
    chunks: list[Candidate], threshold: float, strategy: str
) -> None:
    asked = Settings(budget=300, dedupe=threshold, strategy=strategy)
    first = pack(chunks, asked)
    gone = {name for name, reason in skipped_reasons(first).items() if reason == "duplicate"}
    rest = [chunk for chunk in chunks if chunk.id not in gone]
    again = pack(rest, asked)
    assert "duplicate" not in skipped_reasons(again).values()
    if strategy != "mmr":
        assert packed_ids(again) == packed_ids(first)


@many
@given(worded(), THRESHOLDS, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter_where_ranks_are_given(
    chunks: list[Candidate], threshold: float, chance: random.Random
) -> None:
    free = [msgspec.structs.replace(chunk, pinned=False) for chunk in chunks]
    asked = Settings(budget=60, dedupe=threshold)
    first = pack(free, asked)
    chance.shuffle(free)
    assert result_json(pack(free, asked)) == result_json(first)


# What is compared


def test_four_fifths_of_the_shingles_are_enough_and_less_is_not() -> None:
    words = [f"w{n}" for n in range(13)]
    # 9 shingles each; another last word leaves 8 of them in common, so 8 of 10.
    near = [*words[:-1], "x"]
    far = [*words[:-2], "x", "y"]
    result = pack(of_texts(*map(" ".join, (words, near, far))), ALL)
    assert packed_ids(result) == ["c1", "c3"]
    assert details(result) == {"c2": ("c1", 0.8)}


def test_white_space_and_compatible_characters_do_not_tell_texts_apart_but_case_does() -> None:
    result = pack(of_texts("ﬁne print\u00a0only", "fine \n print  only", "Fine print only"), ALL)
    assert packed_ids(result) == ["c1", "c3"]
    assert details(result) == {"c2": ("c1", 1.0)}


def test_scripts_without_spaces_are_compared_character_by_character() -> None:
    text = "退货政策规定客户可以在收到商品后三十天内申请全额退款并由商家承担运费"
    result = pack(of_texts(text, text.replace("三", "四"), text[:20] + "不在此列"), ALL)
    # 29 shingles each; one other character touches 5 of them.
    assert result.skipped == ()
    asked = Settings(budget=100, dedupe=24 / 36)
    assert details(pack(of_texts(text, text[::-1], text + "用"), asked)) == {"c3": ("c1", 30 / 31)}
    assert tokens("退货 policy，30天") == ["退", "货", "policy,30", "天"]
    assert tokens("คืน เงิน") == [*"คืน", *"เงิน"]
    assert tokens("환불 정책") == ["환불", "정책"]


def test_a_short_text_is_compared_whole_and_one_of_white_space_is_empty() -> None:
    result = pack(of_texts("two words", "two words", "words two", " ", "\n\t"), ALL)
    assert packed_ids(result) == ["c1", "c3"]
    reasons = {chunk.id: (chunk.reason, chunk.detail) for chunk in result.skipped}
    assert reasons["c4"] == reasons["c5"] == ("invalid", {"why": "empty"})
    assert reasons["c2"] == ("duplicate", {"of": "c1", "similarity": 1.0})


def test_where_no_candidate_has_a_text_that_nothing_is_compared_is_said() -> None:
    chunks = [Candidate(id=name, rank=n, tokens=5) for n, name in enumerate("ab", 1)]
    assert pack(chunks, ALL).warnings == ("dedupe not applied: no candidate has a text.",)
    mixed = [*chunks, Candidate(id="c", rank=3, tokens=5, text="one text")]
    assert pack(mixed, ALL).warnings == ()


def test_an_id_that_stands_twice_without_a_text_is_not_said_to_have_one() -> None:
    twice = [Candidate(id="a", rank=rank, tokens=5) for rank in (1, 2)]
    (said,) = pack(twice, Settings(budget=99)).warnings
    assert said == "id 'a' stands twice without a text: one is left out."


def test_candidates_without_text_are_never_duplicates() -> None:
    chunks = [Candidate(id=name, rank=n, tokens=10) for n, name in enumerate("abc", 1)]
    assert packed_ids(pack(chunks, ALL)) == ["a", "b", "c"]


def test_the_header_is_not_compared() -> None:
    chunks = [
        Candidate(id=name, rank=n, header=f"Page {n}", text="The same passage.", tokens=10)
        for n, name in enumerate("ab", 1)
    ]
    assert details(pack(chunks, ALL)) == {"b": ("a", 1.0)}


def test_a_text_like_two_kept_ones_is_a_duplicate_of_the_better_ranked() -> None:
    words = [f"w{n}" for n in range(30)]
    first, second = [*words[:-4], *"abcd"], words
    third = [*words[:-1], "x"]
    result = pack(of_texts(*map(" ".join, (first, second, third))), Settings(budget=99, dedupe=0.7))
    assert details(result) == {"c2": ("c1", 22 / 30), "c3": ("c1", 22 / 30)}
    result = pack(of_texts(*map(" ".join, (first, second, third))), ALL)
    assert details(result) == {"c3": ("c2", 25 / 27)}


# Pins, bans and the other filters


def test_pins_stay_and_their_duplicates_go_whatever_their_ranks() -> None:
    chunks = of_texts("The same passage.", "The same passage.", "The same passage.", "Other.")
    pins = Settings(budget=99, dedupe=0.8, pins=("c2", "c3"))
    result = pack(chunks, pins)
    assert set(packed_ids(result)) == {"c2", "c3", "c4"}
    assert details(result) == {"c1": ("c2", 1.0)}


def test_a_banned_chunk_has_no_duplicates_and_duplicates_do_not_count() -> None:
    chunks = of_texts("The same passage.", "The same passage.", "The same passage.", "Other.")
    result = pack(chunks, msgspec.structs.replace(ALL, bans=("c1",), max_chunks=2))
    assert packed_ids(result) == ["c2", "c4"]
    assert skipped_reasons(result) == {"c1": "banned", "c3": "duplicate"}


# What the kept one remembers


def test_the_kept_chunk_names_its_duplicates_and_where_they_are_from() -> None:
    chunks = [
        Candidate(id="a", rank=2, text="The same passage.", tokens=9, doc_id="guide"),
        Candidate(id="b", rank=3, text="The same passage.", tokens=9, source="faq.md"),
        Candidate(id="c", rank=1, text="The same passage.", tokens=9),
        Candidate(id="d", rank=4, text="The same passage.", tokens=9, doc_id="guide"),
        Candidate(id="e", rank=5, text="Other.", tokens=9, doc_id="alone"),
    ]
    kept, alone = pack(chunks, ALL).packed
    assert (kept.id, kept.duplicates, kept.sources) == ("c", ("a", "b", "d"), ("guide", "faq.md"))
    assert (alone.id, alone.duplicates, alone.sources) == ("e", (), ())
    shown = result_json(pack(chunks, ALL))["packed"]
    assert [*shown[0]["sources"]] == ["guide", "faq.md"]
    assert not {"duplicates", "sources"} & shown[1].keys()


def test_an_id_that_stands_twice_with_its_text_is_remembered_the_same_way() -> None:
    chunks = [
        Candidate(id="a", rank=1, text="The same passage.", tokens=9, doc_id="guide"),
        Candidate(id="a", rank=2, text="The same passage.", tokens=9, doc_id="copy"),
        Candidate(id="b", rank=3, text="The same passage.", tokens=9, doc_id="faq"),
    ]
    without = pack(chunks, Settings(budget=99)).packed[0]
    assert (without.duplicates, without.sources) == (("a#2",), ("guide", "copy"))
    first = Candidate(id="z", rank=1, text="The same passage.", tokens=9, doc_id="first")
    later = [msgspec.structs.replace(chunk, rank=(chunk.rank or 0) + 1) for chunk in chunks]
    (kept,) = pack([first, *later], ALL).packed
    assert kept.duplicates == ("a", "a#2", "b")
    assert kept.sources == ("first", "guide", "copy", "faq")


def test_a_record_keeps_what_the_packed_chunk_stands_for_and_packs_again_the_same() -> None:
    chunks = [
        Candidate(id="a", rank=1, text="The same passage.", tokens=9, doc_id="guide"),
        Candidate(id="b", rank=2, text="The same passage.", tokens=9, doc_id="faq"),
        Candidate(id="c", rank=3, text="Other.", tokens=9),
    ]
    result = pack(chunks, ALL)
    record = Record(
        schema=1,
        id="r",
        time="2026-11-19T09:30:00Z",
        query="q",
        settings=logged_settings_of(result),
        candidates=logged_candidates(chunks, result),
    )
    kept, gone, other = decode(encode(record)).record.candidates
    assert kept.detail == {"duplicates": ["b"], "sources": ["guide", "faq"]}
    assert (gone.reason, gone.detail) == ("duplicate", {"of": "a", "similarity": 1.0})
    assert other.detail is None


# Speed


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_two_hundred_chunks_of_three_hundred_words_are_compared_in_a_moment(share: float) -> None:
    chance = random.Random(1)
    words = [f"w{n}" for n in range(3000)]
    texts: list[list[str]] = []
    for _ in range(200):
        copied = texts and chance.random() < share
        text = list(chance.choice(texts)) if copied else chance.choices(words, k=300)
        if copied:
            text[chance.randrange(300)] = "x"
        texts.append(text)
    chunks = of_texts(*map(" ".join, texts))
    named = {chunk.id: chunk for chunk in chunks}
    spent = []
    for _ in range(3):
        begun = time.process_time()
        refused = near_duplicates(weighed(chunks), named, 0.8)
        spent.append(time.process_time() - begun)
    assert bool(refused) == bool(share)
    assert min(spent) < 0.25


def test_an_index_tells_only_of_texts_that_share_something() -> None:
    index = ShingleIndex()
    for text in ("one two three", "four five six", "one two three"):
        index.hold(index.shingles(text))
    assert index.compare(index.shingles("one two three")) == {0: 1.0, 2: 1.0}
    assert index.compare(index.shingles("seven")) == {}
