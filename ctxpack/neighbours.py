"""Answers that are split over two neighbouring chunks of one document."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.answer import Expected
from ctxpack.matching import crosses, holds_normal, normal
from ctxpack.record import LoggedCandidate, Record

Pair = tuple[LoggedCandidate, LoggedCandidate]
"""Neighbours k, k+1 of one document."""

_OVERLAP = 2000


def split_pairs(record: Record, expected: Expected) -> tuple[Pair, ...]:
    """The neighbours whose texts hold the answer when joined, those with the best rank first."""
    by_document: dict[tuple[str | None, ...], dict[int, LoggedCandidate]] = {}
    for chunk in record.candidates:
        if chunk.ordinal is not None and chunk.text and document(chunk) is not None:
            key = (document(chunk), chunk.version, chunk.date)
            by_document.setdefault(key, {}).setdefault(chunk.ordinal, chunk)
    wanted = [[normal(part) for part in alternative] for alternative in expected.alternatives]
    pairs: list[Pair] = []
    for chunks in by_document.values():
        texts = {ordinal: normal(chunk.text or "") for ordinal, chunk in chunks.items()}
        pairs.extend(
            (chunks[lower], chunks[lower + 1])
            for lower in sorted(chunks)
            if lower + 1 in chunks
            and any(_joined_hold(texts[lower], texts[lower + 1], parts) for parts in wanted)
        )
    return tuple(sorted(pairs, key=lambda pair: min(_rank(chunk) for chunk in pair)))


def document(chunk: LoggedCandidate) -> str | None:
    """What makes two chunks one document's: the doc_id, else source and section."""
    if chunk.doc_id is not None:
        return chunk.doc_id
    return f"{chunk.source}\n{chunk.section}" if chunk.source is not None else None


def _rank(chunk: LoggedCandidate) -> float:
    return float("inf") if chunk.rank is None else chunk.rank


def _joined_hold(head: str, tail: str, parts: Sequence[str]) -> bool:
    """Whether two normal texts hold all parts when joined by a space or by their overlap."""
    missing = [part for part in parts if not holds_normal(head, part)]
    missing = [part for part in missing if not holds_normal(tail, part)]
    if not missing:
        return True
    joints = [(f"{head} ", tail)]
    overlap = _overlap(head, tail)
    if overlap:
        joints.append((head, tail[overlap:]))
    return any(all(crosses(*joint, part) for part in missing) for joint in joints)


def _overlap(head: str, tail: str) -> int:
    """How many characters end the one text and begin the other, at most _OVERLAP."""
    last = head[-1:]
    longest = min(len(head), len(tail), _OVERLAP)
    return next(
        (n for n in range(longest, 0, -1) if tail[n - 1] == last and head.endswith(tail[:n])), 0
    )
