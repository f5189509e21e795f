"""A packing as text: the settings, what it gave, who is in, who is out and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

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
_SHOWN = (
    *("budget", "strategy", "mmr_lambda", "placement", "split_tail", "group", "value"),
    *("cutoff", "margin", "curve"),
    *("cliff", "max_chunks", "dedupe", "separator", "pins", "pins_policy", "pins_first", "bans"),
)


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
        if _off(now) and _off(was):
            continue
        if name == "mmr_lambda" and result.settings.strategy != "mmr":
            continue
        if name == "split_tail" and result.settings.placement != "split":
            continue
        if name == "curve" and now == was:
            continue
        changed = now != was or (name == "value" and _recalibrated(result.settings, base))
        yield f"{name.replace('_', '-')} {_shown(name, now)}{'*' if changed else ''}"


def _shown(name: str, now: Any) -> str:
    if isinstance(now, tuple):
        return " and ".join(now) or "none"
    if isinstance(now, bool):
        return "on" if now else "off"
    if isinstance(now, float):
        return f"{now:g}"
    return repr(now) if name == "separator" else "none" if now is None else str(now)


def _off(value: Any) -> bool:
    return value is None or value is False or value in ((), "none", "report")


def _recalibrated(settings: Settings, base: Settings | None) -> bool:
    before = None if base is None else base.calibration
    return settings.value == "calibrated" and base is not None and settings.calibration != before


def _outcome(result: PackResult) -> str:
    tilde = "~" if result.counts == "estimate" else ""
    value = f"value {result.value:.3f}"
    if result.bound_on == "value":
        value += f" ({_proven(result.proven, result.gap)})"
    return (
        f"{len(result.packed):,} of {count(result.considered, 'candidate')} packed, "
        f"{tilde}{result.used:,} of {result.budget:,} tokens ({result.counts} counts"
        f"{_joints(result)}), "
        f"{value}, curve {result.curve}{_placed(result)}"
    )


def _placed(result: PackResult) -> str:
    placing = result.placing
    if result.bound_on == "expected_use":
        best = _proven(result.proven, result.gap)
        return f", choice and order used {result.expected_use:.3f} ({best})"
    if placing is None:
        return ""
    best = _proven(placing.proven, placing.gap)
    return f", order used {result.expected_use:.3f} ({best})"


def _proven(proven: bool, gap: float) -> str:
    return "proven best" if proven else f"at most {_small(gap)} below the best"


def _small(gap: float) -> str:
    """Three decimals, or two digits of what would be 0.000 with them."""
    return f"{gap:.3f}" if gap >= 0.0005 else f"{gap:.2g}"


def _joints(result: PackResult) -> str:
    joints = result.settings.joints
    return f", {joints:,} set aside for joining" if joints else ""


def _changes(change: Against) -> str:
    if not (change.entered or change.left or change.moved):
        return "none: the same chunks in the same order as logged"
    parts = (("entered", change.entered), ("left", change.left), ("moved", change.moved))
    return "; ".join(f"{verb} {', '.join(ids)}" for verb, ids in parts if ids)
