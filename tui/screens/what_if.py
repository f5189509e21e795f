"""The what-if on a run: every setting a key, packed beside the screen, undone and redone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import msgspec
from textual import work
from textual.message import Message
from textual.reactive import reactive
from textual.worker import get_current_worker

from ctxpack import PLACEMENTS, STRATEGIES, Counter, InputError, PackResult, Record, Settings
from ctxpack.errors import Stop, Stopped
from ctxpack.explaining.budgets import next_budget
from ctxpack.likeness.similarity import Likeness
from ctxpack.replay import retrieved
from ctxpack.retrieved import Retrieved
from ctxpack.settings import CURVES, DEDUPE, GROUPS
from tui.screens.beside import Beside, unforeseen
from tui.screens.dialog import Dialog
from tui.state import Session, answered, asked, back_to_log, open_session, redone, told, undone
from tui.typed import budget_typed, cutoff_typed, dedupe_typed, lambda_typed, max_chunks_typed
from tui.views.value_choices import next_value, value_choices

STEP = 0.05
"""The share of the budget that one key adds or takes."""


IDLE = 0.3
"""Seconds after which a screen that was opened makes ready for its first what-if."""


class Repacked(Message):
    """The answer to a what-if; `generation` tells which one it answers."""

    def __init__(self, generation: int, result: PackResult | None, problem: str = "") -> None:
        super().__init__()
        self.generation = generation
        self.result = result
        self.problem = problem


class WhatIf(Beside):
    """A run, and other settings for it. The log is never changed; a what-if lives here only.

    Whatever takes long is done by workers: a key is answered at once.
    """

    session: reactive[Session | None] = reactive(None, init=False)
    """Everything that is shown."""

    def __init__(self, record: Record, expect: str | None = None) -> None:
        super().__init__()
        self._opened = open_session(record, expect)
        self._chunk: str | None = None
        self._count = Counter(self._opened.settings.encoding)
        self._likeness = Likeness()
        self._refused_value: str | None = None
        self._leaps = 0

    def on_repacked(self, message: Repacked) -> None:
        """Keep a what-if's answer, and show it unless something else was asked since."""
        session = self._here()
        self.session = answered(session, message.generation, message.result, message.problem)

    def action_budget(self, direction: int) -> None:
        """Five per cent more or less, at least one token."""
        budget = self._here().settings.budget
        step = max(1, round(budget * STEP))
        self._ask(budget=max(0, budget + direction * step))

    def action_type_budget(self) -> None:
        """Ask for a budget in tokens."""
        session = self._here()
        hint = f"Tokens for evidence. Logged: {session.logged.settings.budget}."
        self._ask_for("Budget", hint, str(session.settings.budget), budget_typed)

    def action_leap(self, direction: int) -> None:
        """To the next larger or smaller budget at which the set changes; several presses add up."""
        settings, leaps = self._here().settings, self._leaps + direction
        self._leaps = leaps
        given = self._retrieved(settings)

        def find(stop: Stop) -> int:
            budget = settings.budget
            for _ in range(abs(leaps)):
                now = msgspec.structs.replace(settings, budget=budget)
                budget = next_budget(given, now, leaps, stop) or budget
            return budget

        if self.ask_beside("leap", (self._here().generation, leaps), find, 0.0):
            self.show_found("leap")

    def show_found(self, kind: str) -> None:
        """Go to the budget that was looked for."""
        if kind != "leap" or not self._leaps:
            return
        session = self._here()
        about = (session.generation, self._leaps)
        found = self.known_beside("leap", about)
        if found is None:
            return
        word = "larger" if self._leaps > 0 else "smaller"
        self._leaps = 0
        if found.problem:
            self._tell(found.problem)
        elif found.what == session.settings.budget:
            self._tell(f"No {word} budget packs another set.")
        else:
            self._ask(budget=found.what)

    def action_strategy(self, step: int) -> None:
        """The next way of choosing."""
        self._ask(strategy=next_of(STRATEGIES, self._here().settings.strategy, step))

    def action_placement(self, step: int) -> None:
        """The next way of placing; ordered leaves none open."""
        if self._here().settings.strategy == "ordered":
            self._tell("Ordered places what it chooses in its best order: t for another strategy.")
            return
        self._ask(placement=next_of(PLACEMENTS, self._here().settings.placement, step))

    def action_curve(self, step: int) -> None:
        """The next curve of p(x): the built-in ones, and the log's own where it has one."""
        now = self._here().settings
        own = () if now.curve_points is None else (now.curve_points.name,)
        self._ask(curve=next_of((*CURVES, *own), now.curve, step))

    def action_group(self) -> None:
        """Chunks of one document together, or each where its value puts it."""
        self._ask(group=next_of(GROUPS, self._here().settings.group, 1))

    def action_value(self, step: int) -> None:
        """The next thing that a chunk may be worth; past one that was refused."""
        session = self._here()
        choices = value_choices(session)
        if len(choices) == 1:
            self._tell(f"Only value {choices[0]} is known: the log has no scores and no texts.")
            return
        value = next_value(session, self._refused_value if session.problem else None, step)
        self._refused_value = value
        self._ask(value=value)

    def action_cutoff(self) -> None:
        """Ask how far below the best score a chunk may lie."""
        now = self._here().settings
        value = "" if now.cutoff is None else f"{now.cutoff:g}"
        value = value if now.margin is None else f"margin {now.margin:g}"
        hint = "A share of the score range: 0.4; or margin 5. Empty: off."
        self._ask_for("Cut-off below the best score", hint, value, cutoff_typed)

    def action_cliff(self) -> None:
        """Cut at the score cliff, or not."""
        self._ask(cliff=not self._here().settings.cliff)

    def action_dedupe(self) -> None:
        """Leave near-duplicates out, or not."""
        session = self._here()
        on = session.logged.settings.dedupe or DEDUPE
        self._ask(dedupe=on if session.settings.dedupe is None else None)

    def action_similarity(self) -> None:
        """Ask from which similarity on two texts are duplicates."""
        now = self._here().settings.dedupe
        hint = "A similarity from 0 to 1; 1: the same words. Empty: off."
        value = "" if now is None else f"{now:g}"
        self._ask_for("Duplicates from a similarity of", hint, value, dedupe_typed)

    def action_lambda(self) -> None:
        """Ask what relevance weighs in mmr."""
        hint = "Of strategy mmr. 1: relevance alone; 0: unlikeness to the chosen alone."
        self._ask_for("Lambda", hint, f"{self._here().settings.mmr_lambda:g}", lambda_typed)

    def action_max_chunks(self) -> None:
        """Ask how many chunks may compete."""
        now = self._here().settings.max_chunks
        value = "" if now is None else str(now)
        hint = "The best-ranked chunks that may compete. Empty: all."
        self._ask_for("At most so many chunks", hint, value, max_chunks_typed)

    def action_pin(self) -> None:
        """Pin the chunk under the cursor, or let go of it; a banned one is pinned instead."""
        chunk, now = self._chunk, self._here().settings
        marked = next((c.pinned for c in self._opened.record.candidates if c.id == chunk), False)
        if chunk is None:
            return
        if marked and chunk not in now.bans:
            self._tell("The application pinned this chunk: only a ban takes it out.")
        elif chunk in now.pins:
            self._ask(pins=_less(now.pins, chunk))
        elif marked:
            self._ask(bans=_less(now.bans, chunk))
        else:
            self._ask(pins=(*now.pins, chunk), bans=_less(now.bans, chunk))

    def action_ban(self) -> None:
        """Ban the chunk under the cursor, or allow it again; a pinned one is banned instead."""
        chunk, now = self._chunk, self._here().settings
        if chunk is None:
            return
        if chunk in now.bans:
            self._ask(bans=_less(now.bans, chunk))
        else:
            self._ask(bans=(*now.bans, chunk), pins=_less(now.pins, chunk))

    def action_undo(self) -> None:
        """The settings before the last change."""
        if self._here().history.at == 0:
            self._tell("Nothing to undo.")
        else:
            self._go(undone(self._here()))

    def action_redo(self) -> None:
        """The change that was undone last."""
        history = self._here().history
        if history.at == len(history.steps) - 1:
            self._tell("Nothing to redo.")
        else:
            self._go(redone(self._here()))

    def action_as_logged(self) -> None:
        """Back to the log."""
        self._go(back_to_log(self._here()))

    def action_compare(self) -> None:
        """All strategies side by side; one of them may come back as the what-if."""
        from tui.screens.compare import CompareScreen

        session = self._here()

        def chosen(strategy: str | None) -> None:
            if strategy is not None:
                self._ask(strategy=strategy)

        self.app.push_screen(CompareScreen(session, self._retrieved(session.settings)), chosen)

    def _here(self) -> Session:
        return self.session or self._opened

    def _ask(self, **changes: Any) -> None:
        self._go(asked(self._here(), **changes))

    def _go(self, session: Session) -> None:
        """Show a session, and have packed what it asks for; what was being packed is given up."""
        before = self._here()
        self._leaps = 0
        self.give_up("leap")
        self.session = session
        if session.busy and session.generation != before.generation:
            self._pack(session.settings, session.generation)
        elif not session.busy:
            self.workers.cancel_group(self, "pack")

    def _tell(self, sentence: str) -> None:
        self.session = told(self._here(), sentence)

    def _ask_for(
        self, title: str, hint: str, value: str, read: Callable[[str], dict[str, Any]]
    ) -> None:
        """Ask for one line that `read` makes changes of; it raises InputError for what is off."""

        def typed(line: str | None) -> None:
            if line is not None:
                self._ask(**read(line))

        self.app.push_screen(Dialog(title, hint, value, read), typed)

    def _retrieved(self, settings: Settings) -> Retrieved:
        """What the log gives to be packed, counted and compared once for the whole screen."""
        given = retrieved(self._opened.record, settings, self._count)
        return replace(given, likeness=self._likeness)

    def on_mount(self) -> None:
        """Have ready what the first what-if needs, once the screen has been painted."""
        self.set_timer(IDLE, self._warm_up)

    @work(thread=True, exclusive=True, group="warm", exit_on_error=False)
    def _warm_up(self) -> None:
        """Load the vocabulary and the solvers and count the record's texts, which all are kept.

        By packing as the log was packed: what that needs a what-if needs. What it finds is not
        shown, and what goes wrong is told when it is asked for.
        """
        worker = get_current_worker()
        settings = self._opened.settings
        with suppress(Exception):
            self._retrieved(settings).pack(settings, should_stop=lambda: worker.is_cancelled)

    @work(thread=True, exclusive=True, group="pack", exit_on_error=False)
    def _pack(self, settings: Settings, generation: int) -> None:
        worker = get_current_worker()
        try:
            result = self._retrieved(settings).pack(
                settings, should_stop=lambda: worker.is_cancelled
            )
        except InputError as error:
            self.post_message(Repacked(generation, None, str(error)))
        except Stopped:
            return
        except Exception as error:  # else the screen would say that it is packing for good
            self.post_message(Repacked(generation, None, unforeseen(error)))
        else:
            self.post_message(Repacked(generation, result))


def next_of(names: tuple[str, ...], now: str, step: int) -> str:
    """The name `step` places on, round and round."""
    at = names.index(now) if now in names else -step
    return names[(at + step) % len(names)]


def _less(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(each for each in names if each != name)
