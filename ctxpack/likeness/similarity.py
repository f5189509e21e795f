"""How alike candidates are, and how near they are to the query: cosines, on a fixed grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from struct import Struct
from typing import TYPE_CHECKING

from ctxpack.candidate import Candidate
from ctxpack.likeness.tfidf import BLOCK, TermRows, term_rows
from ctxpack.likeness.vectors import UnitRows, unit_rows
from ctxpack.rendering import render

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Wholes = NDArray[np.int64]

ONE = 1_000_000_000_000
"""A cosine of 1 as a whole number: rounded to this grid, equal choices do not depend on the
machine's arithmetic."""

KEPT = 4_000
"""Up to this many candidates every cosine is kept; above, a row is made when asked."""

_NAMED = 3


@dataclass(frozen=True)
class Similarities:
    """Cosines among candidates and with the query, as whole numbers of ONE.

    `places` gives each candidate's place in a row; equal candidates share one. `relevance` is by
    place, None where there is no query to compare with. `unusable` are ids of which the vector or
    text cannot be compared: their cosines are 0, and they come last; `warnings` say so.
    """

    places: dict[str, int]
    relevance: Wholes | None
    row_at: Callable[[int], Wholes] = field(repr=False)
    unusable: frozenset[str] = frozenset()
    warnings: tuple[str, ...] = ()

    def row(self, chunk_id: str) -> Wholes:
        """Cosines of one candidate with the candidate at each place."""
        return self.row_at(self.places[chunk_id])

    def cosine(self, first: str, second: str) -> float:
        """The cosine of two candidates, from -1 to 1."""
        return int(self.row(first)[self.places[second]]) / ONE


class Likeness:
    """Compares candidates, and remembers the last comparison while they and the query stay."""

    def __init__(self) -> None:
        self._last: tuple[object, Similarities] | None = None

    def compare(
        self, candidates: Sequence[Candidate], query: str, query_vector: Sequence[float] | None
    ) -> Similarities:
        """As `compare` does; at once where nothing that is compared has changed."""
        compared = [(c.id, c.header, c.text, c.vector) for c in candidates]
        key = (compared, query, query_vector)
        last = self._last
        if last is not None and last[0] == key:
            return last[1]
        similarities = compare(candidates, query, query_vector)
        self._last = (key, similarities)
        return similarities


def compare(
    candidates: Sequence[Candidate], query: str, query_vector: Sequence[float] | None
) -> Similarities:
    """Compare by the vectors, where no fewer candidates have one than have a text; else by TF-IDF.

    TF-IDF is of the rendered texts and the query. A vector of zeros and a text without words have
    cosine 0 with everything, and so has what cannot be compared, which comes last and which a
    warning names. The order of the candidates does not matter. Ids must be unique.
    """
    ordered = sorted(candidates, key=lambda candidate: candidate.id)
    vectors = sum(bool(candidate.vector) for candidate in ordered)
    texts = sum(candidate.text is not None for candidate in ordered)
    if vectors and vectors >= texts:
        return _by_vectors(ordered, query_vector)
    if texts:
        missing = f"{vectors} of {len(ordered)} have a vector: their texts are compared instead."
        return _by_texts(ordered, query, (missing,) if vectors else ())
    said = ("neither texts nor vectors to compare: mmr goes by value alone.",) if ordered else ()
    return _similarities(
        {candidate.id: 0 for candidate in ordered}, unit_rows([bytes(8)], 1), False, (), said
    )


def _by_vectors(ordered: Sequence[Candidate], query_vector: Sequence[float] | None) -> Similarities:
    lengths = Counter(len(c.vector) for c in ordered if c.vector)
    asked = -1 if query_vector is None else len(query_vector)
    size = asked if asked in lengths else max(lengths, key=lambda n: (lengths[n], n))
    given: list[Sequence[float] | None] = [candidate.vector for candidate in ordered]
    queried = query_vector is not None and asked == size
    if queried:
        given.append(query_vector)
    as_bytes = Struct(f"{size}d").pack
    nothing = bytes(8 * size)
    packed = [as_bytes(*v) if v is not None and len(v) == size else nothing for v in given]
    places, firsts = _distinct(packed[: len(ordered)])
    chosen = [packed[at] for at in firsts] + packed[len(ordered) :]
    rows = unit_rows(chosen, size)
    unusable = {
        candidate.id: _fault(candidate.vector, size)
        for candidate, place in zip(ordered, places, strict=True)
        if candidate.vector is None or len(candidate.vector) != size or not rows.finite[place]
    }
    said = [f"{_listed(unusable)}: not comparable, chosen last by mmr."] if unusable else []
    if query_vector is not None and not (queried and rows.finite[-1]):
        fault = _fault(query_vector, size)
        said.append(f"query vector ({fault}): not compared, relevance is the value.")
        rows, queried = unit_rows(chosen[: len(firsts)], size), False
    named = dict(zip([c.id for c in ordered], places, strict=True))
    return _similarities(named, rows, queried, [*unusable], said)


