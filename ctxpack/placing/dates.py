"""When a chunk is from, so that chunks can be laid out oldest first."""

from __future__ import annotations

from datetime import UTC, datetime

from ctxpack.candidate import Candidate


def moment(candidate: Candidate) -> float | None:
    """Seconds since 1970 of an ISO 8601 date, in UTC where it names no zone; None if it is none."""
    if candidate.date is None:
        return None
    try:
        read = datetime.fromisoformat(candidate.date.strip())
    except ValueError:
        return None
    aware = read if read.tzinfo else read.replace(tzinfo=UTC)
    return (aware - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()
