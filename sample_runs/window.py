"""The window around the evidence: its other sections, their texts, and their tokens."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ctxpack.counting import Count
from ctxpack.record import Drop, Item, Section, Window
from sample_runs.requests import Request, Turn

BETWEEN = "\n\n"
"""What stands between two sections of the system message, and between two chunks."""

MESSAGE = 4
"""Tokens that the role and the markers of one message take."""

PRIMING = 3
"""Tokens that open the reply."""

SYSTEM = Path(__file__).with_name("system.txt")
TOOLS = Path(__file__).with_name("tools.json")


@dataclass(frozen=True)
class Rest:
    """Everything but the evidence. `messages` counts the messages that carry the window."""

    before: tuple[Section, ...]
    after: tuple[Section, ...]
    drops: tuple[Drop, ...]
    messages: int

    @property
    def tokens(self) -> int:
        """Tokens of the sections, the framing and the lines between them, without evidence."""
        return sum(section.tokens for section in (*self.before, *self.after)) + self.between

    @property
    def framing(self) -> int:
        """Tokens of roles and message markers."""
        return MESSAGE * self.messages + PRIMING

    @property
    def separators(self) -> int:
        """Tokens between the sections of the system message, evidence among them."""
        inside = [s for s in (*self.before, *self.after) if s.name not in ("history", "question")]
        return len(inside)

    @property
    def between(self) -> int:
        """Framing and separators."""
        return self.framing + self.separators


def rest_of_window(request: Request, count: Count, *, trim: bool, every_tool: bool) -> Rest:
    """The sections around the evidence. `trim` drops the oldest turns beyond history's share."""
    turns, drops = _history(request, count, trim=trim)
    kept = [turn for turn in turns if turn.outcome == "kept"]
    sections = {
        "system": _section(request, "system", SYSTEM.read_text(encoding="utf-8").strip(), count),
        "tools": _section(request, "tools", _tools(request, every_tool), count),
        "reference": _section(request, "reference", request.reference, count),
        "memory": _memory(request, count),
        "history": _history_section(request, turns, kept, count),
        "question": _section(request, "question", request.question, count),
    }
    before = tuple(sections[name] for name in ("system", "tools", "reference"))
    after = [sections[name] for name in ("memory", "history") if sections[name].items]
    return Rest(before, (*after, sections["question"]), drops, messages=2 + len(kept))


def window_of(rest: Rest, evidence: int, notes: Sequence[str], count: Count) -> Window:
    """The window's totals; the notes stand as lines of their own at the end of the evidence."""
    noted = count("\n".join(notes))
    return Window(
        total=rest.tokens + evidence + noted,
        framing=rest.framing,
        separators=rest.separators,
        notes=noted,
    )


def _section(request: Request, name: str, text: str, count: Count) -> Section:
    share = request.sections[name]
    return Section(
        name=name, tokens=count(text), allowance=share.allowance, cap=share.cap, text=text
    )


def _tools(request: Request, every_tool: bool) -> str:
    known = json.loads(TOOLS.read_text(encoding="utf-8"))
    wanted = [tool for tool in known if every_tool or tool["name"] in request.tools]
    return "\n".join(json.dumps(tool, ensure_ascii=False) for tool in wanted)


def _memory(request: Request, count: Count) -> Section:
    items = tuple(
        Item(id=f"mem-{place}", text=text, tokens=count(text), outcome="kept")
        for place, text in enumerate(request.memory, start=1)
    )
    section = _section(request, "memory", "\n".join(request.memory), count)
    return _with(section, items)


def _history(
    request: Request, count: Count, *, trim: bool
) -> tuple[tuple[Item, ...], tuple[Drop, ...]]:
    share = request.sections["history"].allowance
    items: list[Item] = []
    drops: list[Drop] = []
    left = share
    for place, turn in reversed(list(enumerate(request.history, start=1))):
        text = _said(turn)
        size = count(text) + 1
        fits = not trim or (size <= left and not drops)
        left -= size
        items.append(
            Item(
                id=f"turn-{place}",
                role=turn.role,
                text=text,
                tokens=size - 1,
                outcome="kept" if fits else "dropped",
                reason=None if fits else "oldest first, beyond the allowance",
            )
        )
        if not fits:
            drops.append(
                Drop(section="history", id=f"turn-{place}", tokens=size - 1, rule="oldest first")
            )
    return tuple(reversed(items)), tuple(reversed(drops))


def _history_section(
    request: Request, turns: Sequence[Item], kept: Sequence[Item], count: Count
) -> Section:
    section = _section(request, "history", "\n".join(turn.text or "" for turn in kept), count)
    asked = count("\n".join(turn.text or "" for turn in turns))
    return _with(section, tuple(turns), asked if len(kept) < len(turns) else None)


def _said(turn: Turn) -> str:
    pasted = [_log_line(number) for number in range(turn.log_lines)]
    return "\n".join([f"{turn.role}: {turn.text}", *pasted])


def _log_line(number: int) -> str:
    """A line of a webhook receiver's log, made from its number alone."""
    minute, second = divmod(number * 37, 60)
    seen, level = (number * 2654435761) % 0xFFFF, 180 + (number * 17) % 90
    return (
        f"2026-11-17T07:{minute % 60:02}:{second:02}Z POST /hooks/tide ev_{seen:04x} "
        f"tide.above level={level / 100:.2f} attempt={number % 3 + 1} -> 401 bad signature"
    )


def _with(section: Section, items: tuple[Item, ...], tokens_before: int | None = None) -> Section:
    return msgspec.structs.replace(section, items=items, tokens_before=tokens_before)
