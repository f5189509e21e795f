"""Points in time as people type them: `90m`, `24h`, `7d`, or an ISO date or time."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo

from ctxpack.errors import InputError

_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_AGO = re.compile(r"\s*(\d{1,9})\s*([smhdw])\s*", re.IGNORECASE | re.ASCII)


def moment(text: str, now: datetime, zone: tzinfo | None = None) -> datetime:
    """The moment in UTC that `text` names: so long before `now`, or an ISO date or time.

    An ISO time without an offset is in `zone`, by default the machine's own. `now` must have an
    offset. Raises InputError where the text is neither.
    """
    ago = _AGO.fullmatch(text)
    try:
        if ago:
            seconds = int(ago[1]) * _SECONDS[ago[2].lower()]
            return (now - timedelta(seconds=seconds)).astimezone(UTC)
        given = datetime.fromisoformat(text.strip())
        if given.tzinfo is None and zone is not None:
            given = given.replace(tzinfo=zone)
        return given.astimezone(UTC)
    except (ValueError, OverflowError):
        raise InputError(
            f"time {text!r} cannot be read: give 90m, 24h, 7d, or an ISO time such as "
            "2026-03-01T09:30."
        ) from None
