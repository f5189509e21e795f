"""Which runs of a log are wanted, and in which order."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

SortColumn = Literal["time", "type", "used", "packed", "considered", "budget"]

SORT_COLUMNS: dict[SortColumn, tuple[str, str]] = {
    "time": ("time_us", "DESC"),
    "type": ("request_type", "ASC"),
    "used": ("used", "DESC"),
    "packed": ("packed", "DESC"),
    "considered": ("considered", "DESC"),
    "budget": ("budget", "DESC"),
}
"""A sort's column in the store, and the direction it has unless it is reversed."""


class RunFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Runs that meet every condition that is given; the empty filter is all runs.

    `since` and `until` have an offset and are both included. `version` is the assembler's.
    `search` is words that all have to stand in the query or the answer, each as the beginning of a
    word. `chunk` and `doc` are the ids of a candidate and its document; `finding` is the code of a
    flag, or of any finding where the log was analysed; `ids` the ids of runs.
    """

    since: datetime | None = None
    until: datetime | None = None
    request_type: str | None = None
    version: str | None = None
    search: str | None = None
    chunk: str | None = None
    doc: str | None = None
    finding: str | None = None
    ids: tuple[str, ...] | None = None


ALL = RunFilter()


class Sort(msgspec.Struct, frozen=True, kw_only=True):
    """An order of runs: newest first unless told; numbers go from large to small.

    Ties go to the newest, in a reversed order to the oldest; runs that lack the number come last.
    """

    column: SortColumn = "time"
    reverse: bool = False


NEWEST_FIRST = Sort()
OLDEST_FIRST = Sort(reverse=True)
