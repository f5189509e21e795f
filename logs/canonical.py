"""The canonical form of a record: what is stored, and what tells one content from another."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import msgspec

from ctxpack.decoding import COMPUTED, Decoded, decode, instant, to_builtins
from ctxpack.errors import InputError
from ctxpack.record import Record, has_unknown

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Canonical(NamedTuple):
    """A record that is valid, with the digest of its content."""

    record: Record
    digest: bytes

    @property
    def plain(self) -> dict[str, Any]:
        """The record as plain JSON types, without what `show` computes."""
        return _plain(self.record)


def canonical(record: Record) -> Canonical:
    """The record mended and checked as if it had been read from its own JSON.

    NaN becomes null, half a character pair a '?', a second id `id#2`, as for any line that is
    read. Raises InputError that names the field where the record is not valid.
    """
    return canonical_of(validated(record))


def canonical_of(decoded: Decoded) -> Canonical:
    """The canonical form of a record that was just decoded, and so is valid already."""
    return Canonical(decoded.record, hashlib.sha256(_sorted_json(decoded.record)).digest())


def validated(record: Record) -> Decoded:
    """The record as its own JSON line reads; raises InputError that names the field."""
    try:
        plain = to_builtins(record)
        return decode(as_json(plain))
    except RecursionError:
        raise InputError("not a record: nested too deep to be written.") from None
    except InputError as error:
        raise InputError(f"run {record.id!r}: {error}") from None


def as_json(value: Any) -> str:
    """Compact JSON, never a NaN; half a character pair is escaped, so that any text passes."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return json.dumps(value)


def microseconds(time: str) -> int:
    """Microseconds since 1970 in UTC of an RFC 3339 time; raises InputError without an offset."""
    return (instant(time) - EPOCH) // timedelta(microseconds=1)


def _plain(record: Record) -> dict[str, Any]:
    return {key: value for key, value in to_builtins(record).items() if key not in COMPUTED}


def _sorted_json(record: Record) -> bytes:
    # Without unknown fields msgspec writes the record itself to the same bytes, much faster.
    whole: Any = _plain(record) if has_unknown(record) else record
    return msgspec.json.encode(whole, order="sorted")
