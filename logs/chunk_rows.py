"""What many runs say of one chunk, told from what each says of it alone."""

from __future__ import annotations

import hashlib
from operator import attrgetter
from typing import Any, NamedTuple

from ctxpack.record import LoggedCandidate
from logs.canonical import as_json

CHUNK_FIELDS = (
    "id",
    "doc_id",
    "source",
    "section",
    "date",
    "version",
    "ordinal",
    "score_kind",
    "header",
    "text",
    "vector",
    "retriever",
    "hash",
)
"""Fields of a candidate that are its chunk's: the same in every run that retrieves it."""

ChunkKey = tuple[Any, ...]
"""The values of `CHUNK_FIELDS`, and the vector's as they are written."""


class ChunkRow(NamedTuple):
    """A chunk's row without its number, and its text, which has a table of its own."""

    hash: bytes
    id: str
    doc_id: str | None
    text_hash: bytes | None
    rest: str | None
    text: str | None


def chunk_key(chunk: LoggedCandidate) -> ChunkKey:
    """What tells the chunk of a candidate from every other."""
    # Two vectors that differ in the sign of a zero are equal, but not the same when written.
    return (*_FIELDS(chunk), None if chunk.vector is None else repr(chunk.vector))


def chunk_row(key: ChunkKey) -> ChunkRow:
    """The row of the chunk with this key."""
    plain = {
        name: value for name, value in zip(CHUNK_FIELDS, key, strict=False) if value is not None
    }
    name, doc_id, text = plain.pop("id"), plain.pop("doc_id", None), plain.pop("text", None)
    rest = as_json(plain) if plain else None
    key_of_text = None if text is None else text_hash(text)
    told = as_json([name, doc_id, key_of_text and key_of_text.hex(), rest])
    return ChunkRow(_hash(told), name, doc_id, key_of_text, rest, text)


def text_hash(text: str) -> bytes:
    """16 bytes that name a text in the store."""
    return _hash(text)


_FIELDS = attrgetter(*CHUNK_FIELDS)


def _hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()
