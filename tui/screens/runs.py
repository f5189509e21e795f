"""The list of runs: newest first, each with the gravest thing found; searched and sorted."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Footer, Input

from ctxpack import InputError
from ctxpack.findings import diagnose, open_case
from logs.filtering import SORT_COLUMNS, RunFilter, Sort
from logs.reading import LogReader
from tui.keymap import RUNS
from tui.screens.run import RunScreen
from tui.text import plain_line, words
from tui.views.run_rows import LogRuns
from tui.widgets.rows_view import Rows
from tui.widgets.run_list import RunChosen, RunHighlighted, RunList
from tui.widgets.spans import Row, Span, clipped


class RunsScreen(Screen[None]):
    """All runs of a log, or those that a search lets through; the state of both is on top."""

    AREA = "Runs"
    BINDINGS: ClassVar[list[BindingType]] = [*RUNS]
    CSS_PATH = "runs.tcss"
    VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-high")]  # noqa: RUF012

    def __init__(self, reader: LogReader) -> None:
        super().__init__()
        self._reader = reader
        self._wanted = RunFilter()
        self._sort = Sort()
        self._total = reader.count()
        self._found = self._total
        self._about: list[tuple[str, str]] = []

    def compose(self) -> ComposeResult:
        """State on top, the list, what is known of the run under the cursor."""
        yield Rows(self._state_rows, id="log")
        yield Input(id="search", placeholder="words in the question or the reply", compact=True)
        yield RunList(LogRuns(self._reader, self._wanted, self._sort), id="runs")
        yield Rows(self._about_rows, id="about")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """The list has the keys."""
        runs = self.query_one(RunList)
        self.query_one(Input).display = False
        runs.focus()
        self._describe(runs)

    def open_run(self, run_id: str, expect: str | None = None) -> None:
        """Put one run's screen on top; a run that cannot be read is said."""
        try:
            record = self._reader.get(run_id)
        except InputError as error:
            self.notify(str(error), markup=False, severity="error")
            return
        self.app.push_screen(RunScreen(record, expect))

    def on_run_chosen(self, message: RunChosen) -> None:
        """Open it."""
        self.open_run(message.run_id)

    def on_run_highlighted(self, message: RunHighlighted) -> None:
        """Say what is known of it."""
        self._describe(message.run_list)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Search, and give the keys back to the list."""
        self._search(event.value)
        self._leave_line()

    def action_search(self) -> None:
        """Open the line to type in, at once: what is typed next belongs to it."""
        line = self.query_one(Input)
        line.display = True
        self.set_focus(line)

    def action_clear(self) -> None:
        """Leave the line, or show all runs again."""
        typing = self.query_one(Input).display
        self._leave_line()
        if not typing and self._wanted.search:
            self.query_one(Input).value = ""
            self._search("")

    def action_sort(self) -> None:
        """The next column."""
        columns = list(SORT_COLUMNS)
        at = (columns.index(self._sort.column) + 1) % len(columns)
        self._sort = Sort(column=columns[at])
        self._refill()

    def action_reverse(self) -> None:
        """The other way round."""
        self._sort = Sort(column=self._sort.column, reverse=not self._sort.reverse)
        self._refill()

    def action_reload(self) -> None:
        """Read the log again: others may have written to it."""
        try:
            self._total = self._reader.count()
        except InputError as error:
            self.notify(str(error), markup=False, severity="error")
            return
        self._refill()

    def _leave_line(self) -> None:
        self.query_one(Input).display = False
        self.query_one(RunList).focus()

    def _search(self, typed: str) -> None:
        self._wanted = RunFilter(search=typed.strip() or None)
        self._refill()

    def _refill(self) -> None:
        runs = self.query_one(RunList)
        try:
            runs.empty_words = "no run has these words: Esc shows all"
            runs.set_backend(LogRuns(self._reader, self._wanted, self._sort))
            self._found = runs.line_count()
        except InputError as error:
            self.notify(str(error), markup=False, severity="error")
        self.query_one("#log", Rows).show(self._state_rows)
        self._describe(runs)

    def _state_rows(self, width: int) -> list[Row]:
        order = f"by {self._sort.column}{', reversed' if self._sort.reverse else ''}"
        if self._sort == Sort():
            order = "newest first"
        counted = f"{self._total:,} runs"
        if self._wanted.search:
            shown = plain_line(self._wanted.search, 30)
            counted = f"{self._found:,} of {self._total:,} runs with “{shown}” (Esc: all)"
        bad = len(self._reader.quarantined)
        lost = (Span(f"  {bad} bad lines left out", "fault"),) if bad else ()
        name = plain_line(self._reader.name, max(10, width // 3))
        return [
            clipped(
                (
                    Span("ctxpack  ", "title"),
                    Span(f"{name}  ", "strong"),
                    Span(f"{counted}, {order}", "muted"),
                    *lost,
                ),
                width,
            )
        ]

    def _describe(self, runs: RunList) -> None:
        run = runs.highlighted
        self._about = []
        if run is not None:
            try:
                found = diagnose(open_case(self._reader.get(run.id), advise=False))
            except InputError as error:
                self._about = [("fault", str(error))]
            else:
                self._about = [(finding.severity, finding.title) for finding in found[:1]]
                self._about = self._about or [("good", "Nothing found wrong.")]
                self._about.insert(0, ("strong", run.query))
        self.query_one("#about", Rows).show(self._about_rows)

    def _about_rows(self, width: int) -> list[Row]:
        if not self._about:
            return []
        head = self._about[0]
        rows: list[Row] = [(Span(plain_line(head[1], width), head[0]),)]
        for style, sentence in self._about[1:]:
            rows += [(Span(line, style),) for line in words(sentence, width)]
        return rows[:3]
