"""What a packing has to say on its settings: pins that are not in, settings without effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ctxpack import PackResult
from tui.text import plain_line, words
from tui.widgets.spans import Row, Span

LINES = 2
"""Lines that a sentence on the top may take; the whole of it stands in the Why pane."""

_LOUD = "PIN NOT IN"

_IDLE = (" not applied: ", "no cliff, ", "goes by value alone", "is used instead", "are used.")
"""What the engine's sentences on a setting that did not do its work hold."""

_FILTERS = (
    ("dedupe", "duplicate", "dedupe {:g}: no two chunks are that alike"),
    ("cutoff", "below_cutoff", "cut-off {:g}: nothing lies below it"),
    ("margin", "below_cutoff", "margin {:g}: nothing lies below it"),
    ("max_chunks", "over_count", "at most {:,}: there are no more"),
)


def note_rows(result: PackResult, width: int, *, unchanged: bool = False) -> list[Row]:
    """Each pin that is not in, loud; then what a setting did not do, on at most two lines.

    With `unchanged`, where nothing differs from the log, also the filters that found nothing.
    """
    rows: list[Row] = []
    for said in result.warnings:
        if said.startswith(_LOUD):
            rows += [(Span(line, "fault"),) for line in at_most(said, width)]
    idle = [said for said in result.warnings if any(part in said for part in _IDLE)]
    if unchanged and not idle:
        idle += [*_found_nothing(result)]
    if idle:
        rows += [(Span(line, "warning"),) for line in at_most(" ".join(idle), width)]
    return rows


def at_most(text: str, width: int, lines: int = LINES) -> list[str]:
    """A sentence on a few lines; only what does not fit there is clipped."""
    shown = words(text, width)
    if len(shown) <= lines:
        return shown
    return [*shown[: lines - 1], plain_line(" ".join(shown[lines - 1 :]), width)]


def named_pins(ids: Iterable[str], ranks: Mapping[str, int | None]) -> str:
    """`pins that did not fit: rank 3, doc-7`; nothing for no ids."""
    named = [f"rank {ranks[name]}" if ranks.get(name) else plain_line(name, 20) for name in ids]
    if not named:
        return ""
    return f"{'pin' if len(named) == 1 else 'pins'} not in, no room: {', '.join(named)}"


def _found_nothing(result: PackResult) -> Iterator[str]:
    reasons = {chunk.reason for chunk in result.skipped}
    for name, reason, said in _FILTERS:
        value = getattr(result.settings, name)
        if value is not None and reason not in reasons:
            yield said.format(value) + "."
