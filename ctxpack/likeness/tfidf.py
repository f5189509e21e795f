"""TF-IDF of texts: how alike they are by the terms that they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxpack.value.bm25 import terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Wholes = NDArray[np.int64]

BLOCK = 1_000_000
"""Numbers that are laid out at once, 8 bytes each, beside the matrix itself."""

RARE = 9
"""A term of at most a ninth of the texts is multiplied text by text: quicker than a column."""


@dataclass(frozen=True)
class TermRows:
    """Texts as unit rows over their terms; only terms of two texts or more are kept.

    `texts` and `weights` are the entries, term by term; term t has those from `starts[t]` to
    `starts[t + 1]`, its texts rising. `alone` is each text's cosine with itself: 0 without terms.
    """

    alone: Floats
    texts: Wholes
    weights: Floats
    starts: Wholes

    @property
    def count(self) -> int:
        """How many texts there are."""
        return len(self.alone)

    def products(self) -> Floats:
        """The cosine of every two texts; 0 with a text that has no terms."""
        import numpy as np

        cosines = np.zeros((self.count, self.count))
        held = np.diff(self.starts)
        common = np.flatnonzero(held * RARE > self.count)
        width = max(1, BLOCK // max(1, self.count))
        for begin in range(0, len(common), width):
            self._add_columns(cosines, common[begin : begin + width])
        for number in np.unique(held[held * RARE <= self.count]).tolist():
            alike = np.flatnonzero(held == number)
            step = max(1, BLOCK // number**2)
            for begin in range(0, len(alike), step):
                self._add_pairs(cosines, alike[begin : begin + step], number)
        np.fill_diagonal(cosines, self.alone)
        return cosines

    def row(self, text: int) -> Floats:
        """The cosine of one text with every text."""
        import numpy as np

        at = np.flatnonzero(self.texts == text)
        begins = np.searchsorted(self.starts, at, side="right") - 1
        spans = [slice(*self.starts[term : term + 2].tolist()) for term in begins.tolist()]
        if not spans:
            return np.where(np.arange(self.count) == text, self.alone, 0.0)
        sizes = [span.stop - span.start for span in spans]
        weights = np.concatenate([self.weights[span] for span in spans])
        weights *= np.repeat(self.weights[at], sizes)
        others = np.concatenate([self.texts[span] for span in spans])
        cosines = np.bincount(others, weights=weights, minlength=self.count)
        cosines[text] = self.alone[text]
        return cosines.astype(np.float64, copy=False)

    def _add_columns(self, cosines: Floats, columns: Wholes) -> None:
        """Add what common terms contribute, by one product of a dense block of their columns."""
        import numpy as np

        block = np.zeros((self.count, len(columns)))
        for place, term in enumerate(columns.tolist()):
            begin, end = self.starts[term : term + 2].tolist()
            block[self.texts[begin:end], place] = self.weights[begin:end]
        step = max(1, BLOCK // max(1, self.count))
        for begin in range(0, self.count, step):
            cosines[begin : begin + step] += block[begin : begin + step] @ block.T

    def _add_pairs(self, cosines: Floats, alike: Wholes, number: int) -> None:
        """Add what rare terms contribute, each held by `number` texts, pair by pair of texts."""
        import numpy as np

        at = self.starts[alike][:, None] + np.arange(number)
        texts, weights = self.texts[at], self.weights[at]
        pairs = texts[:, :, None] * self.count + texts[:, None, :]
        products = weights[:, :, None] * weights[:, None, :]
        np.add.at(cosines.reshape(-1), pairs.reshape(-1), products.reshape(-1))


def term_rows(texts: Sequence[str]) -> TermRows:
    """Weigh the terms of texts: count in the text times log((1 + N) / (1 + n)) + 1, unit length.

    N is the number of texts, n how many of them hold the term.
    """
    import numpy as np

    number: dict[str, int] = {}
    holders: list[int] = []
    columns: list[int] = []
    counts: list[int] = []
    for place, text in enumerate(texts):
        held = Counter(terms(text))
        holders.extend([place] * len(held))
        columns.extend([number.setdefault(term, len(number)) for term in held])
        counts.extend(held.values())
    text_of = np.array(holders, dtype=np.int64)
    term_of = np.array(columns, dtype=np.int64)
    held_by = np.bincount(term_of, minlength=len(number))
    rarity = np.log((1 + len(texts)) / (1 + held_by)) + 1
    weights = np.array(counts, dtype=np.float64) * rarity[term_of]
    lengths = np.sqrt(np.bincount(text_of, weights=weights**2, minlength=len(texts)))
    weights /= lengths[text_of]
    shared = np.flatnonzero(held_by[term_of] > 1)
    by_term = shared[np.argsort(term_of[shared], kind="stable")]
    starts = np.concatenate([[0], np.cumsum(held_by[held_by > 1])]).astype(np.int64)
    return TermRows((lengths > 0).astype(np.float64), text_of[by_term], weights[by_term], starts)
