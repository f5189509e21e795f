"""pack: the one function that live use, what-if, replay and eval all call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec

from ctxpack.candidate import Candidate
from ctxpack.counting import Count, count_joined
from ctxpack.curves import Curve, curve_named
from ctxpack.deciding import Decision, decide
from ctxpack.errors import InputError, Stop
from ctxpack.filters.duplicates import sources
from ctxpack.likeness.similarity import Likeness
from ctxpack.placement import place, relative, starts
from ctxpack.result import Packed, PackResult, Skipped
from ctxpack.settings import Settings, check_settings
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
    should_stop: Stop | None = None,
) -> PackResult:
    """Pack what is weighed already, so that many settings can be tried at the price of one count.

    The settings have been checked, and differ from those of the weighing in nothing that it
    depends on: value, encoding, separator, pins.
    """
    decision = decide(weighing, settings, settings.budget + separator, should_stop=should_stop)
    used, decision = _recounted(decision, weighing, settings, separator, count)
    laid = _laid_out(decision.taken, settings)
    packed = _packed(
        laid, separator, curve_named(settings.curve), decision.duplicates, weighing.named
    )
    value = _total_value(decision.taken)
    proven = decision.proven
    bound = value if proven else max(value, decision.bound)
    return PackResult(
        settings=msgspec.structs.replace(settings, value=weighing.value_by),
        budget=settings.budget,
        used=used,
        counts=weighing.counts,
        considered=len(weighing.candidates),
        value_by=weighing.value_by,
        value=value,
        bound=bound,
        bound_on="value",
        gap=bound - value,
        proven=proven,
        curve=settings.curve,
        expected_use=sum(chunk.value * chunk.p for chunk in packed),
        mean_p=sum(chunk.p for chunk in packed) / len(packed) if packed else None,
        packed=packed,
        skipped=_skipped(weighing, decision.refused),
        word_scores=weighing.word_scores,
        warnings=weighing.warnings + decision.warnings + _loud(decision.refused, weighing),
    )


def valid_or_refuse(result: PackResult) -> None:
    """Raise InputError where not one candidate was valid, naming the first and its fault."""
    invalid = [chunk for chunk in result.skipped if chunk.reason == "invalid"]
    if len(invalid) == result.considered:
        first = f"; the first, {invalid[0].id!r}: {invalid[0].detail['why']}" if invalid else ""
        raise InputError(f"not one valid candidate among {result.considered}{first}.")


def _recounted(
    decision: Decision,
    weighing: Weighing,
    settings: Settings,
    separator: int,
    count: Count | None,
) -> tuple[int, Decision]:
    """Tokens used, never below the count of what is sent.

    The chunks joined into one text are counted once more: joining can add a token at a boundary.
    While that is over the budget, the last-chosen chunk leaves, a pin only where nothing else is
    left to go.
    """
    taken = decision.taken
    refused = decision.refused
    while True:
        used = sum(chunk.cost for chunk in taken) - (separator if taken else 0)
        texts = [weighing.texts.get(chunk.id) for chunk in _laid_out(taken, settings)]
        known = [text for text in texts if text is not None]
        if count is not None and len(known) == len(texts) > 1:
            used = max(used, count_joined(known, settings.separator or "", count))
        if used <= settings.budget:
            proven = decision.proven and taken == decision.taken
            return used, replace(decision, taken=taken, refused=refused, proven=proven)
        last = ([chunk for chunk in taken if not chunk.pinned] or taken)[-1]
        over = used - settings.budget
        if last.pinned and settings.pins_policy == "strict":
            raise InputError(
                f"pin {last.id!r} does not fit: joined, the pins are {over} tokens over the budget "
                f"of {settings.budget}: raise the budget, or let pins report."
            )
        detail = {"needed": last.tokens, "left": max(0, last.tokens - over), "joined": True}
        detail |= {"pinned": True} if last.pinned else {}
        taken = tuple(chunk for chunk in taken if chunk is not last)
        refused = (*refused, Refusal(last.id, "no_room", detail))


def _laid_out(taken: Sequence[Weighed], settings: Settings) -> list[Weighed]:
    if settings.pins_first:
        pins = [chunk for chunk in taken if chunk.pinned]
        free = [chunk for chunk in taken if not chunk.pinned]
        return pins + place(sorted(free, key=lambda c: c.by_value), settings.placement)
    return place(sorted(taken, key=lambda chunk: chunk.by_value), settings.placement)


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
            said.append(f"PIN NOT IN: {refusal.id!r} needs {needed} tokens, {left} are left.")
    return tuple(said)
