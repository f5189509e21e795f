"""Why one chunk is in or out, and what would change that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from ctxpack.choosing.fill import in_turn
from ctxpack.choosing.optimal import forced
from ctxpack.choosing.took_room import took_room
from ctxpack.counting import Count
from ctxpack.errors import Stop
from ctxpack.explaining.changes import ROOM, Change, letting_in, putting_out
from ctxpack.explaining.chunk_ids import find_chunk
from ctxpack.explaining.holding import held_in
from ctxpack.explaining.trials import Trials, trials
from ctxpack.likeness.similarity import Likeness
from ctxpack.record import LoggedCandidate, Record
from ctxpack.replay import logged_settings, packed_in_order, retrieved
from ctxpack.result import PackResult, Skipped
from ctxpack.retrieved import Retrieved
from ctxpack.settings import STRATEGIES, Settings
from ctxpack.weighed import Span


class Term(msgspec.Struct, frozen=True, kw_only=True):
    """A word of the query: what it gives to the chunk's BM25 score, and its share, 0 to 1."""

    term: str
    score: float
    share: float


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """Why a chunk is packed or skipped under a budget and a strategy; sizes are tokens.

    `reason` and `detail` are a skipped chunk's; a packed pin's detail says `pinned`. `took_room`
    are the ids of the chunks, best-ranked first, that would have to leave for it. `in_at` are the
    budgets at which it is in, by strategy (see `holding`), `stays_from` the one from which it never
    leaves; `known_to` is there for strategies of which the budgets are not all known, and says up
    to which they are.
    `changes`: see `Change`. `place` counts from 1 in the order in which the strategy offers room
    (mmr: takes), None where there is no such order or a filter came first.
    `terms` are there where BM25 ranked, weighed over the candidates at hand. `said` are sentences,
    and `packing` the packing that is explained; neither is part of the JSON.
    """

    id: str
    budget: int
    strategy: str
    verdict: Literal["packed", "skipped"]
    reason: str | None
    detail: dict[str, Any]
    took_room: tuple[str, ...]
    in_at: dict[str, tuple[Span, ...]]
    stays_from: dict[str, int | None]
    known_to: dict[str, int]
    changes: tuple[Change, ...]
    rank: int | None
    tokens: int | None
    value: float
    place: int | None
    terms: tuple[Term, ...]
    packing: PackResult
    said: tuple[str, ...] = ()


def why(
    given: Retrieved, settings: Settings, chunk_id: str, should_stop: Stop | None = None
) -> Why:
    """Explain one chunk, named by its id or the beginning of it, of what these settings pack.

    Raises InputError for settings that are refused and for a chunk that is not among the
    candidates, naming the nearest ids; Stopped where `should_stop` says so.
    """
    tried = trials(given, settings, should_stop)
    chunk_id = find_chunk(chunk_id, [chunk.id for chunk in tried.weighing.candidates])
    # What is weighed already is packed at once; where that is refused, this says why.
    packing = tried.pack() or given.pack(settings, should_stop=should_stop)
    out = next((chunk for chunk in packing.skipped if chunk.id == chunk_id), None)
    held = {name: held_in(tried, name, chunk_id) for name in STRATEGIES}
    took = () if out is None else who_took_room(tried, out)
    changes = letting_in(tried, out, held, took) if out else putting_out(tried, chunk_id, held)
    chunk = tried.weighed(chunk_id)
    return Why(
        id=chunk_id,
        budget=settings.budget,
        strategy=settings.strategy,
        verdict="packed" if out is None else "skipped",
        reason=None if out is None else out.reason,
        detail=out.detail if out else {"pinned": True} if chunk.pinned else {},
        took_room=took,
        in_at={name: one.spans for name, one in held.items()},
        stays_from={name: one.stays_from for name, one in held.items()},
        known_to={name: one.known for name, one in held.items() if one.known is not None},
        changes=tuple(changes),
        rank=chunk.rank,
        tokens=chunk.tokens if out is None else out.tokens,
        value=chunk.value,
        place=_place(tried, chunk_id),
        terms=_terms(tried, chunk_id),
        packing=packing,
        said=(*given.said, *packing.warnings, *_of_joints(packing)),
    )


def why_logged(
    record: Record,
    settings: Settings,
    chunk_id: str,
    count: Count | None = None,
    should_stop: Stop | None = None,
    *,
    likeness: Likeness | None = None,
) -> Why:
    """Explain one chunk of a logged run; `likeness` is kept from one to the next.

    Under the logged settings the log's own verdict and reason stand, and its own counts where
    every candidate has them and counting anew packs another set; where packing again gives another
    verdict that is said, and then there are no changes to tell: it was not this packer that
    decided. Raises as `why` does.
    """
    logged = logged_settings(record)
    as_logged = settings == logged.settings
    given = retrieved(record, settings, count, likeness=likeness)
    logged_sizes = all(candidate.tokens is not None for candidate in record.candidates)
    if as_logged and given.count is not None and logged_sizes:
        again = given.pack(settings, should_stop=should_stop)
        if {chunk.id for chunk in again.packed} != {one.id for one in packed_in_order(record)}:
            given = retrieved(record, settings, likeness=likeness)
    found = why(given, settings, chunk_id, should_stop)
    if not as_logged:
        return found
    chunk = next((one for one in record.candidates if one.id == found.id), None)
    found = msgspec.structs.replace(found, said=(*logged.said, *found.said))
    return found if chunk is None else _as_logged(found, chunk, settings)


