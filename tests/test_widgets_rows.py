"""Lines of the lists: columns that fit, groups in order, nothing wider than its pane."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.glyphs import ASCII, UNICODE, Glyphs
from tui.widgets.chunk_row import (
    ChunkRow,
    GroupHead,
    chunk_columns,
    chunk_lines,
    chunk_row,
    group_row,
)
from tui.widgets.columns import fitted, fixed, flexible, header
from tui.widgets.run_row import RunRow, finding_cell, run_columns, run_row, short_time, used_bar
from tui.widgets.spans import row_cells, row_text

TEXT = st.text(max_size=30)
COUNT = st.none() | st.integers(0, 10_000_000)
CHUNKS = st.builds(
    ChunkRow,
    id=TEXT,
    state=st.sampled_from("PS?!"),
    change=st.sampled_from(["", "+", "-", "~"]),
    rank=st.none() | st.integers(1, 5000),
    tokens=COUNT,
    value=st.sampled_from(["", "0.631", "12.5"]),
    position=st.none() | st.integers(1, 99),
    reason=TEXT,
    title=TEXT,
    source=TEXT,
    version=TEXT,
    date=TEXT,
    gold=st.booleans(),
    pinned=st.booleans(),
)
RUNS = st.builds(
    RunRow,
    id=TEXT,
    time=TEXT,
    request_type=TEXT,
    query=TEXT,
    budget=COUNT,
    used=COUNT,
    packed=COUNT,
    considered=COUNT,
    assembler=TEXT,
    findings=st.lists(st.tuples(TEXT, st.sampled_from(["cause", "fault", "odd"]))).map(tuple),
)

SKIPPED = ChunkRow(
    "refunds#2",
    "S",
    rank=2,
    tokens=912,
    value="0.631",
    reason="no room: needs 912, 388 were left",
    title="Refunds",
    version="v2",
    date="2025-03-04",
    source="handbook/refunds.md",
    gold=True,
)
PACKED = ChunkRow("plans#1", "P", rank=1, tokens=240, value="1.000", position=1, pinned=True)


@given(st.lists(CHUNKS, max_size=8), st.integers(24, 200), st.sampled_from([UNICODE, ASCII]))
def test_no_line_of_chunks_is_wider_than_its_pane_and_all_line_up(
    rows: list[ChunkRow], width: int, glyphs: Glyphs
) -> None:
    columns = chunk_columns(rows, width)
    sizes = {row_cells(chunk_row(row, columns, "value", glyphs)) for row in rows}
    sizes.add(row_cells(header(columns)))
    assert len(sizes) == 1
    assert max(sizes) <= width


@given(RUNS, st.integers(24, 200), st.sampled_from([UNICODE, ASCII]))
def test_no_line_of_runs_is_wider_than_its_pane_and_all_line_up(
    run: RunRow, width: int, glyphs: Glyphs
) -> None:
    columns = run_columns(width)
    size = row_cells(run_row(run, columns, glyphs))
    assert size == row_cells(header(columns)) <= width


@pytest.mark.parametrize("width", [48, 78, 118, 198])
def test_state_rank_id_tokens_and_reason_stand_at_every_width(width: int) -> None:
    columns = chunk_columns([PACKED, SKIPPED], width)
    text = row_text(chunk_row(SKIPPED, columns, "value"))
    assert text.startswith("S ")
    for word in ("★", " 2 ", "refunds#2", "912", "no room: needs"):
        assert word in text
    if width >= 78:
        assert SKIPPED.reason in text


def test_wide_panes_add_title_version_date_and_source() -> None:
    text = row_text(chunk_row(SKIPPED, chunk_columns([PACKED, SKIPPED], 198), "value"))
    for word in ("0.631", "Refunds", "v2", "2025-03-04", "handbook/refunds.md"):
        assert word in text
    names = row_text(header(chunk_columns([PACKED, SKIPPED], 198, "gain"))).split()
    assert names == [
        "at",
        "rank",
        "id",
        "tokens",
        "gain",
        "why",
        "title",
        "version",
        "date",
        "source",
    ]


def test_packed_stand_first_in_window_order_then_skipped_then_unknown_by_rank() -> None:
    rows = [
        ChunkRow("s9", "S", rank=9, tokens=5),
        ChunkRow("u", "?", rank=3),
        ChunkRow("p2", "!", rank=1, tokens=10, position=2),
        ChunkRow("s4", "S", rank=4, tokens=5),
        ChunkRow("p1", "P", rank=7, tokens=10, position=1),
        ChunkRow("pin", "S", rank=None, tokens=5),
    ]
    assert [line.id if isinstance(line, ChunkRow) else line for line in chunk_lines(rows)] == [
        GroupHead("P", 2, 20),
        "p1",
        "p2",
        GroupHead("S", 3, 15),
        "s4",
        "s9",
        "pin",
        GroupHead("?", 1, None),
        "u",
    ]
    assert [getattr(line, "id", "") for line in chunk_lines(rows, "packed")] == ["", "p1", "p2"]
    assert len(chunk_lines(rows, "skipped")) == 4
    assert chunk_lines([], "all") == []


def test_the_head_of_a_group_says_what_it_holds() -> None:
    text = row_text(group_row(GroupHead("P", 6, 3412), 60))
    assert text.startswith("PACKED 6 chunks, 3,412 tokens ──")
    assert len(text) == 60
    assert row_text(group_row(GroupHead("S", 1, None), 30)).startswith("SKIPPED 1 chunk ─")


def test_columns_come_by_turn_and_share_what_is_left() -> None:
    columns = (fixed("a", 0, 4), flexible("b", 2, 5, 10, 40), fixed("c", 1, 6), fixed("d", 3, 9))
    assert [(c.name, width) for c, width in fitted(columns, 16)] == [("a", 4), ("c", 6)]
    assert [(c.name, width) for c, width in fitted(columns, 20)] == [("a", 4), ("b", 8), ("c", 6)]
    assert [(c.name, width) for c, width in fitted(columns, 40)] == [
        ("a", 4),
        ("b", 18),
        ("c", 6),
        ("d", 9),
    ]


@pytest.mark.parametrize(
    ("used", "budget", "bar"),
    [
        (0, 100, "░░░░░░░░"),
        (1, 100, "█░░░░░░░"),
        (50, 100, "████░░░░"),
        (100, 100, "████████"),
        (101, 100, "███████▚"),
        (None, 100, "?       "),
        (5, 0, "?       "),
        (5, None, "?       "),
    ],
)
def test_the_used_bar_is_exact_and_shows_an_excess(
    used: int | None, budget: int | None, bar: str
) -> None:
    assert row_text(used_bar(used, budget, 8)) == bar


def test_the_gravest_finding_has_its_letter_and_the_others_are_counted() -> None:
    findings = (("answer_skipped", "cause"), ("history_crowds", "warning"))
    assert row_text(finding_cell(findings, 22)) == "C answer_skipped +1   "
    assert row_text(finding_cell((), 5)) == "✓    "
    assert row_text(finding_cell(findings, 10)) == "C answ… +1"


def test_times_are_shortened_where_they_are_times() -> None:
    assert short_time("2025-03-04T09:12:33+00:00", 16) == "2025-03-04 09:12"
    assert short_time("2025-03-04T09:12:33+00:00", 11) == "03-04 09:12"
    assert short_time("yesterday", 11) == "yesterday"
