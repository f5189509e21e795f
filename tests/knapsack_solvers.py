"""Knapsack solvers that share no code with ours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations


def brute_force(weights: Sequence[int], values: Sequence[int], capacity: int) -> tuple[int, ...]:
    """The best set, and among equal ones the smallest as a binary number: highest index first."""
    best: tuple[int, int, tuple[int, ...]] = (0, 0, ())
    for size in range(len(weights) + 1):
        for places in combinations(range(len(weights)), size):
            if sum(weights[place] for place in places) <= capacity:
                worth = sum(values[place] for place in places)
                number = sum(1 << place for place in places)
                best = min(best, (-worth, number, places))
    return best[2]


def plain_table(weights: Sequence[int], values: Sequence[int], capacity: int) -> tuple[int, ...]:
    """Seed 1's table in plain lists: an item is taken only where that strictly beats leaving it."""
    rows = [[0] * (capacity + 1)]
    for weight, value in zip(weights, values, strict=True):
        above = rows[-1]
        head = above[:weight]
        rest = zip(above[weight:], above, strict=False)
        rows.append(head + [max(left, shifted + value) for left, shifted in rest])
    taken = []
    cell = capacity
    for item in range(len(weights) - 1, -1, -1):
        if rows[item + 1][cell] != rows[item][cell]:
            taken.append(item)
            cell -= weights[item]
    return tuple(reversed(taken))


def independent_optimum(weights: Sequence[int], values: Sequence[int], capacity: int) -> int:
    """The best value: by OR-tools where it is installed, else by the plain table."""
    try:
        from ortools.algorithms.python import knapsack_solver
    except ImportError:
        return sum(values[item] for item in plain_table(weights, values, capacity))
    kind = knapsack_solver.SolverType.KNAPSACK_DYNAMIC_PROGRAMMING_SOLVER
    solver = knapsack_solver.KnapsackSolver(kind, "independent")
    solver.init(list(values), [list(weights)], [capacity])
    return int(solver.solve())
