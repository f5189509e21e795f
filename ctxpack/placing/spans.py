"""Chunks to be laid out one after another, and what an order of them is worth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ctxpack.curves import Curve


@dataclass(frozen=True)
class Spans:
    """What is laid out: tokens and values, `ahead` tokens before it, a separator between each two.

    `curve` is over x = (tokens before a chunk + half of its own) / all tokens, from 0 to 1.
    Where a chunk's middle stands depends only on which others stand before it.
    """

    tokens: tuple[int, ...]
    values: tuple[float, ...]
    curve: Curve
    separator: int = 0
    ahead: int = 0

    @cached_property
    def total(self) -> int:
        """All tokens, those ahead and the separators included."""
        between = self.separator * max(0, len(self.tokens) - 1)
        return self.ahead + sum(self.tokens) + between

    def x(self, before: int, chunk: int) -> float:
        """The place of a chunk's middle with `before` tokens before it, those ahead included."""
        return (before + self.tokens[chunk] / 2) / self.total if self.total else 0.5

    def use(self, order: Iterable[int]) -> float:
        """The sum of value times p of the chunks in this order."""
        at = self.ahead
        used = 0.0
        for chunk in order:
            used += self.values[chunk] * self.curve.p(self.x(at, chunk))
            at += self.tokens[chunk] + self.separator
        return used
