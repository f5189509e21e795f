"""What was measured on questions as text: hit rates, places, and differences beyond chance."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from tui.cli.output import Column, count, labelled, table
from tui.text import cells

_FIGURES = (
    Column("BUDGET", "right"),
    Column("ANSWER IN", "right"),
    Column("ALL IN", "right"),
    Column("VALUE", "right"),
    Column("USED", "right"),
    Column("CHUNKS", "right"),
)
_AGAINST = Column("AGAINST THE FIRST", most=48)
_FIGURES_TAKE = 58
"""Cells that the figures take beside the name of a choice."""

_READS = (
    "AGAINST THE FIRST strategy of that budget: points of ANSWER IN more (+) or less (-), in "
    "brackets the 95 % interval; then how many questions gained (+) and lost (-) the answer. "
    "An interval with 0 in it may be chance."
)


def evaluation_lines(found: dict[str, Any], name: str, room: int) -> Iterator[str]:
    """A table of the choices, and one of the places with a column a placement, for each curve.

    `name` says what was measured.
    """
    packing = found["packing"]
    yield from labelled(
        "measured",
        f"{name}: {count(found['questions'], 'question')}, an answer among the candidates of "
        f"{found['retrieved']:,}, value {packing[0]['value_by']}",
        room,
    )
    yield ""
    against = [one for one in found["differences"] if one["of"] == "hit_rate"]
    pairs = [next((one for one in against if _same(one["b"], row)), None) for row in packing]
    differences = ["" if pair is None else _difference(pair) for pair in pairs]
    rows = [_packing_row(row) for row in packing]
    yield from _packing_tables(rows, differences, room)
    if against:
        yield from labelled("", _READS, room, lines=6)
    curves = dict.fromkeys(row["curve"] for row in found["placement"])
    for curve in curves:
        rows_on = [row for row in found["placement"] if row["curve"] == curve]
        yield ""
        yield from labelled(
            "mean p",
            f"at the answer on the {curve} curve, over the QUESTIONS where one is packed",
            room,
        )
        yield from _place_table(rows_on, room)


def _packing_tables(
    rows: list[tuple[str, ...]], differences: list[str], room: int
) -> Iterator[str]:
    """Differences stand beside the figures where there is room, else in a table below."""
    name = _strategy(room - _FIGURES_TAKE)
    if any(differences):
        beside = [(*row, told) for row, told in zip(rows, differences, strict=True)]
        lines = table((name, *_FIGURES, _AGAINST), beside, sys.maxsize)
        if _fit(lines, room):
            yield from lines
            return
    yield from table((name, *_FIGURES), rows, room)
    if any(differences):
        yield ""
        apart = [(*row[:2], told) for row, told in zip(rows, differences, strict=True) if told]
        yield from table((name, _FIGURES[0], _AGAINST), apart, room)


def _strategy(room: int) -> Column:
    return Column("STRATEGY", most=max(10, min(40, room)))


def _fit(lines: Iterable[str], room: int) -> bool:
    return max(map(cells, lines)) <= room


def _same(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return all(a[name] == b[name] for name in (*_NAMED, "curve"))


_NAMED = ("strategy", "budget", "max_chunks", "cutoff", "mmr_lambda")


def _packing_row(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        choice_name(row),
        f"{row['budget']:,}",
        f"{100 * row['hit_rate']:.2f} %",
        f"{100 * row['hit_rate_all']:.2f} %",
        f"{row['mean_value']:.4f}",
        f"{row['mean_used']:,.1f}",
        f"{row['mean_packed']:.2f}",
    )


def _difference(pair: dict[str, Any]) -> str:
    points, low, high = (100 * pair[name] for name in ("difference", "low", "high"))
    counts = f"+{pair['only_b']:,} -{pair['only_a']:,}"
    return f"{points:+.2f} ({low:+.2f} to {high:+.2f}) {counts}"


def _place_table(rows: list[dict[str, Any]], room: int) -> list[str]:
    """A row a choice, a column a placement, in as many tables as the room asks for.

    `ordered` has its own placement alone.
    """
    names = [*dict.fromkeys(row["placement"] for row in rows)]
    by_choice: dict[tuple[Any, ...], dict[str, dict[str, Any]]] = {}
    for row in rows:
        key = tuple(row[name] for name in _NAMED)
        by_choice.setdefault(key, {})[row["placement"]] = row
    columns = (_strategy(room // 2), Column("BUDGET", "right"), Column("QUESTIONS", "right"))
    many = len(names)
    while True:
        tables = [
            _placements(columns, names[at : at + many], by_choice.values(), room)
            for at in range(0, len(names), many)
        ]
        if many == 1 or all(_fit(lines, room) for lines in tables):
            return [line for lines in tables for line in ("", *lines)][1:]
        many -= 1


def _placements(
    columns: tuple[Column, ...],
    names: list[str],
    choices: Iterable[dict[str, dict[str, Any]]],
    room: int,
) -> list[str]:
    lines = []
    for placed in choices:
        one = next(iter(placed.values()))
        chances = (_chance(placed.get(name)) for name in names)
        # The curve stands above the table.
        begin = (choice_name(one, curve=False), f"{one['budget']:,}", f"{one['questions']:,}")
        lines.append((*begin, *chances))
    heads = (Column(name.upper(), "right") for name in names)
    return table((*columns, *heads), lines, room)


def _chance(row: dict[str, Any] | None) -> str:
    return "-" if row is None or row["mean_p"] is None else f"{row['mean_p']:.4f}"


def choice_name(row: dict[str, Any], *, curve: bool = True) -> str:
    """The strategy, and the settings beside it that were given."""
    parts = [row["strategy"]]
    if curve and row["strategy"] == "ordered":
        parts.append(f"for {row['curve']}")
    if row["mmr_lambda"] is not None:
        parts.append(f"{row['mmr_lambda']:g}")
    if row["max_chunks"] is not None:
        parts.append(f"at most {row['max_chunks']}")
    if row["cutoff"] is not None:
        parts.append(f"cut-off {row['cutoff']:g}")
    return " ".join(parts)
