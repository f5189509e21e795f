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

    def layouts_of(self, choice: Settings) -> tuple[tuple[str, str], ...]:
        """The ways to place a choice: all, or the one that `ordered` chose together with it."""
        if choice.strategy == "ordered":
            return (("optimal", choice.curve),)
        return self.layouts

    def placed(self, choice: Settings, layout: int) -> Settings:
        """The settings of a choice under one of its layouts."""
        placement, curve = self.layouts_of(choice)[layout]
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
    """Every combination, those of one budget side by side.

    Lambda varies for mmr alone. `ordered` chooses for a curve, so it is a choice for each of them.

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
            curve=curve,
        )
        for budget, most, cutoff, strategy in product(budgets, max_chunks, cutoffs, strategies)
        for share in (mmr_lambdas if strategy == "mmr" else (base.mmr_lambda,))
        for curve in (curves if strategy == "ordered" else (base.curve,))
    )
    choices: list[Settings] = []
    for choice in wanted:
        if choice not in choices:
            choices.append(choice)
    made = Grid(tuple(choices), tuple(dict.fromkeys(product(placements, curves))))
    for placement, curve in made.layouts:
        check_settings(msgspec.structs.replace(base, placement=placement, curve=curve))
    for choice in made.choices:
        for layout in range(len(made.layouts_of(choice))):
            check_settings(made.placed(choice, layout))
    return made
