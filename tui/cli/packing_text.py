"""A packing as text: the settings, what it gave, who is in, who is out and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxpack.reasons import in_words
from tui.cli.output import Column, count, labelled, number, table
from tui.glyphs import ENTERED, LEFT, MOVED

if TYPE_CHECKING:
    from ctxpack.replay import Against
    from ctxpack.result import PackResult
    from ctxpack.settings import Settings

_PACKED = (
    Column("PACKED", most=48),
    Column("#", "right"),
    Column("RANK", "right"),
    Column("TOKENS", "right"),
    Column("VALUE", "right"),
    Column("START", "right"),
    Column("X", "right"),
    Column("P", "right"),
    Column("", most=20),
)
_OUT = (
    Column("SKIPPED", most=48),
    Column("RANK", "right"),
    Column("TOKENS", "right"),
    Column("VALUE", "right"),
    Column("WHY", most=400),
)
_SHOWN = ("budget", "strategy", "placement", "value", "max_chunks", "separator", "pins", "bans")


def packing_lines(
    result: PackResult,
    room: int,
    *,
    change: Against | None = None,
    base: Settings | None = None,
) -> Iterator[str]:
    """The packing; with `change` and `base`, what differs from the log is marked with `*`."""
    yield from labelled("settings", ", ".join(_settings(result, base)), room)
    yield from labelled("gives", _outcome(result), room)
    if change is not None:
        yield from labelled("changes", _changes(change), room)
    marks = dict.fromkeys(change.entered, f"{ENTERED} entered") if change else {}
    marks |= dict.fromkeys(change.moved, f"{MOVED} moved") if change else {}
    packed = [
        (
            chunk.id,
            str(chunk.position + 1),
            number(chunk.rank),
            number(chunk.tokens),
            f"{chunk.value:.3f}",
            number(chunk.start),
            f"{chunk.x:.2f}",
            f"{chunk.p:.2f}",
            "  ".join(filter(None, (marks.get(chunk.id, ""), "pinned" * chunk.pinned))),
        )
        for chunk in result.packed
    ]
    if packed:
        yield ""
        yield from table(_PACKED, packed, room)
    left = set(change.left) if change else set()
    skipped = [
        (
            chunk.id,
            number(chunk.rank),
            number(chunk.tokens),
            f"{chunk.value:.3f}",
            f"{LEFT} left; " * (chunk.id in left)
            + in_words(chunk.reason, chunk.detail, chunk.tokens),
        )
        for chunk in result.skipped
    ]
    if skipped:
        yield ""
        yield from table(_OUT, skipped, room)


def _settings(result: PackResult, base: Settings | None) -> Iterator[str]:
    for name in _SHOWN:
        now = getattr(result.settings, name)
        was = getattr(base, name) if base is not None else now
        if name == "value" and was is None:
            was = now
        if now in (None, ()) and was in (None, ()):
            continue
        shown = " and ".join(now) if isinstance(now, tuple) else now
        if name == "separator":
            shown = repr(now)
        yield f"{name.replace('_', '-')} {shown}{'*' if now != was else ''}"


def _outcome(result: PackResult) -> str:
    tilde = "~" if result.counts == "estimate" else ""
    proven = "proven best" if result.proven else f"at most {result.gap:.3f} below the best"
    return (
        f"{len(result.packed):,} of {count(result.considered, 'candidate')} packed, "
        f"{tilde}{result.used:,} of {result.budget:,} tokens ({result.counts} counts), "
        f"value {result.value:.3f} ({proven}), curve {result.curve}"
    )


def _changes(change: Against) -> str:
    if not (change.entered or change.left or change.moved):
        return "none: the same chunks in the same order as logged"
    parts = (("entered", change.entered), ("left", change.left), ("moved", change.moved))
    return "; ".join(f"{verb} {', '.join(ids)}" for verb, ids in parts if ids)
