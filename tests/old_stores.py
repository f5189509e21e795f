"""A store of version 1 as it was written then, for the tests of migration."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ctxpack import Record
from logs.canonical import as_json, canonical, microseconds
from logs.chunk_rows import text_hash
from logs.rows import packed_count, used_tokens
from logs.schema import APPLICATION_ID

_TABLES = (
    "CREATE TABLE runs (run INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, time_us INTEGER NOT NULL,"
    " time TEXT NOT NULL, request_type TEXT, query TEXT NOT NULL, answer TEXT, model TEXT,"
    " assembler TEXT, assembler_version TEXT, budget INTEGER, used INTEGER, packed INTEGER,"
    " considered INTEGER NOT NULL, trace_id TEXT, digest BLOB NOT NULL, rest TEXT NOT NULL)",
    "CREATE INDEX runs_time ON runs (time_us, run)",
    "CREATE INDEX runs_type_time ON runs (request_type, time_us, run)",
    "CREATE INDEX runs_trace ON runs (trace_id) WHERE trace_id IS NOT NULL",
    "CREATE TABLE sections (run INTEGER NOT NULL, seq INTEGER NOT NULL, name TEXT NOT NULL,"
    " tokens INTEGER, allowance INTEGER, cap INTEGER, text BLOB, rest TEXT,"
    " PRIMARY KEY (run, seq)) WITHOUT ROWID",
    "CREATE TABLE candidates (run INTEGER NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL,"
    " doc_id TEXT, rank INTEGER, score REAL, tokens INTEGER, outcome TEXT, reason TEXT, text BLOB,"
    " rest TEXT, PRIMARY KEY (run, seq)) WITHOUT ROWID",
    "CREATE INDEX candidates_id ON candidates (id, run)",
    "CREATE INDEX candidates_doc ON candidates (doc_id, run) WHERE doc_id IS NOT NULL",
    "CREATE TABLE texts (hash BLOB NOT NULL PRIMARY KEY, text TEXT NOT NULL)",
    "CREATE VIRTUAL TABLE runs_fts USING fts5(query, answer, content='runs', content_rowid='run',"
    " tokenize='unicode61 remove_diacritics 2')",
    f"PRAGMA application_id = {APPLICATION_ID}",
    "PRAGMA user_version = 1",
)
_RUN = ("id", "time", "request_type", "query", "model")
_SECTION = ("name", "tokens", "allowance", "cap")
_CANDIDATE = ("id", "doc_id", "rank", "score", "tokens", "outcome", "reason")


def write_store_1(path: Path, records: Iterable[Record]) -> None:
    """A log of store version 1 with these records."""
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in _TABLES:
        connection.execute(statement)
    for number, record in enumerate(records, 1):
        _write(connection, number, record)
    connection.close()


def _write(connection: sqlite3.Connection, number: int, record: Record) -> None:
    whole = canonical(record)
    plain, answer = whole.plain, record.answer.text if record.answer else None
    made_by = record.assembler
    for table, columns in (("sections", _SECTION), ("candidates", _CANDIDATE)):
        for seq, part in enumerate(plain.pop(table, ())):
            row = (number, seq, *_row(connection, part, columns))
            places = ", ".join("?" * len(row))
            connection.execute(f"INSERT INTO {table} VALUES ({places})", row)
    columns = [plain.pop(name, None) for name in _RUN]
    if answer is not None:
        del plain["answer"]["text"]
    run = (
        number,
        record.id,
        microseconds(record.time),
        *columns[1:4],
        answer,
        columns[4],
        made_by.name if made_by else None,
        made_by.version if made_by else None,
        record.settings.budget if record.settings else None,
        used_tokens(record),
        packed_count(record),
        len(record.candidates),
        record.trace.trace_id if record.trace else None,
        whole.digest,
        as_json(plain),
    )
    connection.execute(f"INSERT INTO runs VALUES ({', '.join('?' * 17)})", run)
    search = (number, record.query, answer)
    connection.execute("INSERT INTO runs_fts (rowid, query, answer) VALUES (?, ?, ?)", search)


def _row(
    connection: sqlite3.Connection, part: dict[str, Any], columns: tuple[str, ...]
) -> tuple[Any, ...]:
    values = [part.pop(name, None) for name in columns]
    text, key = part.pop("text", None), None
    if text is not None:
        key = text_hash(text)
        connection.execute("INSERT OR IGNORE INTO texts VALUES (?, ?)", (key, text))
    return (*values, key, as_json(part) if part else None)
