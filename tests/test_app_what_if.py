"""The what-if on a run's screen: it is the engine's packing, marked, and it goes back."""

from __future__ import annotations

from collections.abc import Iterable
from time import sleep

import msgspec
import pytest
from textual.binding import Binding, BindingType

from ctxpack import PLACEMENTS, STRATEGIES, Counter, PackResult, Settings
from ctxpack.errors import Stop, Stopped
from ctxpack.replay import repack
from ctxpack.retrieved import Retrieved
from tests.app_screen import opened, run_screen, sample, sample_ids, settled, text
from tests.widget_screen import on_a_screen
from tui.keymap import COMPARE, EVERYWHERE, GROUPS, RUNS
from tui.keymap import RUN as RUN_KEYS
from tui.screens.what_if import Repacked
from tui.state import Session, asked, open_session
from tui.views.notes import note_rows
from tui.widgets.chunk_list import ChunkList
from tui.widgets.line_list import LIST_KEYS
from tui.widgets.rows_view import RowsView
from tui.widgets.spans import row_text
from tui.widgets.strategy_list import StrategyList
from tui.widgets.text_view import TEXT_KEYS

RUN = sample_ids()[0]


def session(pilot) -> Session:  # type: ignore[no-untyped-def]
    found = run_screen(pilot).session
    assert found is not None
    return found


def session_budget(pilot) -> int:  # type: ignore[no-untyped-def]
    screen = pilot.app.screen_stack[-2]
    assert screen.session is not None
    return int(screen.session.settings.budget)


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


@pytest.mark.parametrize("typed", ["-5", "", "abc", "1.5", "9" * 30])
@on_a_screen
async def test_what_is_no_budget_is_said_and_the_box_stays_open(typed: str) -> None:
    async with opened(RUN) as pilot:
        await pilot.press("equals_sign")
        await pilot.pause()
        await pilot.press("ctrl+u", *typed, "enter")
        await settled(pilot)
        shown = text(pilot)
        assert "Type a whole number of tokens, 0 or more; Esc leaves." in shown
        assert typed in shown
        await pilot.press("escape")
        await pilot.pause()
        assert session(pilot).result is None
        assert "AS LOGGED" in text(pilot)


@on_a_screen
async def test_what_is_typed_is_read_off_the_screen() -> None:
    for size in ((80, 24), (120, 40)):
        async with opened(RUN, size=size) as pilot:
            await pilot.press("equals_sign")
            await pilot.pause()
            assert str(session_budget(pilot)) in text(pilot).split("Budget")[1]
            await pilot.press("ctrl+u", *"1777")
            await pilot.pause()
            assert "1777" in text(pilot)
            await pilot.press("escape", "e")
            await pilot.pause()
            await pilot.press(*"fourteen days")
            await pilot.pause()
            assert "fourteen days" in text(pilot)


@on_a_screen
async def test_a_refused_packing_leaves_what_stood_before_and_says_why() -> None:
    async with opened(RUN) as pilot:
        await pilot.press("plus")
        await settled(pilot)
        before = session(pilot)
        screen = run_screen(pilot)
        screen._ask(budget=-5)
        await settled(pilot)
        now = session(pilot)
        assert (now.result, now.settings.budget) == (before.result, before.settings.budget)
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


CURSOR = "the chunk under the cursor"

KEYS: list[tuple[list[str], dict[str, object], str]] = [
    (["v"], {"value": "score"}, "value score*"),
    (["c", *"0.5", "enter"], {"cutoff": 0.5}, "cut-off 0.5*"),
    (["c", *"margin 3", "enter"], {"margin": 3.0}, "margin 3*"),
    (["f"], {"cliff": True}, "cliff on*"),
    (["d"], {"dedupe": 0.8}, "dedupe 0.8*"),
    (["i", *"0.6", "enter"], {"dedupe": 0.6}, "dedupe 0.6*"),
    (["l", "ctrl+u", *"0.25", "enter"], {"mmr_lambda": 0.25}, "lambda 0.25*"),
    (["M", *"3", "enter"], {"max_chunks": 3}, "at most 3*"),
    (["p"], {"pins": (CURSOR,)}, "pins 1*"),
    (["x"], {"bans": (CURSOR,)}, "bans 1*"),
]


