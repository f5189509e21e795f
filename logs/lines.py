"""JSON Lines in and out: one record a line; a bad line never costs a good one."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from ctxpack.decoding import Decoded, decode
from ctxpack.errors import InputError
from logs.canonical import as_json, canonical
from logs.filtering import ALL, OLDEST_FIRST, RunFilter
from logs.key_path import KeyPath, record_within
from logs.privacy import Privacy, private
from logs.reading import LogReader
from logs.sources import DAMAGED_PACKING, Rejoined

LONGEST_LINE = 256 * 1024 * 1024
"""Bytes of a line, or of a whole JSON document, that are read at most."""

BROKEN_OFF = "not JSON from here on."

_FILLER = re.compile(r"[\s,\[\]]*")


class Line(NamedTuple):
    """A line's number, from 1, its bytes, and the record in it or the reason that there is none."""

    number: int
    raw: bytes
    found: Decoded | str


def read_lines(
    stream: BinaryIO, *, longest: int = LONGEST_LINE, at: KeyPath = ()
) -> Iterator[Line]:
    """Every line that is not blank, as a record or with the reason that it is none.

    With `at`, records are what stands under these keys of each line's object; lines that have
    nothing there are of other things, and no lines of this log.

    JSON that is spread over several lines, one object after the other or in an array, is read as
    well; `number` is then the line where the object begins. A last line that is cut, a line over
    `longest` bytes and the place where a packed file is damaged have their reasons too.
    """
    if at:
        yield from _lines_within(stream, longest, at)
        return
    number, first = 0, True
    try:
        for number, raw in _numbered(stream, longest):
            if first and raw is not None and _begins_document(_trimmed(raw)):
                yield from _document(number, raw, stream, longest)
                return
            if line := _line(number, raw, longest):
                yield line
                first = False
    except DAMAGED_PACKING:
        yield Line(number + 1, b"", "the packed file is cut or damaged from here on.")


def _lines_within(stream: BinaryIO, longest: int, at: KeyPath) -> Iterator[Line]:
    number = 0
    try:
        for number, raw in _numbered(stream, longest):
            if raw is None:
                yield Line(number, b"", f"longer than {longest:,} bytes.")
            elif (part := record_within(_trimmed(raw), at)) is not None:
                yield Line(number, raw, _found(part))
    except DAMAGED_PACKING:
        yield Line(number + 1, b"", "the packed file is cut or damaged from here on.")


def export_lines(
    reader: LogReader, wanted: RunFilter = ALL, privacy: Privacy | None = None
) -> Iterator[bytes]:
    """The records of a log as lines with their newlines, oldest first; as `privacy` keeps them."""
    for run_id in reader.each_id(wanted, OLDEST_FIRST):
        record = reader.get(run_id)
        if privacy is not None:
            record = private(record, privacy)
        yield as_json(canonical(record).plain).encode() + b"\n"


def _line(number: int, raw: bytes | None, longest: int) -> Line | None:
    if raw is None:
        return Line(number, b"", f"longer than {longest:,} bytes.")
    text = _trimmed(raw)
    if not text:
        return None
    found = _found(text)
    cut = text.startswith(b"{") and not raw.endswith(b"\n")
    if cut and isinstance(found, str) and _is_torn(text):
        found = "torn: the file ends before the line's JSON does."
    return Line(number, raw, found)


def _found(text: bytes | str) -> Decoded | str:
    try:
        return decode(text)
    except InputError as error:
        return str(error)
    except RecursionError:
        return "not a record: nested too deep to be read."


def _numbered(stream: BinaryIO, longest: int) -> Iterator[tuple[int, bytes | None]]:
    number = 0
    while raw := stream.readline(longest + 1):
        number += 1
        if len(raw) <= longest or raw.endswith(b"\n"):
            yield number, raw
            continue
        while raw and not raw.endswith(b"\n"):
            raw = stream.readline(1024 * 1024)
        yield number, None


def _begins_document(text: bytes) -> bool:
    """Whether a first line looks like the start of JSON that is spread over several lines."""
    return text.startswith(b"[") or (text.startswith(b"{") and text[-1:] in b"{,[")


def _document(number: int, raw: bytes, stream: BinaryIO, longest: int) -> Iterator[Line]:
    content = raw + stream.read(max(longest - len(raw), 0))
    lines = _spread(content, number)
    rest = stream.read(1)
    if not rest and lines and lines[-1].found != BROKEN_OFF:
        yield from lines
        return
    # No whole document: line by line, as any other file, unless that would find less.
    whole = io.BufferedReader(Rejoined(content + rest, stream))
    by_line = (
        line
        for place, part in _numbered(whole, longest)
        if (line := _line(number + place - 1, part, longest))
    )
    if rest:
        yield from by_line
    else:
        yield from max(list(by_line), lines, key=_records)


def _spread(content: bytes, number: int) -> list[Line]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return []
    decoder, place, counted = json.JSONDecoder(), 0, 0
    lines: list[Line] = []
    while (place := _end_of_filler(text, place)) < len(text):
        number += text.count("\n", counted, place)
        counted = place
        try:
            _, end = decoder.raw_decode(text, place)
        except (json.JSONDecodeError, RecursionError):
            lines.append(Line(number, text[place:].encode(), BROKEN_OFF))
            break
        part = text[place:end]
        lines.append(Line(number, part.encode(), _found(part)))
        place = end
    return lines


def _end_of_filler(text: str, place: int) -> int:
    filler = _FILLER.match(text, place)
    return filler.end() if filler else place


def _trimmed(raw: bytes) -> bytes:
    return raw.removeprefix(b"\xef\xbb\xbf").strip()


def _is_torn(text: bytes) -> bool:
    """Whether JSON is wrong only in that it ends too early."""
    try:
        json.loads(text)
    except UnicodeDecodeError as error:
        return error.end == len(text)
    except json.JSONDecodeError as error:
        rest = error.doc[error.pos :]
        cut_word = any(word.startswith(rest) for word in ("true", "false", "null", "-", "NaN"))
        cut_escape = len(rest) < 6 and "\\u" in error.msg
        return cut_word or cut_escape or error.msg.startswith("Unterminated")
    except (ValueError, RecursionError):
        return False
    return False


def _records(lines: list[Line]) -> int:
    return sum(isinstance(line.found, Decoded) for line in lines)
