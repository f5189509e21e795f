"""All strategies on one run's candidates, side by side, and how each fills the budget."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer
from textual.worker import get_current_worker

from ctxpack import STRATEGIES, InputError, PackResult
from ctxpack.errors import Stop, Stopped
from ctxpack.explaining.best_table import best_table
from ctxpack.explaining.comparing import Compared, against_top
from ctxpack.explaining.steps import FILLS, filling
from ctxpack.retrieved import Retrieved
from tui.keymap import COMPARE
from tui.state import Session
from tui.views.compare_rows import common_row, compare_rows, difference_rows, logged_rows
from tui.views.fill_chart import chosen_rows, fill_chart, table_chart
from tui.views.notes import at_most, note_rows
from tui.widgets.chart import Chart
from tui.widgets.fill_layout import FillChart, fill_rows
from tui.widgets.rows_view import Rows
from tui.widgets.spans import Row, Span
from tui.widgets.strategy_list import StrategyHighlighted, StrategyList
from tui.widgets.strategy_row import StrategyRow
from tui.widgets.table_layout import TableChart, table_rows

Stepped = FillChart | TableChart


class Told(Message):
    """One strategy's packing, or why it was refused."""

    def __init__(self, strategy: str, compared: Compared | None, problem: str = "") -> None:
        super().__init__()
        self.strategy = strategy
        self.compared = compared
        self.problem = problem


class Filled(Message):
    """How one strategy fills the budget; None where it is too large to be drawn."""

    def __init__(self, strategy: str, chart: Stepped | None) -> None:
        super().__init__()
        self.strategy = strategy
        self.chart = chart


