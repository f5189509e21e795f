"""Make the sample question set from nothing: `python -m sample_runs.question_set FOLDER`.

`questions.jsonl` has a question a line with its answers, the chunks that hold them and 20 ranked
candidates; `corpus.jsonl` has every chunk of the handbook. Both are replaced where they are there.
The gold chunks come from the page, never from the ranking: what retrieval misses stays a miss.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ctxpack import InputError
from ctxpack.matching import holds_normal, normal
from sample_runs.chunking import Chunk, chunk_document, chunk_documents
from sample_runs.documents import FOLDER, read_documents
from sample_runs.ranking import rank

FILE = Path(__file__).with_name("questions.toml")
CANDIDATES = 20
"""Ranked candidates of a question."""


class KnownQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question, its answers word for word, and the page and version that they are from."""

    id: str
    doc_id: str
    version: str
    question: str
    answers: tuple[str, ...]


def read_questions(file: Path = FILE) -> list[KnownQuestion]:
    """Every question of the file, in order.

    Raises InputError for a file that cannot be read, a question without all its fields, and an id
    that is there twice.
    """
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
        questions = msgspec.convert(raw.get("question", []), list[KnownQuestion], strict=True)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InputError(f"{file}: {error}.") from None
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise InputError(f"{file}: question {question.id!r} is there twice.")
        seen.add(question.id)
    return questions


def corpus_lines(handbook: Path = FOLDER) -> list[dict[str, Any]]:
    """Every chunk of the handbook with its page's title, in the documents' order."""
    return [
        {"id": chunk.id, "doc_id": chunk.doc_id, "title": document.title, "text": chunk.text}
        for document in read_documents(handbook)
        for chunk in chunk_document(document)
    ]


def question_lines(
    questions: Iterable[KnownQuestion], handbook: Path = FOLDER
) -> list[dict[str, Any]]:
    """Every question with its gold chunks and its candidates, best first.

    Raises InputError for an answer that stands in no chunk of its page or in one of another page,
    and for a question with fewer than 20 candidates.
    """
    chunks = chunk_documents(read_documents(handbook))
    # Each text is made comparable once: one page has a line of 200,000 bytes.
    texts = [normal(chunk.text) for chunk in chunks]
    return [_line(question, chunks, texts) for question in questions]


def _line(question: KnownQuestion, chunks: Sequence[Chunk], texts: Sequence[str]) -> dict[str, Any]:
    gold = _gold_ids(question, chunks, texts)
    candidates = rank(question.question, chunks, CANDIDATES)
    if len(candidates) < CANDIDATES:
        raise InputError(
            f"question {question.id!r}: only {len(candidates)} chunks share a word with it, and it "
            f"needs {CANDIDATES} candidates; word it with more of the handbook's words."
        )
    return {
        "id": question.id,
        "question": question.question,
        "answers": list(question.answers),
        "gold_ids": gold,
        "candidates": [[candidate.id, candidate.score] for candidate in candidates],
    }


def _gold_ids(question: KnownQuestion, chunks: Sequence[Chunk], texts: Sequence[str]) -> list[str]:
    """The chunks of the question's page that hold one of its answers."""
    if not question.answers:
        raise InputError(f"question {question.id!r}: it has no answer.")
    page = (question.doc_id, question.version)
    gold: set[str] = set()
    for answer in question.answers:
        wanted = normal(answer)
        holding = [c for c, text in zip(chunks, texts, strict=True) if holds_normal(text, wanted)]
        own = {chunk.id for chunk in holding if (chunk.doc_id, chunk.version) == page}
        if not own:
            raise InputError(
                f"question {question.id!r}: no chunk of {'@'.join(page)} holds the answer "
                f"{answer!r}."
            )
        elsewhere = [chunk.id for chunk in holding if chunk.id not in own]
        if elsewhere:
            raise InputError(
                f"question {question.id!r}: the answer {answer!r} also stands in "
                f"{', '.join(elsewhere)}; give more of the sentence that it stands in."
            )
        gold |= own
    return [chunk.id for chunk in chunks if chunk.id in gold]


def build_question_set(out: Path, questions: Path = FILE, handbook: Path = FOLDER) -> int:
    """Write both files into the folder `out` and say how many questions there are.

    Raises InputError where a question is refused or the folder cannot be written; nothing is
    written before every question is made.
    """
    made = question_lines(read_questions(questions), handbook)
    try:
        _write(out / "questions.jsonl", made)
        _write(out / "corpus.jsonl", corpus_lines(handbook))
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror}.") from None
    return len(made)


def _write(file: Path, lines: Iterable[dict[str, Any]]) -> None:
    # Escapes keep the control and bidirectional marks of the hostile page out of a terminal.
    content = "".join(json.dumps(line, ensure_ascii=True) + "\n" for line in lines)
    file.write_text(content, encoding="ascii", newline="\n")


def main(arguments: Sequence[str]) -> int:
    """The command; 0 when both files were written, 2 with one sentence on stderr when not."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: python -m sample_runs.question_set FOLDER", file=sys.stderr)
        return 2
    try:
        questions = build_question_set(Path(arguments[0]))
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{arguments[0]}: {questions} questions", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
