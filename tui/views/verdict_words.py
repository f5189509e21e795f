"""The session's verdict: the cause in one sentence, on top of everything."""

from __future__ import annotations

from tui.state import Session
from tui.widgets.verdict_layout import VerdictWords


def verdict_words(session: Session) -> VerdictWords:
    """The gravest finding as the banner says it; a run without findings says what holds."""
    if not session.findings:
        return VerdictWords("good", _healthy(session))
    first, *rest = session.findings
    when = "" if session.result is None else "As logged: "
    also = ", ".join(dict.fromkeys(finding.code.replace("_", " ") for finding in rest))
    return VerdictWords(first.severity, f"{when}{first.title}", advice=first.advice, also=also)


def _healthy(session: Session) -> str:
    trace = session.case.trace
    if trace is None:
        return "Nothing found wrong. No expected answer is known: type one with e."
    if trace.packed:
        best = trace.packed[0]
        at = session.logged_ids.index(best.id) + 1
        where = f"rank {best.rank}" if best.rank else best.id
        reply = " and the reply says it" if trace.replied else ""
        return (
            f"Nothing found wrong: the answer ({where}) is in the window, {at} of "
            f"{len(session.logged_ids)}{reply}."
        )
    if session.case.split and trace.broke_at is None:
        first, second = session.case.split[0]
        reply = " and the reply says it" if trace.replied else ""
        return (
            f"Nothing found wrong: the answer, split over {first.id} and {second.id}, is in the "
            f"window side by side{reply}."
        )
    return "Nothing found wrong that can be known from this log."
