"""From candidates to weighed ones: ids, tokens, values, and which candidates are invalid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from ctxpack.candidate import Candidate
from ctxpack.counting import Count
from ctxpack.errors import InputError
from ctxpack.rendering import render
from ctxpack.settings import Settings
from ctxpack.values import as_integers, valuate
from ctxpack.weighed import Refusal, Weighed


@dataclass(frozen=True)
class Weighing:
    """Every candidate weighed, in the order as listed; `refused` names the unusable ones."""

    candidates: tuple[Weighed, ...]
    refused: tuple[Refusal, ...]
    texts: dict[str, str]
    value_by: str
    counts: Literal["exact", "logged", "estimate"]
    warnings: tuple[str, ...]


def weigh(
    candidates: Sequence[Candidate], settings: Settings, query: str, count: Count | None
) -> Weighing:
    """Count and value every candidate.

    With `count`, text decides over given tokens and a difference is said; without it the given
    tokens are taken. Raises InputError where a value or a count cannot be had.
    """
    named, refused, said = _named(candidates)
    valuation = valuate(named, settings.value, query)
    warnings = [*said, *valuation.warnings]
    separator = separator_tokens(settings, count)
    worths = as_integers(valuation.values)
    pins = set(settings.pins)
    weighed = []
    texts = {}
    exact = True
    for place, candidate in enumerate(named):
        text = render(candidate)
        tokens = candidate.tokens
        if text is not None and candidate.text and count is not None:
            counted = count(text)
            if tokens is not None and tokens != counted:
                warnings.append(f"{candidate.id}: {tokens} tokens given, its text has {counted}.")
            tokens = counted
        else:
            exact = exact and candidate.text == ""
        if text is not None:
            texts[candidate.id] = text
        if candidate.text == "":
            refused.setdefault(candidate.id, Refusal(candidate.id, "invalid", {"why": "empty"}))
        elif tokens is None:
            why = {"why": "neither text nor tokens" if text is None else "not counted"}
            refused.setdefault(candidate.id, Refusal(candidate.id, "invalid", why))
        elif tokens <= 0:
            refused.setdefault(candidate.id, Refusal(candidate.id, "invalid", {"why": "0 tokens"}))
        weighed.append(
            Weighed(
                id=candidate.id,
                order=place if candidate.index is None else candidate.index,
                rank=valuation.ranks[place],
                tokens=tokens or 0,
                cost=(tokens or 0) + separator,
                value=valuation.values[place],
                worth=worths[place],
                pinned=candidate.pinned or candidate.id in pins,
            )
        )
    return Weighing(
        candidates=tuple(weighed),
        refused=tuple(refused.values()),
        texts=texts,
        value_by=valuation.by,
        counts="exact" if exact else "logged",
        warnings=tuple(warnings),
    )


def separator_tokens(settings: Settings, count: Count | None) -> int:
    """Tokens of one separator; raises InputError where it cannot be counted."""
    if not settings.separator:
        return 0
    if count is None:
        raise InputError("a separator needs counting: give the packing a counter.")
    return count(settings.separator)


def _named(
    candidates: Sequence[Candidate],
) -> tuple[list[Candidate], dict[str, Refusal], list[str]]:
    """Candidates with an id each. The same id and text again is a duplicate, other text `id#2`."""
    first: dict[str, Candidate] = {}
    taken = {candidate.id for candidate in candidates}
    named: list[Candidate] = []
    refused: dict[str, Refusal] = {}
    said: list[str] = []
    for candidate in candidates:
        if candidate.id not in first:
            first[candidate.id] = candidate
            named.append(candidate)
            continue
        original, number = first[candidate.id], 2
        while (name := f"{candidate.id}#{number}") in taken:
            number += 1
        taken.add(name)
        if (original.text, original.header) == (candidate.text, candidate.header):
            refused[name] = Refusal(name, "duplicate", {"of": candidate.id, "similarity": 1.0})
            said.append(f"id {candidate.id!r} stands twice with the same text: one is left out.")
            if original.score is None and candidate.score is not None:
                kept = msgspec.structs.replace(original, score=candidate.score)
                named[named.index(original)] = first[candidate.id] = kept
        else:
            said.append(f"id {candidate.id!r} stands twice: the second is called {name!r}.")
        named.append(msgspec.structs.replace(candidate, id=name))
    return named, refused, said
