"""The history of what-ifs: undo and redo over settings, with the packings that are known."""

from __future__ import annotations

import msgspec

from ctxpack import Candidate, PackResult, Settings, pack
from tui import history
from tui.history import History, moved, went_to, with_result, without

CHUNKS = [Candidate(id=str(rank), rank=rank, tokens=10) for rank in range(1, 6)]


def settings(budget: int) -> Settings:
    return Settings(budget=budget)


def packed(budget: int) -> PackResult:
    return pack(CHUNKS, settings(budget))


def answered(now: History, budget: int) -> History:
    now = went_to(now, settings(budget))
    return with_result(now, now.now.number, packed(budget))


def test_a_new_history_stands_on_the_log() -> None:
    now = History()
    assert now.now.settings is None
    assert not now.waiting
    assert moved(now, -1) == now
    assert moved(now, 1) == now


def test_a_step_waits_for_its_packing_while_the_one_before_stays_on_the_screen() -> None:
    now = went_to(answered(History(), 10), settings(20))
    assert now.waiting
    assert now.shown.result == packed(10)
    now = with_result(now, now.now.number, packed(20))
    assert not now.waiting
    assert now.shown.result == packed(20)


def test_undo_and_redo_show_what_is_known_at_once() -> None:
    now = answered(answered(History(), 10), 20)
    back = moved(now, -1)
    assert back.shown.result == packed(10)
    assert not back.waiting
    assert moved(back, -1).shown.settings is None
    assert moved(moved(back, -1), 2).shown.result == packed(20)


def test_a_change_after_an_undo_forgets_what_was_undone() -> None:
    now = answered(moved(answered(answered(History(), 10), 20), -1), 30)
    assert [step.settings and step.settings.budget for step in now.steps] == [None, 10, 30]
    assert moved(now, 1) == now


def test_the_log_is_a_step_that_can_be_undone() -> None:
    now = went_to(answered(History(), 10), None)
    assert now.shown.settings is None
    assert moved(now, -1).shown.result == packed(10)


def test_the_same_settings_again_are_no_step_and_known_ones_are_shown_at_once() -> None:
    now = answered(answered(History(), 10), 20)
    assert went_to(now, settings(20)) == now
    again = went_to(now, settings(10))
    assert not again.waiting
    assert again.shown.result == packed(10)
    assert len(again.steps) == len(now.steps) + 1


def test_a_refused_step_is_gone_and_what_stood_before_stands() -> None:
    now = went_to(went_to(answered(History(), 10), settings(20)), settings(-1))
    refused = without(now, now.now.number)
    assert refused.now.settings == settings(10)
    assert not refused.waiting
    assert [step.settings and step.settings.budget for step in refused.steps] == [None, 10, 20]


def test_a_step_that_was_overtaken_is_packed_when_it_is_come_back_to() -> None:
    now = answered(went_to(answered(History(), 10), settings(20)), 30)
    back = moved(now, -1)
    assert back.waiting
    assert back.shown.result == packed(30)
    assert with_result(back, back.now.number, packed(20)).shown.result == packed(20)


def test_a_late_answer_is_kept_for_its_own_step_and_never_takes_anothers_place() -> None:
    now = went_to(answered(History(), 10), settings(20))
    late = now.now.number
    now = answered(now, 30)
    kept = with_result(now, late, packed(20))
    assert kept.shown.result == packed(30)
    assert moved(kept, -1).shown.result == packed(20)
    wrong = msgspec.structs.replace(packed(20), used=1)
    assert with_result(kept, kept.now.number, wrong) == kept
    assert with_result(kept, 999, wrong) == kept


def test_results_and_steps_are_bounded_and_the_present_one_is_kept(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(history, "KEPT_CHUNKS", 12)
    monkeypatch.setattr(history, "STEPS", 4)
    now = History()
    for budget in range(10, 60, 10):
        now = answered(now, budget)
    assert [step.settings and step.settings.budget for step in now.steps] == [20, 30, 40, 50]
    assert [step.known for step in now.steps] == [False, False, True, True]
    assert now.shown.result == packed(50)
    far = moved(now, -3)
    assert far.waiting
    assert far.shown.result == packed(50)
