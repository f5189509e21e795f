"""A line that is not a record, kept out of a log and named."""

from __future__ import annotations

import msgspec


class BadLine(msgspec.Struct, frozen=True, kw_only=True):
    """Where a bad line stands, from 1, and why it is kept out."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file} line {self.line}: {self.reason}"
