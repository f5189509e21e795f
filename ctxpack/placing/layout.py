"""Laying out what was chosen: groups, pins first or not, and the placement asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import msgspec

from ctxpack.candidate import Candidate
from ctxpack.curves import Curve
from ctxpack.errors import Stop
from ctxpack.placement import place
from ctxpack.placing.best_order import EXACT, best_order
from ctxpack.placing.dates import moment
from ctxpack.placing.grouping import Group, alone, best_of, by_document
from ctxpack.placing.spans import Spans
from ctxpack.settings import Settings
from ctxpack.weighed import Weighed


class Placing(msgspec.Struct, frozen=True, kw_only=True):
    """What is proven of an order: no other gives these chunks more expected use than `bound`.

    `gap` is bound less the expected use, `proven` says that no order is used more.
    """

    bound: float
    gap: float
    proven: bool


@dataclass(frozen=True)
class Laid:
    """Chunks in window order; `placing` is there for the placement optimal."""

    chunks: tuple[Weighed, ...]
    placing: Placing | None = None
    warnings: tuple[str, ...] = ()


def lay_out(
    taken: Sequence[Weighed],
    settings: Settings,
    named: Mapping[str, Candidate],
    separator: int,
    curve: Curve,
    should_stop: Stop | None = None,
    *,
    quick: bool = False,
) -> Laid:
    """The chunks in window order; `separator` is the tokens between each two.

    `quick` is for the placement optimal of one of many sets, see `best_order`. Raises Stopped.
    """
    ahead = [chunk for chunk in taken if chunk.pinned and settings.pins_first]
    rest = [chunk for chunk in taken if not (chunk.pinned and settings.pins_first)]
    pins = _flat(_groups(ahead, settings, named))
    groups = _groups(sorted(rest, key=lambda chunk: chunk.by_value), settings, named)
    if settings.placement == "optimal":
        return _most_used(pins, groups, separator, curve, should_stop, quick)
    placed, warnings = _ordered(groups, settings, named)
    return Laid((*pins, *_flat(placed)), None, warnings)


def _groups(
    chunks: Sequence[Weighed], settings: Settings, named: Mapping[str, Candidate]
) -> list[Group]:
    return by_document(chunks, named) if settings.group == "document" else alone(chunks)


def _ordered(
    groups: list[Group], settings: Settings, named: Mapping[str, Candidate]
) -> tuple[list[Group], tuple[str, ...]]:
    """The groups as the placement wants them, given best first; each goes by its best chunk."""
    placement = settings.placement
    if placement == "rank":
        return sorted(groups, key=lambda group: best_of(group).by_rank), ()
    if placement == "given":
        return sorted(groups, key=lambda group: best_of(group).order), ()
    if placement == "split":
        tail = min(settings.split_tail, len(groups))
        return [*groups[tail:], *reversed(groups[:tail])], ()
    if placement == "chronological":
        return _oldest_first(groups, named)
    return place(groups, placement), ()


def _oldest_first(
    groups: list[Group], named: Mapping[str, Candidate]
) -> tuple[list[Group], tuple[str, ...]]:
    def when(group: Group) -> tuple[float, float, tuple[float, int]]:
        best = best_of(group)
        at = moment(named[best.id])
        ordinal = named[best.id].ordinal
        unknown = float("inf")
        return (
            unknown if at is None else at,
            unknown if ordinal is None or at is None else ordinal,
            best.by_rank,
        )

    undated = sum(moment(named[best_of(group).id]) is None for group in groups)
    chunks = "chunk has" if undated == 1 else "chunks have"
    said = f"{undated} packed {chunks} no date that can be read: last, by rank."
    return sorted(groups, key=when), (said,) if undated else ()


def _most_used(
    pins: Sequence[Weighed],
    groups: list[Group],
    separator: int,
    curve: Curve,
    should_stop: Stop | None,
    quick: bool,
) -> Laid:
    """The order of most expected use: proven where every group is one chunk and it was found so.

    Several chunks of a document count as one in its middle, so their order is a good one; the
    bound is that of the chunks without their groups, which no order of groups can pass.
    """
    ahead = sum(pin.cost for pin in pins)
    found = best_order(_spans(groups, separator, ahead, curve), should_stop, quick)
    laid = (*pins, *_flat([groups[place] for place in found.order]))
    use, bound, proven = found.use, found.bound, found.proven
    free = laid[len(pins) :]
    if len(free) > len(groups):
        singles = _spans(alone(free), separator, ahead, curve)
        use = singles.use(range(len(free)))
        bound = max(use, best_order(singles, should_stop, quick).bound)
        proven = bound <= use * (1 + EXACT)
    before = _used_ahead(pins, free, separator, curve)
    return Laid(laid, Placing(bound=before + bound, gap=bound - use, proven=proven))


def _used_ahead(
    pins: Sequence[Weighed], free: Sequence[Weighed], separator: int, curve: Curve
) -> float:
    """The expected use of the pins that stand before the rest, wherever that stands."""
    every = _spans(alone([*pins, *free]), separator, 0, curve)
    at, use = 0, 0.0
    for number, pin in enumerate(pins):
        use += pin.value * curve.p(every.x(at, number))
        at += pin.cost
    return use


def _spans(groups: Sequence[Group], separator: int, ahead: int, curve: Curve) -> Spans:
    return Spans(
        tokens=tuple(sum(chunk.cost for chunk in group) - separator for group in groups),
        values=tuple(sum(chunk.value for chunk in group) for group in groups),
        curve=curve,
        separator=separator,
        ahead=ahead,
    )


def _flat(groups: Sequence[Group]) -> list[Weighed]:
    return [*chain.from_iterable(groups)]
