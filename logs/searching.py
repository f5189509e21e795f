"""Words as they are typed into a search, as what full-text search and substrings can find."""

from __future__ import annotations

from typing import NamedTuple

MOST_WORDS = 256
"""Words of a search that are looked for; whoever pastes a page finds by its beginning."""

_WORDS_A_MATCH = 32


class SearchTerms(NamedTuple):
    """FTS5 expressions and substrings that all have to be found."""

    matches: tuple[str, ...]
    substrings: tuple[str, ...]


def search_terms(typed: str) -> SearchTerms:
    """Split what was typed at white space; no sign in it has a meaning for FTS5.

    Case, accents and the signs beside a word's letters do not count. Words in scripts that
    put no space between words, and words without a letter or digit, are not in the full-text index
    as people type them: they are looked for as substrings.
    """
    words = tuple(dict.fromkeys(_printable(typed).split()))[:MOST_WORDS]
    indexed = [word for word in words if _is_indexed(word)]
    matches = tuple(
        " AND ".join(_prefix(word) for word in indexed[start : start + _WORDS_A_MATCH])
        for start in range(0, len(indexed), _WORDS_A_MATCH)
    )
    return SearchTerms(matches, tuple(word for word in words if not _is_indexed(word)))


def _prefix(word: str) -> str:
    doubled = word.replace('"', '""')
    return f'"{doubled}"*'


def _is_indexed(word: str) -> bool:
    # Below U+0E00 stand the scripts whose words are spaced, up to Sinhala; 1E00 to 206F holds
    # more Latin and Greek, and typographic quotes and dashes.
    spaced = all(ord(sign) < 0x0E00 or 0x1E00 <= ord(sign) < 0x2070 for sign in word)
    return spaced and any(sign.isalnum() for sign in word)


def _printable(typed: str) -> str:
    return "".join(sign if sign.isprintable() or sign.isspace() else " " for sign in typed)
