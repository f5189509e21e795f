"""From candidates to weighed ones: ids, tokens, values, and which candidates are invalid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from ctxpack.candidate import Candidate, check_candidates, is_blank
from ctxpack.counting import Count
from ctxpack.errors import InputError
from ctxpack.likeness.similarity import Likeness, Similarities
from ctxpack.naming import stem_of, unique_names
from ctxpack.rendering import render
from ctxpack.settings import Settings
from ctxpack.value.scores import Scoring, doubts, score_of
from ctxpack.value.valuation import as_integers, valuate
from ctxpack.weighed import Refusal, Weighed


@dataclass(frozen=True)
class Weighing:
    """Every candidate weighed, in the order as listed; `refused` names the unusable ones.

    `named` are the candidates as they were given, `texts` as they are rendered, both by id.
    `word_scores` are BM25's by id, where it ranked candidates without any score.
    `likeness` compares them, with each other and with `query`.
    """

    candidates: tuple[Weighed, ...]
    refused: tuple[Refusal, ...]
    named: dict[str, Candidate]
    texts: dict[str, str]
    value_by: str
    counts: Literal["exact", "logged", "estimate"]
    warnings: tuple[str, ...]
    query: str = ""
    word_scores: dict[str, float] = field(default_factory=dict)
    likeness: Likeness = field(default_factory=Likeness, compare=False)

    def similarities(self, settings: Settings) -> Similarities:
        """How alike the valid candidates are; at once where that was asked before."""
        unusable = {refusal.id for refusal in self.refused}
        valid = [candidate for name, candidate in self.named.items() if name not in unusable]
        return self.likeness.compare(valid, self.query, settings.query_vector)


def weigh(
    candidates: Sequence[Candidate],
    settings: Settings,
    query: str,
    count: Count | None,
    separator: int,
    likeness: Likeness | None = None,
) -> Weighing:
    """Count and value every candidate; `separator` is the tokens of one.

    With `count`, text decides over given tokens and a difference is said; without it the given
    tokens are taken. Raises InputError where a value cannot be had.
    """
    check_candidates(candidates)
    named, refused, said = _named(candidates, set(settings.pins))
    texts = {c.id: text for c in named if (text := render(c)) is not None}
    sizes, differences = _sized(named, texts, count)
    valuation = valuate(
        named,
        settings.value,
        query,
        tokens=sizes,
        calibration=settings.calibration,
    )
    for candidate, tokens in zip(named, sizes, strict=True):
        why = _fault(candidate, tokens)
        if why:
            refused.setdefault(candidate.id, Refusal(candidate.id, "invalid", {"why": why}))
    worths = as_integers(valuation.values)
    weighed = tuple(
        Weighed(
            id=candidate.id,
            order=place if candidate.index is None else candidate.index,
            rank=valuation.ranks[place],
            tokens=sizes[place] or 0,
            cost=(sizes[place] or 0) + separator,
            value=valuation.values[place],
            worth=worths[place],
            pinned=candidate.pinned,
            score=valuation.scoring.scores[place],
            turned=valuation.scoring.turned,
        )
        for place, candidate in enumerate(named)
    )
    return Weighing(
        candidates=weighed,
        refused=tuple(refused.values()),
        named={candidate.id: candidate for candidate in named},
        texts=texts,
        value_by=valuation.by,
        counts="exact" if _all_counted(named, sizes, count) else "logged",
        warnings=(*said, *valuation.warnings, *doubts(named), *differences),
        query=query,
        word_scores=_word_scores(named, valuation.scoring),
        likeness=likeness or Likeness(),
    )


def _word_scores(named: Sequence[Candidate], scoring: Scoring) -> dict[str, float]:
    """BM25's scores by id, where they stand in for scores that no candidate has."""
    if not scoring.by_words or any(score_of(candidate) is not None for candidate in named):
        return {}
    ids = [candidate.id for candidate in named]
    return {name: score or 0.0 for name, score in zip(ids, scoring.scores, strict=True)}


