"""What a run's panes ask the engine: why one chunk, every budget, the shape of the scores."""

from __future__ import annotations

import msgspec

from ctxpack.errors import Stop
from ctxpack.explaining.budgets import budget_curve
from ctxpack.explaining.holding import Holding, held_in
from ctxpack.explaining.orders import every_order
from ctxpack.explaining.scored import scored
from ctxpack.explaining.trials import trials
from ctxpack.explaining.why import Why, why, why_logged
from tui.screens.beside import Found
from tui.screens.what_if import WhatIf


class Questions(WhatIf):
    """Answers about the session as it is asked for now; None while they are looked for."""

    def why_found(self, chunk: str | None) -> Found | None:
        """Why the chunk is in or out (`Why`), as logged or in the what-if."""
        session = self._here()
        if chunk is None:
            return None
        record, settings, count = session.record, session.settings, self._count
        given, in_log = self._retrieved(settings), session.in_log

        def find(stop: Stop) -> Why:
            if in_log:
                return why_logged(record, settings, chunk, count, stop, likeness=given.likeness)
            return why(given, settings, chunk, stop)

        return self.ask_beside("why", (settings, in_log, chunk), find)

    def budgets_found(self, chunk: str | None) -> tuple[Found | None, Found | None]:
        """What every budget packs (`BudgetCurve`), then where the chunk is in (`Holding`)."""
        settings = self._here().settings
        given = self._retrieved(settings)
        # Neither depends on the present budget.
        every = msgspec.structs.replace(settings, budget=0)
        curve = self.ask_beside("curve", every, lambda stop: budget_curve(given, settings, stop))
        if chunk is None or curve is None or curve.problem:
            return curve, None

        def find(stop: Stop) -> Holding:
            return held_in(trials(given, settings, stop), settings.strategy, chunk)

        return curve, self.ask_beside("held", (every, chunk), find)

    def orders_found(self) -> Found | None:
        """The packing under every placement (`every_order`)."""
        settings = self._here().settings
        given = self._retrieved(settings)
        # One packing a placement, whichever is the present one.
        every = msgspec.structs.replace(settings, placement="best-first")
        return self.ask_beside("orders", every, lambda stop: every_order(given, settings, stop))

    def scores_found(self) -> Found | None:
        """The scores and the bars in force (`Scored`)."""
        settings = self._here().settings
        given = self._retrieved(settings)
        # They depend neither on the budget nor on how chunks are chosen and laid out.
        every = msgspec.structs.replace(settings, budget=0, strategy="top", placement="best-first")
        return self.ask_beside("scores", every, lambda stop: scored(given, settings, stop))
