"""The exact knapsack against one scaled to 2,000 cells and against OR-tools' branch and bound.

Run from the repository's root: the lists are those that the tests prove.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from statistics import fmean, median
from time import process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks.instances import HARD, RETRIEVED, VALUES, instance
from benchmarks.table import Line
from ctxpack.knapsack import solve

CELLS = 2_000
"""What a scaled table is cut down to."""

SEEDS = 20

LIMIT = 1.0
"""Seconds that OR-tools may take for one list."""

Ints = NDArray[np.int64]


def lines() -> list[Line]:
    """CPU time as ratios on the same lists, in one run; OR-tools only where it is installed."""
    measured = [*_long_lists(), *_short_lists()]
    if find_spec("ortools") is not None:
        measured += _against_branch_and_bound()
    return measured


def _long_lists() -> list[Line]:
    times, values, proven = [], [], 0
    for seed in range(SEEDS):
        weights, worths = _arrays(f"uneven, {[*VALUES][seed % len(VALUES)]}", 10_000, seed)
        ours = solve(weights, worths, 1_000_000)
        scaled = scaled_set(weights, worths, 1_000_000)
        proven += ours.proven
        values.append(ours.value / sum(int(worths[item]) for item in scaled))
        times.append(
            _time(solve, weights, worths, 1_000_000, rounds=3)
            / _time(scaled_set, weights, worths, 1_000_000, rounds=3)
        )
    near = [
        solve(*_arrays(f"nearly equal, {kind}", 10_000, seed), 1_000_000)
        for kind in VALUES
        for seed in range(SEEDS)
    ]
    hard = [solve(*_arrays(name, 10_000, 0), 1_000_001) for name in HARD]
    what = "10,000 @ 1M"
    return [
        Line(f"exact / scaled, {what} uneven, time", median(times), "<= 0.067"),
        Line(f"exact / scaled, {what} uneven, value", fmean(values), ">= 1.3"),
        Line(f"{what} uneven, proven of {SEEDS}", proven, str(SEEDS), ""),
        Line(f"{what} nearly equal, largest gap", max(one.gap for one in near), "<= 1e-4", ""),
        Line(
            f"{what} nearly equal, proven of {len(near)}", sum(one.proven for one in near), "–", ""
        ),
        Line(
            f"{what} of {len(HARD)} hard classes, largest gap",
            max(one.gap for one in hard),
            "–",
            "",
        ),
    ]


def _short_lists() -> list[Line]:
    times = []
    for kind in VALUES:
        for seed in range(SEEDS // 2):
            weights, worths = _arrays(f"uneven, {kind}", 200, seed)
            times.append(
                _time(solve, weights.tolist(), worths.tolist(), 12_000)
                / _time(scaled_set, weights, worths, 12_000)
            )
    hard = [solve(*instance(name, 200, seed), 12_001) for name in HARD for seed in range(5)]
    return [
        Line("exact / scaled, 200 @ 12,000 uneven, time", median(times), "<= 0.5"),
        Line(
            f"200 @ 12,001 of {len(HARD)} hard classes, proven of {len(hard)}",
            sum(one.proven for one in hard),
            str(len(hard)),
            "",
        ),
    ]


def _against_branch_and_bound() -> list[Line]:
    found = []
    for count, capacity in ((20, 1_024), (40, 4_000), (200, 12_000)):
        ratios = []
        for name in (one for one in RETRIEVED if not one.startswith("nearly")):
            for seed in range(5):
                both = instance(name, count, seed)
                ratios.append(
                    _time(solve, *both, capacity) / _time(branch_and_bound, *both, capacity)
                )
        what = f"exact / OR-tools branch and bound, {count} @ {capacity:,}, time"
        found.append(Line(what, median(ratios), "<= 2.5"))
    ratios = []
    for kind in VALUES:
        weights, worths = instance(f"uneven, {kind}", 10_000, 0)
        ratios.append(
            _time(branch_and_bound, weights, worths, 1_000_000, rounds=1)
            / _time(solve, weights, worths, 1_000_000, rounds=3)
        )
    what = "OR-tools branch and bound / exact, 10,000 @ 1M, time"
    return [*found, Line(what, median(ratios), ">= 20")]


def scaled_set(weights: Ints, values: Ints, capacity: int) -> list[int]:
    """The usual table of CELLS cells: lengths in cells, rounded up so that the set fits."""
    scale = max(1.0, capacity / CELLS)
    cells = np.ceil(weights / scale).astype(np.int64).tolist()
    room = int(capacity / scale)
    best = np.zeros(room + 1, dtype=np.int64)
    takes = []
    for cost, value in zip(cells, values.tolist(), strict=True):
        if cost > room:
            takes.append(best[:0] > 0)
            continue
        with_it = best[: room + 1 - cost] + value
        takes.append(with_it > best[cost:])
        np.maximum(best[cost:], with_it, out=best[cost:])
    taken = []
    for item in range(len(cells) - 1, -1, -1):
        if room >= cells[item] and takes[item][room - cells[item]]:
            taken.append(item)
            room -= cells[item]
    return taken


def branch_and_bound(weights: Sequence[int], values: Sequence[int], capacity: int) -> list[int]:
    """OR-tools' best set within LIMIT seconds, with building the model and reading the set."""
    knapsack_solver = import_module("ortools.algorithms.python.knapsack_solver")
    kind = knapsack_solver.SolverType.KNAPSACK_MULTIDIMENSION_BRANCH_AND_BOUND_SOLVER
    solver = knapsack_solver.KnapsackSolver(kind, "benchmark")
    solver.set_time_limit(LIMIT)
    solver.init(values, [weights], [capacity])
    solver.solve()
    return [item for item in range(len(weights)) if solver.best_solution_contains(item)]


def _arrays(name: str, count: int, seed: int) -> tuple[Ints, Ints]:
    weights, values = instance(name, count, seed)
    return np.array(weights, dtype=np.int64), np.array(values, dtype=np.int64)


def _time(work: Callable[..., object], *given: object, rounds: int = 7) -> float:
    work(*given)
    samples = []
    for _ in range(rounds):
        begun = process_time()
        work(*given)
        samples.append(process_time() - begun)
    return median(samples)
