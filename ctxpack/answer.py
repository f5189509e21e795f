"""Where the expected answer went: retrieved, filtered, packed, placed, in the reply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ctxpack.matching import holds_normal, normal
from ctxpack.record import LoggedCandidate, Record
from ctxpack.replay import packed_in_order

FILTERS = ("invalid", "banned", "duplicate", "below_cutoff", "below_cliff", "over_count")
"""Reasons that are filters; every other reason is about room."""

Alternative = tuple[str, ...]
"""Strings that are all needed for one way of being right."""


@dataclass(frozen=True)
class Expected:
    """What the answer should have been: any alternative, or any of the gold chunks."""

    alternatives: tuple[Alternative, ...]
    gold: tuple[str, ...]
    source: Literal["record", "typed"]


@dataclass(frozen=True)
class Step:
    """One step of the way: `ok` is None where it cannot be known."""

    name: str
    ok: bool | None
    chunks: tuple[str, ...]
    said: str


@dataclass(frozen=True)
class AnswerTrace:
    """The way of the expected answer; `gold` are the chunks that hold it, best-ranked first."""

    expected: Expected
    gold: tuple[LoggedCandidate, ...]
    packed: tuple[LoggedCandidate, ...]
    steps: tuple[Step, ...]
    broke_at: str | None
    unknown_texts: int
    replied: bool | None

    def as_json(self) -> dict[str, Any]:
        """As `show --json` prints it."""
        return {
            "expected": [list(alternative) for alternative in self.expected.alternatives],
            "gold": list(self.expected.gold),
            "source": self.expected.source,
            "chunks": [chunk.id for chunk in self.gold],
            "steps": [
                {"step": step.name, "ok": step.ok, "chunks": list(step.chunks), "said": step.said}
                for step in self.steps
            ],
            "broke_at": self.broke_at,
        }


def expected_answer(record: Record, typed: str | None = None) -> Expected | None:
    """What was typed, else what the record says; None where neither says anything."""
    if typed is not None and typed.strip():
        return Expected(((typed,),), (), "typed")
    listed = record.answer.expected if record.answer else ()
    alternatives = tuple(
        (item,) if isinstance(item, str) else tuple(item) for item in listed if item
    )
    if not alternatives and not record.gold:
        return None
    return Expected(alternatives, record.gold, "record")


def trace_answer(record: Record, expected: Expected) -> AnswerTrace:
    """Walk the answer from retrieval to the reply, and name the step at which it broke."""
    candidates = sorted(record.candidates, key=lambda chunk: (chunk.rank is None, chunk.rank or 0))
    holding = _holding(candidates, expected)
    gold = tuple(chunk for chunk in candidates if chunk.id in holding)
    unknown = sum(chunk.text is None for chunk in candidates) if expected.alternatives else 0
    in_window = {chunk.id for chunk in packed_in_order(record)}
    packed = tuple(chunk for chunk in gold if chunk.id in in_window)
    filtered = tuple(
        chunk for chunk in gold if chunk.outcome == "skipped" and chunk.reason in FILTERS
    )
    undecided = [chunk for chunk in gold if chunk.outcome in (None, "unknown")]
    replied = _replied(record, expected)
    has_packed = _satisfied(packed, expected) if gold else False
    steps = [
        Step("retrieved", bool(gold) or (None if unknown else False), _ids(gold), _where(gold)),
        Step(
            "filters",
            None if not gold else len(filtered) < len(gold),
            _ids(filtered),
            _reasons(filtered) or "not filtered out",
        ),
        Step(
            "packed",
            None if not gold else has_packed or (None if undecided else False),
            _ids(packed),
            _packed_words(packed, gold),
        ),
        Step("placed", None, _ids(packed), ""),
        Step("in the reply", replied, (), _reply_words(replied)),
    ]
    broke = next((step.name for step in steps if step.ok is False), None)
    return AnswerTrace(expected, gold, packed, tuple(steps), broke, unknown, replied)


def text_holds(texts: Iterable[str], alternatives: Sequence[Alternative]) -> bool:
    """Whether the texts together hold all strings of one alternative."""
    normals = [normal(text) for text in texts]
    return any(
        all(any(holds_normal(text, normal(part)) for text in normals) for part in alternative)
        for alternative in alternatives
    )


def _holding(candidates: Sequence[LoggedCandidate], expected: Expected) -> set[str]:
    """Ids of the chunks that hold an alternative, or their share of one that is whole together."""
    known = {candidate.id for candidate in candidates}
    holding = {name for name in expected.gold if name in known}
    texts = {chunk.id: normal(_whole_text(chunk)) for chunk in candidates if chunk.text}
    for alternative in expected.alternatives:
        parts = [normal(part) for part in alternative]
        by_part = [{n for n, text in texts.items() if holds_normal(text, p)} for p in parts]
        alone = set.intersection(*by_part) if by_part else set()
        if alone:
            holding |= alone
        elif all(by_part):
            holding |= set.union(*by_part)
    return holding


def _satisfied(chunks: Sequence[LoggedCandidate], expected: Expected) -> bool:
    if any(chunk.id in expected.gold for chunk in chunks):
        return True
    return text_holds([_whole_text(chunk) for chunk in chunks], expected.alternatives)


def _whole_text(chunk: LoggedCandidate) -> str:
    return f"{chunk.header or ''}\n{chunk.text or ''}"


def _replied(record: Record, expected: Expected) -> bool | None:
    if record.answer is None or record.answer.text is None or not expected.alternatives:
        return None
    return text_holds([record.answer.text], expected.alternatives)


def _ids(chunks: Iterable[LoggedCandidate]) -> tuple[str, ...]:
    return tuple(chunk.id for chunk in chunks)


def _where(gold: Sequence[LoggedCandidate]) -> str:
    if not gold:
        return "in no candidate"
    ranks = [f"rank {chunk.rank}" if chunk.rank else f"{chunk.id}" for chunk in gold[:4]]
    more = f" and {len(gold) - 4} more" if len(gold) > 4 else ""
    return f"{', '.join(ranks)}{more}"


def _reasons(chunks: Sequence[LoggedCandidate]) -> str:
    return ", ".join(f"{chunk.id}: {chunk.reason}" for chunk in chunks[:3])


def _packed_words(packed: Sequence[LoggedCandidate], gold: Sequence[LoggedCandidate]) -> str:
    if not gold:
        return "nothing to pack"
    if not packed:
        return "no chunk that holds it is in the window"
    return f"{_where(packed)} in the window"


def _reply_words(replied: bool | None) -> str:
    return {True: "the reply says it", False: "the reply lacks it", None: "not known"}[replied]
