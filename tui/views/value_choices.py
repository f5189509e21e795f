"""What a chunk of this run may be worth: the values that its log has the numbers for."""

from __future__ import annotations

from ctxpack import VALUES
from tui.state import Session


def value_choices(session: Session) -> tuple[str, ...]:
    """`gain` always, the others where the log holds what they are made of."""
    candidates = session.record.candidates
    has = {
        "score": any(chunk.score is not None for chunk in candidates),
        "bm25": bool(session.record.query) and any(chunk.text for chunk in candidates),
        "calibrated": session.logged.settings.calibration is not None,
    }
    return tuple(value for value in (*VALUES,) if has.get(value, True))


def next_value(session: Session, refused: str | None, step: int) -> str:
    """The value `step` places after the present one, or after one that was refused."""
    choices = value_choices(session)
    by = session.result.value_by if session.result is not None else None
    now = refused or session.settings.value or by or choices[0]
    at = choices.index(now) if now in choices else -step
    return choices[(at + step) % len(choices)]
