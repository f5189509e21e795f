"""One request to one record: ranked, packed by our engine or by the legacy one, written down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ctxpack import (
    Candidate,
    LoggedCandidate,
    LoggedSettings,
    Record,
    Settings,
    logged_candidates,
    logged_settings_of,
)
from ctxpack.counting import Count
from ctxpack.packing import pack
from ctxpack.placement import starts
from ctxpack.record import Answer, Assembler, Section, Usage
from ctxpack.rendering import join, render
from sample_runs import legacy_assembler
from sample_runs.chunking import Chunk
from sample_runs.ranking import candidate, rank
from sample_runs.requests import Request
from sample_runs.window import BETWEEN, Rest, rest_of_window, window_of

RETRIEVER = "bm25"

VERSION = "0.1.0"
"""The engine's version in the sample log: it says when the rules of the sample changed."""


class Evidence(msgspec.Struct, frozen=True):
    """What became of the candidates; `tokens` is what the packed ones take in the window."""

    settings: LoggedSettings
    candidates: tuple[LoggedCandidate, ...]
    text: str
    tokens: int
    share: int


def record_of(request: Request, chunks: Sequence[Chunk], count: Count) -> Record:
    """The record of one request."""
    ranked = rank(request.question, chunks, request.retrieved)
    route = request.route
    rest = rest_of_window(
        request,
        count,
        trim=route is None,
        every_tool=route is not None and route.every_tool,
    )
    if route is None:
        evidence = _by_engine(request, _with_pins(request, ranked, chunks), chunks, count)
        notes = _notes(evidence, rest)
    else:
        evidence = _by_legacy(request, ranked, chunks, rest, count)
        notes = ()
    window = window_of(rest, evidence.tokens, notes, count)
    return Record(
        schema=1,
        id=request.id,
        time=request.time,
        request_type=request.request_type,
        session=request.session,
        query=request.question,
        model=request.model,
        encoding="o200k_base",
        assembler=_assembler(request),
        limit=request.limit,
        budget=request.budget,
        reserved_output=request.reserved_output,
        usage=Usage(input_tokens=window.total, output_tokens=count(request.reply)),
        window=window,
        settings=evidence.settings,
        sections=(*rest.before, _evidence_section(evidence), *rest.after),
        candidates=evidence.candidates,
        drops=rest.drops,
        notes=notes,
        answer=Answer(
            text=request.reply,
            expected=request.expected,
            correct=request.correct,
            feedback=request.feedback,
        ),
    )


def _by_engine(
    request: Request, candidates: Sequence[Candidate], chunks: Sequence[Chunk], count: Count
) -> Evidence:
    settings = Settings(
        budget=request.evidence,
        strategy=request.strategy,
        placement=request.placement,
        separator=BETWEEN,
        pins=request.pins,
        bans=_bans(request, candidates, chunks),
    )
    result = pack(candidates, settings, query=request.question, count=count)
    known = {found.id: found for found in candidates}
    window = [known[chunk.id] for chunk in result.packed]
    return Evidence(
        settings=logged_settings_of(result),
        candidates=tuple(
            msgspec.structs.replace(found, retriever=RETRIEVER)
            for found in logged_candidates(candidates, result)
        ),
        text=join([render(found) or "" for found in window], BETWEEN),
        tokens=result.used,
        share=request.evidence,
    )


def _by_legacy(
    request: Request,
    ranked: Sequence[Candidate],
    chunks: Sequence[Chunk],
    rest: Rest,
    count: Count,
) -> Evidence:
    route = request.route
    assert route is not None
    candidates = _with_pins(request, ranked, chunks) if route.pins else list(ranked)
    room = legacy_assembler.room_for_evidence(
        route, request.evidence, request.budget, request.reserved_output, rest.tokens
    )
    done = legacy_assembler.assemble(candidates, request.pins, route, room, count, BETWEEN)
    text = join([render(found) or "" for found in done.window], BETWEEN)
    sizes = {found.id: count(render(found) or "") for found in candidates}
    before = starts([sizes[found.id] for found in done.window], count(BETWEEN))
    places = {
        found.id: (position, start)
        for position, (found, start) in enumerate(zip(done.window, before, strict=True))
    }
    left = {out.id: out for out in done.left}
    return Evidence(
        settings=LoggedSettings(
            budget=room,
            strategy={"skip": "top", "stop": "first-fit", "dense": "density"}[route.walk],
            placement={"ranked": "best-first", "sandwich": "middle"}[route.layout],
            value="gain",
            max_chunks=route.exactly,
            curve="assumed",
            rendering="header-newline-text" if route.measure == "tokens" else "characters / 4",
            separator=BETWEEN,
            pins=request.pins,
        ),
        candidates=tuple(
            _packed(found, sizes[found.id], *places[found.id])
            if found.id in places
            else _skipped(found, sizes[found.id], left[found.id].reason, left[found.id].detail)
            for found in candidates
        ),
        text=text,
        tokens=count(text),
        share=request.evidence,
    )


def _with_pins(
    request: Request, ranked: Sequence[Candidate], chunks: Sequence[Chunk]
) -> list[Candidate]:
    """The ranked candidates, and after them the pins that retrieval did not return."""
    found = {chunk.id for chunk in ranked}
    missing = [chunk for chunk in chunks if chunk.id in request.pins and chunk.id not in found]
    return [*ranked, *(candidate(chunk) for chunk in missing)]


def _bans(
    request: Request, candidates: Sequence[Candidate], chunks: Sequence[Chunk]
) -> tuple[str, ...]:
    newest: dict[str, str] = {}
    for chunk in chunks:
        newest[chunk.doc_id] = max(chunk.date, newest.get(chunk.doc_id, ""))
    return tuple(
        found.id
        for found in candidates
        if found.doc_id in request.ban_documents
        or (request.ban_superseded and (found.date or "") < newest[found.doc_id or ""])
    )


def _packed(found: Candidate, tokens: int, position: int, start: int) -> LoggedCandidate:
    return _logged(
        found, {"tokens": tokens, "outcome": "packed", "position": position, "start": start}
    )


def _skipped(
    found: Candidate, tokens: int | None, reason: str, detail: dict[str, Any]
) -> LoggedCandidate:
    outcome = {"outcome": "skipped", "reason": reason, "detail": detail or None}
    return _logged(found, {"tokens": tokens} | outcome)


def _logged(found: Candidate, decided: dict[str, Any]) -> LoggedCandidate:
    fields: dict[str, Any] = msgspec.structs.asdict(found)
    return LoggedCandidate(**(fields | {"retriever": RETRIEVER} | decided))


def _evidence_section(evidence: Evidence) -> Section:
    return Section(
        name="evidence",
        tokens=evidence.tokens,
        allowance=evidence.share,
        text=evidence.text,
    )


def _notes(evidence: Evidence, rest: Rest) -> tuple[str, ...]:
    """The lines by which the window itself says what was left out of it."""
    out = sum(1 for found in evidence.candidates if found.outcome == "skipped")
    notes = []
    if out:
        notes.append(f"[{out} of {len(evidence.candidates)} passages found were left out.]")
    if rest.drops:
        notes.append(f"[{len(rest.drops)} earlier messages were left out.]")
    return tuple(notes)


def _assembler(request: Request) -> Assembler:
    if request.route is None:
        return Assembler(name="ctxpack", version=VERSION)
    return Assembler(name=legacy_assembler.NAME, version=request.legacy_version)
