"""What a run's screen shows: one frozen session, replaced whole at every change."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import msgspec

from ctxpack import PackResult, Record, Settings
from ctxpack.findings import Case, Finding, diagnose, open_case
from ctxpack.replay import Against, Logged, against, logged_settings, packed_in_order
from ctxpack.settings import as_placed
from ctxpack.window import Spot, placed_log, placed_result
from tui.history import History, moved, went_to, with_result, without


class Setting(NamedTuple):
    """A setting on the screen: its name, its value in words, whether it differs from the log."""

    name: str
    words: str
    changed: bool


@dataclass(frozen=True)
class Session:
    """One run under the eye, and the what-if where there is one.

    `history` has every what-if that was asked for. `problem` is why the last one was refused.
    """

    case: Case
    findings: tuple[Finding, ...]
    logged: Logged
    history: History = field(default_factory=History)
    problem: str = ""
    expect: str | None = None

    @property
    def settings(self) -> Settings:
        """The settings that were asked for last; in the log, those it was packed with."""
        return self.history.now.settings or self.logged.settings

    @property
    def placement(self) -> str:
        """The placement that these settings have: ordered has its own."""
        return as_placed(self.settings).placement

    @property
    def result(self) -> PackResult | None:
        """The packing on the screen; None while the log is shown."""
        return self.history.shown.result

    @property
    def busy(self) -> bool:
        """Whether what was asked for is still being packed."""
        return self.history.waiting

    @property
    def generation(self) -> int:
        """The number of the what-if that was asked for last: an answer to another is not shown."""
        return self.history.now.number

    @property
    def in_log(self) -> bool:
        """Whether the log is what was asked for."""
        return self.history.now.settings is None

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
    return Session(case, diagnose(case), logged_settings(record), expect=expect)


def expecting(session: Session, expect: str | None) -> Session:
    """The same session with another expected answer; nothing typed means the record's own."""
    case = open_case(session.record, expect)
    return replace(session, case=case, findings=diagnose(case), expect=expect)


def asked(session: Session, **changes: object) -> Session:
    """The session while a what-if under changed settings is being packed, or with it if known.

    From a what-if, the same settings again change nothing.
    """
    settings = msgspec.structs.replace(session.settings, **changes)
    return replace(session, history=went_to(session.history, settings), problem="")


def answered(
    session: Session, number: int, result: PackResult | None, problem: str = ""
) -> Session:
    """The session with the answer to a what-if; a refused one leaves what stood before, and why."""
    if result is not None:
        return replace(session, history=with_result(session.history, number, result))
    if number != session.generation:
        return session
    return replace(session, history=without(session.history, number), problem=problem)


def told(session: Session, problem: str) -> Session:
    """The same session with a sentence for the reader, until the next what-if."""
    return replace(session, problem=problem)


def back_to_log(session: Session) -> Session:
    """The log again; what was asked meanwhile can be come back to."""
    return replace(session, history=went_to(session.history, None), problem="")


def undone(session: Session) -> Session:
    """The what-if before the last one, or the log."""
    return replace(session, history=moved(session.history, -1), problem="")


def redone(session: Session) -> Session:
    """The what-if that was undone last."""
    return replace(session, history=moved(session.history, 1), problem="")
