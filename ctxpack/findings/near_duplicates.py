"""Near-duplicates in the window: several packed chunks that say nearly the same."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.filters.shingles import ShingleIndex
from ctxpack.findings.case import Case, basis
from ctxpack.findings.finding import Finding
from ctxpack.findings.thresholds import Thresholds
from ctxpack.record import LoggedCandidate

_NAMED = 2


def duplicates_packed(case: Case) -> list[Finding]:
    """Packed chunks whose texts are alike, and the tokens that all but the best of them took.

    `wasted` is None where the tokens of one of them are not known.
    """
    if case.record.trace is not None and case.record.trace.truncated:
        return []
    groups = alike([place.chunk for place in case.placed], case.thresholds)
    if not groups:
        return []
    members = [chunk for group in groups for chunk in group]
    tokens = [chunk.tokens for group in groups for chunk in group[1:]]
    wasted = None if None in tokens else sum(n or 0 for n in tokens)
    among = f" in {len(groups)} groups" if len(groups) > 1 else ""
    names = "; ".join(_named(group) for group in groups[:_NAMED])
    more = "; ..." if len(groups) > _NAMED else ""
    cost = "" if wasted is None else f"; {wasted:,} tokens wasted"
    return [
        Finding(
            code="duplicates_packed",
            severity="warning",
            title=f"{len(members)} packed chunks{among} say nearly the same ({names}{more}){cost}.",
            detail={"chunks": len(members), "wasted": wasted},
            chunks=tuple(chunk.id for chunk in members),
            advice="Drop near-duplicates before packing (dedupe): the best-ranked of them stays.",
            basis=basis(members[0]),
        )
    ]


def alike(chunks: Sequence[LoggedCandidate], limits: Thresholds) -> list[list[LoggedCandidate]]:
    """Groups of two or more chunks, the best-ranked first, each like the first of its group.

    Alike: exact Jaccard similarity of shingles, as the filter takes it, from `limits.same_text` up.
    Chunks without text, or with one longer than `limits.longest_text`, are in no group.
    """
    groups: list[list[LoggedCandidate]] = []
    index = ShingleIndex(limits.shingle)
    for chunk in sorted(chunks, key=lambda one: (one.rank is None, one.rank or 0)):
        text = chunk.text or ""
        shingles = index.shingles(text) if len(text) <= limits.longest_text else None
        if not shingles:
            continue
        similarity = index.compare(shingles)
        best = max(similarity, key=lambda at: (similarity[at], -at), default=None)
        if best is not None and similarity[best] >= limits.same_text:
            groups[best].append(chunk)
            continue
        index.hold(shingles)
        groups.append([chunk])
    return [group for group in groups if len(group) > 1]


def _named(group: list[LoggedCandidate]) -> str:
    more = ", ..." if len(group) > _NAMED else ""
    shown = group if len(group) == _NAMED else group[:1]
    return ", ".join(chunk.id for chunk in shown) + more
