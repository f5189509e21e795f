"""Why the chunk under the cursor is in or out: the verdict at once, the rest when known."""

from __future__ import annotations

from collections.abc import Iterator

from ctxpack.explaining.why import Why
from ctxpack.reasons import in_words
from tui.state import Session
from tui.text import plain_line, words
from tui.views.sentences import heading, wrapped
from tui.why_words import (
    change_words,
    no_change_words,
    spans_words,
    term_words,
    took_words,
)
from tui.widgets.spans import BLANK, Row, Span


def chunk_why_rows(
    session: Session, chunk_id: str | None, found: Why | None, problem: str, width: int
) -> list[Row]:
    """The section about one chunk; none where no chunk is under the cursor."""
    if chunk_id is None:
        return []
    name = plain_line(chunk_id, max(10, width - 12))
    if found is None:
        rest = wrapped("", problem, "fault", width) if problem else [(Span("...", "muted"),)]
        return [heading(f"Why {name}"), *_verdict_now(session, chunk_id, width), *rest, BLANK]
    rows = [heading(f"Why {name}"), *_verdict(found, width)]
    for lead, sentences in (
        ("its room went to  ", [*took_words(found)]),
        ("in with    " if found.verdict == "skipped" else "out with   ", [*_changes(found)]),
        ("not with   ", [*_vain(found)]),
        ("words      ", [*filter(None, [term_words(found)])]),
    ):
        for number, sentence in enumerate(sentences):
            rows += wrapped(lead if number == 0 else " " * len(lead), sentence, "label", width)
    rows += [heading("In at budgets of"), *_budgets(found, width)]
    below = {*session.logged.said, *(session.result.warnings if session.result else ())}
    for sentence in found.said:
        if sentence in below:
            # It is told for the whole run already.
            continue
        rows += wrapped("· ", sentence, "muted", width)
    return [*rows, BLANK]


def _verdict_now(session: Session, chunk_id: str, width: int) -> list[Row]:
    """What stands in the log or in the what-if already."""
    result = session.result
    if result is not None:
        for out in result.skipped:
            if out.id == chunk_id:
                return _said("S", in_words(out.reason, out.detail, out.tokens), width)
        return _said("P", "packed", width)
    for chunk in session.record.candidates:
        if chunk.id == chunk_id and chunk.outcome == "skipped":
            return _said("S", in_words(chunk.reason, chunk.detail or {}, chunk.tokens), width)
        if chunk.id == chunk_id and chunk.outcome == "packed":
            return _said("P", "packed", width)
    return _said("?", "the log does not tell", width)


def _verdict(found: Why, width: int) -> list[Row]:
    if found.verdict == "packed":
        pinned = any(chunk.pinned for chunk in found.packing.packed if chunk.id == found.id)
        rows = _said("P", f"packed{', pinned' if pinned else ''}", width)
    else:
        rows = _said("S", in_words(found.reason, found.detail, found.tokens), width)
    place = f", number {found.place:,} in its order" if found.place is not None else ""
    by = f"by {found.strategy} at a budget of {found.budget:,}{place}"
    return [*rows, *wrapped("  ", by, "muted", width)]


def _said(letter: str, sentence: str, width: int) -> list[Row]:
    ink = {"P": "good", "S": "cause"}.get(letter, "warning")
    return wrapped(f"{letter} ", sentence, ink, width)


def _changes(found: Why) -> Iterator[str]:
    told = [change for change in found.changes if change.verified]
    for change in told:
        yield change_words(change, found)
    if not told:
        yield no_change_words(found)


def _vain(found: Why) -> Iterator[str]:
    """What takes it past the filter that it fell at, and not into the window."""
    for change in found.changes:
        if not change.verified:
            yield f"{change_words(change, found)}: past the filter, but still not in"


def _budgets(found: Why, width: int) -> list[Row]:
    rows: list[Row] = []
    for strategy, spans in found.in_at.items():
        known = found.known_to.get(strategy)
        said = spans_words(spans, known)
        ink = "strong" if strategy == found.strategy else "label"
        lines = words(said, max(10, width - 11))
        for number, line in enumerate(lines):
            lead = strategy if number == 0 else ""
            rows.append((Span(f"{lead:<11}", "muted"), Span(line, ink)))
    return rows
