"""A record as rows of the store, and rows as the record that they were: nothing is lost.

A value that a column cannot hold (a whole number beyond 64 bits) stays in the row's `rest`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from ctxpack.decoding import from_builtins, to_builtins
from ctxpack.findings.flags import FLAGS_VERSION, flags
from ctxpack.record import LoggedCandidate, Record, Section, has_unknown
from ctxpack.window import EVIDENCE, evidence_used
from logs.canonical import Canonical, as_json, microseconds
from logs.chunk_rows import CHUNK_FIELDS, ChunkKey, chunk_key, text_hash

RUN_COLUMNS = ("id", "time", "request_type", "query", "model")
"""Fields of a record that stand in a column of their own and not in `rest`."""

SECTION_COLUMNS = ("name", "tokens", "allowance", "cap")
CANDIDATE_COLUMNS = ("rank", "score", "tokens", "outcome", "reason", "position", "start")
CHUNK_COLUMNS = ("id", "doc_id")

AS_ASKED = b""
"""In place of a text's hash: the section's text is the run's query, which most questions are."""

Row = tuple[Any, ...]

_LARGEST = 2**63


class RunRows(NamedTuple):
    """The rows of one run, without its number; `texts` maps a hash to the text of a section.

    A candidate is the key of its chunk and the row of what this run says of it.
    """

    id: str
    digest: bytes
    time_us: int
    kind: tuple[str | None, str | None, str | None]
    flags: tuple[str, ...]
    run: Row
    query: str
    answer: str | None
    sections: tuple[Row, ...]
    candidates: tuple[tuple[ChunkKey, Row], ...]
    texts: dict[bytes, str]


def run_rows(whole: Canonical) -> RunRows:
    """The rows to insert for a record, in the order of the schema's columns."""
    record, texts = whole.record, dict[bytes, str]()
    sections = tuple(_section_row(section, texts, record.query) for section in record.sections)
    candidates = tuple((chunk_key(chunk), _candidate_row(chunk)) for chunk in record.candidates)
    answer = record.answer.text if record.answer else None
    assembler = record.assembler
    made_by = (assembler.name, assembler.version) if assembler else (None, None)
    time_us, found = microseconds(record.time), flags(record)
    run = (
        record.id,
        time_us,
        record.time,
        record.request_type,
        record.query,
        answer,
        record.model,
        *made_by,
        _stored(record.settings.budget if record.settings else None),
        _stored(used_tokens(record)),
        packed_count(record),
        len(record.candidates),
        " ".join(found),
        FLAGS_VERSION,
        record.trace.trace_id if record.trace else None,
        whole.digest,
        _rest_of_run(record),
    )
    return RunRows(
        id=record.id,
        digest=whole.digest,
        time_us=time_us,
        kind=(record.request_type, *made_by),
        flags=found,
        run=run,
        query=record.query,
        answer=answer,
        sections=sections,
        candidates=candidates,
        texts=texts,
    )


def used_tokens(record: Record) -> int | None:
    """Tokens of the packed evidence; where they are not known, of the evidence sections."""
    decided = [part for part in record.candidates if part.outcome in ("packed", "skipped")]
    if decided and all(part.tokens is not None for part in decided if part.outcome == "packed"):
        return evidence_used(record)
    evidence = [section.tokens for section in record.sections if section.name == EVIDENCE]
    return sum(evidence) if evidence else None


def packed_count(record: Record) -> int | None:
    """How many candidates were packed; None where no outcome is known."""
    outcomes = [part.outcome for part in record.candidates]
    if not any(outcome in ("packed", "skipped") for outcome in outcomes):
        return None
    return outcomes.count("packed")


def record_of(
    run: Mapping[str, Any],
    sections: Iterable[Mapping[str, Any]],
    candidates: Iterable[Mapping[str, Any]],
) -> Record:
    """The record that the rows were made of.

    `text` of a part's row is the text itself; a candidate's row has its chunk's columns too, with
    what the chunk keeps beside them as `about`.
    """
    plain: dict[str, Any] = msgspec.json.decode(run["rest"])
    plain |= {name: run[name] for name in RUN_COLUMNS if run[name] is not None}
    if run["answer"] is not None:
        plain["answer"]["text"] = run["answer"]
    plain["sections"] = [_whole_section(row, run["query"]) for row in sections]
    columns = (*CHUNK_COLUMNS, *CANDIDATE_COLUMNS)
    plain["candidates"] = [_whole_candidate(row, columns) for row in candidates]
    return from_builtins(plain).record


