"""Patterns that are taken out of texts before anything is stored, each within a bound of time."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import msgspec

from ctxpack.errors import InputError
from ctxpack.record import LEVELS, Record

SECONDS = 0.25
"""How long one pattern may look at one text; a text that takes longer is not kept at all."""

TOO_SLOW = "[not kept: the pattern {name} took too long]"

_SAID = {"query", "text", "header", "expected", "feedback", "notes", "detail", "reason", "rule"}
TEXTS = frozenset(_SAID | {"source", "sources", "section"})
"""Known fields that hold words; the others join, name or count things, and are never changed."""


class Redaction(msgspec.Struct, frozen=True):
    """A pattern to take out, and the name that stands in its place as `[name]`."""

    name: str
    pattern: str


class Redactor:
    """Takes patterns out of texts; what it took out is counted by name in `taken`.

    Raises InputError where a pattern cannot be read or matches the empty text.
    """

    def __init__(self, redactions: tuple[Redaction, ...], seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._patterns = _compiled(redactions)
        self.taken: Counter[str] = Counter()

    def text(self, text: str) -> str:
        """The text without what the patterns match."""
        for name, pattern in self._patterns:
            try:
                text, times = pattern.subn(
                    lambda _found, name=name: f"[{name}]", text, timeout=self._seconds
                )
            except TimeoutError:
                self.taken[name] += 1
                return TOO_SLOW.format(name=name)
            if times:
                self.taken[name] += times
        return text

    def record(self, plain: dict[str, Any]) -> dict[str, Any]:
        """A record as plain JSON with its words redacted, and all that is in unknown fields."""
        return self._level(plain, Record)

    def _level(self, plain: dict[str, Any], level: type[msgspec.Struct]) -> dict[str, Any]:
        nested, known = LEVELS.get(level, {}), level.__struct_encode_fields__
        redacted: dict[str, Any] = {}
        for key, value in plain.items():
            if key in nested and isinstance(value, dict):
                redacted[key] = self._level(value, nested[key])
            elif key in nested and isinstance(value, list | tuple):
                redacted[key] = [self._level(part, nested[key]) for part in value]
            else:
                redacted[key] = value if key in known and key not in TEXTS else self._all(value)
        return redacted

    def _all(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list | tuple):
            return [self._all(part) for part in value]
        if isinstance(value, dict):
            return {key: self._all(part) for key, part in value.items()}
        return value


@cache
def _compiled(redactions: tuple[Redaction, ...]) -> list[tuple[str, Any]]:
    # `re` cannot be interrupted; `regex`, which tiktoken brings along, has a timeout.
    import regex

    compiled = []
    for redaction in redactions:
        try:
            pattern = regex.compile(redaction.pattern)
            empty = pattern.search("", timeout=SECONDS) is not None
        except (regex.error, TimeoutError) as error:
            raise InputError(f"redaction {redaction.name!r}: {error}.") from None
        if empty:
            raise InputError(
                f"redaction {redaction.name!r} matches the empty text: make it need a letter."
            )
        compiled.append((redaction.name, pattern))
    return compiled
