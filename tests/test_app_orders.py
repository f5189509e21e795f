"""The orders pane: the chunks under every placement as the engine lays them out, and the gain."""

from __future__ import annotations

import re
from typing import Any

from ctxpack import Counter
from ctxpack.explaining.orders import every_order, gain_over, most_used
from ctxpack.replay import retrieved
from ctxpack.settings import CURVES
from tests.app_screen import lines, opened, run_screen, text
from tests.test_app_explains import pressed, session_of
from tests.widget_screen import on_a_screen

RUN = "req-3b51d8"


def laid_out(session: Any) -> Any:
    settings = session.settings
    return every_order(retrieved(session.record, settings, Counter(settings.encoding)), settings)


def _left(pilot: Any) -> list[str]:
    """The lines of the panes on the left."""
    return [line.split("││")[0].strip("│╭╰ ") for line in lines(pilot)]


@on_a_screen
async def test_every_placement_has_a_row_with_its_use_and_where_the_chunk_would_stand() -> None:
    async with opened(RUN) as pilot:
        await pressed(pilot, "home", "8")
        chunk = run_screen(pilot)._chunk
        results = laid_out(session_of(pilot))
        shown = _left(pilot)[::-1]
        for result in results:
            here = next(one for one in result.packed if one.id == chunk)
            name = result.settings.placement
            row = next(line for line in shown if line.lstrip(">+ ").startswith(name))
            words = row.lstrip(">+ ").split()
            assert words[:3] == [name, f"{result.expected_use:.3f}", f"{result.mean_p:.3f}"]
            assert words[3:5] == [f"{here.x:.2f}", f"{here.p:.2f}"]
        assert any(line.startswith("> best-first") for line in shown)
        best = most_used(results).settings.placement
        assert any(line.lstrip(">").startswith(f"+{best}") for line in shown)
        assert "on the assumed curve" in " ".join(_left(pilot)).lower()


@on_a_screen
async def test_the_gain_of_the_best_order_over_the_present_one_is_a_sentence() -> None:
    async with opened(RUN, size=(80, 24)) as pilot:
        await pressed(pilot, "o", "8")
        session = session_of(pilot)
        results = laid_out(session)
        now = next(r for r in results if r.settings.placement == session.settings.placement)
        more, share = gain_over(most_used(results), now)
        assert share is not None
        said = " ".join(text(pilot).replace("│", " ").split())
        assert f"expected use {most_used(results).expected_use:.3f}, {more:+.3f}" in said
        assert f"({100 * share:+.1f} %) over {session.settings.placement}." in said


@on_a_screen
async def test_one_chunk_alone_has_no_better_order() -> None:
    async with opened(RUN) as pilot:
        await pressed(pilot, "equals_sign", *("backspace",) * 4, *"300", "enter", "8")
        assert len(laid_out(session_of(pilot))[0].packed) == 1
        assert "every order is the same" in " ".join(_left(pilot))


@on_a_screen
async def test_a_key_takes_the_next_curve_and_everything_that_tells_p_names_it() -> None:
    async with opened(RUN) as pilot:
        await pressed(pilot, "8", "r")
        session = session_of(pilot)
        assert session.settings.curve == CURVES[1]
        assert session.result is not None
        assert session.result.curve == CURVES[1]
        assert f"on the {CURVES[1]} curve" in " ".join(_left(pilot)).lower()
        await pressed(pilot, "3")
        assert f"curve {CURVES[1]}, x in" in text(pilot)
        await pressed(pilot, "R")
        assert session_of(pilot).settings.curve == CURVES[0]


@on_a_screen
async def test_a_key_keeps_the_chunks_of_a_document_together() -> None:
    async with opened(RUN) as pilot:
        await pressed(pilot, "z")
        assert session_of(pilot).settings.group == "document"
        assert "by document" in text(pilot)
        await pressed(pilot, "z")
        assert session_of(pilot).settings.group == "none"


@on_a_screen
async def test_under_ordered_its_own_placement_is_named_and_the_key_says_why_it_stays() -> None:
    async with opened(RUN, size=(80, 24)) as pilot:
        await pressed(pilot, "T", "T", "8")
        assert session_of(pilot).settings.strategy == "ordered"
        shown = text(pilot)
        assert re.search(r"ordered\* +optimal\*", shown)
        rows = [line.strip("│>+ ").split(" ")[0] for line in shown.splitlines()]
        assert {"optimal", "best-first", "best-last", "ends", "middle", "split"} <= {*rows}
        assert re.search(r"rank \d\.\d{3}  chronological \d\.\d{3}  given \d\.\d{3}", shown)
        await pressed(pilot, "o")
        assert "Ordered places what it chooses in its best order" in text(pilot)
