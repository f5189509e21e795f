"""JSON to a record, strictly: an error names the field, and messy logs are mended with a word."""

from __future__ import annotations

import json
import math
import re
from datetime import UTC, datetime
from functools import cache
from typing import Any, NamedTuple

import msgspec

from ctxpack.errors import InputError
from ctxpack.naming import unique_names
from ctxpack.record import LEVELS, UNKNOWN, LoggedCandidate, Record, has_unknown

COMPUTED = ("findings", "answer_trace", "computed")
"""Keys that `show --json` adds to a record; they are dropped when a record is read."""

_LEAP_SECOND = re.compile(r"(?<=:\d\d):60(?=[.Zz+-])")


class Decoded(NamedTuple):
    """A record, and what had to be mended or renamed to read it."""

    record: Record
    warnings: tuple[str, ...]


def decode(line: bytes | str) -> Decoded:
    """Read one record from JSON.

    Raises InputError that names the field where the JSON or a field is wrong. NaN, infinities and
    lone surrogates are mended and reported, as are ids that stand twice.
    """
    record = _at_once(line)
    if record is not None:
        return _checked(record, ())
    raw, warnings = _parse(line)
    return from_builtins(raw, warnings)


def _at_once(line: bytes | str) -> Record | None:
    """The record of a line in which there is nothing to mend or to lift; None for all others."""
    try:
        record = _reader().decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return None if has_unknown(record) else record


@cache
def _reader() -> msgspec.json.Decoder[Record]:
    return msgspec.json.Decoder(Record)


def from_builtins(raw: object, warnings: tuple[str, ...] = ()) -> Decoded:
    """A record from parsed JSON; raises InputError that names the field."""
    if not isinstance(raw, dict):
        raise InputError("not a record: expected a JSON object.")
    kept = {key: value for key, value in raw.items() if key not in COMPUTED}
    if "schema" in kept and kept["schema"] != 1:
        raise InputError(
            f"field schema: this version reads records of schema 1, not {kept['schema']!r}."
        )
    try:
        record = msgspec.convert(_lift(kept, Record), Record, strict=True)
    except msgspec.ValidationError as error:
        raise InputError(field_error(error)) from None
    return _checked(record, warnings)


def _checked(record: Record, warnings: tuple[str, ...]) -> Decoded:
    instant(record.time)
    candidates, renamed = unique_ids(record.candidates)
    if renamed:
        record = msgspec.structs.replace(record, candidates=candidates)
    return Decoded(record, warnings + renamed)


def encode(record: Record) -> bytes:
    """The one line (without a newline) that an application appends to its log.

    Never a NaN, and always UTF-8: half of a character pair becomes '?'.
    """
    plain = to_builtins(record)
    try:
        return msgspec.json.encode(plain)
    except UnicodeEncodeError:
        return msgspec.json.encode(_mend(plain, set()))


def to_builtins(record: Record) -> dict[str, Any]:
    """The record as plain JSON types, unknown fields in their places."""
    return _lower(msgspec.to_builtins(record), Record)


def instant(time: str) -> datetime:
    """The moment of an RFC 3339 time, in UTC; raises InputError where it has no offset."""
    # RFC 3339 allows a small z and a leap second, which Python's reader does not.
    readable = _LEAP_SECOND.sub(":59", time.replace("z", "Z"))
    try:
        moment = datetime.fromisoformat(readable)
    except ValueError:
        raise InputError(f"field time: {time!r} is not an RFC 3339 time.") from None
    if moment.tzinfo is None:
        raise InputError(f"field time: {time!r} has no offset, such as Z or +02:00.")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise InputError(f"field time: {time!r} is outside the years 1 to 9999.") from None


def field_error(error: msgspec.ValidationError) -> str:
    """msgspec's message in the order people read: the field, then what is wrong with it."""
    what, _, path = str(error).partition(" - at `")
    field = path.rstrip("`").removeprefix("$").lstrip(".")
    what = (
        what.replace("`", "").replace("Object missing", "missing").replace("Expected", "expected")
    )
    return f"field {field}: {what}." if field else f"{what}."