class CompareScreen(Screen[str | None]):
    """Gives back the strategy to go on with, or None. Packs beside the screen, one by one."""

    BINDINGS: ClassVar[list[BindingType]] = [*COMPARE]
    DEFAULT_CSS = """
    CompareScreen #common, CompareScreen #differs { padding: 0 1; }
    CompareScreen #differs { height: 2; }
    CompareScreen StrategyList { margin: 0 0; max-height: 50%; }
    CompareScreen #fill { padding: 0 1; margin-top: 1; }
    """

    def __init__(self, session: Session, retrieved: Retrieved) -> None:
        super().__init__()
        self._session = session
        self._retrieved = retrieved
        self._compared: dict[str, Compared] = {}
        self._problems: dict[str, str] = {}
        self._charts: dict[str, Stepped | None] = {}
        self._steps: dict[str, int] = {}

    def compose(self) -> ComposeResult:
        """The figures, what differs, the fill."""
        yield Rows(self._common_rows, id="common")
        yield StrategyList(self._rows(), id="strategies")
        yield Rows(self._difference_rows, id="differs")
        yield Chart(id="fill")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """The cursor on the strategy that is set; everything is packed beside the screen."""
        strategies = self.query_one(StrategyList)
        strategies.focus()
        if self._session.settings.strategy in STRATEGIES:
            strategies.cursor = STRATEGIES.index(self._session.settings.strategy)
        self._pack()

    def on_told(self, message: Told) -> None:
        """Show one strategy's figures."""
        if message.compared is not None:
            self._compared[message.strategy] = message.compared
        else:
            self._problems[message.strategy] = message.problem
        self.query_one(StrategyList).set_rows(self._rows())
        self.query_one("#common", Rows).show(self._common_rows)
        if message.strategy == self._here:
            self._show()

    def on_filled(self, message: Filled) -> None:
        """Show how it fills, from the end: Home goes to where nothing is in yet."""
        self._charts[message.strategy] = message.chart
        if message.chart is not None:
            self._steps[message.strategy] = message.chart.steps
        self._show()

    def on_strategy_highlighted(self, message: StrategyHighlighted) -> None:  # noqa: ARG002
        """Show another strategy's fill."""
        self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Steps are offered only where there are some."""
        if action not in ("step", "step_to") or not self.is_mounted:
            return True
        if self._here not in self._charts:
            return True
        chart = self._charts[self._here]
        return chart is not None and chart.steps > 0

    def action_step(self, by: int) -> None:
        """One step on, or back."""
        chart = self._charts.get(self._here)
        if chart is not None:
            self._steps[self._here] = max(0, min(chart.steps, self._steps[self._here] + by))
            self._draw()

    def action_step_to(self, step: int) -> None:
        """To the empty budget (0), or to the end (-1)."""
        chart = self._charts.get(self._here)
        if chart is not None:
            self._steps[self._here] = chart.steps if step < 0 else step
            self._draw()

    def action_use(self) -> None:
        """Take the strategy under the cursor; one that was refused stays here."""
        if self._here not in self._problems:
            self.dismiss(self._here)

    def action_back(self) -> None:
        """Back to the run as it was."""
        self.dismiss(None)

    @property
    def _here(self) -> str:
        return self.query_one(StrategyList).highlighted or STRATEGIES[0]

    @work(thread=True, exclusive=True, group="compare", exit_on_error=False)
    def _pack(self) -> None:
        worker = get_current_worker()

        def stop() -> bool:
            return worker.is_cancelled

        try:
            top = self._packed("top", stop)
            for strategy in STRATEGIES:
                result = top if strategy == "top" else self._packed(strategy, stop)
                if result is not None and top is not None:
                    self.post_message(Told(strategy, against_top(result, top)))
        except Stopped:
            return

    def _packed(self, strategy: str, stop: Stop) -> PackResult | None:
        settings = msgspec.structs.replace(self._session.settings, strategy=strategy)
        try:
            return self._retrieved.pack(settings, should_stop=stop)
        except InputError as error:
            self.post_message(Told(strategy, None, str(error)))
            return None

    @work(thread=True, exclusive=True, group="fill", exit_on_error=False)
    def _fill(self, strategy: str, considered: int) -> None:
        worker = get_current_worker()
        settings = msgspec.structs.replace(self._session.settings, strategy=strategy)
        chart: Stepped | None = None
        try:
            if strategy in FILLS:
                told = filling(self._retrieved, settings, lambda: worker.is_cancelled)
                chart = fill_chart(self._session, told, considered)
            else:
                found = best_table(self._retrieved, settings, lambda: worker.is_cancelled)
                chart = table_chart(self._session, found) if found is not None else None
        except (Stopped, InputError):
            # What was refused stands in the list of strategies already.
            return
        self.post_message(Filled(strategy, chart))

    def _show(self) -> None:
        """All about the strategy under the cursor; its fill is worked out when first seen."""
        self.query_one("#common", Rows).show(self._common_rows)
        self.query_one("#differs", Rows).show(self._difference_rows)
        self._draw()
        one = self._compared.get(self._here)
        if one is not None and self._here not in self._charts:
            self._fill(self._here, one.result.considered)

    def _draw(self) -> None:
        chart = self._charts.get(self._here)
        step = self._steps.get(self._here, 0)
        one = self._compared.get(self._here)
        self.refresh_bindings()
        area = self.query_one(Chart)
        if isinstance(chart, FillChart):
            area.show(lambda width, height, glyphs: fill_rows(chart, step, width, height, glyphs))
        elif isinstance(chart, TableChart):
            area.show(lambda width, height, glyphs: table_rows(chart, step, width, height, glyphs))
        elif self._here in self._charts and one is not None:
            result = one.result
            area.show(lambda width, height, _: chosen_rows(self._session, result, width, height))
        else:
            area.show(None)

    def _rows(self) -> tuple[StrategyRow, ...]:
        return compare_rows(self._session, STRATEGIES, self._compared, self._problems)

    def _common_rows(self, width: int) -> list[Row]:
        one = self._compared.get(self._here) if self.is_mounted else None
        notes = note_rows(one.result, width) if one is not None else []
        return [common_row(self._session, self._compared, width), *notes, *self._logged_rows(width)]

    def _logged_rows(self, width: int) -> list[Row]:
        """That the log has another packing than its strategy gives, where that is so."""
        one = self._compared.get(self._session.settings.strategy)
        return logged_rows(self._session, one, width) if one is not None else []

    def _difference_rows(self, width: int) -> list[Row]:
        if not self.is_mounted:
            return []
        one = self._compared.get(self._here)
        if problem := self._problems.get(self._here):
            return [(Span(line, "fault"),) for line in at_most(problem, width)]
        return difference_rows(self._session, one, width) if one is not None else []
