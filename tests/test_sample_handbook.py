"""The handbook: what its pages promise, and how they are cut into chunks."""

from __future__ import annotations

import re
import unicodedata
from itertools import combinations

import pytest

from ctxpack.counting import Counter
from ctxpack.rendering import render
from sample_runs.chunking import Chunk, chunk_document, chunk_documents
from sample_runs.documents import Document, Part, read_documents
from sample_runs.ranking import candidate, rank


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return read_documents()


@pytest.fixture(scope="module")
def chunks(documents: list[Document]) -> list[Chunk]:
    return chunk_documents(documents)


def whole(document: Document) -> str:
    return "\n\n".join(part.text for part in document.parts)


def similarity(one: str, other: str) -> float:
    """Exact Jaccard of shingles of five words."""
    sets = []
    for text in (one, other):
        words = unicodedata.normalize("NFKC", text).split()
        sets.append({tuple(words[at : at + 5]) for at in range(len(words) - 4)})
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


def test_about_sixty_pages_and_each_version_is_a_document_of_its_own(
    documents: list[Document],
) -> None:
    assert len({document.doc_id for document in documents}) >= 55
    assert len({(document.doc_id, document.version) for document in documents}) == len(documents)


def test_several_pages_have_versions_with_other_dates_and_other_facts(
    documents: list[Document],
) -> None:
    versions: dict[str, list[Document]] = {}
    for document in documents:
        versions.setdefault(document.doc_id, []).append(document)
    several = [found for found in versions.values() if len(found) > 1]
    assert len(several) >= 8
    assert max(map(len, several)) == 3
    for found in several:
        by_version = sorted(found, key=lambda document: int(document.version[1:]))
        dates = [document.date for document in by_version]
        assert dates == sorted(set(dates))
        assert len({whole(document) for document in found}) == len(found)


def test_some_pages_repeat_one_policy_in_nearly_the_same_words(documents: list[Document]) -> None:
    regional = [whole(d) for d in documents if d.section == "Billing > Refunds > Regions"]
    assert len(regional) == 6
    assert all(similarity(one, other) > 0.8 for one, other in combinations(regional, 2))


def test_pages_hold_prose_tables_code_and_other_scripts(documents: list[Document]) -> None:
    texts = [whole(document) for document in documents]
    assert sum("\n|---" in text for text in texts) >= 10
    assert sum("```" in text for text in texts) >= 6
    assert {document.language for document in documents} == {"en", "ja", "el"}
    assert any(re.search(r"[\u3040-\u30ff]", text) for text in texts)
    assert any(re.search(r"[\u0370-\u03ff]", text) for text in texts)


def test_lengths_go_from_a_note_of_two_lines_to_a_long_guide(documents: list[Document]) -> None:
    pages = [whole(d) for d in documents if not d.whole_parts]
    words = sorted(len(page.split()) for page in pages)
    assert words[0] < 40
    assert words[-1] >= 1500
    assert min(len(page.splitlines()) for page in pages) <= 2


def test_the_hostile_page_holds_every_kind_of_hostile_text(documents: list[Document]) -> None:
    (page,) = [document for document in documents if document.whole_parts]
    text = whole(page)
    for hostile in ("[/]", "[bold]", "[@click=app.bell]", "\x1b[", "\x07", "\x00", "\u202e"):
        assert hostile in text
    for hostile in ("\u2066", "\u200b", "👨\u200d👩\u200d👧\u200d👦", "🇫🇴", "風", "<|endoftext|>"):
        assert hostile in text
    longest = max(page.parts, key=lambda part: len(part.text)).text
    assert "\n" not in longest
    assert len(longest.encode()) >= 200_000


def test_chunk_ids_are_unique_and_name_page_version_and_place(chunks: list[Chunk]) -> None:
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    for chunk in chunks:
        assert chunk.id == f"{chunk.doc_id}@{chunk.version}#{chunk.ordinal}"
        assert chunk.header == f"{chunk.source} > {chunk.section} | {chunk.version} | {chunk.date}"
        assert "\n" not in chunk.header


def test_ordinals_count_from_0_without_holes(documents: list[Document]) -> None:
    for document in documents:
        ordinals = [chunk.ordinal for chunk in chunk_document(document)]
        assert ordinals == list(range(len(ordinals)))


def test_chunking_loses_no_line_and_cuts_no_table_and_no_code(documents: list[Document]) -> None:
    for document in documents:
        made = [chunk.text for chunk in chunk_document(document)]
        lines = [line for text in made for line in text.splitlines() if line.strip()]
        assert lines == [line for line in whole(document).splitlines() if line.strip()]
        for text in made:
            assert text.count("```") % 2 == 0
        for table in re.findall(r"(?:^\|.*\n?)+", whole(document), re.MULTILINE):
            assert any(table.strip() in text for text in made)


def test_chunk_sizes_are_uneven_from_about_40_to_over_800_tokens(chunks: list[Chunk]) -> None:
    count = Counter()
    pages = [chunk for chunk in chunks if chunk.doc_id != "ticket-8812"]
    sizes = sorted(count(render(candidate(chunk)) or "") for chunk in pages)
    assert sizes[0] < 60
    assert sizes[-1] > 1000
    assert 90 <= sizes[len(sizes) // 2] <= 130


def test_a_paragraph_is_cut_only_where_the_chunk_would_grow_too_long() -> None:
    def page(text: str) -> Document:
        return Document("d", "D", "S", "v1", "2026-01-01", "en", (Part("H", text),))

    short = "\n\n".join(["one two three"] * 20)
    long = "\n\n".join([" ".join(["word"] * 150)] * 2)
    assert [chunk.text for chunk in chunk_document(page(short))] == [short]
    assert len(chunk_document(page(long))) == 2


def test_ranks_count_from_1_and_scores_never_rise(chunks: list[Chunk]) -> None:
    found = rank("How long are the wind cups guaranteed?", chunks, 20)
    assert [chunk.rank for chunk in found] == list(range(1, 21))
    scores = [chunk.score or 0.0 for chunk in found]
    assert scores == sorted(scores, reverse=True)
    assert {chunk.score_kind for chunk in found} == {"bm25"}
    assert found[0].id == "warranty@v2#1"


def test_a_chunk_without_a_word_of_the_question_is_no_candidate(chunks: list[Chunk]) -> None:
    assert rank("xyzzy", chunks, 20) == []
