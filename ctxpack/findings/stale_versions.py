"""Stale evidence: an older state of a document is in the window and a newer one is not."""

from __future__ import annotations

import re

from ctxpack.findings.case import Case, basis
from ctxpack.findings.finding import Finding
from ctxpack.record import LoggedCandidate

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
_VERSION = re.compile(r"(?:v|ver|version|r|rev)?[\s._-]*([0-9]{1,9}(?:\.[0-9]{1,9}){0,5})", re.I)

Document = tuple[str | None, ...]


def stale_packed(case: Case) -> list[Finding]:
    """An older version or date of a document is packed and a newer candidate of it is not.

    One finding a document; silent where the newer state is packed by another chunk of it, and
    where neither dates nor versions tell which is newer.
    """
    by_document: dict[Document, tuple[list[LoggedCandidate], list[LoggedCandidate]]] = {}
    for chunk in case.record.candidates:
        document = document_of(chunk)
        if document is None or chunk.outcome not in ("packed", "skipped"):
            continue
        inside, out = by_document.setdefault(document, ([], []))
        (inside if chunk.outcome == "packed" else out).append(chunk)
    lost = {chunk.id for chunk in case.trace.lost} if case.trace else set()
    found = [_stale(inside, out, lost) for inside, out in by_document.values()]
    return [finding for finding in found if finding is not None]


def is_newer(one: LoggedCandidate, other: LoggedCandidate) -> bool:
    """Whether one is a newer state than the other: by date, else by the version's number."""
    days = _day(one), _day(other)
    if days[0] is not None and days[1] is not None and days[0] != days[1]:
        return days[0] > days[1]
    numbers = _number(one), _number(other)
    return numbers[0] is not None and numbers[1] is not None and numbers[0] > numbers[1]


def document_of(chunk: LoggedCandidate) -> Document | None:
    """What chunks of one document share: the doc_id, else source and section together."""
    if chunk.doc_id is not None:
        return (chunk.doc_id,)
    # A source alone may be a whole wiki: its chunks are not states of one document.
    both = chunk.source is not None and chunk.section is not None
    return (chunk.source, chunk.section) if both else None


def _stale(
    inside: list[LoggedCandidate], out: list[LoggedCandidate], lost: set[str]
) -> Finding | None:
    newer = [
        chunk
        for chunk in out
        if any(is_newer(chunk, old) for old in inside)
        and not any(_as_new(old, chunk) for old in inside)
    ]
    if not newer:
        return None
    # The one that holds the answer tells most, then the best-ranked of the newest.
    newest = [chunk for chunk in newer if not any(is_newer(other, chunk) for other in newer)]
    missed = min(newest or newer, key=lambda chunk: (chunk.id not in lost, _rank(chunk)))
    stale = sorted((old for old in inside if is_newer(missed, old)), key=_rank)
    if not stale:
        return None
    return Finding(
        code="stale_packed",
        severity="fault",
        title=f"{_stated(stale[0])} is packed and the newer {_stated(missed)} is not.",
        detail={
            "packed": [chunk.id for chunk in stale],
            "newer": missed.id,
            "tokens": sum(chunk.tokens or 0 for chunk in stale),
        },
        chunks=tuple(chunk.id for chunk in (*stale, missed)),
        advice="Keep only the newest version of a document before packing.",
        basis=basis(stale[0]),
    )


def _as_new(one: LoggedCandidate, other: LoggedCandidate) -> bool:
    """Whether one is of the same state as the other, or of a newer one."""
    same = (_day(one), _number(one)) == (_day(other), _number(other))
    return same or is_newer(one, other)


def _stated(chunk: LoggedCandidate) -> str:
    state = ", ".join(said for said in (chunk.version, chunk.date) if said)
    return f"{chunk.id} ({state})"


def _rank(chunk: LoggedCandidate) -> float:
    return float("inf") if chunk.rank is None else chunk.rank


def _day(chunk: LoggedCandidate) -> str | None:
    match = _DAY.match(chunk.date or "")
    return match.group() if match else None


def _number(chunk: LoggedCandidate) -> tuple[int, ...] | None:
    match = _VERSION.fullmatch((chunk.version or "").strip())
    if match is None:
        return None
    parts = [int(part) for part in match.group(1).split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)
