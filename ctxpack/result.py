"""What a packing decided, with the numbers behind every decision."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from ctxpack.placing.layout import Placing
from ctxpack.settings import Settings


class Packed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A chunk that is in. `start` is tokens of packed evidence before it; `x` is from 0 to 1.

    `duplicates` are the ids of the candidates that were left out because they say the same;
    `sources` then the documents (else the sources) that the text is from, as far as known.
    """

    id: str
    rank: int | None
    tokens: int
    value: float
    pinned: bool
    position: int
    start: int
    x: float
    p: float
    duplicates: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


class Skipped(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk that is out, with exactly one reason and its numbers."""

    id: str
    rank: int | None
    tokens: int | None
    value: float
    reason: str
    detail: dict[str, Any]


class PackResult(msgspec.Struct, frozen=True, kw_only=True):
    """One packing: `packed` in window order, `skipped` in rank order; sizes are tokens.

    `bound` is a proven upper bound over what survived the filters, pins forced in, of what
    `bound_on` names: of `value`, for ordered of `expected_use`. `gap` is bound less that, `proven`
    says that nothing better exists. `expected_use` is the sum
    of value times p; `mean_p` is unweighted, None where nothing is packed. `placing` is there for
    the placement optimal: what is proven of the order. Not part of the JSON
    are `warnings`, sentences for people, and `word_scores`, BM25's scores by id where it ranked
    candidates without any score.
    """

    settings: Settings
    budget: int
    used: int
    counts: Literal["exact", "logged", "estimate"]
    considered: int
    value_by: str
    value: float
    bound: float
    bound_on: Literal["value", "expected_use"]
    gap: float
    proven: bool
    curve: str
    expected_use: float
    mean_p: float | None
    packed: tuple[Packed, ...]
    skipped: tuple[Skipped, ...]
    warnings: tuple[str, ...] = ()
    placing: Placing | None = None
    word_scores: dict[str, float] = msgspec.field(default_factory=dict)


def number_of(result: PackResult) -> dict[str, int]:
    """The number under which each packed chunk stands in the window, from 1, by its id.

    Numbers belong to ids: a list of sources that is shown to a user takes them from here, in
    whatever order it is, so that a citation of 2 is the same chunk for the model and the user.
    """
    return {chunk.id: chunk.position + 1 for chunk in result.packed}


def result_json(result: PackResult) -> dict[str, Any]:
    """The result as plain JSON types, as the command prints it."""
    plain: dict[str, Any] = msgspec.to_builtins(result)
    del plain["warnings"], plain["word_scores"]
    if result.placing is None:
        del plain["placing"]
    return plain