def _sized(
    named: Sequence[Candidate], texts: dict[str, str], count: Count | None
) -> tuple[list[int | None], list[str]]:
    """Tokens of every candidate: its text's where that is counted, else as given; differences."""
    sizes: list[int | None] = []
    said = []
    for candidate in named:
        tokens = candidate.tokens
        if candidate.text is not None and not is_blank(candidate) and count is not None:
            counted = count(texts[candidate.id])
            if tokens is not None and tokens != counted:
                said.append(f"{candidate.id}: {tokens} tokens given, its text has {counted}.")
            tokens = counted
        sizes.append(tokens)
    return sizes, said


def _fault(candidate: Candidate, tokens: int | None) -> str:
    """Why a candidate cannot be packed at all; nothing where it can."""
    if is_blank(candidate):
        return "empty"
    if tokens is None:
        return "neither text nor tokens" if render(candidate) is None else "not counted"
    return f"{tokens} tokens" if tokens <= 0 else ""


def _all_counted(
    named: Sequence[Candidate], sizes: Sequence[int | None], count: Count | None
) -> bool:
    """Whether no candidate's tokens are only what was given with it."""
    return all(
        tokens is None or is_blank(candidate) or (candidate.text is not None and count is not None)
        for candidate, tokens in zip(named, sizes, strict=True)
    )


def separator_tokens(settings: Settings, count: Count | None, given: int | None = None) -> int:
    """Tokens of one separator: counted, else as given; raises InputError without either."""
    if not settings.separator:
        return 0
    if count is not None:
        return count(settings.separator)
    if given is None:
        raise InputError("a separator needs counting: give the packing a counter.")
    return given


def _named(
    candidates: Sequence[Candidate], pins: set[str]
) -> tuple[list[Candidate], dict[str, Refusal], list[str]]:
    """Candidates with an id each, pins marked.

    The same id and text again is a duplicate, whose rank, score and pin the first one keeps where
    they are better; the same id with another text becomes `id#2`.
    """
    names = unique_names([candidate.id for candidate in candidates])
    place_of = {name: place for place, name in enumerate(names)}
    named = [
        msgspec.structs.replace(candidate, id=name, pinned=candidate.pinned or candidate.id in pins)
        for candidate, name in zip(candidates, names, strict=True)
    ]
    refused: dict[str, Refusal] = {}
    said: list[str] = []
    for place, candidate in enumerate(candidates):
        name = names[place]
        again = name != candidate.id
        of = candidate.id if again else stem_of(name, place_of)
        if of is None or not _same(named[place_of[of]], named[place], by_text=not again):
            if again:
                said.append(f"id {of!r} stands twice: the second is called {name!r}.")
            continue
        refused[name] = Refusal(name, "duplicate", {"of": of, "similarity": 1.0})
        same = "without a text" if candidate.text is None else "with the same text"
        said.append(f"id {of!r} stands twice {same}: one is left out.")
        named[place_of[of]] = _merged(named[place_of[of]], named[place])
    for name, refusal in refused.items():
        place, kept = place_of[name], named[place_of[refusal.detail["of"]]]
        named[place] = msgspec.structs.replace(
            named[place],
            rank=named[place].rank or kept.rank,
            score=kept.score,
            score_kind=kept.score_kind,
            pinned=False,
        )
    return named, refused, said


def _same(first: Candidate, second: Candidate, *, by_text: bool) -> bool:
    """Whether two candidates of one id are one chunk; without texts their tokens decide."""
    if first.text is None and second.text is None:
        return not by_text and first.tokens == second.tokens
    return (first.text, first.header) == (second.text, second.header)


def _merged(kept: Candidate, other: Candidate) -> Candidate:
    ranks = [rank for rank in (kept.rank, other.rank) if rank is not None]
    scored = kept if score_of(kept) is not None else other
    return msgspec.structs.replace(
        kept,
        rank=min(ranks, default=None),
        score=scored.score,
        score_kind=scored.score_kind,
        pinned=kept.pinned or other.pinned,
    )
