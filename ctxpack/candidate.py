"""A candidate: a retrieved chunk that is considered for evidence, before any decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from ctxpack.errors import InputError

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


def check_candidates(candidates: Sequence[Candidate]) -> None:
    """Refuse what is no candidate at all; raises InputError naming the candidate and the field.

    A candidate that is one, but cannot be packed (without tokens, empty), is not refused here.
    """
    for place, candidate in enumerate(candidates):
        name = candidate.id
        if not isinstance(name, str) or not name:
            raise InputError(f"candidate {place + 1}: id is {name!r}: it must be a text.")
        for field, given, low in (
            ("rank", candidate.rank, 1),
            ("index", candidate.index, 0),
            ("tokens", candidate.tokens, None),
        ):
            if given is not None and (not is_whole(given) or (low is not None and given < low)):
                least = "" if low is None else f", {low} or more"
                raise InputError(
                    f"candidate {name!r}: {field} is {given!r}: it must be a whole number{least}."
                )
        if candidate.score is not None and not is_number(candidate.score):
            raise InputError(
                f"candidate {name!r}: score is {candidate.score!r}: it must be a number."
            )
        for field, text in (("text", candidate.text), ("header", candidate.header)):
            if text is not None and not isinstance(text, str):
                raise InputError(f"candidate {name!r}: {field} is no text.")


def is_whole(given: Any) -> bool:
    """Whether it is a whole number; True and False are none."""
    return isinstance(given, int) and not isinstance(given, bool)


def is_number(given: Any) -> bool:
    """Whether it is a number, whole or not; True and False are none."""
    return isinstance(given, int | float) and not isinstance(given, bool)


def is_blank(candidate: Candidate) -> bool:
    """Whether it has a text with nothing but white space in it: a blank page."""
    return candidate.text is not None and not candidate.text.strip()
