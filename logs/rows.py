"""A record as rows of the store, and rows as the record that they were: nothing is lost.

A value that a column cannot hold (a whole number beyond 64 bits) stays in the row's `rest`.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from ctxpack.decoding import from_builtins
from ctxpack.record import Record
from ctxpack.window import EVIDENCE, evidence_used
from logs.canonical import Canonical, as_json, microseconds

RUN_COLUMNS = ("id", "time", "request_type", "query", "model")
"""Fields of a record that stand in a column of their own and not in `rest`."""

SECTION_COLUMNS = ("name", "tokens", "allowance", "cap")
CANDIDATE_COLUMNS = ("id", "doc_id", "rank", "score", "tokens", "outcome", "reason")

Row = tuple[Any, ...]


class RunRows(NamedTuple):
    """The rows of one run, without its number; `texts` maps a hash to its text."""

    id: str
    digest: bytes
    run: Row
    query: str
    answer: str | None
    sections: tuple[Row, ...]
    candidates: tuple[Row, ...]
    texts: dict[bytes, str]


def text_hash(text: str) -> bytes:
    """16 bytes that name a text in the store."""
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def run_rows(whole: Canonical) -> RunRows:
    """The rows to insert for a record, in the order of the schema's columns."""
    record, texts = whole.record, dict[bytes, str]()
    plain = dict(whole.plain)
    sections = tuple(_part(part, SECTION_COLUMNS, texts) for part in plain.pop("sections", ()))
    candidates = tuple(
        _part(part, CANDIDATE_COLUMNS, texts) for part in plain.pop("candidates", ())
    )
    columns = {name: plain.pop(name, None) for name in RUN_COLUMNS}
    answer = None
    if record.answer and record.answer.text is not None:
        answer = record.answer.text
        plain["answer"] = {key: part for key, part in plain["answer"].items() if key != "text"}
    assembler = record.assembler
    run = (
        record.id,
        microseconds(record.time),
        record.time,
        columns["request_type"],
        record.query,
        answer,
        columns["model"],
        assembler.name if assembler else None,
        assembler.version if assembler else None,
        _stored(record.settings.budget if record.settings else None),
        _stored(used_tokens(record)),
        packed_count(record),
        len(record.candidates),
        record.trace.trace_id if record.trace else None,
        whole.digest,
        as_json(plain),
    )
    return RunRows(record.id, whole.digest, run, record.query, answer, sections, candidates, texts)


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
    """The record that the rows were made of; `text` of a part's row is the text itself."""
    plain: dict[str, Any] = msgspec.json.decode(run["rest"])
    plain |= {name: run[name] for name in RUN_COLUMNS if run[name] is not None}
    if run["answer"] is not None:
        plain["answer"]["text"] = run["answer"]
    plain["sections"] = [_whole(row, SECTION_COLUMNS) for row in sections]
    plain["candidates"] = [_whole(row, CANDIDATE_COLUMNS) for row in candidates]
    return from_builtins(plain).record


def _part(plain: Mapping[str, Any], columns: tuple[str, ...], texts: dict[bytes, str]) -> Row:
    rest = dict(plain)
    values = [_stored(rest.get(name)) for name in columns]
    for name, value in zip(columns, values, strict=True):
        if value is not None:
            del rest[name]
    key = None
    text = rest.pop("text", None)
    if text is not None:
        key = text_hash(text)
        texts[key] = text
    return (*values, key, as_json(rest) if rest else None)


def _whole(row: Mapping[str, Any], columns: tuple[str, ...]) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.json.decode(row["rest"]) if row["rest"] else {}
    plain |= {name: row[name] for name in (*columns, "text") if row[name] is not None}
    return plain


def _stored(value: Any) -> Any:
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return None
    # SQLite keeps no negative zero.
    if isinstance(value, float) and value == 0 and math.copysign(1, value) < 0:
        return None
    return value
