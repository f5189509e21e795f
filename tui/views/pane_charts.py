"""The session's budgets and scores as their panes draw them."""

from __future__ import annotations

from ctxpack.explaining.budgets import BudgetCurve
from ctxpack.explaining.holding import Holding
from ctxpack.explaining.scored import Scored
from ctxpack.filters.cutoffs import Bars
from tui.glyphs import PACKED, SKIPPED, UNKNOWN
from tui.state import Session
from tui.text import plain_line
from tui.widgets.budget_layout import BudgetChart
from tui.widgets.scores_layout import Cut, ScoreBar, ScoresChart


def budget_chart(
    session: Session, curve: BudgetCurve, held: Holding | None, chunk_id: str | None
) -> BudgetChart:
    """The curve of the settings' strategy with the present budget, the logged one, and one chunk.

    `held` are the budgets at which the chunk under the cursor is in; None while not known.
    """
    ranks = {candidate.id: candidate.rank for candidate in session.record.candidates}
    rank = ranks.get(chunk_id or "")
    return BudgetChart(
        name=session.settings.strategy,
        budgets=curve.budgets,
        values=curve.values,
        used=curve.used,
        packed=curve.packed,
        now=session.settings.budget,
        logged=session.logged.settings.budget,
        label="" if chunk_id is None else str(rank) if rank is not None else "it",
        held=None if held is None else held.spans,
        known=None if held is None else held.known,
        said=curve.said,
    )


def scores_chart(session: Session, found: Scored, chunk_id: str | None) -> ScoresChart:
    """The scores, each with the letter of what became of its chunk, and the bars in force."""
    letters = _letters(session)
    bars = tuple(
        ScoreBar(
            id=chunk.id,
            rank=chunk.rank,
            score=chunk.score or 0.0,
            own=f"{found.bars.own(chunk.score or 0.0):.4g}",
            letter=letters.get(chunk.id, UNKNOWN),
            gold=chunk.id in session.gold,
            selected=chunk.id == chunk_id,
        )
        for chunk in found.candidates
    )
    shape = found.bars.shape
    return ScoresChart(
        bars=bars,
        shape=_in_words(session, found.bars),
        cliff=None if shape is None else shape.cliff,
        cuts=_cuts(session, found.bars),
        without=found.absent,
    )


def _letters(session: Session) -> dict[str, str]:
    if session.result is not None:
        letters = dict.fromkeys((chunk.id for chunk in session.result.skipped), SKIPPED)
        return letters | dict.fromkeys((chunk.id for chunk in session.result.packed), PACKED)
    states = {"packed": PACKED, "skipped": SKIPPED}
    return {c.id: states.get(c.outcome or "", UNKNOWN) for c in session.record.candidates}


def _in_words(session: Session, bars: Bars) -> str:
    shape = bars.shape
    if shape is None:
        return " ".join(bars.warnings) or "there are no scores"
    if shape.cliff is None:
        return f"diffuse, no cliff: {shape.diffuse}"
    above, below = shape.scores[shape.cliff - 1], shape.scores[shape.cliff]
    medians = (
        f", {shape.largest_fall / shape.median_fall:.1f} median falls" if shape.median_fall else ""
    )
    cut = "cut there" if session.settings.cliff else "f cuts there"
    return (
        f"cliff after {shape.cliff}: {bars.own(above):.4g} to {bars.own(below):.4g}{medians}; {cut}"
    )


def _cuts(session: Session, bars: Bars) -> tuple[Cut, ...]:
    settings = session.settings
    named = (
        (f"cut-off {settings.cutoff:g}:" if settings.cutoff is not None else "", bars.by_cutoff),
        (f"margin {settings.margin:g}:" if settings.margin is not None else "", bars.by_margin),
    )
    return tuple(
        Cut(plain_line(name, 24), bar, f"{bars.own(bar):.4g} and better")
        for name, bar in named
        if name and bar is not None
    )
