"""BM25 over the candidates of one query, made safe for tiny and odd corpora."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)


def terms(text: str) -> list[str]:
    """Words in folded case; scripts that are written without spaces give a term a character."""
    return _WORD.findall(text.casefold())


def bm25_scores(query: str, texts: Sequence[str]) -> list[float]:
    """A score a text, 0 where no term of the query stands in it, never negative.

    rank_bm25's Okapi with its defaults (k1 1.5, b 0.75), but with the weight
    log(1 + (N - n + 0.5) / (n + 0.5)), which stays positive for terms in every text and in tiny
    corpora. Empty corpora and empty texts score 0.
    """
    corpus = [terms(text) for text in texts]
    if not any(corpus):
        return [0.0] * len(texts)
    from rank_bm25 import BM25Okapi

    model = BM25Okapi(corpus)
    count = len(corpus)
    holding = {term: sum(term in words for words in model.doc_freqs) for term in set(terms(query))}
    model.idf = {
        term: math.log(1 + (count - n + 0.5) / (n + 0.5)) for term, n in holding.items() if n
    }
    return [float(score) for score in model.get_scores(terms(query))]
