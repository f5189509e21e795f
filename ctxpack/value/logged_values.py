"""What the logged candidates are worth, by the logged settings."""

from __future__ import annotations

from ctxpack.record import LoggedCandidate, Record
from ctxpack.value.calibration import Calibration, calibration_from
from ctxpack.value.valuation import valuate


def values_by_id(record: Record) -> dict[str, float]:
    """The value of every candidate, by the logged value; by rank gain where that cannot be had."""
    logged = record.settings.value if record.settings else None
    try:
        calibration = _calibration(record) if logged == "calibrated" else None
        valuation = valuate(record.candidates, logged, record.query, calibration=calibration)
    except ValueError:
        valuation = valuate(record.candidates, "gain", record.query)
    ids = [candidate.id for candidate in record.candidates]
    return dict(zip(ids, valuation.values, strict=True))


def logged_value(record: Record) -> float:
    """The value of what was packed, summed in rank order."""
    values = values_by_id(record)
    return sum(values[chunk.id] for chunk in _by_rank(record) if chunk.outcome == "packed")


def _calibration(record: Record) -> Calibration:
    """The logged calibration; raises InputError where there is none to be had."""
    given = record.settings.calibration if record.settings else None
    return calibration_from(given or {})


def _by_rank(record: Record) -> list[LoggedCandidate]:
    return sorted(record.candidates, key=lambda chunk: (chunk.rank is None, chunk.rank or 0))
