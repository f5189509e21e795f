"""Candidates from files: JSON, JSON Lines, or texts."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ctxpack.candidate import Candidate, is_blank
from ctxpack.decoding import field_error, parse_leniently
from ctxpack.errors import InputError
from logs.faults import in_words

STDIN = "-"
_STDIN_NAME = "standard input"
_JSON_ENDINGS = (".json", ".jsonl", ".ndjson")
_BREAK = re.compile(r"(?m)^[ \t]*(?:-{3,}[ \t]*)?$")
"""A blank line, or a rule of dashes: between two pasted texts."""


class ReadCandidates(NamedTuple):
    """Candidates in the order of the files, and what had to be left out or mended."""

    candidates: tuple[Candidate, ...]
    said: tuple[str, ...]


def read_candidates(files: Sequence[str]) -> ReadCandidates:
    """Read every file; raises InputError where one holds no candidate that could be packed."""
    if list(files).count(STDIN) > 1:
        raise InputError("standard input (-) can be read once: name it once.")
    candidates: list[Candidate] = []
    said: list[str] = []
    for file in files:
        name = _STDIN_NAME if file == STDIN else file
        found = _candidates(file, name, _text(file, name), said)
        if not any(map(_can_be_packed, found)):
            raise InputError(f"{name} holds not one valid candidate: {_why(found, said)}")
        candidates += found
    return ReadCandidates(tuple(candidates), tuple(said))


def _text(file: str, name: str) -> str:
    if file == STDIN:
        if sys.stdin is None or sys.stdin.closed:
            raise InputError("standard input is closed: nothing can be read from it.")
        content = sys.stdin.buffer.read()
    else:
        with in_words(name):
            content = Path(file).read_bytes()
    if not content.strip():
        raise InputError(f"{name} is empty: give candidates or a text.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{name} is not text: it is not UTF-8.") from None
    if "\0" in text:
        raise InputError(f"{name} is not text: it holds a NUL.")
    return text.replace("\r\n", "\n")


def _candidates(file: str, name: str, text: str, said: list[str]) -> list[Candidate]:
    if text.lstrip()[0] in "{[":
        parsed = _parsed(text, said, name)
        if parsed is not None:
            return [c for place, raw in parsed if (c := _candidate(raw, f"{name} {place}", said))]
    if file.lower().endswith(_JSON_ENDINGS) or re.match(r"\s*(\[\s*)?\{", text):
        raise InputError(f"{name} is not JSON or JSON Lines of candidates: {_json_fault(text)}.")
    if file != STDIN:
        return [Candidate(id=file.encode("utf-8", "replace").decode(), text=text.strip("\n"))]
    pieces = [piece.strip("\n") for piece in _BREAK.split(text) if piece.strip()]
    return [Candidate(id=f"text-{place}", text=piece) for place, piece in enumerate(pieces, 1)]


def _parsed(text: str, said: list[str], name: str) -> list[tuple[str, Any]] | None:
    """The raw candidates with their places, None where the text is no JSON at all."""
    try:
        whole, mended = parse_leniently(text)
    except InputError:
        return _parsed_lines(text, said, name)
    said += [f"{name}: {word}" for word in mended]
    if isinstance(whole, dict) and isinstance(whole.get("candidates"), list):
        whole = whole["candidates"]
    if isinstance(whole, dict):
        whole = [whole]
    return [(f"candidate {place}", raw) for place, raw in enumerate(whole, 1)]


def _parsed_lines(text: str, said: list[str], name: str) -> list[tuple[str, Any]] | None:
    found: list[tuple[str, Any]] = []
    bad: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            raw, mended = parse_leniently(line)
        except InputError as error:
            bad.append(f"{name} line {number}: {error}")
            continue
        said += [f"{name} line {number}: {word}" for word in mended]
        found.append((f"line {number}", raw))
    if not any(isinstance(raw, dict) for _, raw in found):
        return None
    said += bad
    return found


def _candidate(raw: Any, where: str, said: list[str]) -> Candidate | None:
    if not isinstance(raw, dict):
        said.append(f"{where}: not a candidate: expected a JSON object.")
        return None
    given = {key: value for key, value in raw.items() if value is not None or key == "id"}
    # The engine says of a candidate without a positive count that it is invalid, by its id.
    tokens = given.get("tokens")
    below = isinstance(tokens, int) and not isinstance(tokens, bool) and tokens < 0
    if below:
        del given["tokens"]
    try:
        candidate = msgspec.convert(given, Candidate, strict=True)
    except msgspec.ValidationError as error:
        said.append(f"{where}: {field_error(error)}")
        return None
    return msgspec.structs.replace(candidate, tokens=tokens) if below else candidate


def _why(found: Sequence[Candidate], said: Sequence[str]) -> str:
    if not found:
        return said[-1] if said else "it lists none."
    first = found[0]
    if is_blank(first):
        return f"the text of the first, {first.id!r}, is empty."
    if first.tokens is None:
        return f"the first, {first.id!r}, has neither text nor tokens."
    return f"the first, {first.id!r}, has {first.tokens} tokens."


def _can_be_packed(candidate: Candidate) -> bool:
    if candidate.text is not None:
        return not is_blank(candidate)
    return (candidate.tokens or 0) > 0


def _json_fault(text: str) -> str:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"{error.msg} in line {error.lineno}"
    except (RecursionError, ValueError):
        return "it is nested too deep, or a number has thousands of digits"
    return "expected objects"
