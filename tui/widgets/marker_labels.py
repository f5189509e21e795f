"""Where the labels of a chart's markers go, so that every one is seen and none covers another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tui.text import cells


@dataclass(frozen=True, slots=True)
class Marker:
    """A chunk on the curve: `x` from 0 to 1, `p` its chance; `label` is a rank or letter.

    A label of other than one-cell letters is shown as `?`.
    """

    label: str
    x: float
    p: float
    gold: bool = False
    selected: bool = False
    changed: bool = False

    @property
    def words(self) -> str:
        """The label with its marks: brackets if selected, a star where it differs from the log."""
        plain = self.label.isprintable() and cells(self.label) == len(self.label) > 0
        text = (self.label if plain else "?") + ("*" if self.changed else "")
        return f"[{text}]" if self.selected else text


@dataclass(frozen=True, slots=True)
class Spot:
    """A cell of the plot, from 0 at the left and at the top."""

    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Labels:
    """The first cell of each label that was placed, by index, and the indexes of the others."""

    placed: dict[int, Spot]
    left_over: tuple[int, ...]


def importance(markers: Sequence[Marker]) -> list[int]:
    """Indexes by who is drawn first: selected, gold, changed, then from left to right."""
    return sorted(
        range(len(markers)),
        key=lambda i: (
            not markers[i].selected,
            not markers[i].gold,
            not markers[i].changed,
            markers[i].x,
            i,
        ),
    )


def place_labels(
    markers: Sequence[Marker],
    spots: Sequence[Spot],
    line: set[tuple[int, int]],
    width: int,
    height: int,
) -> Labels:
    """A place for each label near its marker's cell: beside no other label, on no marker.

    `line` is the cells (row, column) of the curve; labels keep off them while there is room
    elsewhere. Labels are one blank cell apart, so `3` and `4` never read as `34`.
    """
    taken = {(spot.row, spot.column) for spot in spots}
    kept_apart: set[tuple[int, int]] = set()
    placed: dict[int, Spot] = {}
    left_over: list[int] = []
    for index in importance(markers):
        size = cells(markers[index].words)
        found = _nearest(spots[index], size, taken, kept_apart, line, width, height)
        if found is None:
            left_over.append(index)
            continue
        placed[index] = found
        span = range(found.column, found.column + size)
        taken.update((found.row, column) for column in span)
        kept_apart.update((found.row, column) for column in (found.column - 1, span.stop))
    return Labels(placed, tuple(sorted(left_over)))


def _nearest(
    spot: Spot,
    size: int,
    taken: set[tuple[int, int]],
    kept_apart: set[tuple[int, int]],
    line: set[tuple[int, int]],
    width: int,
    height: int,
) -> Spot | None:
    best: tuple[int, int] | None = None
    found: Spot | None = None
    for row in sorted(range(height), key=lambda row: (abs(row - spot.row), row)):
        down = abs(row - spot.row)
        if best is not None and 3 * down > best[0]:
            break
        for start in range(width - size + 1):
            # How far the marker's column is from what the label covers; 0 is straight above.
            aside = max(start - spot.column, spot.column - (start + size - 1), 0)
            cost = 2 if down == 0 and aside == 1 else 3 * down + 4 * aside + (row > spot.row)
            centred = abs(2 * start + size - 1 - 2 * spot.column)
            if best is not None and (cost, centred) >= best:
                continue
            span = [(row, column) for column in range(start, start + size)]
            if any(cell in taken or cell in kept_apart for cell in span):
                continue
            cost += 6 * sum(cell in line for cell in span)
            if best is None or (cost, centred) < best:
                best, found = (cost, centred), Spot(start, row)
    return found
