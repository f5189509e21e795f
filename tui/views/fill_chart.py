"""One strategy's fill as a chart: turns, the table of `optimal`, or only the set."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ctxpack import PackResult
from ctxpack.explaining.best_table import BestTable
from ctxpack.explaining.steps import Filling
from tui.state import Session
from tui.text import plain_line
from tui.views.notes import named_pins
from tui.widgets.fill_layout import FillChart, FillLine
from tui.widgets.spans import Row, Span, clipped
from tui.widgets.table_layout import TableChart, TableLine, WalkStep

_ORDERS = {
    "first-fit": "in the order given",
    "top": "by rank",
    "density": "by value per token",
    "mmr": "by mmr's score",
}

_MERITS = {"density": "value/1k", "mmr": "score"}


def fill_chart(session: Session, told: Filling, considered: int) -> FillChart:
    """The turns of a strategy that gives them."""
    out = len(told.pins_out)
    unseen = considered - told.filtered - out - len({turn.id for turn in told.turns})
    after = [*filter(None, [named_pins(told.pins_out, _ranks(session))])]
    after += [f"{told.filtered} filtered before"] if told.filtered else []
    after += [f"{unseen} never had a turn"] if unseen else []
    lines = tuple(
        FillLine(
            id=turn.id,
            rank=turn.rank,
            needed=turn.needed,
            left=turn.left,
            outcome=turn.outcome,
            used=turn.used,
            merit="" if turn.merit is None else _merit(told.strategy, turn.merit),
            gold=turn.id in session.gold,
            pinned=turn.pinned,
        )
        for turn in told.turns
    )
    return FillChart(
        order=_ORDERS[told.strategy],
        budget=told.budget,
        lines=lines,
        merit_name=_MERITS.get(told.strategy, ""),
        after=", ".join(after),
    )


def table_chart(session: Session, found: BestTable) -> TableChart:
    """The table of `optimal`, a row a candidate, and the walk back through it."""
    lines = tuple(
        TableLine(row.id, row.rank, row.cost, f"{row.value:.2f}", row.id in session.gold)
        for row in found.rows
    )
    between = max((row.cost - row.tokens for row in found.rows), default=0)
    beside = [*filter(None, [named_pins(found.pins_out, _ranks(session))])]
    beside += ["a row is in where it beats the row above"]
    beside += [f"cost: tokens and {between} for a separator"] if between else []
    beside += [f"{len(found.pins)} pinned beside it"] if found.pins else []
    beside += [f"{found.absent} filtered or too long"] if found.absent else []
    return TableChart(
        lines=lines,
        capacity=found.capacity,
        walk=tuple(WalkStep(s.item, s.cell, s.taken) for s in found.table.steps),
        levels=partial(_levels, found),
        beside=", ".join(beside),
    )


def chosen_rows(session: Session, result: PackResult, width: int, height: int) -> list[Row]:
    """The chosen set, where the table is too large to be drawn."""
    ranks = sorted(result.packed, key=lambda chunk: (chunk.rank is None, chunk.rank or 0))
    cells = result.considered * (result.budget + 1)
    rows: list[Row] = [
        (Span(f"The table, some {cells:,} cells, is too large to be drawn. Chosen:", "label"),),
        (Span("   rank  tokens   value  id", "muted"),),
    ]
    for chunk in ranks[: max(0, height - len(rows))]:
        gold = " answer" if chunk.id in session.gold else ""
        figures = f"{chunk.rank or '':>5}{chunk.tokens:>8,}{chunk.value:>8.3f}  "
        name = Span(plain_line(chunk.id, 60), "label")
        rows.append((Span("P ", "packed"), Span(figures), name, Span(gold, "gold")))
    if len(ranks) > len(rows) - 2 and height > 2:
        rows[-1] = (Span(f"  and {len(ranks) - len(rows) + 3} more", "muted"),)
    return [clipped(row, width) for row in rows[:height]]


def _ranks(session: Session) -> dict[str, int | None]:
    return {candidate.id: candidate.rank for candidate in session.record.candidates}


def _merit(strategy: str, merit: float) -> str:
    # Value per token is small: a thousand tokens' worth has figures to compare.
    return f"{merit * 1000:.3f}" if strategy == "density" else f"{merit:.3f}"


def _levels(found: BestTable, row: int, width: int) -> Sequence[float]:
    """Best values of one row of the table at `width` capacities, as shares of the largest."""
    best = found.table.best
    largest = int(best[-1, -1])
    if not largest:
        return [0.0] * width
    last = max(1, width - 1)
    cells = [at * found.capacity // last for at in range(width)]
    return [int(value) / largest for value in best[row, cells].tolist()]
