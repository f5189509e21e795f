"""Near-duplicates among candidates: which go, which stays for them, and what it then stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ctxpack.candidate import Candidate
from ctxpack.filters.shingles import ShingleIndex
from ctxpack.weighed import Refusal, Weighed


def near_duplicates(
    candidates: Sequence[Weighed], named: Mapping[str, Candidate], threshold: float
) -> list[Refusal]:
    """Refusals of those whose text is like that of a kept candidate, in rank order.

    Each is compared with the pins, which all stay, and with what was kept before it in rank
    order; the first that is at least `threshold` alike (Jaccard of shingles of the text without
    its header, 0 to 1) is the one it is a duplicate of. Texts that share nothing are never
    duplicates, and a candidate without a text, or one of white space, is not compared.
    """
    pins = sorted((c for c in candidates if c.pinned), key=lambda candidate: candidate.order)
    free = sorted((c for c in candidates if not c.pinned), key=lambda candidate: candidate.by_rank)
    compared = [*pins, *free]
    texts = tuple(named[candidate.id].text or "" for candidate in compared)
    return [
        Refusal(compared[place].id, "duplicate", {"of": compared[kept].id, "similarity": alike})
        for place, kept, alike in _copies(texts, len(pins), threshold)
    ]


@lru_cache(maxsize=4)
def _copies(texts: tuple[str, ...], pins: int, threshold: float) -> list[tuple[int, int, float]]:
    """Which texts are copies of which, and how alike; the first `pins` of them never are.

    Kept for the last runs: a changed budget or strategy compares the same texts again.
    """
    index = ShingleIndex()
    kept: list[int] = []
    copies = []
    for place, text in enumerate(texts):
        shingles = index.shingles(text)
        if not shingles:
            continue
        if place >= pins:
            alike = {at: s for at, s in index.compare(shingles).items() if s >= threshold}
            if alike:
                first = min(alike)
                copies.append((place, kept[first], alike[first]))
                continue
        index.hold(shingles)
        kept.append(place)
    return copies


def stands_for(
    refused: Sequence[Refusal], candidates: Sequence[Weighed]
) -> dict[str, tuple[str, ...]]:
    """For each kept candidate the ids that went as its duplicates, in rank order.

    What went as a duplicate of one that went itself belongs to the one that stayed.
    """
    of = {r.id: r.detail["of"] for r in refused if r.reason == "duplicate"}
    groups: dict[str, list[str]] = {}
    for candidate in sorted(candidates, key=lambda candidate: candidate.by_rank):
        stayed = candidate.id
        while stayed in of:
            stayed = of[stayed]
        if stayed != candidate.id:
            groups.setdefault(stayed, []).append(candidate.id)
    return {kept: tuple(ids) for kept, ids in groups.items()}


def sources(
    kept: str, duplicates: Sequence[str], named: Mapping[str, Candidate]
) -> tuple[str, ...]:
    """Where a text is from: the document, else the source, of the kept one and its duplicates.

    Each once; those that are not known are left out. Nothing where there are no duplicates.
    """
    if not duplicates:
        return ()
    all_of = [named[name].doc_id or named[name].source for name in (kept, *duplicates)]
    return tuple(dict.fromkeys(source for source in all_of if source))
