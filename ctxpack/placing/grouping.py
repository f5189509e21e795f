"""Chunks of one document together, in the document's own order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ctxpack.candidate import Candidate
from ctxpack.weighed import Weighed

Group = tuple[Weighed, ...]
"""Chunks that stand together, in window order."""


def alone(best_first: Sequence[Weighed]) -> list[Group]:
    """Every chunk a group of its own."""
    return [(chunk,) for chunk in best_first]


def by_document(best_first: Sequence[Weighed], named: Mapping[str, Candidate]) -> list[Group]:
    """A group a document, those with the best chunk first; without a doc_id a chunk stands alone.

    Within a group by ordinal; chunks without one come after, as they were handed over.
    """
    groups: dict[tuple[str, str], list[Weighed]] = {}
    for chunk in best_first:
        document = named[chunk.id].doc_id
        key = ("chunk", chunk.id) if document is None else ("document", document)
        groups.setdefault(key, []).append(chunk)

    def own(chunk: Weighed) -> tuple[bool, int, int]:
        ordinal = named[chunk.id].ordinal
        return ordinal is None, ordinal or 0, chunk.order

    return [tuple(sorted(chunks, key=own)) for chunks in groups.values()]


def best_of(group: Group) -> Weighed:
    """The chunk by which a group is placed."""
    return min(group, key=lambda chunk: chunk.by_value)
