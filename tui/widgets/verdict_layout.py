"""The verdict on a run in words: what went wrong first, what explains it, what to do."""

from __future__ import annotations

from dataclasses import dataclass

from tui.glyphs import SEVERITY_LETTERS, UNICODE, Glyphs
from tui.text import plain_line, words
from tui.widgets.spans import Row, Span


@dataclass(frozen=True, slots=True)
class VerdictWords:
    """What a run's banner says. `severity` is a finding's, or "good" where nothing is wrong.

    `because` are sentences or codes that explain the title; `also` names the other findings.
    """

    severity: str
    title: str
    because: tuple[str, ...] = ()
    advice: str = ""
    also: str = ""


def verdict_rows(verdict: VerdictWords, width: int, glyphs: Glyphs = UNICODE) -> list[Row]:
    """The banner in as many rows as its words need; nothing is cut, words are not broken.

    Only a single word that is longer than a whole row goes on in the next one.
    """
    good = verdict.severity == "good"
    sign = glyphs.check if good else SEVERITY_LETTERS.get(verdict.severity, "?")
    ink = verdict.severity if good or verdict.severity in SEVERITY_LETTERS else "label"
    rows = _hanging(sign, ink, verdict.title, "strong", width, glyphs)
    if verdict.because:
        text = "because " + "; ".join(verdict.because)
        rows += _hanging(" ", "label", text, "label", width, glyphs)
    if verdict.advice:
        rows += _hanging(glyphs.to, "info", verdict.advice, "label", width, glyphs)
    if verdict.also:
        rows += _hanging(" ", "label", "also " + verdict.also, "muted", width, glyphs)
    return rows


def _hanging(
    sign: str, sign_ink: str, text: str, ink: str, width: int, glyphs: Glyphs
) -> list[Row]:
    """A sentence behind a sign, its further rows indented to stand under the first."""
    lines = words(text, max(1, width - 2), ascii=glyphs.ascii)
    first = Span(plain_line(f"{sign} ", width), sign_ink)
    rows: list[Row] = []
    for number, line in enumerate(lines):
        lead = first if number == 0 else Span(" " * min(2, width))
        rows.append((lead, Span(line, ink)))
    return rows
