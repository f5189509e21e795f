"""What was measured on questions as text: hit rates, places, and differences beyond chance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tui.cli.output import Column, count, labelled, table

_PACKING = (
    Column("STRATEGY"),
    Column("BUDGET", "right"),
    Column("ANSWER IN", "right"),
    Column("ALL IN", "right"),
    Column("VALUE", "right"),
    Column("USED", "right"),
    Column("CHUNKS", "right"),
    Column("AGAINST THE FIRST", most=48),
)


def evaluation_lines(found: dict[str, Any], room: int) -> Iterator[str]:
    """A table of the choices, and one of the places with a column a placement, for each curve."""
    packing = found["packing"]
    yield from labelled(
        "measured",
        f"{count(found['questions'], 'question')}, an answer among the candidates of "
        f"{found['retrieved']:,}, value {packing[0]['value_by']}",
        room,
    )
    yield ""
    against = [one for one in found["differences"] if one["of"] == "hit_rate"]
    yield from table(_PACKING, [_packing_row(row, against) for row in packing], room)
    curves = dict.fromkeys(row["curve"] for row in found["placement"])
    for curve in curves:
        rows = [row for row in found["placement"] if row["curve"] == curve]
        names = [*dict.fromkeys(row["placement"] for row in rows)]
        columns = (Column("STRATEGY"), Column("BUDGET", "right"), Column("QUESTIONS", "right"))
        heads = tuple(Column(name.upper(), "right") for name in names)
        yield ""
        yield from labelled("mean p", f"at the answer, on the {curve} curve", room)
        yield from table((*columns, *heads), [*_place_rows(rows, len(names))], room)
    if against:
        yield ""
        yield from labelled(
            "reads", "against the first strategy of a budget: points, and 95 % of chance", room
        )


def _packing_row(row: dict[str, Any], against: list[dict[str, Any]]) -> tuple[str, ...]:
    same = ("strategy", "budget", "max_chunks", "cutoff", "mmr_lambda")
    pair = next((one for one in against if all(one["b"][name] == row[name] for name in same)), None)
    return (
        _name(row),
        f"{row['budget']:,}",
        f"{100 * row['hit_rate']:.2f} %",
        f"{100 * row['hit_rate_all']:.2f} %",
        f"{row['mean_value']:.4f}",
        f"{row['mean_used']:,.1f}",
        f"{row['mean_packed']:.2f}",
        "" if pair is None else _difference(pair),
    )


def _difference(pair: dict[str, Any]) -> str:
    points, low, high = (100 * pair[name] for name in ("difference", "low", "high"))
    counts = f"+{pair['only_b']:,} -{pair['only_a']:,}"
    return f"{points:+.2f} ({low:+.2f} to {high:+.2f}) {counts}"


def _place_rows(rows: list[dict[str, Any]], placements: int) -> Iterator[tuple[str, ...]]:
    for begin in range(0, len(rows), placements):
        part = rows[begin : begin + placements]
        chances = ("-" if row["mean_p"] is None else f"{row['mean_p']:.4f}" for row in part)
        yield (_name(part[0]), f"{part[0]['budget']:,}", f"{part[0]['questions']:,}", *chances)


def _name(row: dict[str, Any]) -> str:
    """The strategy, and the settings beside it that vary."""
    parts = [row["strategy"]]
    if row["mmr_lambda"] is not None:
        parts.append(f"{row['mmr_lambda']:g}")
    if row["max_chunks"] is not None:
        parts.append(f"at most {row['max_chunks']}")
    if row["cutoff"] is not None:
        parts.append(f"cut-off {row['cutoff']:g}")
    return " ".join(parts)
