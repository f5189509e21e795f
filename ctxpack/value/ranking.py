"""The rank order of candidates: as given, else by their scores, else by the query's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ctxpack.candidate import Candidate
from ctxpack.rendering import render
from ctxpack.value.bm25 import bm25_scores
from ctxpack.value.scores import Scoring, kinds_of, score_of, scoring, stands_beside


@dataclass(frozen=True)
class Ranking:
    """Ranks, one a candidate, and the scores that go with them.

    `words` are the BM25 scores where BM25 ranked. `unused` is a sentence why scores that are
    there did not rank; `warnings` are the others.
    """

    ranks: tuple[int | None, ...]
    scoring: Scoring
    words: tuple[float, ...] | None = None
    unused: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[str, ...]:
        """All that is to be said of it."""
        return (*self.warnings, self.unused) if self.unused else self.warnings


def ranked(candidates: Sequence[Candidate]) -> bool:
    """Whether ranks are given: then they rule."""
    return any(candidate.rank is not None for candidate in candidates)


def rank(candidates: Sequence[Candidate], query: str, *, by_words: bool = False) -> Ranking:
    """Rank the candidates: given ranks, else scores of a known kind, else BM25, else as listed.

    `by_words` puts BM25 before the scores. Where BM25 ranks, its scores are the scores unless the
    candidates have some that compare. A pin that retrieval did not return has no rank.
    """
    scores = scoring(candidates)
    if ranked(candidates):
        ranks, warnings = _as_given(candidates)
        return Ranking(ranks, scores, warnings=warnings)
    if not by_words and comparable(candidates):
        return Ranking(ranks_by(scores.scores), scores)
    unused = "" if by_words else _unused(candidates, bool(query.strip()))
    if query.strip():
        words = word_scores(candidates, query)
        if scores.why:
            scores = Scoring(words, by_words=True)
        return Ranking(ranks_by(words), scores, words=words, unused=unused)
    return Ranking(ranks_by([0.0] * len(candidates)), scores, unused=unused)


def comparable(candidates: Sequence[Candidate]) -> bool:
    """Whether every candidate has a score and all are of one kind that was told."""
    competing = [candidate for candidate in candidates if not stands_beside(candidate)]
    kinds = {candidate.score_kind or "unknown" for candidate in competing}
    scored = all(score_of(candidate) is not None for candidate in competing)
    return scored and len(kinds) == 1 and "unknown" not in kinds


def word_scores(candidates: Sequence[Candidate], query: str) -> tuple[float, ...]:
    """BM25 scores of the candidates as they are rendered; 0 for one without a text."""
    return _word_scores(query, tuple(render(candidate) or "" for candidate in candidates))


@lru_cache(maxsize=2)
def _word_scores(query: str, texts: tuple[str, ...]) -> tuple[float, ...]:
    """Kept for the last runs: a changed budget or strategy ranks the same texts again."""
    return tuple(bm25_scores(query, texts))


def ranks_by(scores: Sequence[float | None]) -> tuple[int | None, ...]:
    """Ranks by falling score, ties as listed; None where there is no score."""
    known = [(score, index) for index, score in enumerate(scores) if score is not None]
    best_first = [index for _, index in sorted(known, key=lambda pair: -pair[0])]
    ranks: list[int | None] = [None] * len(scores)
    for place, index in enumerate(best_first, start=1):
        ranks[index] = place
    return tuple(ranks)


def _as_given(
    candidates: Sequence[Candidate],
) -> tuple[tuple[int | None, ...], tuple[str, ...]]:
    last = max(candidate.rank or 0 for candidate in candidates)
    ranks: list[int | None] = []
    unranked: list[str] = []
    for candidate in candidates:
        if candidate.rank is None and not candidate.pinned:
            unranked.append(candidate.id)
            ranks.append(last + len(unranked))
        else:
            ranks.append(candidate.rank)
    if not unranked:
        return tuple(ranks), ()
    said = f"{len(unranked)} without a rank, such as {unranked[0]!r}: ranked last."
    return tuple(ranks), (said,)


def _unused(candidates: Sequence[Candidate], words: bool) -> str:
    """Why scores of a known kind did not rank; nothing where there are none."""
    kinds = kinds_of(candidates)
    instead = "the query's words rank (BM25)" if words else "the order as listed is the rank"
    if len(kinds) > 1:
        return f"scores of several kinds ({', '.join(kinds)}) cannot be compared: {instead}."
    missing = [c.id for c in candidates if score_of(c) is None and not stands_beside(c)]
    if not missing or kinds in ([], ["unknown"]):
        return ""
    who = (
        f"{missing[0]!r} and {len(missing) - 1} more have" if missing[1:] else f"{missing[0]!r} has"
    )
    return f"{who} no score: {instead}."
