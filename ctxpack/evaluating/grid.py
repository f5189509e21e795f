"""The settings that are measured side by side: every way to choose, every way to place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import msgspec

from ctxpack.settings import Settings, check_settings


@dataclass(frozen=True)
class Grid:
    """Ways to choose, and for each of them the ways to place, as (placement, curve)."""

    choices: tuple[Settings, ...]
    layouts: tuple[tuple[str, str], ...]

    def placed(self, choice: Settings, layout: int) -> Settings:
        """The settings of a choice under one of the layouts."""
        placement, curve = self.layouts[layout]
        return msgspec.structs.replace(choice, placement=placement, curve=curve)


def grid(
    base: Settings,
    *,
    budgets: Sequence[int],
    strategies: Sequence[str],
    placements: Sequence[str],
    curves: Sequence[str] = ("assumed",),
    max_chunks: Sequence[int | None] = (None,),
    mmr_lambdas: Sequence[float] = (0.7,),
    cutoffs: Sequence[float | None] = (None,),
) -> Grid:
    """Every combination, those of one budget side by side; lambda varies for mmr alone.

    Raises InputError naming the setting that is refused.
    """
    wanted = (
        msgspec.structs.replace(
            base,
            budget=budget,
            max_chunks=most,
            cutoff=cutoff,
            strategy=strategy,
            mmr_lambda=share,
        )
        for budget, most, cutoff, strategy in product(budgets, max_chunks, cutoffs, strategies)
        for share in (mmr_lambdas if strategy == "mmr" else (base.mmr_lambda,))
    )
    choices: list[Settings] = []
    for choice in wanted:
        if choice not in choices:
            choices.append(choice)
    made = Grid(tuple(choices), tuple(dict.fromkeys(product(placements, curves))))
    for choice in made.choices:
        for layout in range(len(made.layouts)):
            check_settings(made.placed(choice, layout))
    return made
