"""Counting tokens: exactly, of text as data, each text once."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from ctxpack.vocabulary import load_encoding

Count = Callable[[str], int]
"""Tokens of a text."""

_PIECE = 20_000


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
