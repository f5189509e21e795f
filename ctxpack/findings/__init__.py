"""Findings: what is wrong with one run, the cause first. Each is a pure function of a record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import msgspec

from ctxpack.answer import AnswerTrace, expected_answer, trace_answer, with_step
from ctxpack.curves import Curve, curve_of
from ctxpack.findings.answer_lost import (
    answer_filtered,
    answer_not_retrieved,
    answer_skipped,
    answer_split,
    side_by_side,
)
from ctxpack.findings.answer_unused import answer_buried, answer_ignored, best_gold, is_buried
from ctxpack.findings.case import Case, room_lacked
from ctxpack.findings.evidence_faults import pinned_missing, top_skipped_for_size
from ctxpack.findings.finding import CAUSES, SEVERITIES, Finding
from ctxpack.findings.instructions_in_text import instruction_in_evidence
from ctxpack.findings.near_duplicates import duplicates_packed
from ctxpack.findings.room_faults import over_allowance, over_budget, over_limit
from ctxpack.findings.score_cliff import padding
from ctxpack.findings.stale_versions import document_of, stale_packed
from ctxpack.findings.thresholds import DEFAULT, Thresholds
from ctxpack.neighbours import split_pairs
from ctxpack.record import Record
from ctxpack.replay import logged_settings
from ctxpack.window import EVIDENCE, placed_evidence

__all__ = ["CAUSES", "CODES", "DEFAULT", "Case", "Finding", "Thresholds", "diagnose", "open_case"]

_FAULTS = (
    pinned_missing,
    top_skipped_for_size,
    over_limit,
    over_budget,
    over_allowance,
    stale_packed,
    duplicates_packed,
    padding,
    instruction_in_evidence,
)
_LOST = (
    answer_not_retrieved,
    answer_filtered,
    answer_split,
    answer_skipped,
    answer_buried,
    answer_ignored,
)

CODES = tuple(find.__name__ for find in (*_LOST, *_FAULTS))
"""Every code that a finding of this version can have."""


def open_case(
    record: Record,
    expect: str | None = None,
    *,
    curve: Curve | None = None,
    thresholds: Thresholds = DEFAULT,
    advise: bool = True,
) -> Case:
    """What every finding looks at: the record, where its evidence stands, the answer's way.

    `curve` is the logged one where none is given. `advise` False leaves out the advice that takes
    packing again, for lists of many runs.
    """
    expected = expected_answer(record, expect)
    trace = trace_answer(record, expected) if expected else None
    curve = curve or curve_of(logged_settings(record).settings)
    case = Case(record, trace, placed_evidence(record, curve), curve, thresholds, advise)
    if trace is None:
        return case
    if not trace.gold:
        case = replace(case, split=split_pairs(record, trace.expected))
        return replace(case, trace=_with_split(case, trace))
    ok, said = _placed_well(case)
    return replace(case, trace=with_step(trace, "placed", ok, said))


def _with_split(case: Case, trace: AnswerTrace) -> AnswerTrace:
    """The way of an answer that no chunk holds alone: two neighbours may have brought it."""
    if not case.split:
        return trace
    fit = [pair for pair in case.split if side_by_side(case, pair)]
    pair = (fit or case.split)[0]
    ids = tuple(chunk.id for chunk in pair)
    trace = with_step(trace, "retrieved", True, f"split over {' and '.join(ids)}", ids)
    together = side_by_side(case, pair)
    said = {True: "side by side", False: "not side by side", None: "not known"}[together]
    return with_step(trace, "packed", together, said, ids)


def _placed_well(case: Case) -> tuple[bool | None, str]:
    """The trace's step `placed`: not broken where the reply is right all the same."""
    gold, buried = best_gold(case), is_buried(case)
    if gold is None or buried is None:
        return None, "not known" if gold else "not in the window"
    at, of = case.placed.index(gold) + 1, len(case.placed)
    where = f"{at} of {of}" + ("" if gold.p is None else f", p {gold.p:.2f}")
    if not buried:
        return True, where
    answer = case.record.answer
    right = answer is not None and answer.correct is True
    return (None if right else False), f"{where}: buried"


def diagnose(case: Case) -> tuple[Finding, ...]:
    """All findings, the cause first, then by gravity."""
    faults = [finding for find in _FAULTS for finding in find(case)]
    lost = [finding for find in _LOST for finding in find(case)]
    causes = [finding for finding in (*faults, *lost) if finding.severity == "cause"]
    causes.sort(key=lambda finding: CAUSES.index(finding.code))
    rest = [finding for finding in (*faults, *lost) if finding.severity != "cause"]
    rest.extend(_demoted(causes[1:]))
    if causes:
        causes = [_explained(causes[0], rest, case.record)]
    rest.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    return (*causes, *rest)


def _demoted(others: Iterable[Finding]) -> list[Finding]:
    """Only one cause stands first; a pin that is missing stays a fault, the others are its echo."""
    return [
        msgspec.structs.replace(finding, severity="fault")
        for finding in others
        if finding.code == "pinned_missing"
    ]


def _explained(cause: Finding, rest: list[Finding], record: Record) -> Finding:
    """The cause with what explains the loss, in its `because` and in the same sentence."""
    if cause.code not in ("answer_skipped", "pinned_missing", "answer_ignored"):
        return cause
    explaining = [finding for finding in rest if _explains(finding, cause, record)]
    if not explaining:
        return cause
    also = "; ".join(_as_explanation(finding) for finding in explaining)
    return msgspec.structs.replace(
        cause,
        title=f"{cause.title.rstrip('.')}; {also}.",
        because=tuple(dict.fromkeys(finding.code for finding in explaining)),
    )


def _explains(finding: Finding, cause: Finding, record: Record) -> bool:
    if cause.code == "answer_ignored":
        # What stands below the cliff is no padding where it is what holds the answer.
        apart = not set(finding.chunks) & set(cause.chunks)
        return finding.code == "instruction_in_evidence" or (finding.code == "padding" and apart)
    if finding.code == "top_skipped_for_size":
        return set(finding.chunks) <= set(cause.chunks)
    if finding.code == "over_allowance":
        return bool(finding.detail["section"] != EVIDENCE)
    if cause.code != "answer_skipped":
        return False
    if finding.code == "stale_packed":
        by_id = {chunk.id: document_of(chunk) for chunk in record.candidates}
        return by_id[finding.detail["newer"]] in {by_id[chunk] for chunk in cause.chunks}
    if finding.code == "duplicates_packed":
        lacked, wasted = room_lacked(cause.detail), finding.detail["wasted"]
        return lacked is not None and wasted is not None and wasted >= lacked
    return False


def _as_explanation(finding: Finding) -> str:
    """A finding in a few words, to stand behind the cause in one sentence."""
    detail = finding.detail
    if finding.code == "top_skipped_for_size":
        return "the best-ranked chunk is longer than its room"
    if finding.code == "stale_packed":
        return f"the older {finding.title.partition(' is packed and ')[0]} is packed"
    if finding.code == "duplicates_packed":
        return f"{detail['chunks']} near-duplicates waste {detail['wasted']:,} tokens"
    if finding.code == "padding":
        return finding.title.partition(" in the scores")[0]
    if finding.code == "instruction_in_evidence":
        chunk, quote = next(iter(detail["quotes"].items()))
        return f'{chunk} tells the model "{quote}"'
    return f"{finding.title[:1].lower()}{finding.title[1:].rstrip('.')}"
