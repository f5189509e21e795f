"""The 0/1 knapsack in whole numbers: exact and certified, by table, and for every capacity."""

from ctxpack.knapsack.solution import Solution
from ctxpack.knapsack.solving import solve

__all__ = ["Solution", "solve"]
