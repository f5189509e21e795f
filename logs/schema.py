"""The store's tables, and how a log is told from any other SQLite database."""

from __future__ import annotations

import sqlite3
from typing import Literal

SCHEMA_VERSION = 1
"""The store's own version, kept in `PRAGMA user_version`; the record's schema has another."""

APPLICATION_ID = 0x63747870
"""`ctxp` in the database's header: a SQLite file without it is not a log of ours."""

TABLES = ("runs", "sections", "candidates", "texts", "runs_fts")

SCHEMA = (
    # `time_us` sorts: microseconds since 1970 in UTC. `time` is the text as it was logged.
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
      trace_id TEXT,
      digest BLOB NOT NULL,
      rest TEXT NOT NULL
    )
    """,
    "CREATE INDEX runs_time ON runs (time_us, run)",
    "CREATE INDEX runs_type_time ON runs (request_type, time_us, run)",
    "CREATE INDEX runs_trace ON runs (trace_id) WHERE trace_id IS NOT NULL",
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
    """
    CREATE TABLE candidates (
      run INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      id TEXT NOT NULL,
      doc_id TEXT,
      rank INTEGER,
      score REAL,
      tokens INTEGER,
      outcome TEXT,
      reason TEXT,
      text BLOB,
      rest TEXT,
      PRIMARY KEY (run, seq)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX candidates_id ON candidates (id, run)",
    "CREATE INDEX candidates_doc ON candidates (doc_id, run) WHERE doc_id IS NOT NULL",
    # `hash` is 16 bytes of BLAKE2b of the UTF-8 text: a text that many runs share is kept once.
    "CREATE TABLE texts (hash BLOB NOT NULL PRIMARY KEY, text TEXT NOT NULL)",
    """
    CREATE VIRTUAL TABLE runs_fts USING fts5(
      query, answer, content='runs', content_rowid='run',
      tokenize='unicode61 remove_diacritics 2'
    )
    """,
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
"""Every statement that makes an empty log, in order."""

Identity = Literal["log", "empty", "newer", "damaged", "foreign"]


def create_tables(connection: sqlite3.Connection) -> None:
    """Make an empty log in an empty database, without sqlite-utils: for logs held in memory."""
    for statement in SCHEMA:
        connection.execute(statement)


def identify(connection: sqlite3.Connection) -> Identity:
    """What stands in an opened database; raises sqlite3.Error where it cannot be read.

    `empty` is a database without any table, `damaged` one of ours that lacks some of its tables.
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
    return "log" if tables.issuperset(TABLES) else "damaged"
