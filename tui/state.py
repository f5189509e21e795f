"""What a run's screen shows: one frozen session, replaced whole at every change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec

from ctxpack import PackResult, Record, Settings
from ctxpack.findings import Case, Finding, diagnose, open_case
from ctxpack.replay import Against, Logged, against, logged_settings, packed_in_order
from ctxpack.window import Spot, placed_log, placed_result


class Setting(NamedTuple):
    """A setting on the screen: its name, its value in words, whether it differs from the log."""

    name: str
    words: str
    changed: bool


@dataclass(frozen=True)
class Session:
    """One run under the eye, and the what-if where there is one.

    `generation` counts the what-ifs asked for: an answer to an older one is dropped. `result` is
    None while the log is shown. `problem` is why the last what-if was refused.
    """

    case: Case
    findings: tuple[Finding, ...]
    logged: Logged
    settings: Settings
    result: PackResult | None = None
    busy: bool = False
    generation: int = 0
    problem: str = ""
    expect: str | None = None

    @property
    def record(self) -> Record:
        """The run as logged."""
        return self.case.record

    @property
    def logged_ids(self) -> tuple[str, ...]:
        """What the log says was packed, in window order."""
        return tuple(chunk.id for chunk in packed_in_order(self.record))

    @property
    def against(self) -> Against | None:
        """How the what-if differs from the log; None without a what-if."""
        if self.result is None:
            return None
        return against(self.logged_ids, tuple(chunk.id for chunk in self.result.packed))

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Where the packed chunks stand, in the what-if or as logged."""
        if self.result is None:
            return placed_log(self.case.placed)
        return placed_result(self.record, self.result)

    @property
    def gold(self) -> frozenset[str]:
        """Ids of the candidates that hold the expected answer, alone or as two neighbours."""
        held = self.case.trace.gold if self.case.trace else ()
        pairs = [chunk for pair in self.case.split for chunk in pair]
        return frozenset(chunk.id for chunk in (*held, *pairs))


def open_session(record: Record, expect: str | None = None) -> Session:
    """The session that a run is opened with: the log, diagnosed."""
    case = open_case(record, expect)
    logged = logged_settings(record)
    return Session(case, diagnose(case), logged, logged.settings, expect=expect)


def expecting(session: Session, expect: str | None) -> Session:
    """The same session with another expected answer; nothing typed means the record's own."""
    case = open_case(session.record, expect)
    return replace(session, case=case, findings=diagnose(case), expect=expect)


def asked(session: Session, **changes: object) -> Session:
    """The session while a what-if under changed settings is being packed."""
    return replace(
        session,
        settings=msgspec.structs.replace(session.settings, **changes),
        busy=True,
        generation=session.generation + 1,
        problem="",
    )


def answered(session: Session, result: PackResult | None, problem: str = "") -> Session:
    """The session with a what-if's result; a refused one leaves what stood before, and why."""
    if result is None:
        before = session.result.settings if session.result else session.logged.settings
        return replace(session, settings=before, busy=False, problem=problem)
    return replace(session, result=result, busy=False, problem="")


def back_to_log(session: Session) -> Session:
    """The session as it was opened, whatever was asked meanwhile."""
    return replace(
        session,
        settings=session.logged.settings,
        result=None,
        busy=False,
        generation=session.generation + 1,
        problem="",
    )
