"""Ranking: every chunk of the handbook against one question, by BM25 over header and text."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack import Candidate
from ctxpack.value.bm25 import bm25_scores
from sample_runs.chunking import Chunk


def rank(question: str, chunks: Sequence[Chunk], wanted: int) -> list[Candidate]:
    """The `wanted` best chunks that share a term with the question, best first, ranks from 1."""
    scores = bm25_scores(question, [f"{chunk.header}\n{chunk.text}" for chunk in chunks])
    best = sorted(range(len(chunks)), key=lambda place: (-scores[place], place))[:wanted]
    return [
        candidate(chunks[place], rank=order, score=round(scores[place], 4))
        for order, place in enumerate(best, start=1)
        if scores[place] > 0
    ]


def candidate(chunk: Chunk, rank: int | None = None, score: float | None = None) -> Candidate:
    """The chunk as the engine takes it; without a rank it is one that retrieval did not return."""
    return Candidate(
        id=chunk.id,
        doc_id=chunk.doc_id,
        source=chunk.source,
        section=chunk.section,
        date=chunk.date,
        version=chunk.version,
        ordinal=chunk.ordinal,
        rank=rank,
        score=score,
        score_kind="bm25" if score is not None else None,
        header=chunk.header,
        text=chunk.text,
    )
