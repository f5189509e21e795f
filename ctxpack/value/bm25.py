"""BM25 over the candidates of one query, made safe for tiny and odd corpora."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rank_bm25 import BM25Okapi

_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)


def terms(text: str) -> list[str]:
    """Words in folded case; scripts that are written without spaces give a term a character."""
    return _WORD.findall(text.casefold())


@dataclass(frozen=True)
class TermShare:
    """What one term of the query gives to a text's score: the part, and its share, 0 to 1."""

    term: str
    score: float
    share: float


def bm25_scores(query: str, texts: Sequence[str]) -> list[float]:
    """A score a text, 0 where no term of the query stands in it, never negative.

    rank_bm25's Okapi with its defaults (k1 1.5, b 0.75), but with the weight
    log(1 + (N - n + 0.5) / (n + 0.5)), which stays positive for terms in every text and in tiny
    corpora. Empty corpora and empty texts score 0.
    """
    model = _model(query, texts)
    if model is None:
        return [0.0] * len(texts)
    return [float(score) for score in model.get_scores(terms(query))]


def term_shares(query: str, texts: Sequence[str], index: int) -> tuple[TermShare, ...]:
    """The query's terms, each once, with what they give to the score of `texts[index]`.

    Largest first, ties in the query's order; a term that stands twice in the query counts twice.
    The parts sum to the text's score in `bm25_scores`. Raises IndexError for no such text.
    """
    if not 0 <= index < len(texts):
        raise IndexError(f"no text {index} among {len(texts)}")
    model = _model(query, texts)
    asked = terms(query)
    parts = dict.fromkeys(asked, 0.0)
    if model is not None:
        for term in parts:
            parts[term] = asked.count(term) * float(model.get_batch_scores([term], [index])[0])
    total = math.fsum(parts.values())
    shares = [TermShare(term, part, part / total if total else 0.0) for term, part in parts.items()]
    return tuple(sorted(shares, key=lambda share: -share.score))


def _model(query: str, texts: Sequence[str]) -> BM25Okapi | None:
    """rank_bm25's model with our weights of the query's terms; None where there is no word."""
    corpus = [terms(text) for text in texts]
    if not any(corpus):
        return None
    from rank_bm25 import BM25Okapi

    model = BM25Okapi(corpus)
    count = len(corpus)
    holding = {term: sum(term in words for words in model.doc_freqs) for term in set(terms(query))}
    model.idf = {
        term: math.log(1 + (count - n + 0.5) / (n + 0.5)) for term, n in holding.items() if n
    }
    return model
