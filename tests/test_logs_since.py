"""Points in time as they are typed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from ctxpack import InputError
from logs import moment

NOW = datetime(2026, 3, 30, 12, tzinfo=timezone(timedelta(hours=2)))


@pytest.mark.parametrize(
    ("typed", "ago"),
    [
        ("90m", timedelta(minutes=90)),
        ("24h", timedelta(hours=24)),
        ("7d", timedelta(days=7)),
        (" 2W ", timedelta(weeks=2)),
        ("0s", timedelta()),
    ],
)
def test_a_span_is_counted_back_from_now(typed: str, ago: timedelta) -> None:
    assert moment(typed, NOW) == NOW - ago
    assert moment(typed, NOW).tzinfo == UTC


@pytest.mark.parametrize(
    ("typed", "utc"),
    [
        ("2026-03-01", "2026-02-28T23:00:00+00:00"),
        ("2026-03-01T10:00", "2026-03-01T09:00:00+00:00"),
        ("2026-03-30T10:00", "2026-03-30T08:00:00+00:00"),
        ("2026-03-01 10:00:30", "2026-03-01T09:00:30+00:00"),
        ("2026-03-01T10:00Z", "2026-03-01T10:00:00+00:00"),
        ("2026-03-01T10:00-05:00", "2026-03-01T15:00:00+00:00"),
    ],
)
def test_an_iso_time_without_an_offset_is_local_to_its_own_day(typed: str, utc: str) -> None:
    assert moment(typed, NOW, ZoneInfo("Europe/Berlin")).isoformat() == utc


@pytest.mark.parametrize("typed", ["", "yesterday", "7", "7y", "-7d", "7d7d", "2026-13-01", "٧d"])
def test_what_is_neither_is_refused_with_examples(typed: str) -> None:
    with pytest.raises(InputError, match="give 90m, 24h, 7d"):
        moment(typed, NOW)


@pytest.mark.parametrize("typed", ["999999999w", "0001-01-01T00:00+14:00"])
def test_a_time_outside_the_calendar_is_refused(typed: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        moment(typed, NOW)
