"""Question sets in JSON Lines: a question a line, its candidates inline or out of a corpus."""

from __future__ import annotations

import gzip
import io
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import msgspec

from ctxpack.candidate import Candidate
from ctxpack.errors import InputError
from ctxpack.evaluating.question import Question, holding_an_answer
from logs.bad_lines import BadLine
from logs.faults import in_words
from logs.sources import DAMAGED_PACKING, STDIN, STDIN_NAME

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of a line that are read at most."""


MOST_NAMED = 20
"""Lines left out that are named; the rest is counted."""

_CORPUS_KEYS = ("id", "doc_id", "text")


@dataclass
class LeftOut:
    """The lines of a file that are no use: the first of them, and how many there are."""

    file: str
    named: list[BadLine] = field(default_factory=list)
    lines: int = 0

    def add(self, line: int, reason: str) -> None:
        """One more."""
        self.lines += 1
        if len(self.named) < MOST_NAMED:
            self.named.append(BadLine(file=self.file, line=line, reason=reason))


@dataclass
class Come:
    """How far a file is read, in bytes; `of` is 0 where that is not known."""

    done: int = 0
    of: int = 0


class QuestionFile:
    """A question set that is read as it is walked through, in the same room however long it is.

    `corpus` has the chunks that candidates name by their ids. `left_out` tells the lines that are
    no use, `come` how far it is read. `-` is standard input.
    """

    def __init__(self, path: str, corpus: Mapping[str, Candidate] | None = None) -> None:
        self.path = path
        self.corpus = corpus or {}
        self.left_out = LeftOut(_name(path))
        self.come = Come()

    def __iter__(self) -> Iterator[Question]:
        """Every question that can be used; raises InputError for a file that cannot be read."""
        seen: set[str] = set()
        for number, given in _objects(self.path, self.left_out, self.come):
            try:
                question = _question(given, self.corpus)
                if question.id in seen:
                    raise InputError(f"question {question.id!r} is there already.")
            except InputError as error:
                self.left_out.add(number, str(error))
                continue
            seen.add(question.id)
            yield question


def read_corpus(path: str) -> tuple[dict[str, Candidate], LeftOut]:
    """The chunks of a corpus file by id, and the lines that are left out.

    The first of several chunks of one id is kept. Raises InputError for a file that cannot be read.
    """
    left_out = LeftOut(_name(path))
    chunks: dict[str, Candidate] = {}
    for number, given in _objects(path, left_out, Come()):
        known = {name: part for name, part in given.items() if name in _CORPUS_KEYS}
        try:
            chunk = _candidate(known)
            if chunk.text is None:
                raise InputError("text is missing.")
            if chunk.id in chunks:
                raise InputError(f"chunk {chunk.id!r} is there already.")
        except InputError as error:
            left_out.add(number, str(error))
            continue
        chunks[chunk.id] = chunk
    return chunks, left_out


def _name(path: str) -> str:
    return STDIN_NAME if path == STDIN else path


def _objects(path: str, left_out: LeftOut, come: Come) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every line that is a JSON object, with its number from 1."""
    with _opened(path) as raw:
        come.of = 0 if path == STDIN else os.fstat(raw.fileno()).st_size
        # Looked at, not read: a pipe cannot be wound back.
        packed = raw.peek(2)[:2] == b"\x1f\x8b"
        stream = gzip.GzipFile(fileobj=raw) if packed else raw
        for number, line in enumerate(_lines(_name(path), stream), start=1):
            come.done = raw.tell() if come.of else 0
            found = _object(line) if line.strip() else None
            if isinstance(found, str):
                left_out.add(number, found)
            elif found is not None:
                yield number, found


@contextmanager
def _opened(path: str) -> Iterator[io.BufferedReader]:
    """The file, or standard input, which is not ours to close; its faults in words."""
    name = _name(path)
    try:
        with in_words(name):
            if path == STDIN:
                if sys.stdin is None or sys.stdin.closed:
                    raise InputError("standard input is closed: nothing can be read from it.")
                reader: io.BufferedReader = io.BufferedReader(cast(Any, sys.stdin.buffer))
                try:
                    yield reader
                finally:
                    reader.detach()
            else:
                with open(path, "rb") as file:
                    yield file
    except DAMAGED_PACKING:
        raise InputError(f"{name} is damaged: it cannot be unpacked.") from None


def _lines(path: str, stream: io.BufferedIOBase) -> Iterator[bytes]:
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise InputError(f"{path} line {number}: longer than {LONGEST_LINE:,} bytes.")
        yield line


def _object(line: bytes) -> dict[str, Any] | str:
    """The object in a line, or the reason that there is none."""
    try:
        given = msgspec.json.decode(line.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return f"not JSON: {error}."
    return given if isinstance(given, dict) else "it must be a JSON object."


def _question(given: dict[str, Any], corpus: Mapping[str, Candidate]) -> Question:
    name = given.get("id")
    if not isinstance(name, str) or not name:
        raise InputError("id must be a text.")
    listed = given.get("candidates")
    if not isinstance(listed, list):
        raise InputError("candidates must be a list.")
    candidates = tuple(_one(place, each, corpus) for place, each in enumerate(listed, 1))
    gold = _texts(given, "gold_ids")
    answers = _texts(given, "answers")
    if gold is None:
        if not answers:
            raise InputError("it has neither gold_ids nor answers.")
        gold = holding_an_answer(candidates, answers)
    text = given.get("question", "")
    if not isinstance(text, str):
        raise InputError("question must be a text.")
    return Question(id=name, text=text, gold=gold, candidates=candidates)


def _texts(given: dict[str, Any], name: str) -> tuple[str, ...] | None:
    listed = given.get(name)
    if listed is None:
        return None
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise InputError(f"{name} must be a list of texts.")
    return tuple(listed)


def _one(place: int, given: object, corpus: Mapping[str, Candidate]) -> Candidate:
    """A candidate: an object of its own, or [chunk id, score], or an id, out of the corpus."""
    if isinstance(given, dict):
        return _candidate({"rank": place} | given, f"candidate {place}: ")
    pair = [given, None] if isinstance(given, str) else given
    if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str):
        raise InputError(f"candidate {place} must be an object, or [chunk id, score].")
    name, score = pair
    if name not in corpus:
        where = "not in the corpus" if corpus else "in no corpus: give --corpus"
        raise InputError(f"candidate {place}: chunk {name!r} is {where}.")
    number = isinstance(score, int | float) and not isinstance(score, bool)
    return msgspec.structs.replace(corpus[name], rank=place, score=score if number else None)


def _candidate(given: dict[str, Any], where: str = "") -> Candidate:
    try:
        return msgspec.convert(given, Candidate)
    except msgspec.ValidationError as error:
        raise InputError(f"{where}{error}.") from None