def unique_ids(
    candidates: tuple[LoggedCandidate, ...],
) -> tuple[tuple[LoggedCandidate, ...], tuple[str, ...]]:
    """Candidates with an id each: a second one becomes `id#2`, and that is said."""
    ids = [candidate.id for candidate in candidates]
    if len(set(ids)) == len(ids):
        return candidates, ()
    names = unique_names(ids)
    kept = []
    said = []
    for candidate, name in zip(candidates, names, strict=True):
        if name != candidate.id:
            said.append(f"id {candidate.id!r} stands twice: the second is called {name!r}.")
            candidate = msgspec.structs.replace(candidate, id=name)
        kept.append(candidate)
    return tuple(kept), tuple(said)


def _parse(line: bytes | str) -> tuple[Any, tuple[str, ...]]:
    try:
        return msgspec.json.decode(line), ()
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return parse_leniently(line)


def parse_leniently(line: bytes | str) -> tuple[Any, tuple[str, ...]]:
    """JSON that other writers make (NaN, lone surrogates), mended, with a word for each kind."""
    said: set[str] = set()
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 text: byte {error.start} cannot be read.") from None
    try:
        raw = json.loads(text.removeprefix("\ufeff"))
        return _mend(raw, said), tuple(sorted(said))
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")
        raise InputError(f"not JSON: {what} at character {error.pos + 1}.") from None
    except RecursionError:
        raise InputError("not a record: nested too deep to be read.") from None
    except ValueError:
        # Python's own limit on the digits that it turns into a number.
        raise InputError("not a record: a number has thousands of digits.") from None


def _mend(value: Any, said: set[str]) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        said.add("a number was NaN or infinite: read as null.")
        return None
    if isinstance(value, str):
        clean = value.encode("utf-8", "replace").decode("utf-8")
        if clean != value:
            said.add("text held half of a character pair: shown as '?'.")
        return clean
    if isinstance(value, list):
        return [_mend(part, said) for part in value]
    if isinstance(value, dict):
        return {_mend(key, said): _mend(part, said) for key, part in value.items()}
    return value


def _lift(raw: dict[str, Any], level: type[msgspec.Struct]) -> dict[str, Any]:
    names = set(level.__struct_encode_fields__) - {UNKNOWN}
    nested = LEVELS.get(level, {})
    lifted: dict[str, Any] = {}
    unknown: dict[str, Any] = {}
    for key, value in raw.items():
        if key not in names:
            unknown[key] = value
        elif key in nested:
            lifted[key] = _lift_nested(value, nested[key])
        else:
            whole = isinstance(value, float) and value.is_integer() and key in _whole_fields(level)
            lifted[key] = int(value) if whole else value
    if unknown:
        lifted[UNKNOWN] = unknown
    return _without_nulls(lifted, level)


def _lift_nested(value: Any, level: type[msgspec.Struct]) -> Any:
    if isinstance(value, dict):
        return _lift(value, level)
    if isinstance(value, list):
        return [_lift(part, level) if isinstance(part, dict) else part for part in value]
    return value


def _without_nulls(lifted: dict[str, Any], level: type[msgspec.Struct]) -> dict[str, Any]:
    """Null in a field that may be absent means absent; a required field keeps its null to fail."""
    required = _required(level)
    return {key: value for key, value in lifted.items() if value is not None or key in required}


@cache
def _whole_fields(level: type[msgspec.Struct]) -> frozenset[str]:
    """Fields of whole numbers: other writers say 12.0 there, which JSON counts as whole too."""
    return frozenset(
        field.encode_name
        for field in msgspec.structs.fields(level)
        if "int" in str(field.type) and "float" not in str(field.type)
    )


@cache
def _required(level: type[msgspec.Struct]) -> frozenset[str]:
    # Asking msgspec costs a millisecond, which a log of a million chunks would pay for each.
    fields = msgspec.structs.fields(level)
    return frozenset(field.encode_name for field in fields if field.required)


def _lower(plain: dict[str, Any], level: type[msgspec.Struct]) -> dict[str, Any]:
    nested = LEVELS.get(level, {})
    lowered = {
        key: _lower_nested(value, nested[key]) if key in nested else _listed(value)
        for key, value in plain.items()
        if key != UNKNOWN
    }
    unknown: dict[str, Any] = plain.get(UNKNOWN, {})
    return lowered | unknown


def _lower_nested(value: Any, level: type[msgspec.Struct]) -> Any:
    if isinstance(value, dict):
        return _lower(value, level)
    return [_lower(part, level) for part in value]


def _listed(value: Any) -> Any:
    return [_listed(part) for part in value] if isinstance(value, tuple) else value
