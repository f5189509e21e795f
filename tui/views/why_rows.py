"""Everything that was found about a run, in words: findings, the answer's way, what was mended."""

from __future__ import annotations

from ctxpack.findings import Finding
from tui.glyphs import SEVERITY_LETTERS
from tui.state import Session
from tui.text import words
from tui.views.sentences import heading, wrapped
from tui.widgets.spans import BLANK, Row, Span

_MARKS = {True: ("ok", "good"), False: ("NO", "cause"), None: ("--", "muted")}


def why_rows(session: Session, width: int) -> list[Row]:
    """The way of the answer, then all findings, then what the log lacks or was mended."""
    rows: list[Row] = [
        heading(f"The way of the answer{_when(session)}"),
        *_way(session, width),
        BLANK,
        heading(f"Findings{_when(session)}"),
    ]
    if not session.findings:
        rows += wrapped("", "nothing found wrong by this version's checks", "good", width)
    for finding in session.findings:
        rows += _finding(finding, width)
    said = session.logged.said
    if session.result is not None:
        said += session.result.warnings
    if said:
        rows += [BLANK, heading("To know")]
        for sentence in said[:200]:
            rows += wrapped("· ", sentence, "label", width)
    return rows


def _when(session: Session) -> str:
    """Findings are about the log; beside a what-if that is said."""
    return "" if session.result is None else ", as logged"


def _finding(finding: Finding, width: int) -> list[Row]:
    letter = SEVERITY_LETTERS[finding.severity]
    rows = wrapped(f"{letter} ", f"{finding.code}: {finding.title}", finding.severity, width)
    if finding.because:
        rows += wrapped("  ", f"because: {', '.join(finding.because)}", "muted", width)
    if finding.advice:
        rows += wrapped("  ", f"do: {finding.advice}", "label", width)
    return [*rows, (Span(f"  {finding.basis}", "muted"),)]


def _way(session: Session, width: int) -> list[Row]:
    trace = session.case.trace
    if trace is None:
        return wrapped("", "no expected answer is known: type one with e", "muted", width)
    rows: list[Row] = []
    for step in trace.steps:
        mark, style = _MARKS[step.ok]
        here = " < it broke here" if step.name == trace.broke_at else ""
        lines = words(f"{step.name}: {step.said}{here}" if step.said else step.name, width - 4)
        rows.append((Span(f"{mark}  ", style), Span(lines[0] if lines else "", "label")))
        rows += [(Span("    "), Span(line, "label")) for line in lines[1:]]
    return rows