async def pressed(pilot, *keys: str) -> None:  # type: ignore[no-untyped-def]
    """Press keys one by one, each dialog and packing awaited."""
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


@on_a_screen
async def test_every_setting_has_a_key_and_is_marked_on_the_settings_line() -> None:
    async with opened(RUN) as pilot:
        chunk = run_screen(pilot)._chunk
        for keys, named, words in KEYS:
            changes = {k: (chunk,) if v == (CURSOR,) else v for k, v in named.items()}
            await pressed(pilot, *keys)
            now = session(pilot)
            wanted = msgspec.structs.replace(now.logged.settings, **changes)
            assert now.settings == wanted
            assert now.result == repack(now.record, wanted, Counter(wanted.encoding))
            assert words in text(pilot)
            await pressed(pilot, "0")


@on_a_screen
async def test_settings_that_are_off_and_as_logged_take_no_room() -> None:
    async with opened(RUN) as pilot:
        shown = text(pilot)
        for word in ("cut-off", "margin", "cliff", "dedupe", "lambda", "at most", "pins", "bans"):
            assert word not in shown.split("AS LOGGED")[1].split("\n")[0]


@on_a_screen
async def test_undo_and_redo_go_over_every_setting_and_over_the_log() -> None:
    async with opened(RUN) as pilot:
        await pressed(pilot, "plus", "t", "p")
        three = session(pilot)
        await pressed(pilot, "u")
        assert session(pilot).settings.pins == three.logged.settings.pins
        assert session(pilot).settings.strategy == three.settings.strategy
        await pressed(pilot, "u", "u")
        assert "AS LOGGED" in text(pilot)
        assert session(pilot).result is None
        await pressed(pilot, "u")
        assert "Nothing to undo." in text(pilot)
        await pressed(pilot, "ctrl+r", "ctrl+r", "ctrl+r")
        assert session(pilot).result == three.result
        await pressed(pilot, "ctrl+r")
        assert "Nothing to redo." in text(pilot)
        await pressed(pilot, "0")
        assert "AS LOGGED" in text(pilot)
        await pressed(pilot, "u")
        assert session(pilot).result == three.result
        assert "WHAT-IF" in text(pilot)


@on_a_screen
async def test_an_undone_step_is_shown_without_packing_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with opened(RUN) as pilot:
        await pressed(pilot, "plus", "plus")
        asked = []
        monkeypatch.setattr(type(run_screen(pilot)), "_pack", lambda *a: asked.append(a))
        await pilot.press("u", "ctrl+r", "0", "u")
        await pilot.pause()
        assert not asked
        assert not session(pilot).busy


@on_a_screen
async def test_a_pinned_chunk_is_in_and_a_banned_one_out_each_with_its_sign() -> None:
    async with opened(RUN, size=(120, 60)) as pilot:
        chunk = run_screen(pilot)._chunk
        await pressed(pilot, "p")
        result = session(pilot).result
        assert result is not None
        assert [c.id for c in result.packed if c.pinned] == [chunk]
        assert "⊤" in text(pilot)
        await pressed(pilot, "x")
        result = session(pilot).result
        assert result is not None
        assert [c.id for c in result.skipped if c.reason == "banned"] == [chunk]
        assert session(pilot).settings.pins == ()
        assert "×" in text(pilot)
        await pressed(pilot, "x")
        assert session(pilot).settings == session(pilot).logged.settings
        await pressed(pilot, "p", "p")
        assert session(pilot).settings.pins == ()


REFUSED = [
    ("c", "1.5", "Type a share from 0 to 1"),
    ("c", "margin -1", "Type a share from 0 to 1"),
    ("c", "[/]", "Type a share from 0 to 1"),
    ("i", "nan", "Type a similarity from 0 to 1"),
    ("l", "", "Type a number from 0 to 1"),
    ("l", "1e999", "Type a number from 0 to 1"),
    ("M", "2.5", "Type a whole number of chunks"),
    ("M", "٣", "Type a whole number of chunks"),
]


@on_a_screen
async def test_what_cannot_be_taken_is_said_and_the_box_stays_open() -> None:
    async with opened(RUN) as pilot:
        for key, typed, said in REFUSED:
            await pilot.press(key)
            await pilot.pause()
            await pilot.press("ctrl+u", *typed, "enter")
            await settled(pilot)
            assert said in text(pilot)
            await pilot.press("escape")
            await pilot.pause()
            assert session(pilot).result is None


