"""A log of 1,190 runs: opened, searched, paged, and any run of it packed again in place."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.question_log import records
from ctxpack import Record
from ctxpack.replay import packed_in_order, repack, reproduces
from logs import RunLog, open_log
from tests.app_screen import opened, run_screen, settled, text
from tests.widget_screen import on_a_screen


@pytest.fixture(scope="module")
def questions(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log, built by the script that the benchmarks use."""
    out = tmp_path_factory.mktemp("questions") / "xquad.db"
    data = shared / "data"
    with RunLog(out) as log:
        log.append_many(records(data / "xquad_en.corpus.jsonl", data / "xquad_en.questions.jsonl"))
    return out


@on_a_screen
async def test_it_opens_is_paged_to_its_end_and_searched(questions: Path) -> None:
    async with opened(log=questions) as pilot:
        assert "1,190 runs, newest first" in text(pilot)
        await pilot.press("G")
        await pilot.pause()
        assert "How many points did the Panthers" in text(pilot)
        await pilot.press("g", "space", "ctrl+d", "b", "slash", *"panthers", "enter")
        await pilot.pause()
        assert "of 1,190 runs with “panthers”" in text(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert "1,190 runs, newest first" in text(pilot)


def test_any_run_of_it_is_reproduced_and_packed_again(questions: Path) -> None:
    with open_log([str(questions)]) as reader:
        names = reader.ids()
        for name in names[::7]:
            record: Record = reader.get(name)
            assert reproduces(record)
            logged = {chunk.id for chunk in packed_in_order(record)}
            for session in ({"budget": 1024}, {"strategy": "optimal"}, {"placement": "ends"}):
                import msgspec

                from ctxpack.replay import logged_settings

                settings = msgspec.structs.replace(logged_settings(record).settings, **session)
                result = repack(record, settings)
                assert result.considered == len(record.candidates)
                if "placement" in session:
                    assert {chunk.id for chunk in result.packed} == logged


@pytest.mark.parametrize("steps", [0, 300, 1189])
@on_a_screen
async def test_a_run_anywhere_in_it_is_packed_again_in_place(questions: Path, steps: int) -> None:
    async with opened(log=questions) as pilot:
        from tui.widgets.run_list import RunList

        pilot.app.screen.query_one(RunList).cursor = steps
        await pilot.press("enter")
        await pilot.pause()
        assert "AS LOGGED" in text(pilot)
        await pilot.press("plus", "t")
        await settled(pilot)
        session = run_screen(pilot).session
        assert session is not None
        assert session.result is not None
        assert session.result.settings.strategy == "density"
        assert "WHAT-IF" in text(pilot)
