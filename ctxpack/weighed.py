"""A candidate as the choosers see it: what it costs and what it is worth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Weighed:
    """A valid candidate. `cost` is its tokens and one separator; `worth` its value as an integer.

    `order` is the place in which the application handed it over.
    """

    id: str
    order: int
    rank: int | None
    tokens: int
    cost: int
    value: float
    worth: int
    pinned: bool = False

    def room_in(self, left: int) -> int:
        """Tokens for the chunk itself where `left` must hold its separator as well."""
        return max(0, left - (self.cost - self.tokens))

    @property
    def by_rank(self) -> tuple[float, int]:
        """Sorts by rank, then by given order; without a rank last."""
        return (float("inf") if self.rank is None else self.rank, self.order)

    @property
    def by_value(self) -> tuple[float, float, int]:
        """Sorts by value, best first, ties by rank, then by given order."""
        return (-self.value, *self.by_rank)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a candidate is out, with the numbers behind it."""

    id: str
    reason: str
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Choice:
    """Chunks in the order in which they were taken, refusals, and whether no set is worth more."""

    taken: tuple[Weighed, ...]
    refused: tuple[Refusal, ...]
    exact: bool = False
