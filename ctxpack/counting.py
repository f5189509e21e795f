"""Counting tokens: exactly, of text as data, each text once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from hashlib import blake2b

from ctxpack.vocabulary import load_encoding

Count = Callable[[str], int]
"""Tokens of a text."""

_PIECE = 20_000

_SEAM = re.compile(r"(?<=[A-Za-z]) (?=[A-Za-z])")
"""Where no tiktoken encoding lets a token cross: before a space that stands between letters."""

_NEAR = 400


class Counter:
    """Counts the tokens of texts in one encoding, and remembers every count by the text's hash.

    Special tokens in a text are counted as text. The vocabulary is loaded at the first count;
    raises InputError then, where it cannot be found.
    """

    def __init__(self, encoding: str = "o200k_base") -> None:
        self.encoding = encoding
        self._known: dict[bytes, int] = {}

    def __call__(self, text: str) -> int:
        """Tokens of `text`, 0 for an empty one."""
        if not text:
            return 0
        key = blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
        if key not in self._known:
            self._known[key] = count_tokens(text, self.encoding)
        return self._known[key]


def count_joined(texts: Sequence[str], separator: str, count: Count) -> int:
    """Tokens of the texts joined by the separator: what is sent, not the sum of its parts.

    A Counter counts anew only what stands around the joints, so that this is cheap.
    """
    if not isinstance(count, Counter):
        return count(separator.join(texts))
    total, open_end = 0, ""
    for part in [part for text in texts for part in (text, separator)][:-1]:
        first = _SEAM.search(part)
        if first is None:
            open_end += part
            continue
        head, tail = part[: first.start()], part[_last_seam(part) :]
        total += count(open_end + head) + count(part) - count(head) - count(tail)
        open_end = tail
    return total + count(open_end)


def _last_seam(part: str) -> int:
    near = max(0, len(part) - _NEAR)
    seams = [match.start() for match in _SEAM.finditer(part, near)]
    return seams[-1] if seams else [match.start() for match in _SEAM.finditer(part)][-1]


def count_tokens(text: str, encoding: str = "o200k_base") -> int:
    """Tokens of `text`; where the tokenizer gives up on its length, the sum over its pieces."""
    model = load_encoding(encoding)
    try:
        return len(model.encode_ordinary(text))
    except Exception:
        raise
    except BaseException as error:
        # The tokenizer's own panic is not an Exception; anything else is not ours to catch.
        if type(error).__name__ != "PanicException":
            raise
    return sum(len(model.encode_ordinary(piece)) for piece in _pieces(text))


def _pieces(text: str) -> list[str]:
    return [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
