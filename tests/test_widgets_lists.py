"""Lists under the keys: the cursor, what it tells, what it repaints, what it reads."""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import patch

import pytest
from textual.geometry import Region
from widget_screen import OneWidget, on_a_screen, screen_lines, screen_text

from tui.widgets.chunk_list import ChunkChosen, ChunkHighlighted, ChunkList, ChunkRow
from tui.widgets.run_list import PAGE, PAGES, RunChosen, RunHighlighted, RunList, RunRow


def candidates(count: int = 200) -> list[ChunkRow]:
    """Every third chunk packed, the others skipped."""
    return [
        ChunkRow(
            f"c{n}",
            "P" if n % 3 == 0 else "S",
            rank=n + 1,
            tokens=100 + n,
            position=n // 3 + 1 if n % 3 == 0 else None,
            reason=f"place {n // 3 + 1}" if n % 3 == 0 else f"no room: needs {100 + n}",
        )
        for n in range(count)
    ]


class Million:
    """A log of a million runs that counts what is asked of it."""

    def __init__(self, size: int = 1_000_000) -> None:
        self.size = size
        self.read: list[tuple[int, int]] = []

    def count(self) -> int:
        return self.size

    def rows(self, offset: int, limit: int) -> Sequence[RunRow]:
        self.read.append((offset, limit))
        last = min(self.size, offset + limit)
        return [RunRow(f"run{n}", query=f"question {n}") for n in range(offset, last)]


@on_a_screen
async def test_keys_move_the_cursor_over_the_heads_of_groups() -> None:
    app = OneWidget(lambda: ChunkList(candidates(9)))
    async with app.run_test(size=(80, 12)) as pilot:
        chunks = app.query_one(ChunkList)
        chunks.focus()
        seen = []
        for key in ("j", "down", "j", "k", "up", "G", "end", "g", "home"):
            await pilot.press(key)
            seen.append(chunks.highlighted.id if chunks.highlighted else None)
        assert seen == ["c3", "c6", "c1", "c6", "c3", "c8", "c8", "c0", "c0"]


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (["space"], 12),
        (["pagedown", "pagedown"], 23),
        (["pagedown", "b"], 1),
        (["ctrl+d"], 6),
        (["ctrl+d", "ctrl+u"], 1),
        (["G"], 201),
        (["G", "pageup"], 190),
        (["G", "j"], 201),
    ],
)
@on_a_screen
async def test_pages_and_halves_move_by_what_is_on_the_screen(keys: list[str], line: int) -> None:
    app = OneWidget(lambda: ChunkList(candidates()))
    async with app.run_test(size=(80, 12)) as pilot:
        chunks = app.query_one(ChunkList)
        chunks.focus()
        await pilot.press(*keys)
        assert chunks.cursor == line
        top = chunks.scroll_offset.y
        assert top <= line < top + 11
        assert sum("▌" in text for text in screen_lines(app)) == 1


@on_a_screen
async def test_one_key_on_two_hundred_candidates_repaints_two_lines_and_no_more() -> None:
    app = OneWidget(lambda: ChunkList(candidates()))
    async with app.run_test(size=(120, 40)) as pilot:
        chunks = app.query_one(ChunkList)
        chunks.focus()
        await pilot.press("j", "j")
        asked: list[tuple[Region, ...]] = []
        real = ChunkList.refresh

        def counted(self: ChunkList, *regions: Region, **options: bool) -> ChunkList:
            asked.append(regions)
            return real(self, *regions, **options)

        with (
            patch.object(ChunkList, "refresh", counted),
            patch.object(
                ChunkList, "line_row", autospec=True, side_effect=ChunkList.line_row
            ) as drawn,
        ):
            await pilot.press("j")
            await pilot.pause()
        assert [region for regions in asked for region in regions] == [
            Region(0, 4, 120, 1),
            Region(0, 5, 120, 1),
        ]
        assert all(asked)
        assert sorted(call.args[1] for call in drawn.call_args_list) == [3, 4]


@on_a_screen
async def test_other_rows_keep_the_cursor_on_the_same_chunk() -> None:
    app = OneWidget(lambda: ChunkList(candidates(30)))
    async with app.run_test(size=(80, 20)) as pilot:
        chunks = app.query_one(ChunkList)
        assert chunks.move_to("c7")
        await pilot.pause()
        moved = [ChunkRow("c7", "P", "+", rank=8, tokens=107, position=1), *candidates(6)]
        chunks.set_rows(moved)
        await pilot.pause()
        assert chunks.highlighted is not None
        assert chunks.highlighted.id == "c7"
        assert "▌ P+" in screen_text(app)
        chunks.set_rows(candidates(6))
        await pilot.pause()
        assert chunks.highlighted is not None
        assert chunks.highlighted.id != "c7"
        assert not chunks.move_to("c7")
        chunks.set_rows([])
        await pilot.pause()
        assert chunks.highlighted is None
        assert "no candidates were logged" in screen_text(app)