_COLUMNS_OF_CANDIDATE = attrgetter(*CANDIDATE_COLUMNS)

_REST_FIELDS = tuple(
    field
    for field in msgspec.structs.fields(LoggedCandidate)
    if field.name not in (*CHUNK_FIELDS, *CANDIDATE_COLUMNS, "detail", "unknown")
)
_REST_NAMES = tuple(field.name for field in _REST_FIELDS)
_REST_DEFAULTS = tuple(field.default for field in _REST_FIELDS)
_REST_OF_CANDIDATE = attrgetter(*_REST_NAMES)

_ROOM = ["needed", "left"]
_NO_ROOM = (None, None)


def _candidate_row(chunk: LoggedCandidate) -> Row:
    values = _COLUMNS_OF_CANDIDATE(chunk)
    beside, detail, room = _REST_OF_CANDIDATE(chunk), chunk.detail, _NO_ROOM
    if detail is not None and list(detail) == _ROOM:
        numbers = tuple(detail.values())
        if type(numbers[0]) is type(numbers[1]) is int and max(map(abs, numbers)) < _LARGEST:
            room, detail = numbers, None
    if beside == _REST_DEFAULTS and detail is None and not chunk.unknown and chunk.score != 0:
        return (*values, *room, None)
    named = zip(_REST_NAMES, beside, _REST_DEFAULTS, strict=True)
    rest = chunk.unknown | {name: value for name, value, default in named if value != default}
    if detail is not None:
        rest["detail"] = detail
    if chunk.score == 0 and _stored(chunk.score) is None:
        values, rest["score"] = (values[0], None, *values[2:]), chunk.score
    return (*values, *room, as_json(rest) if rest else None)


def _section_row(section: Section, texts: dict[bytes, str], query: str) -> Row:
    key = None
    if section.text == query:
        key = AS_ASKED
    elif section.text is not None:
        key = text_hash(section.text)
        texts[key] = section.text
    values = [_stored(getattr(section, name)) for name in SECTION_COLUMNS]
    rest: dict[str, Any] = {}
    if section.items or section.unknown or section.tokens_before or None in values[:2]:
        rest = _as_in_json(section)
        rest.pop("text", None)
        for name, value in zip(SECTION_COLUMNS, values, strict=True):
            if value is not None:
                rest.pop(name, None)
    elif section.tokens_before is not None:
        rest["tokens_before"] = section.tokens_before
    return (*values, key, as_json(rest) if rest else None)


def _as_in_json(section: Section) -> dict[str, Any]:
    # Only a whole record knows where unknown fields stand in its parts.
    around = Record(schema=1, id="-", time="-", query="", sections=(section,))
    plain: dict[str, Any] = to_builtins(around)["sections"][0]
    return plain


_NAMELESS = Record(schema=1, id="-", time="-", query="-")
_HEAD = as_json(_NAMELESS)[:-1]
_SCHEMA = '{"schema":1'


def _rest_of_run(record: Record) -> str:
    answer = record.answer and msgspec.structs.replace(record.answer, text=None)
    head = msgspec.structs.replace(
        record,
        id=_NAMELESS.id,
        time=_NAMELESS.time,
        query=_NAMELESS.query,
        sections=(),
        candidates=(),
        request_type=None,
        model=None,
        answer=answer,
    )
    # As JSON at once: what is required stands first, and has columns of its own but for schema.
    written = as_json(to_builtins(head) if has_unknown(head) else head)
    assert written.startswith(_HEAD)
    return _SCHEMA + written[len(_HEAD) :]


def _whole(row: Mapping[str, Any], columns: tuple[str, ...]) -> dict[str, Any]:
    plain = _read(row["rest"])
    plain |= {name: row[name] for name in (*columns, "text") if row[name] is not None}
    return plain


def _whole_section(row: Mapping[str, Any], query: str) -> dict[str, Any]:
    plain = _whole(row, SECTION_COLUMNS)
    if row["hash"] == AS_ASKED:
        plain["text"] = query
    return plain


def _whole_candidate(row: Mapping[str, Any], columns: tuple[str, ...]) -> dict[str, Any]:
    plain = _read(row["about"]) | _whole(row, columns)
    if row["needed"] is not None:
        plain["detail"] = {"needed": row["needed"], "left": row["left"]}
    return plain


def _read(rest: str | None) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.json.decode(rest) if rest else {}
    return plain


def _stored(value: Any) -> Any:
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return None
    # SQLite keeps no negative zero.
    if isinstance(value, float) and value == 0 and math.copysign(1, value) < 0:
        return None
    return value
