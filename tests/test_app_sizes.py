"""Every screen in three sizes: no label cut, nothing past its frame, every letter there."""

from __future__ import annotations

import re

import pytest

from ctxpack import Record
from tests.app_screen import SIZES, lines, opened, sample, sample_ids, settled, text
from tests.widget_screen import on_a_screen
from tui.text import cells
from tui.widgets.window_bar import section_letters

RUNS = sample_ids()
LABELS = [
    "Sections", "Chunks", "Curve", "Text", "Why", "Budget", "Scores", "asked", "replied",
    "expected", "budget", "PACKED", "SKIPPED", "rank", "tokens", "start", "middle", "end",
]  # fmt: skip


def check_frames(screen: list[str], size: tuple[int, int]) -> None:
    assert len(screen) == size[1]
    for line in screen:
        assert cells(line) == size[0]
    for line in screen:
        if line.startswith("│"):
            assert line.rstrip()[-1] in "│╮╯", line


async def panes(run_id: str, size: tuple[int, int]) -> str:
    """Everything that the panes of a run show, each gone to by its key."""
    shown = []
    async with opened(run_id, size=size) as pilot:
        for key in "1234567":
            await pilot.press(key, "g")
            await settled(pilot)
            check_frames(lines(pilot), size)
            shown.append(text(pilot))
    return "\n".join(shown)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@on_a_screen
async def test_no_label_is_cut_and_nothing_passes_its_frame(size: tuple[int, int]) -> None:
    shown = await panes(RUNS[0], size)
    for label in LABELS:
        assert re.search(rf"(?<!\w){label}(?!\w)", shown), label
    for label in LABELS:
        assert not re.search(rf"(?<![\w-]){label[:-1]}…", shown), label


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("run_id", RUNS[:: len(RUNS) // 5])
@on_a_screen
async def test_every_section_and_every_packed_chunk_has_its_letter(
    run_id: str, size: tuple[int, int]
) -> None:
    record: Record = sample(run_id)
    async with opened(run_id, size=size) as pilot:
        await pilot.press("1")
        await pilot.pause()
        shown = text(pilot)
        names = [section.name for section in record.sections]
        for letter, name in zip(section_letters(names), names, strict=True):
            assert re.search(rf"{letter} {name}\b", shown), name
        await pilot.press("3")
        await pilot.pause()
        shown = text(pilot)
    for chunk in record.candidates:
        if chunk.outcome == "packed" and chunk.rank is not None:
            assert re.search(rf"(?<!\d)\[?{chunk.rank}(?!\d)", shown), chunk.rank


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@on_a_screen
async def test_the_list_and_the_what_if_stay_in_their_frames(size: tuple[int, int]) -> None:
    async with opened(size=size) as pilot:
        check_frames(lines(pilot), size)
        assert "newest first" in text(pilot)
        await pilot.press("enter")
        await pilot.press("plus", "t", "o")
        await settled(pilot)
        check_frames(lines(pilot), size)


@pytest.mark.parametrize("size", [(39, 24), (80, 9), (20, 5), (3, 1)])
@on_a_screen
async def test_a_terminal_that_is_too_small_is_told_so_and_lives_through_it(
    size: tuple[int, int],
) -> None:
    async with opened(RUNS[0], size=size) as pilot:
        if size[0] >= 20:
            assert "ctxpack needs 40x10" in text(pilot)
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert "AS LOGGED" in text(pilot)


@on_a_screen
async def test_with_ascii_every_screen_and_box_is_drawn_in_ascii_and_names_keys_as_typed() -> None:
    async with opened(RUNS[0], size=(80, 24), ascii=True) as pilot:
        for keys in (["4"], ["question_mark"], ["equals_sign"], ["colon"], ["C"]):
            await pilot.press(*keys)
            await settled(pilot)
            await pilot.pause(0.1)
            shown = text(pilot)
            assert not {sign for sign in shown if ord(sign) > 126}, keys
            if keys == ["colon"]:
                await pilot.press(*"budget")
                await pilot.pause(0.5)
                shown = text(pilot)
                assert "(=)" in shown
                assert "equals_sign" not in shown
                assert not {sign for sign in shown if ord(sign) > 126}
            await pilot.press("escape" if keys != ["4"] else "2")
            await pilot.pause()
