"""Where chunks would stand under every placement, and what the best order gains, in words."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.explaining.orders import gain_over, most_used
from ctxpack.result import PackResult
from tui.glyphs import Glyphs
from tui.state import Session
from tui.text import words
from tui.widgets.spans import Row, Span, clipped

NO_GAIN = 5e-5
"""Below this share more of the expected use, the present order is called as good as the best."""

ROOMY = 54
"""Columns from which on the answer's p has one too."""

BEST = "+"
"""Marks the order of most use."""


def order_rows(
    session: Session,
    results: Sequence[PackResult],
    chunk_id: str | None,
    width: int,
    height: int,
    glyphs: Glyphs,
) -> list[Row]:
    """The gain in words, then a row a placement: expected use, mean p, the chunk, the answer."""
    best = most_used(results)
    said = words(gain_words(session, results), width, ascii=glyphs.ascii)
    rows: list[Row] = [(Span(line, "label"),) for line in said[: max(1, height // 3)]]
    # Where the answer's column has no room it is left out whole: its chunk can be chosen.
    gold = frozenset(session.gold if width >= ROOMY else ())
    rows.append(_head(session, chunk_id, gold))
    # The best and the present one stay in view where not all have room.
    now = session.placement
    shown = sorted(results, key=lambda one: (one is not best, one.settings.placement != now))
    left = max(1, height - len(rows))
    own = shown if len(shown) <= left else shown[: left - 1]
    rows += [_row(session, result, best, chunk_id, gold) for result in own]
    if len(own) < len(shown):
        others = (f"{one.settings.placement} {one.expected_use:.3f}" for one in shown[len(own) :])
        rows.append((Span("  ".join(others), "muted"),))
    if len(rows) < height:
        rows.append((Span(f"{BEST} best; p: chance of use at x", "muted"),))
    return [clipped(row, width, ascii=glyphs.ascii) for row in rows[:height]]


def gain_words(session: Session, results: Sequence[PackResult]) -> str:
    """What the best of these orders gains over the settings' placement, as a sentence."""
    placement = session.placement
    present = next((one for one in results if one.settings.placement == placement), None)
    best = most_used(results)
    if len(best.packed) < 2:
        few = "One chunk is" if best.packed else "No chunk is"
        return f"{few} packed: every order is the same."
    if present is None:
        return f"Best order on the {best.curve} curve: {best.settings.placement}."
    more, share = gain_over(best, present)
    if share is not None and share <= NO_GAIN:
        return (
            f"On the {best.curve} curve {placement} is as good as any of these orders "
            f"(expected use {present.expected_use:.3f})."
        )
    told = "" if share is None else f" ({100 * share:+.1f} %)"
    return (
        f"Best on the {best.curve} curve: {best.settings.placement}, "
        f"expected use {best.expected_use:.3f}, {more:+.3f}{told} over {placement}."
    )


def _head(session: Session, chunk_id: str | None, gold_ids: frozenset[str]) -> Row:
    place = f"{_label(session, chunk_id)} x"
    gold = "  answer" if gold_ids else ""
    return (Span(f"  {'placement':<14}{'use':>6}{'mean p':>7}{place:>7}{'p':>5}{gold}", "muted"),)


def _row(
    session: Session,
    result: PackResult,
    best: PackResult,
    chunk_id: str | None,
    gold_ids: frozenset[str],
) -> Row:
    name = result.settings.placement
    current = name == session.placement
    mean = "-" if result.mean_p is None else f"{result.mean_p:.3f}"
    here = next((chunk for chunk in result.packed if chunk.id == chunk_id), None)
    x, p = ("-", "-") if here is None else (f"{here.x:.2f}", f"{here.p:.2f}")
    row = [
        Span(">" if current else " ", "selected" if current else "label"),
        Span(BEST if result is best and len(result.packed) > 1 else " ", "good"),
        Span(f"{name:<14}", "strong" if current else "label"),
        Span(f"{result.expected_use:>6.3f}{mean:>7}", "good" if result is best else "label"),
        Span(f"{x:>7}{p:>5}", "marker"),
    ]
    if gold_ids:
        gold = [chunk.p for chunk in result.packed if chunk.id in gold_ids]
        row.append(Span(f"{f'{max(gold):.2f}' if gold else '-':>8}", "gold"))
    return tuple(row)


def _label(session: Session, chunk_id: str | None) -> str:
    """The rank of the chunk under the cursor; a pin that has none is called so."""
    rank = next((c.rank for c in session.record.candidates if c.id == chunk_id), None)
    if chunk_id is None:
        return ""
    return f"#{rank}" if rank is not None else "pin"
