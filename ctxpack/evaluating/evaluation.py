"""What was measured, as plain JSON types: a row a choice, a row a layout, and differences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ctxpack.evaluating.differences import mean_difference, share_difference
from ctxpack.evaluating.grid import Grid
from ctxpack.evaluating.measuring import Measured, first_at_its_budget, first_on_its_curve
from ctxpack.settings import Settings


def evaluation(measured: Measured, grid: Grid) -> dict[str, Any]:
    """Rates are shares of all questions; means are over all, `mean_p` over `questions`.

    `differences` tell each choice's hit rate against the first of its budget, and each
    placement's p against the first on its curve, on the same questions.
    """
    many = max(1, measured.questions)
    by = " and ".join(sorted(measured.value_by))
    packing = [
        _named(choice)
        | {
            "value_by": by,
            "hit_rate": sums.hits / many,
            "hit_rate_all": sums.all_hits / many,
            "mean_value": sums.value / many,
            "mean_used": sums.used / many,
            "mean_packed": sums.packed / many,
        }
        for choice, sums in zip(grid.choices, measured.choices, strict=True)
    ]
    placement = [
        _named(choice)
        | {
            "placement": name,
            "curve": curve,
            "mean_p": sums.chances[layout] / sums.placed if sums.placed else None,
            "questions": sums.placed,
            "mean_expected_use": sums.uses[layout] / many,
        }
        for choice, sums in zip(grid.choices, measured.choices, strict=True)
        for layout, (name, curve) in enumerate(grid.layouts_of(choice))
    ]
    return {
        "questions": measured.questions,
        "retrieved": measured.retrieved,
        "packing": packing,
        "placement": placement,
        "differences": [*_of_hits(measured, grid), *_of_places(measured, grid)],
    }


def _named(choice: Settings) -> dict[str, Any]:
    return {
        "strategy": choice.strategy,
        "budget": choice.budget,
        "max_chunks": choice.max_chunks,
        "cutoff": choice.cutoff,
        "mmr_lambda": choice.mmr_lambda if choice.strategy == "mmr" else None,
        # The curve that it was chosen for; no other strategy looks at one.
        "curve": choice.curve if choice.strategy == "ordered" else None,
    }


def _of_hits(measured: Measured, grid: Grid) -> Iterator[dict[str, Any]]:
    for place, (choice, sums) in enumerate(zip(grid.choices, measured.choices, strict=True)):
        first = first_at_its_budget(grid, place)
        if first == place:
            continue
        pair = sums.against_first
        counts = (pair.both, pair.only_a, pair.only_b, pair.neither)
        difference, low, high = share_difference(*counts)
        yield {
            "of": "hit_rate",
            "a": _named(grid.choices[first]),
            "b": _named(choice),
            "questions": measured.questions,
            **dict(zip(("both", "only_a", "only_b", "neither"), counts, strict=True)),
            "difference": difference,
            "low": low,
            "high": high,
        }


def _of_places(measured: Measured, grid: Grid) -> Iterator[dict[str, Any]]:
    for choice, sums in zip(grid.choices, measured.choices, strict=True):
        layouts = grid.layouts_of(choice)
        for layout, (placement, curve) in enumerate(layouts):
            first = first_on_its_curve(layouts, layout)
            if first == layout:
                continue
            pair = sums.layouts[layout]
            difference, low, high = mean_difference(sums.placed, pair.total, pair.squares)
            yield {
                "of": "mean_p",
                **_named(choice),
                "curve": curve,
                "a": layouts[first][0],
                "b": placement,
                "questions": sums.placed,
                "better": pair.only_b,
                "worse": pair.only_a,
                "same": pair.neither,
                "difference": difference,
                "low": low,
                "high": high,
            }