def _fault(vector: Sequence[float] | None, size: int) -> str:
    if vector is None:
        return "no vector"
    if len(vector) != size:
        return f"length {len(vector)}, not {size}"
    return "NaN or an infinite number"


def _by_texts(ordered: Sequence[Candidate], query: str, said: Sequence[str]) -> Similarities:
    texts = [render(candidate) or "" for candidate in ordered]
    unusable = {c.id: "no text" for c in ordered if c.text is None}
    if unusable:
        said = [*said, f"{_listed(unusable)}: not comparable, chosen last by mmr."]
    asked = bool(query.strip())
    # Every text counts in the weights of the terms, also the same one again.
    rows = term_rows([*texts, query] if asked else texts)
    places, firsts = _distinct(texts)
    last = [len(texts)] if asked else []
    named = dict(zip([c.id for c in ordered], places, strict=True))
    return _similarities(named, _OfTexts(rows, [*firsts, *last]), asked, [*unusable], said)


class _OfTexts:
    """Some of the rows of weighed texts."""

    def __init__(self, terms: TermRows, chosen: list[int]) -> None:
        self.terms = terms
        self.chosen = chosen
        self.count = len(chosen)

    def products(self) -> Floats:
        """Cosines of every two chosen rows."""
        import numpy as np

        everything = self.terms.products()
        if self.count == len(everything):
            return everything
        return everything[np.ix_(self.chosen, self.chosen)]

    def row(self, place: int) -> Floats:
        """Cosines of one chosen row with every chosen row."""
        return self.terms.row(self.chosen[place])[self.chosen]


def _similarities(
    places: dict[str, int],
    rows: UnitRows | _OfTexts,
    queried: bool,
    unusable: Sequence[str],
    said: Sequence[str],
) -> Similarities:
    """Keep every cosine where they are few enough; the query, if any, is the last row."""
    count = rows.count - queried
    if len(places) <= KEPT:
        matrix = _on_grid(rows.products())
        relevance = matrix[count, :count].copy() if queried else None
        row_at: Callable[[int], Wholes] = matrix[:count, :count].__getitem__
    else:
        relevance = _on_grid(rows.row(count))[:count] if queried else None

        def row_at(place: int) -> Wholes:
            return _on_grid(rows.row(place))[:count]

    return Similarities(places, relevance, row_at, frozenset(unusable), tuple(said))


def _on_grid(cosines: Floats) -> Wholes:
    """Cosines as whole numbers of ONE; written over the given ones, so that none stand twice."""
    import numpy as np

    cosines *= ONE
    np.rint(cosines, out=cosines)
    wholes = cosines.view(np.int64)
    numbers, into = cosines.reshape(-1), wholes.reshape(-1)
    for begin in range(0, len(numbers), BLOCK):
        into[begin : begin + BLOCK] = numbers[begin : begin + BLOCK].astype(np.int64)
    return wholes


def _distinct(keys: Sequence[object]) -> tuple[list[int], list[int]]:
    """The place of each key among the different ones, and where each of those stands first."""
    number: dict[object, int] = {}
    firsts: list[int] = []
    places = []
    for at, key in enumerate(keys):
        place = number.setdefault(key, len(firsts))
        if place == len(firsts):
            firsts.append(at)
        places.append(place)
    return places, firsts


def _listed(unusable: dict[str, str]) -> str:
    """`'a' (no vector), 'b' (no vector) and 4 more`."""
    shown = [f"{name!r} ({why})" for name, why in [*unusable.items()][:_NAMED]]
    more = len(unusable) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
