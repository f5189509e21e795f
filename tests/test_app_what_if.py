"""The what-if on a run's screen: it is the engine's packing, marked, and it goes back."""

from __future__ import annotations

import msgspec
import pytest

from ctxpack import PLACEMENTS, STRATEGIES, Counter
from ctxpack.replay import repack
from tests.app_screen import opened, run_screen, sample_ids, settled, text
from tests.widget_screen import on_a_screen
from tui.screens.run import Repacked
from tui.state import Session

RUN = sample_ids()[0]


def session(pilot) -> Session:  # type: ignore[no-untyped-def]
    found = run_screen(pilot).session
    assert found is not None
    return found


@on_a_screen
async def test_a_run_opens_as_logged_with_its_cause_on_the_first_line_below_the_title() -> None:
    async with opened(RUN) as pilot:
        shown = text(pilot)
        assert "AS LOGGED" in shown
        assert "WHAT-IF" not in shown
        first = session(pilot).findings[0]
        words = " ".join(shown.split())
        assert first.title.split(" (")[0] in words


@pytest.mark.parametrize(
    ("keys", "changes"),
    [
        (["plus"], {"budget": 1.05}),
        (["minus"], {"budget": 0.95}),
        (["t"], {"strategy": 1}),
        (["T"], {"strategy": -1}),
        (["o"], {"placement": 1}),
        (["O"], {"placement": -1}),
        (["plus", "t", "o"], {"budget": 1.05, "strategy": 1, "placement": 1}),
    ],
)
@on_a_screen
async def test_a_key_packs_again_with_the_engines_own_result(
    keys: list[str], changes: dict[str, float]
) -> None:
    async with opened(RUN) as pilot:
        await pilot.press(*keys)
        await settled(pilot)
        now = session(pilot)
        expected = now.logged.settings
        if "budget" in changes:
            sign = 1 if changes["budget"] > 1 else -1
            step = round(expected.budget * 0.05)
            expected = msgspec.structs.replace(expected, budget=expected.budget + sign * step)
        for name, all_names in (("strategy", STRATEGIES), ("placement", PLACEMENTS)):
            if name in changes:
                at = all_names.index(getattr(expected, name)) + int(changes[name])
                expected = msgspec.structs.replace(
                    expected, **{name: all_names[at % len(all_names)]}
                )
        assert now.settings == expected
        assert now.result == repack(now.record, expected, Counter(expected.encoding))
        shown = text(pilot)
        assert "WHAT-IF" in shown
        for name in changes:
            assert f"{getattr(expected, name)}*" in shown


@on_a_screen
async def test_zero_goes_back_to_the_log_with_nothing_marked() -> None:
    async with opened(RUN, size=(120, 70)) as pilot:
        before = text(pilot)
        await pilot.press("plus", "t", "o")
        await settled(pilot)
        assert text(pilot) != before
        await pilot.press("0")
        await pilot.pause()
        assert text(pilot) == before


@on_a_screen
async def test_a_typed_budget_is_packed_with() -> None:
    async with opened(RUN) as pilot:
        await pilot.press("equals_sign")
        await pilot.pause()
        await pilot.press("ctrl+u", *"777", "enter")
        await settled(pilot)
        assert session(pilot).settings.budget == 777
        assert "budget 777*" in text(pilot)


@on_a_screen
async def test_a_negative_budget_is_refused_in_words_and_the_log_stays() -> None:
    async with opened(RUN) as pilot:
        await pilot.press("equals_sign")
        await pilot.pause()
        await pilot.press("ctrl+u", *"-5", "enter")
        await settled(pilot)
        assert session(pilot).result is None
        assert "budget is -5: it must be 0 tokens or more." in text(pilot)


@on_a_screen
async def test_escape_in_the_budget_line_changes_nothing() -> None:
    async with opened(RUN) as pilot:
        before = text(pilot)
        await pilot.press("equals_sign", "9", "escape")
        await pilot.pause()
        assert text(pilot) == before


@on_a_screen
async def test_an_answer_to_an_older_question_is_dropped() -> None:
    async with opened(RUN) as pilot:
        await pilot.press("plus")
        await settled(pilot)
        now = session(pilot)
        assert now.result is not None
        stale = msgspec.structs.replace(now.result, used=1)
        run_screen(pilot).post_message(Repacked(now.generation - 1, stale))
        await pilot.pause()
        assert session(pilot).result == now.result


@on_a_screen
async def test_chunks_that_enter_leave_or_move_carry_their_marks() -> None:
    async with opened(RUN, size=(120, 60)) as pilot:
        await pilot.press(*["plus"] * 6, "o")
        await settled(pilot)
        change = session(pilot).against
        assert change is not None
        assert change.entered or change.left or change.moved
        shown = text(pilot)
        for mark, ids in (("P+", change.entered), ("S-", change.left), ("P~", change.moved)):
            assert (mark in shown) == bool(ids)


@on_a_screen
async def test_a_typed_answer_is_looked_for_and_an_empty_one_brings_the_records_back() -> None:
    async with opened(RUN) as pilot:
        before = session(pilot).findings
        await pilot.press("e")
        await pilot.pause()
        await pilot.press(*"zyx 99", "enter")
        await pilot.pause()
        assert session(pilot).findings[0].code == "answer_not_retrieved"
        assert "zyx 99 (typed)" in text(pilot)
        await pilot.press("e")
        await pilot.pause()
        await pilot.press("ctrl+u", "enter")
        await pilot.pause()
        assert session(pilot).findings == before


@on_a_screen
async def test_only_packed_and_only_skipped_are_said_and_listed() -> None:
    async with opened(RUN, size=(120, 60)) as pilot:
        await pilot.press("a")
        await pilot.pause()
        assert "only packed" in text(pilot)
        assert "SKIPPED" not in text(pilot)
        await pilot.press("a")
        await pilot.pause()
        assert "only skipped" in text(pilot)
        assert "PACKED" not in text(pilot)
        await pilot.press("a")
        await pilot.pause()
        assert "PACKED" in text(pilot)
        assert "SKIPPED" in text(pilot)


@on_a_screen
async def test_escape_goes_back_to_the_list_and_never_quits() -> None:
    async with opened(RUN) as pilot:
        await pilot.press("escape")
        await pilot.pause()
        assert "newest first" in text(pilot)
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert pilot.app.is_running
