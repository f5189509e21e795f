"""What every finding looks at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ctxpack.answer import AnswerTrace
from ctxpack.curves import Curve
from ctxpack.findings.thresholds import Thresholds
from ctxpack.neighbours import Pair
from ctxpack.record import LoggedCandidate, Record
from ctxpack.window import Placed


@dataclass(frozen=True)
class Case:
    """A record under diagnosis; `trace` is None where no answer is known.

    `split` are the neighbours that hold the answer together, where no chunk holds it alone.
    """

    record: Record
    trace: AnswerTrace | None
    placed: tuple[Placed, ...]
    curve: Curve
    thresholds: Thresholds
    advise: bool = True
    split: tuple[Pair, ...] = ()


def basis(chunk: LoggedCandidate) -> Literal["recorded", "inferred"]:
    """Whether what is said of a chunk was recorded by the application or inferred later."""
    return "recorded" if chunk.basis in (None, "recorded") else "inferred"


def name(chunk: LoggedCandidate) -> str:
    """A chunk as a sentence names it: its rank and its id."""
    return f"rank {chunk.rank} ({chunk.id})" if chunk.rank else chunk.id


def numbers(chunk: LoggedCandidate) -> str:
    """Why a chunk is out, in words with its numbers."""
    from ctxpack.reasons import in_words

    return in_words(chunk.reason, chunk.detail or {}, chunk.tokens)


def room_lacked(detail: dict[str, Any]) -> int | None:
    """Tokens by which the room left was too small, from a reason's numbers; None if unknown."""
    needed, left = detail.get("needed"), detail.get("left")
    if type(needed) is not int or type(left) is not int or needed <= left:
        return None
    return needed - left
