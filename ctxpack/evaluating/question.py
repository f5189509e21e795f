"""A question whose answer is known, with what retrieval handed over for it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ctxpack.candidate import Candidate
from ctxpack.counting import Count
from ctxpack.matching import holds
from ctxpack.rendering import render


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """`gold` are the ids of the chunks that hold the answer, retrieved or not."""

    id: str
    text: str = ""
    gold: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()


def holding_an_answer(candidates: Iterable[Candidate], answers: Iterable[str]) -> tuple[str, ...]:
    """The ids of the candidates whose text holds one of the answers."""
    wanted = [answer for answer in answers if answer.strip()]
    return tuple(
        candidate.id
        for candidate in candidates
        if candidate.text and any(holds(candidate.text, answer) for answer in wanted)
    )


def counted(question: Question, count: Count) -> Question:
    """The question with every candidate's tokens counted from its text, where it has one."""
    candidates = tuple(
        candidate
        if (text := render(candidate)) is None
        else msgspec.structs.replace(candidate, tokens=count(text))
        for candidate in question.candidates
    )
    return msgspec.structs.replace(question, candidates=candidates)
