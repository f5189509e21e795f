"""The store's tables, and how a log is told from any other SQLite database."""

from __future__ import annotations

import sqlite3
from typing import Literal

SCHEMA_VERSION = 2
"""The store's own version, kept in `PRAGMA user_version`; the record's schema has another."""

APPLICATION_ID = 0x63747870
"""`ctxp` in the database's header: a SQLite file without it is not a log of ours."""

TABLES = {
    1: ("runs", "sections", "candidates", "texts", "runs_fts"),
    2: (
        "runs",
        "sections",
        "candidates",
        "chunks",
        "texts",
        "runs_fts",
        "flagged",
        "kinds",
        "hours",
        "imports",
        "upkeep",
    ),
}
"""The tables that a store of each version has."""

BLOCK_BITS = 12
"""Runs are indexed by chunk in blocks of 4,096: a batch touches few pages, and a chunk is found
with one step a block, the newest block first."""

HOUR_US = 3_600_000_000
"""Microseconds of an hour."""

SCHEMA = (
    # `time_us` sorts: microseconds since 1970 in UTC. `time` is the text as it was logged.
    # `flags` are the codes of the findings that need no text, by the rules of `flags_version`.
    """
    CREATE TABLE runs (
      run INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      time_us INTEGER NOT NULL,
      time TEXT NOT NULL,
      request_type TEXT,
      query TEXT NOT NULL,
      answer TEXT,
      model TEXT,
      assembler TEXT,
      assembler_version TEXT,
      budget INTEGER,
      used INTEGER,
      packed INTEGER,
      considered INTEGER NOT NULL,
      flags TEXT NOT NULL,
      flags_version INTEGER NOT NULL,
      trace_id TEXT,
      digest BLOB NOT NULL,
      rest TEXT NOT NULL
    )
    """,
    "CREATE INDEX runs_time ON runs (time_us)",
    # A list by type has the newest of a type first.
    "CREATE INDEX runs_type ON runs (request_type, time_us DESC, run DESC)",
    "CREATE INDEX runs_version ON runs (assembler_version, time_us)",
    "CREATE INDEX runs_budget ON runs (budget, time_us)",
    "CREATE INDEX runs_used ON runs (used, time_us)",
    "CREATE INDEX runs_packed ON runs (packed, time_us)",
    "CREATE INDEX runs_considered ON runs (considered, time_us)",
    "CREATE INDEX runs_trace ON runs (trace_id) WHERE trace_id IS NOT NULL",
    # A section's `text` is the hash of one, or empty where it is the run's query.
    """
    CREATE TABLE sections (
      run INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      name TEXT NOT NULL,
      tokens INTEGER,
      allowance INTEGER,
      cap INTEGER,
      text BLOB,
      rest TEXT,
      PRIMARY KEY (run, seq)
    ) WITHOUT ROWID
    """,
    # `needed` and `left` are a reason's numbers where it has these two, which most have.
    """
    CREATE TABLE candidates (
      run INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      chunk INTEGER NOT NULL,
      rank INTEGER,
      score REAL,
      tokens INTEGER,
      outcome TEXT,
      reason TEXT,
      position INTEGER,
      start INTEGER,
      needed INTEGER,
      left INTEGER,
      rest TEXT,
      PRIMARY KEY (run, seq)
    ) WITHOUT ROWID
    """,
    f"CREATE INDEX candidates_chunk ON candidates (run >> {BLOCK_BITS}, chunk, run)",
    # What many runs say of one chunk (its document, source, header, text) is kept once; `hash` is
    # 16 bytes of BLAKE2b of all of it.
    """
    CREATE TABLE chunks (
      chunk INTEGER PRIMARY KEY,
      hash BLOB NOT NULL UNIQUE,
      id TEXT NOT NULL,
      doc_id TEXT,
      text BLOB,
      rest TEXT
    )
    """,
    "CREATE INDEX chunks_id ON chunks (id)",
    "CREATE INDEX chunks_doc ON chunks (doc_id) WHERE doc_id IS NOT NULL",
    # `hash` is 16 bytes of BLAKE2b of the UTF-8 text: a text that many runs share is kept once.
    "CREATE TABLE texts (hash BLOB NOT NULL PRIMARY KEY, text TEXT NOT NULL)",
    """
    CREATE VIRTUAL TABLE runs_fts USING fts5(
      query, answer, content='runs', content_rowid='run',
      tokenize='unicode61 remove_diacritics 2'
    )
    """,
    """
    CREATE TABLE flagged (
      code TEXT NOT NULL,
      time_us INTEGER NOT NULL,
      run INTEGER NOT NULL,
      PRIMARY KEY (code, time_us, run)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE kinds (
      kind INTEGER PRIMARY KEY,
      request_type TEXT,
      assembler TEXT,
      assembler_version TEXT
    )
    """,
    "CREATE INDEX kinds_of ON kinds (request_type, assembler, assembler_version)",
    # How many runs of a kind an hour had (code ''), and how many of them were flagged with a code.
    """
    CREATE TABLE hours (
      hour INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      code TEXT NOT NULL,
      runs INTEGER NOT NULL,
      PRIMARY KEY (hour, kind, code)
    ) WITHOUT ROWID
    """,
    # How far a file was read that is still being written: bytes and lines from its beginning.
    """
    CREATE TABLE imports (
      file TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      offset INTEGER NOT NULL,
      line INTEGER NOT NULL
    ) WITHOUT ROWID
    """,
    # `log` names this log among others; `pruned` counts prunings, which end every cached number.
    "CREATE TABLE upkeep (name TEXT NOT NULL PRIMARY KEY, value) WITHOUT ROWID",
    "INSERT INTO upkeep VALUES ('log', lower(hex(randomblob(16)))), ('pruned', 0)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
"""Every statement that makes an empty log, in order."""

Identity = Literal["log", "empty", "older", "newer", "damaged", "foreign"]


def create_tables(connection: sqlite3.Connection) -> None:
    """Make an empty log in an empty database, without sqlite-utils: for logs held in memory."""
    for statement in SCHEMA:
        connection.execute(statement)


def identify(connection: sqlite3.Connection) -> Identity:
    """What stands in an opened database; raises sqlite3.Error where it cannot be read.

    `empty` is a database without any table, `damaged` one of ours that lacks some of its tables,
    `older` a log that `migrate` makes readable, `newer` one that only a newer version reads.
    """
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = {
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    if application != APPLICATION_ID:
        return "foreign" if tables or application or version else "empty"
    if version > SCHEMA_VERSION:
        return "newer"
    if not tables.issuperset(TABLES.get(version, ("no such version",))):
        return "damaged"
    return "log" if version == SCHEMA_VERSION else "older"
