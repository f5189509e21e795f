"""The lines on top of a run: what it is, what was asked, what it was packed with."""

from __future__ import annotations

from ctxpack import Record
from ctxpack.replay import packed_in_order
from ctxpack.window import evidence_used
from tui.state import Session
from tui.text import plain_line, words
from tui.views.notes import at_most, note_rows
from tui.views.setting_words import ALWAYS, settings
from tui.widgets.spans import Row, Span, clipped, flowed


def title_row(record: Record, width: int) -> Row:
    """The run's id, type, time, assembler and model."""
    assembler = record.assembler
    made_by = f"{assembler.name or ''} {assembler.version or ''}".strip() if assembler else ""
    parts = [record.request_type or "", record.time, made_by, record.model or ""]
    rest = "  ".join(plain_line(part, 40) for part in parts if part)
    name = plain_line(record.id, max(8, width // 3))
    return clipped((Span(name, "title"), Span(f"  {rest}", "muted")), width)


def question_rows(record: Record, width: int, lines: int = 1) -> list[Row]:
    """The question and the reply, on up to `lines` lines each."""
    rows = _labelled("asked", record.query, width, lines)
    if record.answer is not None and record.answer.text is not None:
        rows += _labelled("replied", record.answer.text, width, lines)
    return rows


def expected_row(session: Session, width: int) -> Row:
    """What the answer should have been, typed or recorded."""
    trace = session.case.trace
    if trace is None:
        return (Span("expected not known: type it with e", "muted"),)
    ways = [" and ".join(alternative) for alternative in trace.expected.alternatives]
    said = " or ".join(ways) or f"chunk {', '.join(trace.expected.gold)}"
    typed = " (typed)" if trace.expected.source == "typed" else ""
    return _labelled("expected", f"{said}{typed}", width)[0]


def settings_rows(session: Session, width: int) -> list[Row]:
    """The settings and what they gave; everything that differs from the log is marked `*`."""
    phrases: list[Row] = [_mode(session)]
    for setting in settings(session):
        mark = "*" if setting.changed else ""
        style = "changed" if setting.changed else "strong"
        shown = Span(f"{plain_line(setting.words, 24)}{mark}", style)
        alone = setting.name in ALWAYS
        phrases.append((shown,) if alone else (Span(f"{setting.name} ", "muted"), shown))
    phrases.extend(_outcome(session))
    return flowed(phrases, width, gap="  ")


def difference_rows(session: Session, width: int) -> list[Row]:
    """What a what-if changed, in words; a refused one says why, and so does an idle setting."""
    if session.problem:
        return [(Span(line, "fault"),) for line in at_most(session.problem, width, 3)]
    result, change = session.result, session.against
    if result is None or change is None:
        return []
    unchanged = not (change.entered or change.left or change.moved)
    notes = note_rows(result, width, unchanged=unchanged)
    # That nothing changed is what the notes explain.
    return notes if notes and unchanged else [_difference_row(session, width), *notes]


def _difference_row(session: Session, width: int) -> Row:
    change = session.against
    if change is None:
        return ()
    parts: Row = _answer_now(session)
    if not (change.entered or change.left or change.moved):
        same = Span("the same chunks in the same order as logged", "muted")
        return clipped((*parts, *((Span("   "),) if parts else ()), same), width)
    for sign, verb, ids in (
        ("+", "entered", change.entered),
        ("-", "left", change.left),
        ("~", "moved", change.moved),
    ):
        if ids:
            gap = (Span("   "),) if parts else ()
            text = f"{sign} {len(ids)} {verb}: {_ranks(session, ids)}"
            parts = (*parts, *gap, Span(text, "changed"))
    return clipped(parts, width)


def _answer_now(session: Session) -> Row:
    """Whether the what-if has a chunk that holds the answer, and which."""
    result = session.result
    if result is None or not session.gold:
        return ()
    places = [chunk for chunk in result.packed if chunk.id in session.gold]
    if not places:
        return (Span("answer out", "cause"),)
    best = min(places, key=lambda chunk: (chunk.rank is None, chunk.rank or 0))
    return (Span(f"answer in, {best.position + 1} of {len(result.packed)}", "good"),)


def _mode(session: Session) -> Row:
    if session.busy:
        return (Span("PACKING ", "changed"),)
    return (Span("WHAT-IF", "changed"),) if session.result else (Span("AS LOGGED", "strong"),)


def _outcome(session: Session) -> list[Row]:
    record, result = session.record, session.result
    if result is None:
        used, packed = evidence_used(record), len(packed_in_order(record))
        return [_pair("used", str(used), False), _packed(packed, len(record.candidates), False)]
    mark = result.used != evidence_used(record)
    differs = len(result.packed) != len(packed_in_order(record))
    tilde = "~" if result.counts == "estimate" else ""
    rows = [
        _pair("used", f"{tilde}{result.used}", mark),
        _packed(len(result.packed), result.considered, differs),
        _pair("value", f"{result.value:.3f}", False),
    ]
    if result.counts == "logged":
        rows.append((Span("logged counts", "muted"),))
    return rows


def _pair(name: str, words: str, changed: bool) -> Row:
    style = "changed" if changed else "strong"
    return (Span(f"{name} ", "muted"), Span(f"{words}{'*' if changed else ''}", style))


def _packed(packed: int, considered: int, changed: bool) -> Row:
    if not considered:
        return (Span("no candidates", "muted"),)
    style = "changed" if changed else "strong"
    mark = "*" if changed else ""
    return (Span(f"{packed}{mark}", style), Span(f" of {considered} packed", "muted"))


def _ranks(session: Session, ids: tuple[str, ...]) -> str:
    ranks = {candidate.id: candidate.rank for candidate in session.record.candidates}
    result = session.result
    if result is not None:
        ranks |= {chunk.id: chunk.rank for chunk in result.packed}
        ranks |= {chunk.id: chunk.rank for chunk in result.skipped}
    named = [f"rank {ranks[name]}" if ranks.get(name) else plain_line(name, 20) for name in ids]
    return ", ".join(named[:6]) + (f" and {len(named) - 6} more" if len(named) > 6 else "")


def _labelled(label: str, text: str, width: int, lines: int = 1) -> list[Row]:
    """A text behind its label; only what does not fit into the lines is clipped."""
    head = f"{label:<9}"
    room = max(1, width - len(head))
    shown = words(text[: room * (lines + 1)], room) or [""]
    if len(shown) > lines:
        left = " ".join(shown[lines - 1 :])
        shown = [*shown[: lines - 1], plain_line(left + " ...", room) if left else ""]
    return [
        (Span(head if number == 0 else " " * len(head), "muted"), Span(line))
        for number, line in enumerate(shown)
    ]
