"""The handbook's documents as they lie in the folder: Markdown with a head, or parts in JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("handbook")


@dataclass(frozen=True)
class Part:
    """What stands under one heading; the heading is None before the first one."""

    heading: str | None
    text: str


@dataclass(frozen=True)
class Document:
    """One version of a handbook page. `section` is a breadcrumb such as `Billing > Refunds`."""

    doc_id: str
    title: str
    section: str
    version: str
    date: str
    language: str
    parts: tuple[Part, ...]
    whole_parts: bool = False

    @property
    def source(self) -> str:
        """The page's name, the same for all its versions."""
        return f"handbook/{self.doc_id}.md"


def read_documents(folder: Path = FOLDER) -> list[Document]:
    """Every document of the folder, in the order of the file names."""
    documents = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.suffix == ".md":
            documents.append(_markdown(file.read_text(encoding="utf-8"), file.name))
        elif file.suffix == ".json":
            documents.append(_json(file.read_text(encoding="utf-8")))
    return documents


def _markdown(content: str, name: str) -> Document:
    opening, head, body = content.split("---\n", 2)
    if opening:
        raise ValueError(f"{name}: a document begins with its head between two lines of ---.")
    fields = dict(line.split(": ", 1) for line in head.strip().splitlines())
    return Document(
        doc_id=fields["doc_id"],
        title=fields["title"],
        section=fields["section"],
        version=fields["version"],
        date=fields["date"],
        language=fields["language"],
        parts=tuple(_parts(body)),
    )


def _parts(body: str) -> list[Part]:
    parts: list[Part] = []
    heading: str | None = None
    lines: list[str] = []
    fenced = False
    for line in [*body.splitlines(), "## "]:
        if line.startswith("```"):
            fenced = not fenced
        if line.startswith("## ") and not fenced:
            text = "\n".join(lines).strip()
            if text:
                parts.append(Part(heading, text))
            heading, lines = line[3:].strip(), []
        else:
            lines.append(line)
    return parts


def _json(content: str) -> Document:
    """A document whose text cannot lie in a Markdown file: escapes, or a line made by a rule."""
    fields = json.loads(content)
    return Document(
        doc_id=fields["doc_id"],
        title=fields["title"],
        section=fields["section"],
        version=fields["version"],
        date=fields["date"],
        language=fields["language"],
        parts=tuple(Part(part["heading"], _text(part)) for part in fields["parts"]),
        whole_parts=True,
    )


def _text(part: dict[str, str | int]) -> str:
    if "repeat" not in part:
        return str(part["text"])
    unit = str(part["repeat"])
    return unit * (int(part["bytes"]) // len(unit.encode()) + 1)
