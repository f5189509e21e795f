"""One candidate as the text pane shows it: a header row, its text, where the answer stands."""

from __future__ import annotations

from typing import NamedTuple

from ctxpack import LoggedCandidate
from ctxpack.matching import spans
from tui.state import Session
from tui.text import plain_line
from tui.widgets.spans import BLANK, Row, Span

MATCHED = 400_000
"""Characters of a text in which the answer is looked for to mark it."""


class ChunkText(NamedTuple):
    """What the pane shows."""

    text: str
    header: Row
    matches: list[tuple[int, int]]


def chunk_text(session: Session, chunk_id: str | None) -> ChunkText:
    """The chunk's header line and text; a log that keeps no texts says so."""
    chunk = next((each for each in session.record.candidates if each.id == chunk_id), None)
    if chunk is None:
        return ChunkText("", BLANK, [])
    if chunk.text is None:
        from logs.privacy import why_absent

        why = why_absent(session.record, "candidates")
        absent = (
            f"{why[0].upper()}{why[1:]}." if why else "The log does not hold this chunk's text."
        )
        return ChunkText(absent, _header(chunk), [])
    trace = session.case.trace
    wanted = [part for way in trace.expected.alternatives for part in way] if trace else []
    head = chunk.text[:MATCHED]
    found = [span for part in wanted for span in spans(head, part)]
    return ChunkText(chunk.text, _header(chunk), found)


def _header(chunk: LoggedCandidate) -> Row:
    rank = f"rank {chunk.rank}  " if chunk.rank is not None else ""
    named = [chunk.header] if chunk.header else [chunk.source, chunk.section, chunk.version]
    about = plain_line(" > ".join(part for part in named if part), 200)
    dated = "  ".join(plain_line(part, 24) for part in (chunk.version, chunk.date) if part)
    return (
        Span(f"{rank}{plain_line(chunk.id, 40)}  ", "strong"),
        Span(f"{dated}  " if dated else "", "label"),
        Span(about, "muted"),
    )
