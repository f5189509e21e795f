"""Answers that are split over two neighbouring chunks of one document."""

from __future__ import annotations

from itertools import pairwise

from ctxpack.answer import Expected, text_holds
from ctxpack.record import LoggedCandidate, Record

Pair = tuple[LoggedCandidate, LoggedCandidate]
"""Neighbours k, k+1 of one document."""

_OVERLAP = 2000


def split_pairs(record: Record, expected: Expected) -> list[Pair]:
    """The neighbours whose texts hold the answer when joined, those with the best rank first."""
    by_document: dict[tuple[str | None, ...], dict[int, LoggedCandidate]] = {}
    for chunk in record.candidates:
        if chunk.ordinal is not None and chunk.text and document(chunk) is not None:
            key = (document(chunk), chunk.version, chunk.date)
            by_document.setdefault(key, {}).setdefault(chunk.ordinal, chunk)
    pairs = [
        (chunks[lower], chunks[upper])
        for chunks in by_document.values()
        for lower, upper in pairwise(sorted(chunks))
        if upper == lower + 1 and _joined_hold(chunks[lower], chunks[upper], expected)
    ]
    return sorted(pairs, key=lambda pair: min(_rank(chunk) for chunk in pair))


def document(chunk: LoggedCandidate) -> str | None:
    """What makes two chunks one document's: the doc_id, else source and section."""
    if chunk.doc_id is not None:
        return chunk.doc_id
    return f"{chunk.source}\n{chunk.section}" if chunk.source is not None else None


def _rank(chunk: LoggedCandidate) -> float:
    return float("inf") if chunk.rank is None else chunk.rank


def _joined_hold(first: LoggedCandidate, second: LoggedCandidate, expected: Expected) -> bool:
    """Joined with their overlap removed, by a newline, or by a space."""
    head, tail = first.text or "", second.text or ""
    longest = min(len(head), len(tail), _OVERLAP)
    overlap = next((n for n in range(longest, 0, -1) if head.endswith(tail[:n])), 0)
    joined = [f"{head}\n{tail}", f"{head} {tail}"]
    if overlap:
        joined.append(head + tail[overlap:])
    return any(text_holds([text], expected.alternatives) for text in joined)
