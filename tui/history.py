"""Every what-if of one run in the order of being asked, with a place in it: undo and redo."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ctxpack import PackResult, Settings

STEPS = 200
"""Steps that are remembered; the oldest go first."""

KEPT_CHUNKS = 60_000
"""Chunks that the kept results sum to: a step beyond it is packed again when it is come back to."""


@dataclass(frozen=True)
class Step:
    """One what-if; without settings it is the log. `result` is None where it has to be packed."""

    number: int
    settings: Settings | None = None
    result: PackResult | None = None

    @property
    def known(self) -> bool:
        """Whether it can be shown at once."""
        return self.settings is None or self.result is not None


@dataclass(frozen=True)
class History:
    """The steps, the place in them, and the step that stands on the screen meanwhile.

    `numbered` is the highest number given so far: an answer names the step that it is for.
    """

    steps: tuple[Step, ...] = (Step(0),)
    at: int = 0
    shown: Step = Step(0)
    numbered: int = 0

    @property
    def now(self) -> Step:
        """The step that was asked for last."""
        return self.steps[self.at]

    @property
    def waiting(self) -> bool:
        """Whether the step that was asked for is not on the screen yet."""
        return self.now.number != self.shown.number


def went_to(history: History, settings: Settings | None) -> History:
    """A new step behind the present one; what was undone is forgotten. The same again is no step.

    A packing that another step already has is shown at once.
    """
    if settings == history.now.settings:
        return history
    known = [step.result for step in history.steps if step.result and step.settings == settings]
    number = history.numbered + 1
    step = Step(number, settings, known[-1] if known and settings is not None else None)
    steps = (*history.steps[: history.at + 1], step)[-STEPS:]
    return _shown(replace(history, steps=steps, at=len(steps) - 1, numbered=number))


def moved(history: History, step: int) -> History:
    """The history `step` places on, or back where it is negative; the same at its ends."""
    at = min(len(history.steps) - 1, max(0, history.at + step))
    return _shown(replace(history, at=at))


def with_result(history: History, number: int, result: PackResult) -> History:
    """The history with a step's packing; one that is known already, or forgotten, changes nothing.

    Results far from the present place are let go where all together are too many.
    """
    steps = tuple(
        replace(step, result=result) if step.number == number and not step.known else step
        for step in history.steps
    )
    return _shown(replace(history, steps=_bounded(steps, history.at)))


def without(history: History, number: int) -> History:
    """The history without a step that was refused: back to what stands on the screen."""
    steps = tuple(step for step in history.steps if step.number != number)
    at = next((n for n, step in enumerate(steps) if step.number == history.shown.number), None)
    if at is None:
        at = min(history.at, len(steps))
        steps = (*steps[:at], history.shown)
    return replace(history, steps=steps, at=at)


def _shown(history: History) -> History:
    """What was asked for is on the screen as soon as it is known."""
    return replace(history, shown=history.now) if history.now.known else history


def _bounded(steps: tuple[Step, ...], at: int) -> tuple[Step, ...]:
    kept: set[int] = set()
    room = KEPT_CHUNKS
    for place in sorted(range(len(steps)), key=lambda place: (abs(place - at), -place)):
        result = steps[place].result
        if result is None:
            continue
        room -= result.considered
        if room < 0 and place != at:
            break
        kept.add(place)
    return tuple(
        step if place in kept or step.result is None else replace(step, result=None)
        for place, step in enumerate(steps)
    )
