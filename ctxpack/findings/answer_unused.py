"""The answer was in the window, and was not used."""

from __future__ import annotations

from collections.abc import Iterator

from ctxpack.findings.case import Case, basis, name
from ctxpack.findings.finding import Finding
from ctxpack.placement import place, relative, starts
from ctxpack.settings import BY_VALUE
from ctxpack.value.logged_values import values_by_id
from ctxpack.window import INSTRUCTIONS, QUESTION, Placed, evidence_start, window_total


def answer_buried(case: Case) -> list[Finding]:
    """Packed among others where the curve is low, though another place would be clearly better."""
    gold = best_gold(case)
    better = _better_place(case, gold) if gold is not None else None
    if gold is None or gold.p is None or better is None or not (case.trace and case.trace.sure):
        return []
    p, where = better
    at, of = case.placed.index(gold) + 1, len(case.placed)
    x = gold.x if gold.window_x is None else gold.window_x
    answer = case.record.answer
    right = answer is not None and answer.correct is True
    return [
        Finding(
            code="answer_buried",
            severity="info" if right else "cause",
            title=(
                f"The answer was packed and buried: {name(gold.chunk)} stands {at} of {of}, where "
                f"the {case.curve.name} curve gives p {gold.p:.2f}; {where} gives {p:.2f}."
            ),
            detail={"p": gold.p, "x": x, "position": at - 1, "packed": of, "best_p": p},
            chunks=(gold.chunk.id,),
            advice=f"Try {where}: p {gold.p:.2f} becomes {p:.2f}.",
            basis=basis(gold.chunk),
        )
    ]


def answer_ignored(case: Case) -> list[Finding]:
    """Packed, not buried, and the reply is known and lacks it."""
    gold = best_gold(case)
    trace = case.trace
    if trace is None or gold is None or trace.replied is not False:
        return []
    if is_buried(case) is not False:
        return []
    at, of = case.placed.index(gold) + 1, len(case.placed)
    known = "" if gold.p is None else f", p {gold.p:.2f} on the {case.curve.name} curve"
    return [
        Finding(
            code="answer_ignored",
            severity="cause",
            title=(
                f"The answer was in the window and the reply lacks it: {name(gold.chunk)} stands "
                f"{at} of {of}{known}."
            ),
            detail={"p": gold.p, "position": at - 1, "packed": of},
            chunks=(gold.chunk.id,),
            advice="It was there and not buried: look at the prompt or the model first.",
            basis=basis(gold.chunk),
        )
    ]


def is_buried(case: Case) -> bool | None:
    """Whether the answer is in the window where it is hardly used; None where that is not known."""
    gold = best_gold(case)
    if gold is None:
        return None
    if gold.p is None:
        return False if len(case.placed) <= case.thresholds.buried_others else None
    return _better_place(case, gold) is not None


def best_gold(case: Case) -> Placed | None:
    """The best-ranked packed chunk that holds the answer, where the window holds all of it."""
    if case.trace is None or not case.trace.packed or case.trace.lost:
        return None
    best = case.trace.packed[0].id
    return next((place for place in case.placed if place.chunk.id == best), None)


def _better_place(case: Case, gold: Placed) -> tuple[float, str] | None:
    """Where p would be clearly higher, and that p; None where the chunk is not buried."""
    limits = case.thresholds
    if gold.p is None or len(case.placed) <= limits.buried_others:
        return None
    span = case.curve.highest - case.curve.lowest
    if gold.p >= case.curve.lowest + limits.buried_share * span:
        return None
    best = max(_elsewhere(case, gold), default=None)
    return best if best is not None and best[0] >= gold.p + limits.buried_gain else None


def _elsewhere(case: Case, gold: Placed) -> Iterator[tuple[float, str]]:
    """p of the gold chunk under other placements, or with the evidence moved, and what to do."""
    if gold.window_x is not None and evidence_start(case.record) is None:
        # Evidence in several places: what another order would give cannot be told.
        return
    values = values_by_id(case.record)
    best_first = sorted(
        case.placed,
        key=lambda placed: (
            -values[placed.chunk.id],
            placed.chunk.rank is None,
            placed.chunk.rank or 0,
        ),
    )
    for placement in BY_VALUE:
        laid = place(best_first, placement)
        before = starts([placed.tokens for placed in laid])
        at = before[laid.index(gold)]
        yield _p_at(case, gold, at, None), f"placement {placement}"
    if gold.start is None or evidence_start(case.record) is None:
        return
    instructions = sum(
        section.tokens for section in case.record.sections if section.name in INSTRUCTIONS
    )
    yield _p_at(case, gold, gold.start, instructions), "evidence right after the instructions"
    question = sum(section.tokens for section in case.record.sections if section.name == QUESTION)
    evidence = sum(placed.tokens for placed in case.placed)
    before_question = (window_total(case.record) or 0) - question - evidence
    yield _p_at(case, gold, gold.start, before_question), "evidence right before the question"


def _p_at(case: Case, gold: Placed, start: int, section_start: int | None) -> float:
    total = window_total(case.record)
    logged_start = evidence_start(case.record)
    if total is None or logged_start is None:
        return case.curve.p(
            relative(start, gold.tokens, sum(placed.tokens for placed in case.placed))
        )
    before = logged_start if section_start is None else section_start
    return case.curve.p(min(1.0, relative(before + start, gold.tokens, total)))
