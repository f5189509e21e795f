"""One run: the cause on top, where everything went, and the what-if in place."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.reactive import reactive
from textual.widgets import Footer, Label

from ctxpack import Record
from tui.keymap import RUN
from tui.screens.beside import Found
from tui.screens.dialog import Dialog
from tui.screens.panes import (
    CHARTS,
    PANES,
    PLACES,
    READING,
    WIDE,
    WIDEST,
    panes_in_view,
    tab_row,
    titled,
)
from tui.screens.questions import Questions
from tui.screens.what_if import next_of
from tui.state import Session, expecting
from tui.text import words
from tui.views.chunk_rows import chunk_rows, value_name
from tui.views.chunk_text import ChunkText, chunk_text
from tui.views.chunk_why import chunk_why_rows
from tui.views.headline import (
    difference_rows,
    expected_row,
    question_rows,
    settings_rows,
    title_row,
)
from tui.views.markers import curve_chart, window_known
from tui.views.order_rows import order_rows
from tui.views.pane_charts import budget_chart, scores_chart
from tui.views.shares import window_shares
from tui.views.verdict_words import verdict_words
from tui.views.why_rows import why_rows
from tui.widgets.budget_layout import budget_rows
from tui.widgets.chart import Chart, ChartLayout
from tui.widgets.chunk_list import ChunkChosen, ChunkHighlighted, ChunkList
from tui.widgets.curve import Curve
from tui.widgets.ink import glyphs_of
from tui.widgets.rows_view import Layout, Rows, RowsView
from tui.widgets.scores_layout import score_rows
from tui.widgets.section_bars import SectionBars
from tui.widgets.spans import Row, Span
from tui.widgets.text_view import TextView
from tui.widgets.verdict import Verdict

SLOW = 0.2
"""Seconds of packing after which the old result is dimmed."""

SMALLEST = (40, 10)

ROOMY = 32
"""Lines of a terminal from which the question and the reply get two lines each."""


class RunScreen(Questions):
    """One run of a log, everything about it in panes, and the what-if in place."""

    BINDINGS: ClassVar[list[BindingType]] = [*RUN]
    CSS_PATH = "run.tcss"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-narrow"),
        (WIDE, "-wide"),
        (WIDEST, "-widest"),
    ]

    pane: reactive[str] = reactive("chunks", init=False)
    """The pane that is shown where there is room for one."""

    whole: reactive[bool] = reactive(True, init=False)
    """Whether places are told in the whole window, where that is known."""

    def __init__(self, record: Record, expect: str | None = None) -> None:
        super().__init__(record, expect)
        self._chart, self._reading = "curve", "text"
        self._text: ChunkText | None = None
        self._findings: Layout = lambda _width: []

    def compose(self) -> ComposeResult:
        """The cause, the settings, the panes."""
        with Vertical(id="top"):
            yield Rows(self._title_rows, id="title")
            yield Verdict(id="verdict")
            yield Rows(self._asked_rows, id="asked")
            yield Rows(self._setting_rows, id="settings")
        yield Rows(self._tab_rows, id="tabs")
        with Horizontal(id="panes"):
            with Vertical(id="left"):
                yield titled(VerticalScroll(SectionBars(), id="sections", classes="pane"))
                with Vertical(id="charts"):
                    yield titled(Vertical(Curve(), id="curve", classes="pane"))
                    yield titled(Vertical(Chart(), id="budget", classes="pane"))
                    yield titled(Vertical(Chart(), id="scores", classes="pane"))
                    yield titled(Vertical(Chart(), id="orders", classes="pane"))
            with Vertical(id="right"):
                yield titled(Vertical(ChunkList(), id="chunks", classes="pane"))
                with Vertical(id="reading"):
                    yield titled(Vertical(TextView(), id="text", classes="pane"))
                    yield titled(Vertical(RowsView(), id="why", classes="pane"))
        yield Label(f"ctxpack needs {SMALLEST[0]}x{SMALLEST[1]}", id="small", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Show the log, the cursor on the chunk that the cause is about."""
        self.set_class(glyphs_of(self).ascii, "-ascii")
        self.session = self._opened
        self.watch_pane()
        chunks = self.query_one(ChunkList)
        chunks.focus()
        about = self._opened.findings[0].chunks[:1] if self._opened.findings else ()
        trace = self._opened.case.trace
        if not about and trace is not None:
            about = tuple(chunk.id for chunk in trace.gold[:1])
        if about:
            chunks.move_to(about[0])

    def on_resize(self, event: events.Resize) -> None:
        """Too small a terminal gets one line that says so."""
        small = event.size.width < SMALLEST[0] or event.size.height < SMALLEST[1]
        self.set_class(small, "-tiny")
        self._arrange(event.size.width)
        # A pane may have come into view that was not worked out yet.
        self._show_beside()

    def watch_session(self, session: Session | None) -> None:
        """Hand everything to the widgets."""
        if session is None:
            return
        self.query_one("#settings", Rows).show(self._setting_rows)
        if session.busy:
            # What stands stays until the answer comes, dimmed only where that takes a while.
            self.set_timer(SLOW, self._dim)
            return
        self._dim()
        self.query_one(Verdict).words = verdict_words(session)
        self.query_one(SectionBars).window = window_shares(session)
        chunks = self.query_one(ChunkList)
        chunks.value_name = value_name(session)
        chunks.set_rows(chunk_rows(session))
        self._findings = _once(lambda width: why_rows(session, width))
        self.query_one("#title", Rows).show(self._title_rows)
        self.query_one("#asked", Rows).show(self._asked_rows)
        self._show_chunk()

    def watch_pane(self) -> None:
        """Show the pane, in its place where several are shown."""
        if self.pane in CHARTS:
            self._chart = self.pane
        if self.pane in READING:
            self._reading = self.pane
        self._arrange(self.size.width)
        self.query_one("#tabs", Rows).show(self._tab_rows)
        self._show_beside()

    def watch_whole(self) -> None:
        """Draw the curve with the other places."""
        self._show_chunk()

    def on_chunk_highlighted(self, message: ChunkHighlighted) -> None:
        """Show the chunk's text, and where it stands."""
        if message.chunk_id != self._chunk:
            self._chunk = message.chunk_id
            self._show_chunk()

    def on_chunk_chosen(self, message: ChunkChosen) -> None:
        """Go to the chunk's text."""
        self._chunk = message.chunk_id
        self.action_pane("text")

    def action_expect(self) -> None:
        """Ask what the answer should have said."""
        session = self._here()
        hint = "Found in the chunks and the reply. Leave it empty for the record's own."
        dialog = Dialog("The answer should have said", hint, session.expect or "")
        self.app.push_screen(dialog, self._expect_typed)

    def action_only(self) -> None:
        """All chunks, only the packed, only the skipped."""
        chunks = self.query_one(ChunkList)
        chunks.only = next_of(("all", "packed", "skipped"), chunks.only, 1)
        self.query_one("#chunks").border_title = PANES["chunks"] + (
            "" if chunks.only == "all" else f" (only {chunks.only})"
        )
        self.query_one("#tabs", Rows).show(self._tab_rows)

    def action_whole(self) -> None:
        """Places in the window, or in the evidence."""
        if not window_known(self._here()):
            self._tell("Places in the whole window are not known: the log has no sizes for it.")
            return
        self.whole = not self.whole

    def action_pane(self, name: str) -> None:
        """Go to a pane."""
        self.pane = name
        inner = self.query_one(f"#{name}").children[0]
        if inner.focusable:
            inner.focus()
        elif self.query_one(f"#{name}").focusable:
            self.query_one(f"#{name}").focus()

    def action_next_pane(self, step: int) -> None:
        """Go to the next pane."""
        self.action_pane(next_of(tuple(PANES), self.pane, step))

    def action_back(self) -> None:
        """Back to the list of runs."""
        self.dismiss()

    def _expect_typed(self, typed: str | None) -> None:
        if typed is not None:
            self.session = expecting(self._here(), typed.strip() or None)

    def show_found(self, kind: str) -> None:
        """Show what was found out beside the screen."""
        super().show_found(kind)
        self._show_beside(keep=True)

    def _show_chunk(self) -> None:
        session = self._here()
        self.query_one(Curve).chart = curve_chart(session, self._chunk, whole=self.whole)
        shown = chunk_text(session, self._chunk)
        if shown != self._text:
            self._text = shown
            self.query_one(TextView).show(shown.text, shown.header, shown.matches)
        self._show_beside()

    def _show_beside(self, *, keep: bool = False) -> None:
        """The panes in view that take longer; with `keep`, from where the reader has scrolled."""
        if self.session is None or self._here().busy:
            return
        if self._in_view("why"):
            self._show_why(keep)
        if self._in_view("budget"):
            self._show_budgets()
        if self._in_view("scores"):
            self._show_scores()
        if self._in_view("orders"):
            self._show_orders()

    def _arrange(self, width: int) -> None:
        """Put the panes in view that there is room for.

        By their own display: a class on what is around them would restyle everything inside.
        """
        shown = panes_in_view(self.pane, self._chart, self._reading, width)
        for name in PANES:
            self.query_one(f"#{name}").display = name in shown
        for name, other in (READING, READING[::-1]):
            self.query_one(f"#{name}").border_subtitle = "" if other in shown else PANES[other]
        for name, inside in PLACES.items():
            self.query_one(f"#{name}").display = bool(shown & inside)

    def _in_view(self, name: str) -> bool:
        return bool(self.query_one(f"#{name}").display)

    def _show_why(self, keep: bool) -> None:
        session, chunk, findings = self._here(), self._chunk, self._findings
        found = self.why_found(chunk)
        what, problem = (found.what, found.problem) if found else (None, "")

        def layout(width: int) -> list[Row]:
            return [*chunk_why_rows(session, chunk, what, problem, width), *findings(width)]

        self.query_one(RowsView).show(_once(layout), keep=keep)

    def _show_budgets(self) -> None:
        curve, held = self.budgets_found(self._chunk)
        area = self.query_one("#budget", Vertical).query_one(Chart)
        if curve is None or curve.problem:
            area.show(_saying(curve))
        else:
            known = held.what if held else None
            chart = budget_chart(self._here(), curve.what, known, self._chunk)
            area.show(partial(budget_rows, chart))

    def _show_scores(self) -> None:
        found = self.scores_found()
        area = self.query_one("#scores", Vertical).query_one(Chart)
        if found is None or found.problem:
            area.show(_saying(found))
        else:
            area.show(partial(score_rows, scores_chart(self._here(), found.what, self._chunk)))

    def _show_orders(self) -> None:
        found = self.orders_found()
        area = self.query_one("#orders", Vertical).query_one(Chart)
        if found is None or found.problem:
            area.show(_saying(found))
        else:
            area.show(partial(order_rows, self._here(), found.what, self._chunk))

    def _dim(self) -> None:
        """Dim what an answer will replace. By opacity: a class would restyle every widget."""
        opacity = 0.6 if self._here().busy else 1.0
        for widget in (self.query_one(Curve), self.query_one(ChunkList)):
            if widget.styles.opacity != opacity:
                widget.styles.opacity = opacity

    def _title_rows(self, width: int) -> list[Row]:
        return [title_row(self._opened.record, width)]

    def _asked_rows(self, width: int) -> list[Row]:
        session = self._here()
        lines = 2 if self.size.height >= ROOMY else 1
        return [*question_rows(session.record, width, lines), expected_row(session, width)]

    def _setting_rows(self, width: int) -> list[Row]:
        session = self._here()
        return [*settings_rows(session, width), *difference_rows(session, width)]

    def _tab_rows(self, width: int) -> list[Row]:
        return [tab_row(self.pane, width)]


def _saying(found: Found | None) -> ChartLayout:
    """What stands in the place of a chart: that it is being worked out, or why it cannot be."""
    said, ink = ("...", "muted") if found is None else (found.problem, "cause")
    return lambda width, _height, glyphs: [
        (Span(line, ink),) for line in words(said, width, ascii=glyphs.ascii)
    ]


def _once(layout: Layout) -> Layout:
    """The same rows, made once for each width."""
    return lru_cache(maxsize=2)(layout)
