"""Where the expected answer went: retrieved, filtered, packed, placed, in the reply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
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
    """The way of the expected answer; `gold` are the chunks that hold it, best-ranked first.

    `packed` are those of them that are in the window, `lost` those whose absence keeps the answer
    out of it: none where the window holds all of it. `sure` is False where a text that was cut or
    not logged might hold it as well.
    """

    expected: Expected
    gold: tuple[LoggedCandidate, ...]
    packed: tuple[LoggedCandidate, ...]
    lost: tuple[LoggedCandidate, ...]
    steps: tuple[Step, ...]
    broke_at: str | None
    unknown_texts: int
    sure: bool
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
    each = [(item,) if isinstance(item, str) else item for item in listed]
    worded = [tuple(part for part in item if normal(part)) for item in each]
    alternatives = tuple(item for item in worded if item)
    if not alternatives and not record.gold:
        return None
    return Expected(alternatives, record.gold, "record")


def trace_answer(record: Record, expected: Expected) -> AnswerTrace:
    """Walk the answer from retrieval to the reply, and name the step at which it broke.

    The step `placed` is left open: see `with_step`.
    """
    candidates = sorted(record.candidates, key=lambda chunk: (chunk.rank is None, chunk.rank or 0))
    in_window = {chunk.id for chunk in packed_in_order(record)}
    holding, missing = _holding(candidates, in_window, expected)
    gold = tuple(chunk for chunk in candidates if chunk.id in holding)
    packed = tuple(chunk for chunk in gold if chunk.id in in_window)
    lost = tuple(chunk for chunk in gold if chunk.id in missing)
    cut = bool(record.trace and record.trace.truncated)
    unread = [chunk for chunk in candidates if chunk.text is None and expected.alternatives]
    doubtful = cut or any(chunk.outcome != "skipped" for chunk in unread)
    replied = _replied(record, expected)
    steps = (
        _retrieved(gold, certain=not unread and not cut and may_be_complete(record)),
        _filtered(gold, lost),
        _packed(gold, packed, lost, certain=not doubtful or bool(expected.gold)),
        Step("placed", None, _ids(packed), "not known" if packed else "not in the window"),
        Step("in the reply", replied, (), _reply_words(replied)),
    )
    return AnswerTrace(
        expected=expected,
        gold=gold,
        packed=packed,
        lost=lost,
        steps=steps,
        broke_at=_broke_at(steps),
        unknown_texts=len(unread),
        sure=not doubtful or bool(expected.gold) or not expected.alternatives,
        replied=replied,
    )


def with_step(
    trace: AnswerTrace, name: str, ok: bool | None, said: str, chunks: tuple[str, ...] = ()
) -> AnswerTrace:
    """The trace with one step decided; `chunks` are those that it is about, if they are others."""
    steps = tuple(
        replace(step, ok=ok, said=said, chunks=chunks or step.chunks) if step.name == name else step
        for step in trace.steps
    )
    return replace(trace, steps=steps, broke_at=_broke_at(steps))


def may_be_complete(record: Record) -> bool:
    """Whether nothing says that the source could not give every candidate."""
    if record.trace is None:
        return True
    missing = any(name.startswith("candidates") for name in record.trace.missing)
    return not missing and not record.trace.dropped_attributes


def text_holds(texts: Iterable[str], alternatives: Sequence[Alternative]) -> bool:
    """Whether the texts together hold all strings of one alternative."""
    normals = [normal(text) for text in texts]
    return any(
        all(any(holds_normal(text, normal(part)) for text in normals) for part in alternative)
        for alternative in alternatives
    )


def _holding(
    candidates: Sequence[LoggedCandidate], in_window: set[str], expected: Expected
) -> tuple[set[str], set[str]]:
    """Ids of the chunks that hold the answer, and of those that are missing from the window.

    A chunk holds it if it has a whole alternative; where only several together have it, each of
    them. Nothing is missing where the window holds one alternative whole.
    """
    holding = {chunk.id for chunk in candidates if chunk.id in expected.gold}
    missing = holding - in_window
    in_full = bool(holding & in_window)
    texts = {chunk.id: normal(_whole_text(chunk)) for chunk in candidates if chunk.text}
    for alternative in expected.alternatives:
        parts = [normal(part) for part in alternative]
        by_part = [{n for n, text in texts.items() if holds_normal(text, p)} for p in parts]
        if not all(by_part):
            continue
        alone = set.intersection(*by_part)
        together = set.union(*by_part)
        wanting = [names for names in by_part if not names & in_window]
        if not wanting:
            in_full = True
            holding |= alone | (set() if alone & in_window else together & in_window)
        else:
            holding |= alone or together
            missing |= alone or set.union(*wanting)
    return holding, set() if in_full else missing


def _whole_text(chunk: LoggedCandidate) -> str:
    return f"{chunk.header or ''}\n{chunk.text or ''}"


def _retrieved(gold: Sequence[LoggedCandidate], *, certain: bool) -> Step:
    return Step("retrieved", bool(gold) or (False if certain else None), _ids(gold), _where(gold))


def _filtered(gold: Sequence[LoggedCandidate], lost: Sequence[LoggedCandidate]) -> Step:
    fell = tuple(chunk for chunk in gold if chunk.outcome == "skipped" and chunk.reason in FILTERS)
    skipped = [chunk for chunk in lost if chunk.outcome == "skipped"]
    ok: bool | None = None
    if gold and (not lost or any(chunk.reason not in FILTERS for chunk in skipped)):
        ok = True
    elif gold and len(skipped) == len(lost):
        ok = False
    return Step("filters", ok, _ids(fell), _reasons(fell) or "not filtered out")


def _packed(
    gold: Sequence[LoggedCandidate],
    packed: Sequence[LoggedCandidate],
    lost: Sequence[LoggedCandidate],
    *,
    certain: bool,
) -> Step:
    ok: bool | None = None
    if gold and not lost:
        ok = True
    elif gold and certain and all(chunk.outcome == "skipped" for chunk in lost):
        ok = False
    said = _packed_words(packed, gold)
    if packed and lost:
        said += f"; a part of it is out: {_where(lost)}"
    return Step("packed", ok, _ids(packed), said)


def _broke_at(steps: Iterable[Step]) -> str | None:
    return next((step.name for step in steps if step.ok is False), None)


def _replied(record: Record, expected: Expected) -> bool | None:
    """Whether the reply is right, by its grade or by its text; None where neither tells."""
    answer = record.answer
    if answer is None:
        return None
    if answer.correct is True and expected.source == "record":
        return True
    if answer.text is None or not expected.alternatives:
        return False if answer.correct is False and expected.source == "record" else None
    says_it = text_holds([answer.text], expected.alternatives)
    cut = bool(record.trace and record.trace.truncated)
    return None if cut and not says_it else says_it


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
