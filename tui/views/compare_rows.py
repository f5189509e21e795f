"""Every strategy's packing as a row of the comparison, and what it gave up in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ctxpack.explaining.comparing import Compared, value_bound
from ctxpack.result import PackResult
from tui.state import Session
from tui.text import plain_line
from tui.widgets.spans import Row, Span, clipped
from tui.widgets.strategy_row import StrategyRow

NO_GAP = 1e-9
"""Below this a gap is rounding: the value is the bound."""


def compare_rows(
    session: Session,
    strategies: Sequence[str],
    compared: Mapping[str, Compared],
    problems: Mapping[str, str],
) -> tuple[StrategyRow, ...]:
    """A row a strategy; those that are not packed yet wait, those that were refused say why.

    All choose among the same chunks, so the lowest of their bounds holds for each.
    """
    bound = value_bound(compared.values())
    return tuple(
        _row(session, name, compared.get(name), problems.get(name, ""), bound)
        for name in strategies
    )


def difference_rows(session: Session, one: Compared, width: int) -> list[Row]:
    """What one strategy gave up and gained against top, chunk by chunk."""
    if one.result.settings.strategy == "top":
        return [(Span("the others are told against top", "muted"),)]
    if not (one.gave_up or one.gained):
        return [(Span("the same chunks as top", "muted"),)]
    rows = []
    for sign, verb, ids in (("-", "gave up", one.gave_up), ("+", "gained", one.gained)):
        named = ", ".join(_named(session, name) for name in ids)
        rows.append(clipped((Span(f"{sign} {verb} ", "changed"), Span(named or "nothing")), width))
    return rows


def logged_rows(session: Session, one: Compared, width: int) -> list[Row]:
    """One line where the log was packed in another way than its own settings give."""
    if not session.in_log or {c.id for c in one.result.packed} == {*session.logged_ids}:
        return []
    strategy = session.settings.strategy
    said = f"the log has another set of {len(session.logged_ids)} than {strategy} gives here"
    return [clipped((Span(said, "warning"),), width)]


def common_row(session: Session, compared: Mapping[str, Compared], width: int) -> Row:
    """What all strategies have in common: the settings, and the chunks they choose from."""
    settings = session.settings
    parts = [f"budget {settings.budget:,}"]
    if compared:
        first = next(iter(compared.values()))
        median = first.median_considered
        one = first.result.considered == 1
        each = "" if median is None else f", {median:,.0f} tokens at the median"
        parts += [
            f"value {first.result.value_by}",
            f"{first.result.considered:,} {'candidate' if one else 'candidates'}{each}",
        ]
        if first.result.counts == "logged":
            parts.append("logged counts")
    return clipped((Span("COMPARE  ", "title"), Span("  ".join(parts), "label")), width)


def _row(
    session: Session, name: str, one: Compared | None, problem: str, bound: float | None
) -> StrategyRow:
    current = name == session.settings.strategy
    if one is None:
        return StrategyRow(
            name, problem=plain_line(problem, 400), waiting=not problem, current=current
        )
    result = one.result
    return StrategyRow(
        name=name,
        value=f"{result.value:.3f}",
        bound="-" if bound is None else f"{bound:.3f}",
        gap="-" if bound is None else _gap(bound - result.value),
        used=f"{result.used:,}",
        packed=str(len(result.packed)),
        median="-" if one.median_packed is None else f"{one.median_packed:,.0f}",
        against_top="" if name == "top" else f"{one.more_value:+.3f}",
        answer=_answer(session, result),
        differs=_differs(session, one),
        current=current,
    )


def _gap(gap: float) -> str:
    return "proven" if gap <= NO_GAP else f"{gap:.3f}"


def _answer(session: Session, result: PackResult) -> str:
    if not session.gold:
        return ""
    return "in" if any(chunk.id in session.gold for chunk in result.packed) else "out"


def _differs(session: Session, one: Compared) -> str:
    signs = [("-", one.gave_up), ("+", one.gained)]
    return " ".join(
        sign + ",".join(_short(session, name) for name in ids) for sign, ids in signs if ids
    )


def _rank_of(session: Session, chunk_id: str) -> int | None:
    return next((c.rank for c in session.record.candidates if c.id == chunk_id), None)


def _short(session: Session, chunk_id: str) -> str:
    rank = _rank_of(session, chunk_id)
    return plain_line(chunk_id, 12) if rank is None else str(rank)


def _named(session: Session, chunk_id: str) -> str:
    rank = _rank_of(session, chunk_id)
    gold = " (answer)" if chunk_id in session.gold else ""
    return f"{'' if rank is None else f'{rank} '}{plain_line(chunk_id, 32)}{gold}"
