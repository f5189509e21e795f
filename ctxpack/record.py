"""The assembly record, version 1: what one request put into its window, left out, and why.

Only schema, id, time and query are required. Fields that this version does not know are kept in
`unknown`, at every level, and come back when the record is encoded.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Annotated, Any, Literal

import msgspec

from ctxpack.candidate import LARGEST, Candidate, Tokens, Whole

UNKNOWN = "//unknown//"
"""The key under which a level's unknown fields travel between JSON and a record."""

Positive = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]
Unknown = dict[str, Any]


class _Level(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    # Unknown fields are lifted into `unknown` first: what is refused here is read the slow way.
    unknown: Unknown = msgspec.field(name=UNKNOWN, default_factory=dict)


class Assembler(_Level, frozen=True, kw_only=True, omit_defaults=True):
    """Which program put the window together."""

    name: str | None = None
    version: str | None = None
    plan_hash: str | None = None


class Usage(_Level, frozen=True, kw_only=True, omit_defaults=True):
    """What the provider billed, in tokens."""

    input_tokens: Whole | None = None
    output_tokens: Whole | None = None
    cached_tokens: Whole | None = None


class Window(_Level, frozen=True, kw_only=True, omit_defaults=True):
    """Tokens of the window as sent; `framing` is roles and message markers."""

    total: Whole | None = None
    framing: Whole | None = None
    separators: Whole | None = None
    notes: Whole | None = None


class LoggedSettings(_Level, frozen=True, kw_only=True, omit_defaults=True):
    """How evidence was chosen and placed, as logged; names the engine does not know are kept."""

    budget: Positive | None = None
    strategy: str | None = None
    placement: str | None = None
    value: Literal["gain", "score", "bm25", "calibrated"] | None = None
    mmr_lambda: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    cutoff: float | None = None
    cliff: bool | None = None
    dedupe: float | None = None
    margin: float | None = None
    max_chunks: Positive | None = None
    group: Literal["none", "document"] | None = None
    split_tail: Positive | None = None
    curve: str | None = None
    rendering: str | None = None
    separator: str | None = None
    pins: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()
    pins_policy: str | None = None
    pins_first: bool | None = None
    joints: Positive | None = None
    query_vector: tuple[float, ...] | None = None
    calibration: dict[str, Any] | None = None
    curve_points: dict[str, Any] | None = None


class Item(_Level, frozen=True, kw_only=True, omit_defaults=True):
    """One part of a section: a turn, a memory entry, a tool."""

    id: str
    text: str | None = None
    tokens: Whole | None = None
    time: str | None = None
    confidence: float | None = None
    safety: bool | None = None
    outcome: Literal["kept", "dropped", "compacted"] | None = None
    reason: str | None = None
    role: str | None = None
    call_id: str | None = None


class Section(_Level, frozen=True, kw_only=True, omit_defaults=True):
    """A named part of the window; `allowance` is guaranteed, `cap` may never be exceeded."""

    name: str
    tokens: Tokens
    allowance: Positive | None = None
    cap: Positive | None = None
    tokens_before: Positive | None = None
    text: str | None = None
    items: tuple[Item, ...] = ()


class LoggedCandidate(
    Candidate, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A candidate with what was decided about it.

    `position` is the place among the packed, from 0; `start` the tokens of packed evidence before
    it. `placed_in` indexes into sections, where evidence stands in more than one place.
    """

    retriever: str | None = None
    hash: str | None = None
    outcome: Literal["packed", "skipped", "unknown"] | None = None
    reason: str | None = None
    detail: dict[str, Any] | None = None
    position: Positive | None = None
    start: Positive | None = None
    basis: Literal["recorded", "text_match", "id_match", "offset"] | None = None
    partial: bool = False
    placed_in: Positive | None = None
    unknown: Unknown = msgspec.field(name=UNKNOWN, default_factory=dict)


class Drop(_Level, frozen=True, kw_only=True, omit_defaults=True):
    """Something sacrificed outside evidence."""

    section: str | None = None
    id: str | None = None
    tokens: Whole | None = None
    rule: str | None = None


class Compaction(
    _Level, frozen=True, kw_only=True, omit_defaults=True, rename={"from_ids": "from"}
):
    """Items that were replaced by something shorter; `sources` over one crosses provenance."""

    id: str | None = None
    section: str | None = None
    from_ids: tuple[str, ...] = ()
    form: Literal["facts", "prose"] | None = None
    tokens_before: Whole | None = None
    tokens_after: Whole | None = None
    sources: tuple[str, ...] = ()
    derived_from: Literal["original", "summary"] | None = None
    text: str | None = None


class Answer(_Level, frozen=True, kw_only=True, omit_defaults=True):
    """The reply, and what it should have said: any item of `expected`; a list needs all of it."""

    text: str | None = None
    expected: tuple[str | tuple[str, ...], ...] = ()
    correct: bool | None = None
    feedback: str | None = None


class Trace(_Level, frozen=True, kw_only=True, omit_defaults=True):
    """Where an imported record came from, and what its source cannot give."""

    format: str | None = None
    trace_id: str | None = None
    span_ids: tuple[str, ...] = ()
    truncated: bool | None = None
    dropped_attributes: Whole | None = None
    missing: tuple[str, ...] = ()


class Record(_Level, frozen=True, kw_only=True, omit_defaults=True):
    """One request's record. `time` is RFC 3339 with an offset; all sizes are tokens."""

    schema: Literal[1]
    id: Annotated[str, msgspec.Meta(min_length=1)]
    time: str
    query: str
    request_type: str | None = None
    session: str | None = None
    parent: str | None = None
    model: str | None = None
    encoding: str | None = None
    assembler: Assembler | None = None
    limit: Positive | None = None
    budget: Positive | None = None
    reserved_output: Positive | None = None
    usage: Usage | None = None
    window: Window | None = None
    settings: LoggedSettings | None = None
    sections: tuple[Section, ...] = ()
    candidates: tuple[LoggedCandidate, ...] = ()
    drops: tuple[Drop, ...] = ()
    compactions: tuple[Compaction, ...] = ()
    notes: tuple[str, ...] = ()
    answer: Answer | None = None
    gold: tuple[str, ...] = ()
    trace: Trace | None = None


_UNKNOWN_OF = attrgetter("unknown")

LEVELS: dict[type[msgspec.Struct], dict[str, type[msgspec.Struct]]] = {
    Record: {
        "assembler": Assembler,
        "usage": Usage,
        "window": Window,
        "settings": LoggedSettings,
        "sections": Section,
        "candidates": LoggedCandidate,
        "drops": Drop,
        "compactions": Compaction,
        "answer": Answer,
        "trace": Trace,
    },
    Section: {"items": Item},
}
"""Which struct stands under which field, so that unknown fields are kept at every level."""


def has_unknown(record: Record) -> bool:
    """Whether the record has a field, at any level, that this version does not know."""
    single = (record.assembler, record.usage, record.window, record.settings, record.answer)
    return bool(
        record.unknown
        or any(part is not None and part.unknown for part in (*single, record.trace))
        or any(map(_UNKNOWN_OF, record.candidates))
        or any(part.unknown for part in (*record.drops, *record.compactions))
        or any(
            section.unknown or any(item.unknown for item in section.items)
            for section in record.sections
        )
    )
