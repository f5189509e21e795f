"""Documents to chunks: cut at headings, then between paragraphs; tables and code stay whole."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ctxpack.value.bm25 import terms
from sample_runs.documents import Document, Part

TERMS = 230
"""A chunk is closed before the paragraph that would bring it over this many terms."""


@dataclass(frozen=True)
class Chunk:
    """A passage of one document. `ordinal` is its place in the document, from 0."""

    id: str
    doc_id: str
    source: str
    section: str
    version: str
    date: str
    ordinal: int
    header: str
    text: str


def chunk_documents(documents: Iterable[Document]) -> list[Chunk]:
    """The chunks of all documents, in the documents' order."""
    return [chunk for document in documents for chunk in chunk_document(document)]


def chunk_document(document: Document) -> list[Chunk]:
    """The chunks of one document, named like `refunds@v3#2`."""
    pieces = [
        (part, text)
        for part in document.parts
        for text in ([part.text] if document.whole_parts else _pieces(part))
    ]
    return [_chunk(document, part, text, ordinal) for ordinal, (part, text) in enumerate(pieces)]


def _chunk(document: Document, part: Part, text: str, ordinal: int) -> Chunk:
    place = f"{document.section} > {part.heading}" if part.heading else document.section
    return Chunk(
        id=f"{document.doc_id}@{document.version}#{ordinal}",
        doc_id=document.doc_id,
        source=document.source,
        section=place,
        version=document.version,
        date=document.date,
        ordinal=ordinal,
        header=f"{document.source} > {place} | {document.version} | {document.date}",
        text=text,
    )


def _pieces(part: Part) -> list[str]:
    pieces: list[str] = []
    current: list[str] = []
    size = 0
    for block in _blocks(part.text):
        length = len(terms(block))
        if current and size + length > TERMS:
            pieces.append("\n\n".join(current))
            current, size = [], 0
        current.append(block)
        size += length
    return [*pieces, "\n\n".join(current)]


def _blocks(text: str) -> list[str]:
    """Paragraphs, tables, lists and fenced code, each as one block."""
    blocks: list[str] = []
    lines: list[str] = []
    fenced = False
    for line in [*text.splitlines(), ""]:
        if line.startswith("```"):
            fenced = not fenced
        if line.strip() or fenced:
            lines.append(line)
        elif lines:
            blocks.append("\n".join(lines))
            lines = []
    return blocks
