"""What every setting gives on one question, and the sums of many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ctxpack.evaluating.grid import Grid
from ctxpack.evaluating.question import Question
from ctxpack.packing import choose_weighed, place_chosen
from ctxpack.result import PackResult
from ctxpack.weighing import separator_tokens, weigh


@dataclass
class Paired:
    """Two settings on the same questions: how often each alone did better, and their difference.

    `both` and `neither` are hits; for p, `only_a` and `only_b` are where the one was higher and
    `neither` where they were equal. `total` and `squares` are sums of b less a.
    """

    both: int = 0
    only_a: int = 0
    only_b: int = 0
    neither: int = 0
    total: float = 0.0
    squares: float = 0.0

    def hits(self, a: bool, b: bool) -> None:
        """One more question, hit by either, both or neither."""
        self.both += a and b
        self.only_a += a and not b
        self.only_b += b and not a
        self.neither += not (a or b)

    def chances(self, a: float, b: float) -> None:
        """One more question that both have packed, with p under each."""
        self.only_a += a > b
        self.only_b += b > a
        self.neither += a == b
        self.total += b - a
        self.squares += (b - a) ** 2

    def add(self, other: Paired) -> None:
        """The sums of other questions put to these."""
        for name in ("both", "only_a", "only_b", "neither", "total", "squares"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass
class Sums:
    """The sums of one choice: over all questions, and of p over those where an answer is packed."""

    hits: int = 0
    all_hits: int = 0
    value: float = 0.0
    used: int = 0
    packed: int = 0
    placed: int = 0
    chances: list[float] = field(default_factory=list)
    uses: list[float] = field(default_factory=list)
    against_first: Paired = field(default_factory=Paired)
    layouts: list[Paired] = field(default_factory=list)


@dataclass
class Measured:
    """Sums over questions, a `Sums` for each choice of the grid; those of two shares can be added.

    `retrieved` counts questions with a chunk that holds the answer among their candidates.
    """

    questions: int
    retrieved: int
    choices: list[Sums]
    value_by: set[str] = field(default_factory=set)

    def add(self, other: Measured) -> None:
        """The sums of other questions under the same grid put to these."""
        self.questions += other.questions
        self.retrieved += other.retrieved
        self.value_by |= other.value_by
        for mine, theirs in zip(self.choices, other.choices, strict=True):
            for name in ("hits", "all_hits", "value", "used", "packed", "placed"):
                setattr(mine, name, getattr(mine, name) + getattr(theirs, name))
            mine.chances = [a + b for a, b in zip(mine.chances, theirs.chances, strict=True)]
            mine.uses = [a + b for a, b in zip(mine.uses, theirs.uses, strict=True)]
            mine.against_first.add(theirs.against_first)
            for one, more in zip(mine.layouts, theirs.layouts, strict=True):
                one.add(more)


def nothing_measured(grid: Grid) -> Measured:
    """No question yet."""
    sums = [
        Sums(chances=[0.0] * many, uses=[0.0] * many, layouts=[Paired() for _ in range(many)])
        for many in (len(grid.layouts_of(choice)) for choice in grid.choices)
    ]
    return Measured(0, 0, sums)


def measure(questions: Iterable[Question], grid: Grid) -> Measured:
    """Pack every question under every setting; candidates carry their tokens.

    Each is weighed once and chosen once a choice, and that choice is laid out in every layout.
    Raises InputError naming the question that cannot be packed.
    """
    sums = nothing_measured(grid)
    for question in questions:
        _measure_one(question, grid, sums)
    return sums


def first_at_its_budget(grid: Grid, place: int) -> int:
    """The choice that another one is told against: the first of the same budget."""
    budget = grid.choices[place].budget
    return next(at for at, choice in enumerate(grid.choices) if choice.budget == budget)


def first_on_its_curve(layouts: Sequence[tuple[str, str]], layout: int) -> int:
    """The layout that another one is told against: the first on the same curve."""
    curve = layouts[layout][1]
    return next(at for at, (_, other) in enumerate(layouts) if other == curve)


def _measure_one(question: Question, grid: Grid, sums: Measured) -> None:
    gold = frozenset(question.gold)
    sums.questions += 1
    sums.retrieved += any(candidate.id in gold for candidate in question.candidates)
    base = grid.choices[0]
    separator = separator_tokens(base, None, None)
    weighing = weigh(question.candidates, base, question.text, None, separator)
    sums.value_by.add(weighing.value_by)
    hits: list[bool] = []
    for place, choice in enumerate(grid.choices):
        chosen = choose_weighed(weighing, choice, separator, told=False)
        taken = {chunk.id for chunk in chosen.decision.taken}
        hits.append(bool(gold & taken))
        mine = sums.choices[place]
        mine.hits += hits[place]
        mine.all_hits += bool(gold) and gold <= taken
        mine.value += sum(chunk.value for chunk in chosen.decision.taken)
        mine.used += chosen.used
        mine.packed += len(taken)
        mine.placed += hits[place]
        mine.against_first.hits(hits[first_at_its_budget(grid, place)], hits[place])
        chances: list[float | None] = []
        layouts = grid.layouts_of(choice)
        for layout in range(len(layouts)):
            result = place_chosen(weighing, grid.placed(choice, layout), separator, chosen)
            chances.append(_chance(result, gold))
            mine.uses[layout] += result.expected_use
        for layout, p in enumerate(chances):
            first = chances[first_on_its_curve(layouts, layout)]
            if p is not None and first is not None:
                mine.chances[layout] += p
                mine.layouts[layout].chances(first, p)


def _chance(result: PackResult, gold: frozenset[str]) -> float | None:
    """p of the best-ranked packed chunk that holds the answer."""
    held = [chunk for chunk in result.packed if chunk.id in gold]
    best = min(held, key=lambda chunk: (chunk.rank is None, chunk.rank or 0), default=None)
    return None if best is None else best.p
