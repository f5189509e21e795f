"""A logged run packed again: as it was logged, or under other settings."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ctxpack.counting import Count
from ctxpack.curves.points import CurvePoints, curve_points_from
from ctxpack.errors import InputError, Stop
from ctxpack.likeness.similarity import Likeness
from ctxpack.record import LoggedCandidate, LoggedSettings, Record
from ctxpack.result import PackResult
from ctxpack.retrieved import Retrieved
from ctxpack.settings import CURVES, GROUPS, PLACEMENTS, RENDERING, STRATEGIES, Settings
from ctxpack.value.calibration import Calibration, calibration_from


@dataclass(frozen=True)
class Logged:
    """The settings to start a what-if from, and what the log could not give or we cannot do."""

    settings: Settings
    said: tuple[str, ...] = ()


def packed_in_order(record: Record) -> tuple[LoggedCandidate, ...]:
    """The candidates logged as packed, in window order: by position, else by start, else as listed.

    Where neither is logged of every one, their order is not known: see `order_is_known`.
    """
    packed = [candidate for candidate in record.candidates if candidate.outcome == "packed"]
    last = float("inf")
    return tuple(
        sorted(
            packed,
            key=lambda chunk: (
                last if chunk.position is None else chunk.position,
                last if chunk.start is None else chunk.start,
            ),
        )
    )


def order_is_known(packed: Sequence[LoggedCandidate]) -> bool:
    """Whether the log tells in which order the packed chunks stood in the window."""
    if len(packed) < 2:
        return True
    positions = {chunk.position for chunk in packed}
    starts = {chunk.start for chunk in packed}
    return any(None not in places and len(places) == len(packed) for places in (positions, starts))


def logged_settings(record: Record) -> Logged:
    """The record's settings as the engine can use them; whatever had to be replaced is said."""
    logged = record.settings or LoggedSettings()
    said: list[str] = []
    budget = logged.budget
    if budget is None:
        budget = sum(chunk.tokens or 0 for chunk in packed_in_order(record))
        said.append(f"no budget is logged: {budget} is inferred from the packed tokens.")
    strategy = _known("strategy", logged.strategy, STRATEGIES, "top", said)
    placement = _known("placement", logged.placement, PLACEMENTS, "best-first", said)
    points = _curve_points(logged, said)
    own = () if points is None else (points.name,)
    curve = _known("curve", logged.curve, (*CURVES, *own), "assumed", said)
    group = _known("group", logged.group, GROUPS, "none", said)
    _known("rendering", logged.rendering, (RENDERING,), RENDERING, said)
    calibration = _calibration(logged, said)
    without = logged.value == "calibrated" and calibration is None
    value = "gain" if without else logged.value
    known = {candidate.id for candidate in record.candidates}
    pins = [pin for pin in logged.pins if pin in known]
    said.extend(
        f"pin {pin!r} is not among the candidates: it cannot be packed."
        for pin in logged.pins
        if pin not in known
    )
    settings = Settings(
        budget=budget,
        strategy=strategy,
        placement=placement,
        group="document" if group == "document" else "none",
        split_tail=1 if logged.split_tail is None else logged.split_tail,
        value=value,
        cutoff=_within("cutoff", logged.cutoff, 1.0, said),
        margin=_within("margin", logged.margin, sys.float_info.max, said),
        cliff=bool(logged.cliff),
        max_chunks=logged.max_chunks,
        dedupe=_within("dedupe", logged.dedupe, 1.0, said),
        mmr_lambda=0.7 if logged.mmr_lambda is None else logged.mmr_lambda,
        curve=curve,
        encoding=record.encoding or "o200k_base",
        separator=logged.separator,
        pins=tuple(pins),
        bans=logged.bans,
        pins_policy="strict" if logged.pins_policy == "strict" else "report",
        pins_first=bool(logged.pins_first),
        joints=logged.joints or 0,
        query_vector=logged.query_vector,
        calibration=calibration,
        curve_points=points,
    )
    return Logged(settings, tuple(said))


def can_recount(record: Record) -> bool:
    """Whether every candidate has its text, so that a what-if can count anew."""
    return all(candidate.text is not None for candidate in record.candidates)


def retrieved(
    record: Record,
    settings: Settings,
    count: Count | None = None,
    *,
    likeness: Likeness | None = None,
) -> Retrieved:
    """What a record gives to be packed anew.

    With `count`, recounts if all texts are there, else the logged counts; without it the logged
    counts, and the separator's size as the logged places tell it. `likeness` carries over how
    alike the candidates are from one packing to the next.
    """
    counter = count if count is not None and can_recount(record) else None
    size = None
    said: tuple[str, ...] = ()
    if counter is None and settings.separator:
        size = logged_separator(record, settings.separator)
        if size is None:
            said = ("the separator is left out: the log does not tell its tokens.",)
    return Retrieved(
        candidates=record.candidates,
        query=record.query,
        count=counter,
        separator_size=size,
        separator=not said,
        said=said,
        likeness=likeness or Likeness(),
    )


