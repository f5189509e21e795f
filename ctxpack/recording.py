"""From a packing to a record: what an application logs of what it decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ctxpack.candidate import Candidate
from ctxpack.naming import unique_names
from ctxpack.record import LoggedCandidate, LoggedSettings
from ctxpack.result import Packed, PackResult, Skipped


def logged_candidates(
    candidates: Sequence[Candidate], result: PackResult
) -> tuple[LoggedCandidate, ...]:
    """The candidates as `pack` was given them, each with what it decided; ids as it named them.

    Where BM25 ranked candidates without any score, its scores are logged: a cut-off goes by them.
    Raises KeyError where the result is of other candidates.
    """
    names = unique_names([candidate.id for candidate in candidates])
    packed = {chunk.id: chunk for chunk in result.packed}
    skipped = {chunk.id: chunk for chunk in result.skipped}
    words = result.word_scores
    return tuple(
        _logged(
            candidate if name not in words else _scored(candidate, words[name]),
            packed[name] if name in packed else skipped[name],
        )
        for candidate, name in zip(candidates, names, strict=True)
    )


def logged_settings_of(result: PackResult) -> LoggedSettings:
    """The settings that the packing was done with, as far as a record has a field for them."""
    fields = {field.name for field in msgspec.structs.fields(LoggedSettings)}
    given = msgspec.structs.asdict(result.settings)
    calibration = result.settings.calibration
    points = result.settings.curve_points
    given["curve_points"] = None if points is None else msgspec.to_builtins(points)
    given["joints"] = result.settings.joints or None
    given["calibration"] = None if calibration is None else msgspec.to_builtins(calibration)
    return LoggedSettings(**{name: value for name, value in given.items() if name in fields})


def _scored(candidate: Candidate, score: float) -> Candidate:
    return msgspec.structs.replace(candidate, score=score, score_kind="bm25")


def _logged(candidate: Candidate, decided: Packed | Skipped) -> LoggedCandidate:
    fields: dict[str, Any] = msgspec.structs.asdict(candidate)
    fields |= {"id": decided.id, "rank": decided.rank, "tokens": decided.tokens}
    if isinstance(decided, Packed):
        same = {"duplicates": [*decided.duplicates], "sources": [*decided.sources]}
        detail = {name: ids for name, ids in same.items() if ids}
        place = {"outcome": "packed", "position": decided.position, "start": decided.start}
        return LoggedCandidate(**(fields | place | {"detail": detail or None}))
    reason = {"outcome": "skipped", "reason": decided.reason, "detail": decided.detail or None}
    return LoggedCandidate(**(fields | reason))