@on_a_screen
async def test_a_list_that_was_moved_before_it_was_laid_out_still_shows_its_top() -> None:
    def moved() -> ChunkList:
        chunks = ChunkList(candidates(30))
        chunks.move_to("c6")
        return chunks

    app = OneWidget(moved)
    async with app.run_test(size=(80, 20)):
        chunks = app.query_one(ChunkList)
        assert chunks.scroll_offset.y == 0
        assert chunks.highlighted is not None
        assert chunks.highlighted.id == "c6"
    app = OneWidget(lambda: ChunkList(candidates(30)))
    async with app.run_test(size=(80, 20)) as pilot:
        chunks = app.query_one(ChunkList)
        chunks.display = False
        await pilot.pause()
        chunks.move_to("c7")
        chunks.display = True
        await pilot.pause()
        top = chunks.scroll_offset.y
        assert top <= chunks.cursor < top + 19


@on_a_screen
async def test_the_filter_leaves_one_group_and_keeps_the_chunk_where_it_can() -> None:
    app = OneWidget(lambda: ChunkList(candidates(30)))
    async with app.run_test(size=(80, 40)) as pilot:
        chunks = app.query_one(ChunkList)
        chunks.move_to("c7")
        chunks.only = "skipped"
        await pilot.pause()
        assert "PACKED" not in screen_text(app)
        assert chunks.highlighted is not None
        assert chunks.highlighted.id == "c7"
        chunks.only = "packed"
        await pilot.pause()
        assert "SKIPPED" not in screen_text(app)
        assert chunks.highlighted is not None
        assert chunks.highlighted.state == "P"


@on_a_screen
async def test_the_owner_hears_of_each_chunk_once_and_of_the_one_chosen() -> None:
    app = OneWidget(lambda: ChunkList(candidates(9)))
    async with app.run_test(size=(80, 20)) as pilot:
        app.query_one(ChunkList).focus()
        await pilot.press("j", "k", "enter")
        told = [(type(m), m.chunk_id) for m in app.heard if isinstance(m, ChunkHighlighted)]
        assert told == [
            (ChunkHighlighted, "c0"),
            (ChunkHighlighted, "c3"),
            (ChunkHighlighted, "c0"),
            (ChunkChosen, "c0"),
        ]


@on_a_screen
async def test_a_click_moves_and_a_second_one_chooses() -> None:
    app = OneWidget(lambda: ChunkList(candidates(9)))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.click(ChunkList, offset=(5, 4))
        chunks = app.query_one(ChunkList)
        assert chunks.highlighted is not None
        assert chunks.highlighted.id == "c6"
        await pilot.click(ChunkList, offset=(5, 1))
        assert chunks.highlighted.id == "c6"
        await pilot.click(ChunkList, offset=(5, 3), times=2)
        assert isinstance(app.heard[-1], ChunkChosen)


@on_a_screen
async def test_a_million_runs_are_paged_and_only_some_pages_kept() -> None:
    log = Million()
    app = OneWidget(lambda: RunList(log))
    async with app.run_test(size=(120, 30)) as pilot:
        runs = app.query_one(RunList)
        runs.focus()
        await pilot.press("G")
        await pilot.pause()
        assert "question 999999" in screen_text(app)
        assert len(log.read) <= 4
        for line in range(0, 100 * PAGE, PAGE):
            runs.run_at(line)
        assert len(runs._pages) == PAGES
        assert all(limit == PAGE for _, limit in log.read)


@on_a_screen
async def test_runs_tell_their_owner_and_follow_another_backend() -> None:
    app = OneWidget(lambda: RunList(Million(50)))
    async with app.run_test(size=(120, 30)) as pilot:
        runs = app.query_one(RunList)
        runs.focus()
        await pilot.press("j", "enter")
        told = [(type(m), m.run_id) for m in app.heard if isinstance(m, RunHighlighted)]
        assert told == [(RunHighlighted, "run0"), (RunHighlighted, "run1"), (RunChosen, "run1")]
        runs.set_backend(Million(0))
        await pilot.pause()
        assert runs.highlighted is None
        assert "no runs" in screen_text(app)
        runs.set_backend(Million(5), cursor=3)
        await pilot.pause()
        assert runs.highlighted is not None
        assert runs.highlighted.id == "run3"


@on_a_screen
async def test_a_log_that_became_shorter_says_so_instead_of_failing() -> None:
    log = Million(300)
    app = OneWidget(lambda: RunList(log))
    async with app.run_test(size=(80, 20)) as pilot:
        log.size = 10
        app.query_one(RunList).focus()
        await pilot.press("G")
        await pilot.pause()
        assert "this run is no longer there" in screen_text(app)


@pytest.mark.parametrize("size", [(24, 4), (3, 1), (50, 20), (200, 50)])
@on_a_screen
async def test_lists_live_through_any_size(size: tuple[int, int]) -> None:
    app = OneWidget(lambda: ChunkList(candidates(30)))
    async with app.run_test(size=(80, 24)) as pilot:
        app.query_one(ChunkList).focus()
        await pilot.press("G")
        await pilot.resize_terminal(*size)
        await pilot.press("k")
        await pilot.pause()
        assert len(screen_lines(app)) == size[1]
