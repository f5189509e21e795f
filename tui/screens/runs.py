"""The list of runs: newest first, each with the gravest thing found; searched and sorted."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Input

from ctxpack.errors import InputError
from logs.filtering import SORT_COLUMNS, RunFilter, Sort
from logs.reading import LogReader
from tui.keymap import RUNS
from tui.text import plain_line, words
from tui.views.run_rows import Found, LogRuns, findings_of
from tui.widgets.rows_view import Rows
from tui.widgets.run_list import RunChosen, RunHighlighted, RunList
from tui.widgets.spans import Row, Span, clipped

FIRST_PAINT = 0.05
"""Seconds that the first paint gets before anything is diagnosed."""

AT_ONCE = 16
"""Runs whose findings are shown together."""

LOOK_EVERY = 0.2
"""Seconds between looks for runs that were read and not diagnosed yet."""


class Diagnosed(Message):
    """Findings of some runs, from the worker."""

    def __init__(self, found: dict[str, Found]) -> None:
        super().__init__()
        self.found = found


class RunsScreen(Screen[None]):
    """All runs of a log, or those that a search lets through; the state of both is on top."""

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
        self._diagnosed: dict[str, Found] = {}
        self._runs = self._read()
        self._asked_for: set[str] = set()
        self._closing = False
        self._painted = False

    def compose(self) -> ComposeResult:
        """State on top, the list, what is known of the run under the cursor."""
        yield Rows(self._state_rows, id="log")
        yield Input(id="search", placeholder="words in the question or the reply", compact=True)
        yield RunList(self._runs, id="runs")
        yield Rows(self._about_rows, id="about")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """The list has the keys."""
        runs = self.query_one(RunList)
        self.query_one(Input).display = False
        runs.focus()
        # The list is on the screen first; what was found wrong with each run follows.
        self.set_timer(FIRST_PAINT, self._after_first_paint)

    def on_unmount(self) -> None:
        """Let go of the log."""
        self._closing = True

    def on_diagnosed(self, message: Diagnosed) -> None:
        """Show what was found."""
        self._diagnosed |= message.found
        for run in message.found:
            self._runs.waiting.pop(run, None)
        self.query_one(RunList).read_again()

    @property
    def all_looked_at(self) -> bool:
        """Whether the first paint is over and every run that was read has been diagnosed.

        Below another screen nothing is diagnosed: then the first paint is all.
        """
        if not self._painted or not self.is_current:
            return self._painted
        return all(run in self._diagnosed for run in self._runs.waiting)

    def open_run(self, run_id: str, expect: str | None = None) -> None:
        """Put one run's screen on top; a run that cannot be read is said."""
        try:
            record = self._reader.get(run_id)
        except InputError as error:
            self.notify(str(error), markup=False, severity="error")
            return
        # A run's screen and its widgets are loaded when the first run is opened.
        from tui.screens.run import RunScreen

        self.app.push_screen(RunScreen(record, expect))

    def on_run_chosen(self, message: RunChosen) -> None:
        """Open it."""
        self.open_run(message.run_id)

    def on_run_highlighted(self, message: RunHighlighted) -> None:
        """Say what is known of it, once the list itself is on the screen."""
        if self._painted:
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

    def _after_first_paint(self) -> None:
        self._painted = True
        self._describe(self.query_one(RunList))
        self.set_interval(LOOK_EVERY, self._look_at_waiting)
        self._look_at_waiting()

    def _look_at_waiting(self) -> None:
        """Have the runs that were read and not looked at yet diagnosed, beside the screen.

        Not while another screen is on top: that one's own work comes first.
        """
        if not self.is_current:
            return
        waiting = [run for run in self._runs.waiting if run not in self._asked_for]
        if waiting:
            self._asked_for.update(waiting)
            self._diagnose(waiting)

    @work(thread=True, group="diagnose", exit_on_error=False)
    def _diagnose(self, run_ids: list[str]) -> None:
        with self._reader.clone() as reader:
            for start in range(0, len(run_ids), AT_ONCE):
                if self._closing:
                    return
                some = run_ids[start : start + AT_ONCE]
                self.post_message(Diagnosed({run: findings_of(reader, run) for run in some}))

    def _read(self) -> LogRuns:
        return LogRuns(self._reader, self._wanted, self._sort, self._diagnosed)

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
            self._runs = self._read()
            runs.set_backend(self._runs)
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
            from ctxpack.findings import diagnose, open_case

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
