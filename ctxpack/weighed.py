"""A candidate as the choosers see it: what it costs and what it is worth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Span = tuple[int, int | None]
"""From the one number of tokens to the other, both included; None: to any larger number."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A valid candidate. `cost` is its tokens and one separator; `worth` its value as an integer.

    `order` is the place in which the application handed it over. `score` is the ranker's number
    turned so that higher is better, in its own units; None where there is none, or its direction
    is not known. `turned` says that it is the negative of the number as given: a distance.
    """

    id: str
    order: int
    rank: int | None
    tokens: int
    cost: int
    value: float
    worth: int
    pinned: bool = False
    score: float | None = None
    turned: bool = False

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
    """Chunks in the order in which they were taken, and refusals.

    `exact` says that no set is worth more; `bound` is a proven upper bound on the worth of any
    set, where one is known. `steady` are the smallest and the largest room, in tokens, at which
    the same choosing takes this very set (None: at any larger one); None where not known.
    `use_bound` is for ordered what no set is used more than, pins included; `exact` is of that.
    """

    taken: tuple[Weighed, ...]
    refused: tuple[Refusal, ...]
    exact: bool = False
    bound: int | None = None
    steady: Span | None = None
    use_bound: float | None = None