def repack(
    record: Record,
    settings: Settings,
    count: Count | None = None,
    *,
    likeness: Likeness | None = None,
    should_stop: Stop | None = None,
) -> PackResult:
    """Pack a record's candidates under `settings`; see `retrieved` for what is counted and kept.

    Raises InputError for settings that are refused, Stopped where `should_stop` says so.
    """
    given = retrieved(record, settings, count, likeness=likeness)
    return given.pack(settings, should_stop=should_stop)


def logged_separator(record: Record, separator: str) -> int | None:
    """Tokens of the logged separator, as the places of the packed chunks tell it; else None."""
    packed = packed_in_order(record)
    if record.settings is None or record.settings.separator != separator:
        return None
    gaps = {
        None
        if first.start is None or first.tokens is None or second.start is None
        else second.start - first.start - first.tokens
        for first, second in pairwise(packed)
    }
    gap = gaps.pop() if len(gaps) == 1 else None
    return gap if gap is not None and gap >= 0 else None


def reproduces(record: Record) -> bool:
    """Whether packing the logged settings and counts again gives the logged set, in order."""
    logged = logged_settings(record)
    if logged.said:
        return False
    again = [chunk.id for chunk in repack(record, logged.settings).packed]
    return again == [chunk.id for chunk in packed_in_order(record)]


@dataclass(frozen=True)
class Against:
    """A packing against another one: ids that entered, left, or changed their relative place."""

    entered: tuple[str, ...]
    left: tuple[str, ...]
    moved: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Three lists of ids."""
        return {"entered": [*self.entered], "left": [*self.left], "moved": [*self.moved]}


def against(before: tuple[str, ...], after: tuple[str, ...]) -> Against:
    """How `after` differs from `before`, both ids in window order.

    Moved are the common chunks outside the longest common subsequence.
    """
    entered = tuple(name for name in after if name not in set(before))
    left = tuple(name for name in before if name not in set(after))
    common_before = [name for name in before if name in set(after)]
    common_after = [name for name in after if name in set(before)]
    stayed = _longest_common(common_before, common_after)
    return Against(entered, left, tuple(name for name in common_after if name not in stayed))


def _longest_common(before: list[str], after: list[str]) -> set[str]:
    """Of two orders of the same ids, the largest set that stands in the same order in both."""
    place = {name: index for index, name in enumerate(before)}
    best: list[int] = []
    parent: list[int | None] = []
    for index, name in enumerate(after):
        reach, previous = 1, None
        for earlier in range(index):
            if place[after[earlier]] < place[name] and best[earlier] >= reach:
                reach, previous = best[earlier] + 1, earlier
        best.append(reach)
        parent.append(previous)
    stayed: set[str] = set()
    at = best.index(max(best)) if best else None
    while at is not None:
        stayed.add(after[at])
        at = parent[at]
    return stayed


def _calibration(logged: LoggedSettings, said: list[str]) -> Calibration | None:
    """The logged calibration; None, and a word, where there is none to be had and one is needed."""
    if not logged.calibration:
        if logged.value == "calibrated":
            said.append("value was calibrated, but no calibration is logged: gain is used.")
        return None
    try:
        return calibration_from(logged.calibration)
    except InputError as error:
        instead = "gain is used" if logged.value == "calibrated" else "it is left out"
        said.append(f"{str(error).removesuffix('.')}: {instead}.")
        return None


def _curve_points(logged: LoggedSettings, said: list[str]) -> CurvePoints | None:
    """The points of a logged curve of one's own; None, and a word, where they cannot be used."""
    if not logged.curve_points:
        return None
    try:
        return curve_points_from(logged.curve_points)
    except InputError as error:
        said.append(f"{str(error).removesuffix('.')}: it is left out.")
        return None


def _within(name: str, logged: float | None, most: float, said: list[str]) -> float | None:
    """A logged number from 0 to `most`; None, and a word, where it lies outside."""
    if logged is None or 0 <= logged <= most:
        return logged
    said.append(f"{name} was {logged:g}, which cannot be: left out.")
    return None


def _known(
    name: str, logged: str | None, known: tuple[str, ...], fallback: str, said: list[str]
) -> str:
    if logged is None:
        return fallback
    if logged in known:
        return logged
    said.append(f"{name} {logged!r} is not one that this version knows: {fallback} is used.")
    return fallback
