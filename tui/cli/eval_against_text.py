"""An evaluation against its baseline, as text and as plain JSON types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tui.cli.output import Column, count, labelled, table

if TYPE_CHECKING:
    from ctxpack.evaluating.baseline import Compared, Lower

MOST_ROWS = 8
"""Rows that are only in one of the two, of which each is named."""

_LOWER = (
    Column("LOWER", most=9),
    Column("BEFORE", "right"),
    Column("NOW", "right"),
    Column("BY", "right"),
    Column("OF", most=80),
)


def against_json(compared: Compared) -> dict[str, Any]:
    """All of it; `difference` is now less before."""
    return {
        "tolerance": compared.tolerance,
        "compared": compared.compared,
        "lower": [
            {
                "of": one.of,
                "row": one.row,
                "before": one.before,
                "now": one.now,
                "difference": one.difference,
            }
            for one in compared.lower
        ],
        "only_before": list(compared.only_before),
        "only_now": list(compared.only_now),
        "notes": list(compared.notes),
    }


def verdict(compared: Compared) -> str:
    """The outcome in one sentence."""
    figures = count(compared.compared, "figure")
    beyond = f" by more than {compared.tolerance:g}" if compared.tolerance else ""
    if not compared.lower:
        return f"passed: of {figures} compared, none is lower{beyond}"
    lower = len(compared.lower)
    return f"FAILED: of {figures} compared, {lower:,} {'is' if lower == 1 else 'are'} lower{beyond}"


def figure(of: str, share: float | None) -> str:
    """A hit rate in per cent, a mean p as it is, a dash where there is none."""
    if share is None:
        return "-"
    return f"{100 * share:.2f} %" if of == "hit_rate" else f"{share:.4f}"


def fall(one: Lower) -> str:
    """By how much, in points for a hit rate; never rounded to nothing."""
    size = 100 * one.difference if one.of == "hit_rate" else one.difference
    shown = f"{size:+.2f}" if one.of == "hit_rate" else f"{size:+.4f}"
    return shown if float(shown) else f"{size:+.1e}"


def against_lines(compared: Compared, name: str, room: int) -> Iterator[str]:
    """The outcome, every row that fell, and what could not be compared."""
    yield ""
    yield from labelled("baseline", f"{name}: {verdict(compared)}.", room)
    for note in compared.notes:
        yield from labelled("", f"Note: {note}", room)
    if compared.lower:
        rows = [
            (
                one.of.replace("_", " "),
                figure(one.of, one.before),
                figure(one.of, one.now),
                fall(one),
                one.row,
            )
            for one in compared.lower
        ]
        yield from table(_LOWER, rows, room)
    yield from _only("only in the baseline", compared.only_before, room)
    yield from _only("only measured now", compared.only_now, room)


def _only(where: str, rows: tuple[str, ...], room: int) -> Iterator[str]:
    if not rows:
        return
    yield f"{count(len(rows), 'figure')} {where}:"
    for row in rows[:MOST_ROWS]:
        yield from labelled("", row, room)
    if len(rows) > MOST_ROWS:
        yield from labelled("", f"and {len(rows) - MOST_ROWS:,} more.", room)
