"""pack: the one function that live use, what-if, replay and eval all call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from ctxpack.candidate import Candidate
from ctxpack.counting import Count, count_joined
from ctxpack.curves import Curve, curve_of
from ctxpack.deciding import Decision, decide
from ctxpack.errors import InputError, Stop
from ctxpack.filters.duplicates import sources
from ctxpack.likeness.similarity import Likeness
from ctxpack.placement import relative, starts
from ctxpack.placing.layout import Laid, lay_out
from ctxpack.reasons import tokens_in_words
from ctxpack.result import Packed, PackResult, Skipped
from ctxpack.settings import Settings, as_placed, check_settings
from ctxpack.weighed import Refusal, Weighed
from ctxpack.weighing import Weighing, separator_tokens, weigh


def pack(
    candidates: Sequence[Candidate],
    settings: Settings,
    *,
    query: str = "",
    count: Count | None = None,
    separator_size: int | None = None,
    likeness: Likeness | None = None,
    should_stop: Stop | None = None,
) -> PackResult:
    """Choose candidates for `settings.budget` tokens and place them.

    `count` counts a text's tokens (see `ctxpack.Counter`); without it the candidates' own tokens
    are taken, and `separator_size` is then what one separator takes. `likeness` remembers how
    alike the candidates are (mmr), so that packing them again is quick. The same input and settings
    give the same window, always. Raises Stopped where `should_stop` says so between the steps of
    long work. Raises InputError for settings that are refused, and for a value
    or a count that cannot be had.
    """
    check_settings(settings)
    separator = separator_tokens(settings, count, separator_size)
    weighing = weigh(candidates, settings, query, count, separator, likeness)
    return pack_weighed(weighing, settings, separator, count, should_stop=should_stop)


def pack_weighed(
    weighing: Weighing,
    settings: Settings,
    separator: int,
    count: Count | None = None,
    *,
    told: bool = True,
    should_stop: Stop | None = None,
) -> PackResult:
    """Pack what is weighed already, so that many settings can be tried at the price of one count.

    The settings have been checked, and differ from those of the weighing in nothing that it
    depends on: value, encoding, separator, pins. Without `told` only who is in is sure: the bound
    may be infinite, and what forcing others in would cost is not told.
    """
    chosen = choose_weighed(
        weighing, settings, separator, count, told=told, should_stop=should_stop
    )
    return place_chosen(weighing, settings, separator, chosen, should_stop)


@dataclass(frozen=True)
class Chosen:
    """Who is in and who is out, tokens used, and those of them that joining the texts takes."""

    used: int
    joints: int
    decision: Decision


def choose_weighed(
    weighing: Weighing,
    settings: Settings,
    separator: int,
    count: Count | None = None,
    *,
    told: bool = True,
    should_stop: Stop | None = None,
) -> Chosen:
    """The choice of `pack_weighed`.

    Without `count` it depends on the placement for no strategy, on the curve for ordered alone.
    """
    settings = as_placed(settings)
    curve = curve_of(settings)

    def laid_out(taken: Sequence[Weighed]) -> Laid:
        return lay_out(taken, settings, weighing.named, separator, curve, should_stop)

    return Chosen(*_joined(weighing, settings, separator, count, told, should_stop, laid_out))


def place_chosen(
    weighing: Weighing,
    settings: Settings,
    separator: int,
    chosen: Chosen,
    should_stop: Stop | None = None,
) -> PackResult:
    """The placing of `pack_weighed`: one choice may be laid out under many placements."""
    settings = as_placed(settings)
    used, joints, decision = chosen.used, chosen.joints, chosen.decision
    curve = curve_of(settings)
    laid = lay_out(decision.taken, settings, weighing.named, separator, curve, should_stop)
    packed = _packed(laid.chunks, separator, curve, decision.duplicates, weighing.named)
    value = _total_value(decision.taken)
    use = sum(chunk.value * chunk.p for chunk in packed)
    proven, on_use = decision.proven, decision.use_bound is not None
    reached = use if on_use else value
    most = decision.bound if decision.use_bound is None else decision.use_bound
    bound = reached if proven else max(reached, most)
    return PackResult(
        settings=msgspec.structs.replace(settings, value=weighing.value_by, joints=joints),
        budget=settings.budget,
        used=used,
        counts=weighing.counts,
        considered=len(weighing.candidates),
        value_by=weighing.value_by,
        value=value,
        bound=bound,
        bound_on="expected_use" if on_use else "value",
        gap=bound - reached,
        proven=proven,
        curve=settings.curve,
        expected_use=use,
        mean_p=sum(chunk.p for chunk in packed) / len(packed) if packed else None,
        packed=packed,
        skipped=_skipped(weighing, decision.refused),
        placing=laid.placing,
        word_scores=weighing.word_scores,
        warnings=weighing.warnings
        + decision.warnings
        + laid.warnings
        + _loud(decision.refused, weighing),
    )


def valid_or_refuse(result: PackResult) -> None:
    """Raise InputError where not one candidate was valid, naming the first and its fault."""
    invalid = [chunk for chunk in result.skipped if chunk.reason == "invalid"]
    if len(invalid) == result.considered:
        first = f"; the first, {invalid[0].id!r}: {invalid[0].detail['why']}" if invalid else ""
        raise InputError(f"not one valid candidate among {result.considered}{first}.")


def _joined(
    weighing: Weighing,
    settings: Settings,
    separator: int,
    count: Count | None,
    told: bool,
    should_stop: Stop | None,
    laid_out: Callable[[Sequence[Weighed]], Laid],
) -> tuple[int, int, Decision]:
    """Tokens used, tokens of them for the joints, and the decision that leaves room for both.

    Joining texts can add a token at a boundary, so what is used is never below the count of the
    joined text. While that is over the budget, as much is set aside as the joints take, and who is
    in is decided again: the last-chosen leaves, and what still fits comes in.
    """
    joints = settings.joints if count is None else 0
    first: Decision | None = None
    tries = 0

    def decided(*, forcing: bool) -> Decision:
        return decide(
            weighing,
            settings,
            max(0, settings.budget + separator - joints),
            told=forcing,
            bounded=told and first is None,
            should_stop=should_stop,
        )

    while True:
        try:
            decision = decided(forcing=False)
        except InputError as error:
            if not joints:
                raise
            raise InputError(f"{error} Joining the texts takes {joints} tokens.") from None
        first = first or decision
        summed = sum(chunk.cost for chunk in decision.taken) - (separator if decision.taken else 0)
        used = summed + (joints if count is None and len(decision.taken) > 1 else 0)
        if count is not None and len(decision.taken) > 1:
            texts = [weighing.texts.get(chunk.id) for chunk in laid_out(decision.taken).chunks]
            known = [text for text in texts if text is not None]
            if len(known) == len(texts):
                used = max(summed, count_joined(known, settings.separator or "", count))
        if used <= settings.budget:
            break
        tries += 1
        # What another set takes is more by as much as it is over; small steps that go on grow.
        joints = min(settings.budget + separator, max(used - summed, joints + (1 << tries // 8)))
    if told and settings.strategy == "optimal":
        decision = decided(forcing=True)
    decision = replace(decision, bound=first.bound, use_bound=first.use_bound, proven=first.proven)
    if not joints:
        return used, 0, decision
    refused = tuple(_beside_joints(refusal, joints) for refusal in decision.refused)
    return used, joints, replace(decision, refused=refused, proven=False)


def _beside_joints(refusal: Refusal, joints: int) -> Refusal:
    """The refusal with the tokens that the joints take; alone, a chunk has none."""
    detail = refusal.detail | {"joints": joints}
    if refusal.reason == "too_long" and detail["needed"] <= detail["budget"] + joints:
        left = detail.pop("budget")
        return Refusal(refusal.id, "no_room", detail | {"left": left})
    return Refusal(refusal.id, refusal.reason, detail) if "needed" in detail else refusal


def _packed(
    laid: Sequence[Weighed],
    separator: int,
    curve: Curve,
    duplicates: Mapping[str, tuple[str, ...]],
    named: Mapping[str, Candidate],
) -> tuple[Packed, ...]:
    before = starts([chunk.tokens for chunk in laid], separator)
    total = before[-1] + laid[-1].tokens if laid else 0
    packed = []
    for position, (chunk, start) in enumerate(zip(laid, before, strict=True)):
        x = relative(start, chunk.tokens, total)
        same = duplicates.get(chunk.id, ())
        packed.append(
            Packed(
                id=chunk.id,
                rank=chunk.rank,
                tokens=chunk.tokens,
                value=chunk.value,
                pinned=chunk.pinned,
                position=position,
                start=start,
                x=x,
                p=curve.p(x),
                duplicates=same,
                sources=sources(chunk.id, same, named),
            )
        )
    return tuple(packed)


def _skipped(weighing: Weighing, refused: Sequence[Refusal]) -> tuple[Skipped, ...]:
    reasons = {refusal.id: refusal for refusal in refused}
    out = [candidate for candidate in weighing.candidates if candidate.id in reasons]
    return tuple(
        Skipped(
            id=chunk.id,
            rank=chunk.rank,
            tokens=chunk.tokens if reasons[chunk.id].reason != "invalid" else None,
            value=chunk.value,
            reason=reasons[chunk.id].reason,
            detail=reasons[chunk.id].detail,
        )
        for chunk in sorted(out, key=lambda candidate: candidate.by_rank)
    )


def _total_value(taken: Sequence[Weighed]) -> float:
    """The sum of the real values, always in rank order, so that equal sets sum equally."""
    return sum(chunk.value for chunk in sorted(taken, key=lambda chunk: chunk.by_rank))


def _loud(refused: Sequence[Refusal], weighing: Weighing) -> tuple[str, ...]:
    """What must not pass in silence: pins that are not in, and candidates that are unusable."""
    pinned = {candidate.id for candidate in weighing.candidates if candidate.pinned}
    said = []
    for refusal in refused:
        if refusal.id in pinned and refusal.reason == "banned":
            said.append(f"PIN NOT IN: {refusal.id!r} is banned.")
        if refusal.reason == "invalid":
            said.append(f"candidate {refusal.id!r} is invalid: {refusal.detail['why']}.")
        elif refusal.id in pinned and refusal.reason in ("too_long", "no_room"):
            needed = refusal.detail["needed"]
            left = refusal.detail.get("left", refusal.detail.get("budget"))
            needs = f"needs {tokens_in_words(needed)}, {left:,} are left"
            said.append(f"PIN NOT IN: {refusal.id!r} {needs}.")
    return tuple(said)
