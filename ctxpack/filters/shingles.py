"""How much of their wording two texts share: exact Jaccard similarity of shingles."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from itertools import count

LENGTH = 5
"""Tokens in a shingle; a shorter text is compared whole."""

# Thai, Lao, Tibetan, Burmese, Khmer, then kana and Han: written without spaces between words.
_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff"
    "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
)
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")

Shingles = frozenset[int]
"""The shingles of one text, each by its number in the index that numbered it."""


def tokens(text: str) -> list[str]:
    """What stands between white space, after Unicode NFKC; upper and lower case differ.

    Scripts that are written without spaces give a token a character.
    """
    if text.isascii():
        return text.split()
    return _TOKEN.findall(unicodedata.normalize("NFKC", text))


class ShingleIndex:
    """Texts that were held, to compare others with: by what they share, not pair by pair."""

    def __init__(self, length: int = LENGTH) -> None:
        self._length = length
        self._numbers: defaultdict[tuple[str, ...], int] = defaultdict(count().__next__)
        self._first: dict[int, int] = {}
        self._others: dict[int, list[int]] = {}
        self._sizes: list[int] = []

    def shingles(self, text: str) -> Shingles:
        """All runs of so many tokens; a shorter text as one run; none of a text without tokens."""
        words = tokens(text)
        if len(words) < self._length:
            return frozenset([self._numbers[tuple(words)]] if words else [])
        runs = zip(*(words[at:] for at in range(self._length)), strict=False)
        return frozenset(map(self._numbers.__getitem__, runs))

    def compare(self, shingles: Shingles) -> dict[int, float]:
        """The similarity, above 0 to 1, with each held text that shares a shingle, by its place."""
        seen = self._first.keys() & shingles
        shared = Counter(map(self._first.__getitem__, seen))
        for number in self._others.keys() & seen:
            shared.update(self._others[number])
        size = len(shingles)
        return {at: n / (size + self._sizes[at] - n) for at, n in shared.items()}

    def hold(self, shingles: Shingles) -> None:
        """Keep a text; its place counts from 0 in the order of holding."""
        place = len(self._sizes)
        self._sizes.append(len(shingles))
        again = self._first.keys() & shingles
        for number in again:
            self._others.setdefault(number, []).append(place)
        self._first.update(dict.fromkeys(shingles - again, place))
