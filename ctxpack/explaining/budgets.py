"""Budgets at which something changes: the next other set, and the curve of them all."""

from __future__ import annotations

from ctxpack.deciding import Decision
from ctxpack.errors import Stop
from ctxpack.explaining.budget_curve import BudgetCurve, budget_curve, sampled
from ctxpack.explaining.first_such import first_such
from ctxpack.explaining.holding import Holding, holding
from ctxpack.explaining.trials import Trials, trials
from ctxpack.retrieved import Retrieved
from ctxpack.settings import Settings

__all__ = ["BudgetCurve", "Holding", "budget_curve", "holding", "next_budget", "sampled"]

STEPS = 64
"""How many spans of budgets are stepped over in which the window stays, though decided anew."""


def next_budget(
    retrieved: Retrieved,
    settings: Settings,
    direction: int,
    should_stop: Stop | None = None,
) -> int | None:
    """The nearest larger (`direction` above 0) or smaller budget at which another set is packed.

    Verified by packing. None where every budget in that direction packs the same set, is refused
    (strict pins), or STEPS changes of the decision left the window as it was. Exact while the
    strategy is: where a capped search cannot prove its set, a nearer change may be passed over.
    Raises InputError for settings that are refused, Stopped where `should_stop` says so.
    """
    tried = trials(retrieved, settings, should_stop)
    return _larger(tried) if direction > 0 else _smaller(tried)


def _larger(tried: Trials) -> int | None:
    budget = tried.settings.budget
    before = frozenset(chunk.id for chunk in tried.retrieved.pack(tried.settings).packed)
    for _ in range(STEPS):
        decision = tried.decide(budget=budget)
        last = None if decision is None else _last(tried, decision, budget)
        if decision is None:
            return None
        # Counted as joined, what one decision packs grows with the budget.
        end = last if last is not None else max(budget, tried.everything) * 2
        if tried.count is not None and tried.packed(budget=end) != before:
            return first_such(budget, end, lambda at: tried.packed(budget=at) != before)
        if last is None:
            return None
        budget = last + 1
        if tried.packed(budget=budget) not in (before, None):
            return budget
    return None


def _smaller(tried: Trials) -> int | None:
    budget = tried.settings.budget
    before = frozenset(chunk.id for chunk in tried.retrieved.pack(tried.settings).packed)
    for _ in range(STEPS):
        decision = tried.decide(budget=budget)
        if decision is None:
            return None
        # One separator more is charged than stands between the chunks.
        first = sum(chunk.cost for chunk in decision.taken) - tried.spare
        if tried.count is not None and first < budget and tried.packed(budget=first) != before:
            return first_such(first, budget, lambda at: tried.packed(budget=at) == before) - 1
        budget = first - 1
        if budget < 0:
            return None
        if tried.packed(budget=budget) not in (before, None):
            return budget
    return None


def _last(tried: Trials, decision: Decision, budget: int) -> int | None:
    """The largest budget at which the same is decided; None where that is every larger one."""
    if decision.steady is not None:
        highest = decision.steady[1]
        return None if highest is None else highest - tried.spare
    taken = {chunk.id for chunk in decision.taken}

    def changed(at: int) -> bool:
        other = tried.decide(budget=at)
        return other is None or {chunk.id for chunk in other.taken} != taken

    # Growing steps find a budget at which it is another set, halving them the first such: once
    # the best set of a budget is beaten, it is beaten at every larger one.
    step = 1
    while not changed(budget + step):
        if budget + step > tried.everything:
            return None
        step *= 2
    return first_such(budget + step // 2, budget + step, changed) - 1
