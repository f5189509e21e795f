"""The curve: within its frame, every packed chunk on it, none hidden by another."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack.curves.monotone import through
from tui.glyphs import ASCII, UNICODE, Glyphs
from tui.widgets.braille import braille_line, height_of, plain_curve
from tui.widgets.curve_layout import MEASURED, CurveChart, curve_rows
from tui.widgets.marker_labels import Marker, Spot, place_labels
from tui.widgets.spans import row_cells, row_text


def assumed(x: float) -> float:
    """Two parabolas: 0.75 at the start, 0.55 in the middle, 0.65 at the end."""
    return 0.55 + (0.2 if x < 0.5 else 0.1) * (1 - 2 * x) ** 2


def chunks(count: int, **marks: int) -> tuple[Marker, ...]:
    """Markers evenly along the curve, labelled from 1; `marks` name the one that is gold, …"""
    xs = [(number + 0.5) / count for number in range(count)]
    return tuple(
        Marker(
            str(number + 1),
            x,
            assumed(x),
            gold=marks.get("gold") == number,
            selected=marks.get("selected") == number,
            changed=marks.get("changed") == number,
        )
        for number, x in enumerate(xs)
    )


def labels_in(rows: list[str]) -> list[str]:
    """The words that stand in the plot, and those that the last row names."""
    plot = [row[5:] for row in rows[1:] if re.match(r"[ .\d]{4}[│┤|]", row)]
    more = [row for row in rows if re.match(r"\+\d+ more: ", row)]
    found = [word for row in plot for word in re.findall(r"\[?\d+\*?\]?", row)]
    return found + [word for row in more for word in row.split(": ")[1].split(", ")]


XS = st.lists(st.floats(0, 1), max_size=60)


@settings(max_examples=60, deadline=None)
@given(XS, st.integers(30, 150), st.integers(8, 40), st.sampled_from([UNICODE, ASCII]))
def test_the_chart_stays_in_its_frame_and_shows_or_names_every_label(
    xs: list[float], width: int, height: int, glyphs: Glyphs
) -> None:
    markers = tuple(Marker(str(n + 1), x, assumed(x)) for n, x in enumerate(xs))
    rows = curve_rows(CurveChart("assumed", assumed, markers), width, height, glyphs)
    texts = [row_text(row) for row in rows]
    assert len(rows) <= height
    assert all(row_cells(row) <= width for row in rows)
    clipped = any(text.startswith("+") and text[-1] in "…>" for text in texts)
    if not clipped:
        found = labels_in(texts)
        assert sorted(found) == sorted(marker.words for marker in markers)


@given(st.integers(0, 30), st.integers(0, 8), st.integers(0, 12))
def test_any_size_however_small_is_drawn(width: int, height: int, count: int) -> None:
    rows = curve_rows(CurveChart("assumed", assumed, chunks(max(1, count))), width, height)
    assert len(rows) <= height
    assert all(row_cells(row) <= width for row in rows)


@pytest.mark.parametrize(("count", "width", "height"), [(24, 50, 12), (20, 50, 12), (60, 150, 40)])
def test_twenty_and_more_chunks_all_have_their_labels_in_the_plot(
    count: int, width: int, height: int
) -> None:
    rows = curve_rows(CurveChart("assumed", assumed, chunks(count)), width, height)
    texts = [row_text(row) for row in rows]
    assert sorted(labels_in(texts)) == sorted(str(number + 1) for number in range(count))
    assert not any("more:" in text for text in texts)


def test_where_there_is_no_room_the_last_row_names_the_others() -> None:
    rows = curve_rows(CurveChart("assumed", assumed, chunks(60)), 30, 8)
    last = row_text(rows[-1])
    assert re.match(r"\+\d+ more: \d+, ", last)
    assert len(rows) == 8


def test_the_answer_the_selection_and_what_moved_are_told_apart_without_colour() -> None:
    chart = CurveChart("assumed", assumed, chunks(6, gold=1, selected=3, changed=4))
    text = "\n".join(row_text(row) for row in curve_rows(chart, 74, 14))
    assert text.splitlines()[0].startswith("curve assumed")
    assert "★ answer" in text.splitlines()[0]
    assert text.count("★") == 2
    assert "[4]" in text
    assert text.count("◉") == 1
    assert "5*" in text
    inks = {s.style for row in curve_rows(chart, 74, 14) for s in row if s.text.strip()}
    assert {"gold", "selected", "changed", "curve"} <= inks


def test_a_chunk_that_is_answer_and_selected_keeps_both_signs() -> None:
    chart = CurveChart("assumed", assumed, chunks(3, gold=1, selected=1))
    text = "\n".join(row_text(row) for row in curve_rows(chart, 60, 12))
    assert "[2]" in text
    assert text.count("★") == 2


def test_the_axes_say_the_range_of_p_and_the_places_in_the_window() -> None:
    rows = [row_text(row) for row in curve_rows(CurveChart("assumed", assumed), 60, 12)]
    assert rows[1].startswith("0.75┤")
    assert rows[-3].startswith("0.55┤")
    for word in ("0 start", "0.5 middle", "1 end"):
        assert word in rows[-1]
    narrow = row_text(curve_rows(CurveChart("assumed", assumed), 24, 8)[-1])
    assert narrow.split() == ["0", "0.5", "1"]


def test_a_flat_curve_is_drawn_and_a_long_hostile_name_is_clipped() -> None:
    chart = CurveChart("\x1b[31m" + "n" * 300, lambda _x: 0.5, (Marker("1", 0.5, 0.5),))
    rows = [row_text(row) for row in curve_rows(chart, 40, 10)]
    assert rows[0].endswith("…")
    assert "␛[31m" in rows[0]
    assert any("●" in row for row in rows)


def test_ascii_draws_with_ascii_only() -> None:
    rows = curve_rows(CurveChart("assumed", assumed, chunks(20, gold=4)), 60, 14, ASCII)
    assert all(row_text(row).isascii() for row in rows)


def test_a_label_of_other_than_one_cell_letters_is_a_question_mark() -> None:
    assert Marker("退", 0, 0.5).words == "?"
    assert Marker("\x1b", 0, 0.5).words == "?"
    assert Marker("", 0, 0.5).words == "?"


@given(st.lists(st.floats(0, 1), min_size=1, max_size=25), st.integers(10, 60), st.integers(3, 20))
def test_labels_never_touch_each_other_nor_cover_a_marker(
    xs: list[float], width: int, height: int
) -> None:
    markers = [Marker(str(number), x, x) for number, x in enumerate(xs)]
    spots = [Spot(round(m.x * (width - 1)), height_of(m.p, 0.0, 1.0, height)) for m in markers]
    labels = place_labels(markers, spots, set(), width, height)
    taken = {(spot.row, spot.column) for spot in spots}
    for index, spot in labels.placed.items():
        span = range(spot.column, spot.column + len(markers[index].words))
        assert spot.column >= 0
        assert span.stop <= width
        assert 0 <= spot.row < height
        assert not taken & {(spot.row, column) for column in span}
        taken |= {(spot.row, column) for column in span}
    assert sorted([*labels.placed, *labels.left_over]) == list(range(len(markers)))


def test_the_line_has_a_dot_in_every_column_and_no_gap_between_rows() -> None:
    rows = braille_line(lambda x: x**3, 0.0, 1.0, 20, 10)
    for column in range(20):
        assert any(rows[row][column] != " " for row in range(10))
    plain = plain_curve(lambda x: x**3, 0.0, 1.0, 20, 10, ".")
    assert all("." in row for row in plain)
    assert height_of(1.0, 0.0, 1.0, 8) == 0
    assert height_of(0.0, 0.0, 1.0, 8) == 7


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_measured_points_are_marked_where_they_were_measured(glyphs: Glyphs) -> None:
    points = ((0.0, 0.9), (0.5, 0.1), (1.0, 0.5))
    curve = through("ours", points)
    chart = CurveChart("ours", curve.p, points=points)
    rows = [row_text(row) for row in curve_rows(chart, 60, 12, glyphs)]
    assert "o measured" in rows[0]
    plot = [row[5:] for row in rows[1:-2]]
    found = {
        (column, line)
        for line, row in enumerate(plot)
        for column, sign in enumerate(row)
        if sign == MEASURED
    }
    assert len(found) == 3
    assert (0, 0) in found
    assert any(line == len(plot) - 1 and 26 <= column <= 28 for column, line in found)
    plain = curve_rows(CurveChart("ours", curve.p), 60, 12, glyphs)
    assert "measured" not in row_text(plain[0])


def test_places_that_are_counted_in_another_way_stand_below_the_curve() -> None:
    markers = tuple(Marker(label=str(n), x=0.5 + n / 100, p=0.6) for n in (1, 2, 3))
    chart = CurveChart("own", assumed, markers, below=(0.0, 0.5, 1.0), below_name="evid")
    rows = [row_text(row) for row in curve_rows(chart, 45, 12)]
    assert len(rows) == 12
    assert rows[-1] == "evid " + "1" + " " * 19 + "2" + " " * 18 + "3"
    close = CurveChart("own", assumed, markers, below=(0.5, 0.5, 0.51), below_name="evid")
    (last,) = [row_text(row) for row in curve_rows(close, 45, 12)][-1:]
    assert last.strip("evid ")[0] == "1"
    assert len(last) == 45
