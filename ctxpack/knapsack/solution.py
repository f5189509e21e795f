"""What a knapsack solver answers: a set, what it is worth, and how much better any set could be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Solution:
    """A set of items within the capacity, with its certificate.

    `taken` are the items' indices, ascending. No set is worth more than `bound`. `states` tells
    how many partial sets were kept, the measure of the work. `settled` says that the tie rule
    holds: among all sets of this value it is the one that lacks the highest index in which two
    of them differ.
    """

    taken: tuple[int, ...]
    value: int
    bound: int
    states: int = 0
    settled: bool = False

    @property
    def proven(self) -> bool:
        """Whether no set at all is worth more."""
        return self.value >= self.bound

    @property
    def gap(self) -> float:
        """By which share of the bound a better set could at most be better; 0 where proven."""
        return 0.0 if self.proven else (self.bound - self.value) / self.bound
