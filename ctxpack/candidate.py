"""A candidate: a retrieved chunk that is considered for evidence, before any decision."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

LARGEST = 2**53
"""The largest whole number that is read: past it other readers of JSON lose digits."""

Tokens = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]
"""A count of tokens."""

Whole = Annotated[int, msgspec.Meta(ge=-LARGEST, le=LARGEST)]
"""Any whole number."""

ScoreKind = Literal["similarity", "distance", "rerank", "bm25", "unknown"]
"""Whether a ranker's number is better high or low: `distance` is better low, all others high."""


class Candidate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What retrieval handed over of one chunk.

    `rank` counts from 1 and is kept as written, holes and all; None for a pin that retrieval did
    not return. `index` is the place in which the application handed it over, from 0; None: as
    listed. `tokens` counts header and text together, as rendered. Text decides over tokens where
    both are there.
    """

    id: Annotated[str, msgspec.Meta(min_length=1)]
    doc_id: str | None = None
    source: str | None = None
    section: str | None = None
    date: str | None = None
    version: str | None = None
    ordinal: Whole | None = None
    rank: Annotated[int, msgspec.Meta(ge=1, le=LARGEST)] | None = None
    index: Annotated[int, msgspec.Meta(ge=0, le=LARGEST)] | None = None
    score: float | None = None
    score_kind: ScoreKind | None = None
    header: str | None = None
    text: str | None = None
    tokens: Tokens | None = None
    vector: tuple[float, ...] | None = None
    pinned: bool = False