@on_a_screen
async def test_a_filter_that_does_nothing_says_why() -> None:
    async with opened(RUN) as pilot:
        await pressed(pilot, "f")
        assert "cliff on*" in text(pilot)
        assert "no cliff, the scores are diffuse" in text(pilot)


@on_a_screen
async def test_what_is_overtaken_is_given_up_and_packed_when_it_is_come_back_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = Retrieved.pack
    given_up: list[int] = []

    def slow(self: Retrieved, settings: Settings, *, should_stop: Stop | None = None) -> PackResult:
        assert should_stop is not None
        while settings.strategy == "density":
            if should_stop():
                given_up.append(settings.budget)
                raise Stopped
            sleep(0.01)
        return whole(self, settings, should_stop=should_stop)

    async with opened(RUN) as pilot:
        with monkeypatch.context() as patched:
            patched.setattr(Retrieved, "pack", slow)
            await pilot.press("t")
            await pilot.pause()
            assert session(pilot).busy
            assert "PACKING" in text(pilot)
            await pilot.press("t")
            await settled(pilot)
            assert session(pilot).settings.strategy == "optimal"
            assert given_up == [session(pilot).settings.budget]
        await pressed(pilot, "u")
        assert session(pilot).settings.strategy == "density"
        assert not session(pilot).busy


def keys_of(bindings: Iterable[BindingType]) -> list[str]:
    """Every key of these bindings, one by one."""
    return [key for b in bindings if isinstance(b, Binding) for key in b.key.split(",")]


def test_no_key_has_two_meanings_on_one_screen_and_none_is_one_that_terminals_keep() -> None:
    screens = [
        (EVERYWHERE, RUNS, LIST_KEYS),
        (EVERYWHERE, RUN_KEYS, LIST_KEYS),
        (EVERYWHERE, RUN_KEYS, TEXT_KEYS),
        (EVERYWHERE, RUN_KEYS, RowsView.BINDINGS),
        (EVERYWHERE, COMPARE, StrategyList.BINDINGS),
    ]
    kept = {f"ctrl+{letter}" for letter in "absojmih"} | {"ctrl+enter"}
    later = {"J", "K", "D", "y", "Y", "m", "F", "n", "N", "slash", "ampersand"}
    for screen in screens:
        keys = [key for bindings in screen for key in keys_of(bindings)]
        assert len(keys) == len(set(keys)), sorted(k for k in keys if keys.count(k) > 1)
        assert not kept & set(keys)
        assert not any(key.startswith("alt+") for key in keys)
    assert not later & set(keys_of(RUN_KEYS))
    every = [binding for bindings in GROUPS.values() for binding in bindings]
    assert all(binding.tooltip and binding.id and binding.description for binding in every)


@on_a_screen
async def test_a_pin_that_does_not_fit_is_said_on_top_and_in_the_comparison() -> None:
    async with opened("req-44c2a7") as pilot:
        run = run_screen(pilot)
        candidates = session(pilot).record.candidates
        long = next(c for c in candidates if (c.tokens or 0) > session(pilot).settings.budget)
        run.query_one(ChunkList).move_to(long.id)
        await pressed(pilot, "p")
        said = f"PIN NOT IN: '{long.id}' needs {long.tokens} tokens"
        settings = text(pilot).split("WHAT-IF")[1][:500]
        assert said in settings
        await pressed(pilot, "C")
        assert said in text(pilot)
        await pressed(pilot, "g", "j")
        assert f"pin not in, no room: rank {long.rank}" in text(pilot)
        assert "filtered before" not in text(pilot)


def test_a_setting_without_effect_says_why_on_two_lines_at_most() -> None:
    record = sample(RUN)
    log = open_session(record)
    for changes, said in (
        ({"dedupe": 1.0}, "dedupe 1: no two chunks are that alike."),
        ({"cliff": True}, "no cliff, the scores are diffuse"),
        ({"max_chunks": 5_000}, "at most 5,000: there are no more."),
    ):
        now = asked(log, **changes)
        result = repack(record, now.settings)
        shown = [row_text(row) for row in note_rows(result, 50, unchanged=True)]
        assert " ".join(shown).startswith(said)
        assert len(shown) <= 2
