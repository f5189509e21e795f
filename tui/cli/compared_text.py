"""Every strategy on the same candidates as text: figures in a table, the chunks below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tui.cli.output import Column, count, labelled, table

if TYPE_CHECKING:
    from ctxpack.explaining.comparing import Compared

_COMPARED = (
    Column("STRATEGY"),
    Column("PACKED", "right"),
    Column("USED", "right"),
    Column("VALUE", "right"),
    Column("BOUND", "right"),
    Column("OF BOUND", "right"),
    Column("AGAINST TOP", "right"),
    Column("EXPECTED USE", "right"),
    Column("MEDIAN TOKENS", "right"),
)


def compared_lines(compared: Sequence[Compared], room: int) -> Iterator[str]:
    """What all have in common, a line a strategy, then who is in and what top has instead.

    The strategies chose among the same chunks, so the lowest of their bounds holds for all.
    """
    first = compared[0]
    median = first.median_considered
    each = "" if median is None else f" of {_median(median)} tokens at the median"
    yield from labelled(
        "compares",
        f"{count(len(compared), 'strategy', 'strategies')} on "
        f"{count(first.result.considered, 'candidate')}{each}, "
        f"budget {first.result.budget:,}, value {first.result.value_by}, "
        f"expected use on the {first.result.curve} curve",
        room,
    )
    yield ""
    from ctxpack.explaining.comparing import value_bound

    bound = value_bound(compared)
    yield from table(_COMPARED, [_row(one, bound) for one in compared], room)
    for one in compared:
        yield ""
        ids = ", ".join(chunk.id for chunk in one.result.packed) or "nothing"
        yield from labelled(one.result.settings.strategy, ids, room)
        for verb, named in (("gave up", one.gave_up), ("gained", one.gained)):
            if named:
                yield from labelled("", f"{verb} {', '.join(named)}", room)


def _row(one: Compared, bound: float | None) -> tuple[str, ...]:
    result = one.result
    return (
        result.settings.strategy,
        str(len(result.packed)),
        f"{result.used:,}",
        f"{result.value:.3f}",
        "-" if bound is None else f"{bound:.3f}",
        f"{result.value / bound:.1%}" if bound else "-",
        "-" if result.settings.strategy == "top" else f"{one.more_value:+.3f}",
        f"{result.expected_use:.3f}",
        "-" if one.median_packed is None else _median(one.median_packed),
    )


def _median(tokens: float) -> str:
    return f"{tokens:,.0f}"
