"""The settings of a packing, every default resolved, so that the same run can be done again."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import msgspec

from ctxpack.candidate import is_number, is_whole
from ctxpack.curves.points import BUILT_IN, CurvePoints, curve_points_from
from ctxpack.errors import InputError
from ctxpack.value.calibration import Calibration, calibration_from

STRATEGIES = ("first-fit", "top", "density", "optimal", "mmr", "ordered")
"""How candidates are chosen."""

BY_VALUE = ("best-first", "best-last", "ends", "middle")
"""The placements that look at nothing but the order of values."""

PLACEMENTS = (*BY_VALUE, "split", "rank", "chronological", "given", "optimal")
"""How the chosen are laid out."""

VALUES = ("gain", "score", "bm25", "calibrated")
"""What a chunk is worth."""

CURVES = BUILT_IN
"""Which curve says how likely a place is used."""

GROUPS = ("none", "document")
"""How chunks of one document stand together."""

POLICIES = ("report", "strict")
"""What becomes of pins that do not fit."""

DEDUPE = 0.8
"""The similarity of duplicates where de-duplication is switched on without a number."""

RENDERING = "header-newline-text"
"""How a chunk is rendered when it is counted: header, a newline, text; text alone without one."""

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How evidence is chosen and placed.

    `budget` is tokens for evidence: headers, separators and pins included. `value` None means the
    engine's default (see `valuate`); a result's settings name the one that was used.
    `pins_policy` "report" keeps pins while they fit and says which did not; "strict" refuses.
    `cutoff` is the share of the score range, best to worst, that a chunk may lie below the best;
    `margin` the same in the score's own units; `dedupe` the similarity from which two texts are
    duplicates. `query_vector` is what mmr compares the candidates' vectors with. `joints` are
    tokens that joining the texts takes beyond their sum: set aside where texts are not counted,
    found by counting where they are. `curve` names a built-in curve, or the `curve_points`.
    """

    budget: int
    strategy: str = "top"
    placement: str = "best-first"
    group: Literal["none", "document"] = "none"
    split_tail: int = 1
    value: Literal["gain", "score", "bm25", "calibrated"] | None = None
    cutoff: Share | None = None
    margin: float | None = None
    cliff: bool = False
    max_chunks: int | None = None
    dedupe: Share | None = None
    mmr_lambda: Share = 0.7
    curve: str = "assumed"
    encoding: str = "o200k_base"
    rendering: str = RENDERING
    separator: str | None = None
    pins: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()
    pins_policy: Literal["report", "strict"] = "report"
    pins_first: bool = False
    joints: int = 0
    query_vector: tuple[float, ...] | None = None
    calibration: Calibration | None = None
    curve_points: CurvePoints | None = None


def as_placed(settings: Settings) -> Settings:
    """The settings as they are carried out: ordered places what it chooses in its best order."""
    if settings.strategy != "ordered":
        return settings
    return msgspec.structs.replace(settings, placement="optimal")


def check_settings(settings: Settings) -> None:
    """Refuse settings that cannot be packed with; raises InputError naming the setting."""
    _check_kinds(settings)
    if settings.budget < 0:
        raise InputError(f"budget is {settings.budget}: it must be 0 tokens or more.")
    if settings.joints < 0:
        raise InputError(f"joints is {settings.joints}: it must be 0 tokens or more.")
    if settings.max_chunks is not None and settings.max_chunks < 0:
        raise InputError(f"max_chunks is {settings.max_chunks}: it must be 0 or more.")
    _one_of("strategy", settings.strategy, STRATEGIES)
    _one_of("placement", settings.placement, PLACEMENTS)
    _one_of("value", settings.value, (None, *VALUES))
    _check_curve(settings)
    _one_of("rendering", settings.rendering, (RENDERING,))
    _one_of("pins policy", settings.pins_policy, POLICIES)
    _one_of("group", settings.group, GROUPS)
    if settings.split_tail < 0:
        raise InputError(f"split_tail is {settings.split_tail}: it must be 0 chunks or more.")
    for name in ("cutoff", "dedupe", "mmr_lambda"):
        share = getattr(settings, name)
        if share is not None and not 0 <= share <= 1:
            raise InputError(f"{name} is {share:g}: it must be from 0 to 1.")
    if settings.margin is not None and not 0 <= settings.margin < math.inf:
        raise InputError(f"margin is {settings.margin:g}: it must be 0 or more, and finite.")
    if settings.value == "calibrated":
        if settings.calibration is None:
            raise InputError("value calibrated needs a calibration: give one, or choose gain.")
        calibration_from(msgspec.to_builtins(settings.calibration))
    both = [pin for pin in settings.pins if pin in settings.bans]
    if both:
        raise InputError(f"{both[0]!r} is both pinned and banned: take one of the two away.")


def _check_curve(settings: Settings) -> None:
    own = settings.curve_points
    if own is not None:
        curve_points_from(msgspec.to_builtins(own))
    if own is None or settings.curve != own.name:
        _one_of("curve", settings.curve, CURVES)


def _check_kinds(settings: Settings) -> None:
    """Numbers are numbers: neither texts, nor True and False, nor half tokens."""
    for name in ("budget", "max_chunks", "joints", "split_tail"):
        given = getattr(settings, name)
        if not is_whole(given) and (given is not None or name != "max_chunks"):
            raise InputError(f"{name} is {given!r}: it must be a whole number.")
    for name in ("cutoff", "margin", "dedupe", "mmr_lambda"):
        given = getattr(settings, name)
        if not is_number(given) and (given is not None or name == "mmr_lambda"):
            raise InputError(f"{name} is {given!r}: it must be a number.")


def _one_of(name: str, given: str | None, known: tuple[str | None, ...]) -> None:
    if given not in known:
        listed = ", ".join(choice for choice in known if choice is not None)
        raise InputError(f"unknown {name} {given!r}: choose one of {listed}.")