def why_json(found: Why) -> dict[str, Any]:
    """The answer as plain JSON types, as the command prints it."""
    plain: dict[str, Any] = msgspec.to_builtins(found)
    del plain["packing"], plain["said"]
    return plain


def _of_joints(packing: PackResult) -> Iterator[str]:
    joints = packing.settings.joints
    if joints:
        yield (
            f"joined, the texts take {joints} tokens more than each alone: at other budgets that "
            "can be more or less, and where a chunk comes in may lie as much off."
        )


def who_took_room(tried: Trials, out: Skipped) -> tuple[str, ...]:
    """Ids of those who would have to leave for a skipped chunk; none where room is not why."""
    if "took_room" in out.detail:
        return tuple(out.detail["took_room"])
    if out.detail.get("pinned"):
        return ()
    if out.reason == "no_room":
        return _earlier(tried, out)
    return _instead(tried, out.id) if out.reason == "not_chosen" else ()


def _earlier(tried: Trials, out: Skipped) -> tuple[str, ...]:
    """Among those who were taken before its turn, which the room that was left then tells."""
    decision = tried.decide()
    assert decision is not None
    chunk = tried.weighed(out.id)
    free = [one for one in decision.taken if not one.pinned]
    left = tried.room - sum(one.cost for one in decision.taken if one.pinned)
    taken = []
    for one in free:
        if left < chunk.cost and chunk.room_in(left) == out.detail["left"]:
            break
        taken.append(one)
        left -= one.cost
    return took_room(chunk.cost - left, taken)


def _instead(tried: Trials, chunk_id: str) -> tuple[str, ...]:
    """The chosen set less the best one that is forced to hold the chunk."""
    if tried.settings.strategy == "ordered":
        beside = tried.packed(pins=(*tried.settings.pins, chunk_id))
        decision = tried.decide() if beside is not None else None
        taken = decision.taken if decision else ()
        return tuple(one.id for one in taken if one.id not in (beside or ()))
    who = tried.contest(tried.room)
    return forced(who.free, tried.room - who.reserved, chunk_id, tried.should_stop)[0]


def _place(tried: Trials, chunk_id: str) -> int | None:
    strategy = tried.settings.strategy
    if strategy in ("optimal", "ordered"):
        return None
    if strategy == "mmr":
        decision = tried.decide()
        ordered = [one for one in decision.taken if not one.pinned] if decision else []
    else:
        ordered = in_turn(tried.contest().free, strategy)
    return next((at for at, one in enumerate(ordered, 1) if one.id == chunk_id), None)


def _terms(tried: Trials, chunk_id: str) -> tuple[Term, ...]:
    """The query's words in the chunk, where words ranked it."""
    weighing, query = tried.weighing, tried.retrieved.query
    candidate = weighing.named[chunk_id]
    if chunk_id not in weighing.texts or not query.strip():
        return ()
    if weighing.value_by != "bm25" and candidate.score_kind != "bm25":
        return ()
    from ctxpack.value.bm25 import term_shares

    names = list(weighing.texts)
    shares = term_shares(query, [*weighing.texts.values()], names.index(chunk_id))
    return tuple(Term(term=one.term, score=one.score, share=one.share) for one in shares)


def _as_logged(found: Why, chunk: LoggedCandidate, settings: Settings) -> Why:
    if chunk.outcome not in ("packed", "skipped"):
        said = "the log does not tell whether it was packed: this is what packing it again gives."
        return msgspec.structs.replace(found, said=(*found.said, said))
    if chunk.outcome == "skipped" and found.verdict == "skipped":
        same = chunk.reason == found.reason
        return msgspec.structs.replace(
            found,
            reason=chunk.reason,
            detail=dict(chunk.detail or {}) or (found.detail if same else {}),
            took_room=found.took_room if chunk.reason in ROOM else (),
        )
    if chunk.outcome == found.verdict:
        return found
    kept = "keeps it" if found.verdict == "packed" else "leaves it out"
    said = (
        f"packing the logged candidates again by {settings.strategy} at {settings.budget:,} "
        f"tokens {kept}: the assembler did something else."
    )
    return msgspec.structs.replace(
        found,
        verdict="packed" if chunk.outcome == "packed" else "skipped",
        reason=chunk.reason if chunk.outcome == "skipped" else None,
        detail=dict(chunk.detail or {}) if chunk.outcome == "skipped" else {},
        took_room=(),
        changes=(),
        said=(*found.said, said),
    )
