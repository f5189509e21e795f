"""An earlier evaluation to hold a new one against, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec

from ctxpack.errors import InputError

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]

NOISE = 1e-9
"""A difference that is no more than the rounding of sums."""

What = Literal["hit_rate", "mean_p"]


class PackingRow(msgspec.Struct, frozen=True, kw_only=True):
    """What an evaluation says of one choice; `curve` is that which `ordered` chose for."""

    strategy: str
    budget: int
    hit_rate: Share
    value_by: str = ""
    max_chunks: int | None = None
    cutoff: float | None = None
    mmr_lambda: float | None = None
    curve: str | None = None


class PlacementRow(msgspec.Struct, frozen=True, kw_only=True):
    """What an evaluation says of one choice laid out one way; None where no answer is packed."""

    strategy: str
    budget: int
    placement: str
    curve: str
    mean_p: Share | None
    max_chunks: int | None = None
    cutoff: float | None = None
    mmr_lambda: float | None = None


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """What is read of an earlier evaluation."""

    questions: Annotated[int, msgspec.Meta(ge=0)]
    packing: Annotated[tuple[PackingRow, ...], msgspec.Meta(min_length=1)]
    placement: tuple[PlacementRow, ...]


class Lower(msgspec.Struct, frozen=True, kw_only=True):
    """A figure that fell: of which row, from what to what; `now` None where it is there no more."""

    of: What
    row: str
    before: float
    now: float | None

    @property
    def difference(self) -> float:
        """Now less before; below 0."""
        return (self.now or 0.0) - self.before


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """An evaluation against its baseline; `notes` say what makes the two less comparable."""

    tolerance: float
    compared: int
    lower: tuple[Lower, ...]
    only_before: tuple[str, ...]
    only_now: tuple[str, ...]
    notes: tuple[str, ...]


def parse_baseline(content: bytes) -> Baseline:
    """An evaluation as `evaluation` made it, in JSON; raises InputError for anything else."""
    try:
        found = msgspec.json.decode(content, type=Baseline)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"it is no output of eval --json: {error}.") from None
    if not found.questions:
        raise InputError("it is of no question: there is nothing to hold against it.")
    _rows(found)
    return found


def against(found: Mapping[str, Any], before: Baseline, tolerance: float = 0.0) -> Compared:
    """Hit rates and mean p that are more than `tolerance` (a share, 0 to 1) below the baseline's.

    Rows are the same where strategy, budget, max_chunks, cutoff, mmr_lambda and the curve chosen
    for are, and placement and curve for mean p. Raises InputError where no row is in both.
    """
    now = msgspec.convert(found, Baseline)
    old, new = _rows(before), _rows(now)
    common = [key for key in new if key in old]
    if not common:
        raise InputError(
            "no row of the baseline is measured now: "
            f"it has {_first(old)}, and this evaluation has {_first(new)}; "
            "give the budgets and strategies that the baseline was made with."
        )
    return Compared(
        tolerance=tolerance,
        compared=sum(old[key] is not None for key in common),
        lower=tuple(
            Lower(of=key[0], row=key[1], before=was, now=new[key])
            for key in common
            if (was := old[key]) is not None and (new[key] or 0.0) < was - tolerance - NOISE
        ),
        only_before=tuple(f"{_NAMES[of]} of {row}" for of, row in old if (of, row) not in new),
        only_now=tuple(f"{_NAMES[of]} of {row}" for of, row in new if (of, row) not in old),
        notes=tuple(_notes(before, now)),
    )


_NAMES: dict[What, str] = {"hit_rate": "hit rate", "mean_p": "mean p"}

Key = tuple[What, str]


def _rows(found: Baseline) -> dict[Key, float | None]:
    """Every figure by the row that it is of; raises InputError for a row that is there twice."""
    rows: dict[Key, float | None] = {}
    for key, figure in _figures(found):
        if key in rows:
            raise InputError(f"the {_NAMES[key[0]]} of {key[1]} is in it twice.")
        rows[key] = figure
    return rows


def _figures(found: Baseline) -> Iterator[tuple[Key, float | None]]:
    for row in found.packing:
        chosen_for = () if row.curve is None else (f"for the {row.curve} curve",)
        yield ("hit_rate", " ".join((_choice(row), *chosen_for))), row.hit_rate
    for place in found.placement:
        name = f"{_choice(place)}, {place.placement} on the {place.curve} curve"
        yield ("mean_p", name), place.mean_p


def _choice(row: PackingRow | PlacementRow) -> str:
    """All that makes a choice another one, in words."""
    parts = [f"{row.strategy} at {row.budget:,}"]
    if row.mmr_lambda is not None:
        parts.append(f"lambda {row.mmr_lambda!r}")
    if row.max_chunks is not None:
        parts.append(f"at most {row.max_chunks}")
    if row.cutoff is not None:
        parts.append(f"cut-off {row.cutoff!r}")
    return " ".join(parts)


def _first(rows: Mapping[Key, float | None]) -> str:
    return f"'{next(iter(rows))[1]}'"


def _notes(before: Baseline, now: Baseline) -> Iterator[str]:
    if before.questions != now.questions:
        yield f"the baseline is of {before.questions:,} questions, this of {now.questions:,}."
    valued = before.packing[0].value_by, now.packing[0].value_by
    if valued[0] != valued[1]:
        yield f"the baseline valued chunks by {valued[0] or 'nothing'}, this by {valued[1]}."
