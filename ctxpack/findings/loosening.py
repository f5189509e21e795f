"""Which filter let a chunk fall, and the value that lets it through."""

from __future__ import annotations

from ctxpack.record import LoggedCandidate


def loosening(chunk: LoggedCandidate) -> str:
    """One sentence of advice for a chunk that a filter left out."""
    detail = chunk.detail or {}
    if chunk.reason == "over_count":
        place = detail.get("place", chunk.rank)
        return f"Raise max_chunks to {place}." if place else "Raise max_chunks."
    if chunk.reason == "banned":
        return "Take it off the bans."
    if chunk.reason == "invalid":
        return "Give the chunk its text, or its tokens: a chunk without either cannot be packed."
    if chunk.reason == "duplicate":
        similarity = detail.get("similarity")
        if isinstance(similarity, int | float) and similarity < 1:
            return f"Raise dedupe above {similarity:.2f}: at that similarity it counts as a copy."
        return "Look at the chunk that was kept in its place: it should hold the answer as well."
    if chunk.reason == "below_cutoff":
        return "Raise the cut-off until it reaches this chunk's score, or switch it off."
    return "Switch the cut at the score cliff off."
