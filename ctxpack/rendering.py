"""How chunks are rendered, so that what is counted is what is sent."""

from __future__ import annotations

from collections.abc import Iterable

from ctxpack.candidate import Candidate


def render(candidate: Candidate) -> str | None:
    """Header, a newline, text; text alone without a header; None where there is no text."""
    if candidate.text is None:
        return None
    return f"{candidate.header}\n{candidate.text}" if candidate.header else candidate.text


def join(rendered: Iterable[str], separator: str | None) -> str:
    """Rendered chunks as one text, with the separator between them."""
    return (separator or "").join(rendered)
