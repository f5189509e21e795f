"""The calibrated value: the chance that a candidate holds the answer, learned elsewhere."""

from __future__ import annotations

import msgspec


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """A table by rank, or coefficients of a logistic regression, as a calibration file gives it."""

    ranks: tuple[float, ...] = ()
    coefficients: dict[str, float] = msgspec.field(default_factory=dict)
    hash: str | None = None
