"""Putting records into an opened store, a batch in one transaction."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from ctxpack.decoding import to_builtins
from ctxpack.errors import InputError
from ctxpack.record import Record
from logs.canonical import canonical
from logs.known_chunks import Known
from logs.reading import LogReader
from logs.rows import RunRows
from logs.schema import HOUR_US

Outcome = Literal["new", "already", "conflict"]

_RUN = f"INSERT INTO runs VALUES ({', '.join('?' * 19)})"
_SECTION = f"INSERT INTO sections VALUES ({', '.join('?' * 8)})"
_CANDIDATE = f"INSERT INTO candidates VALUES ({', '.join('?' * 13)})"
_TEXT = "INSERT OR IGNORE INTO texts VALUES (?, ?)"
_SEARCH = "INSERT INTO runs_fts (rowid, query, answer) VALUES (?, ?, ?)"
_FLAGGED = "INSERT INTO flagged VALUES (?, ?, ?)"
_HOUR = """
    INSERT INTO hours VALUES (?, ?, ?, ?)
    ON CONFLICT (hour, kind, code) DO UPDATE SET runs = runs + excluded.runs
"""
_STORED = "SELECT id, digest FROM runs WHERE id IN ({places})"


def insert(connection: sqlite3.Connection, batch: Sequence[RunRows], known: Known) -> list[Outcome]:
    """Insert the new of at most 30,000 runs in one transaction; say for each whether it was.

    `already`: the same content stands there. `conflict`: the id stands there with other content,
    which stays. Raises sqlite3.Error, and then nothing of the batch is in.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        outcomes = insert_rows(connection, batch, known)
        connection.execute("COMMIT")
    except BaseException:
        known.forget()
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return outcomes


def insert_rows(
    connection: sqlite3.Connection, batch: Sequence[RunRows], known: Known
) -> list[Outcome]:
    """The same within a transaction of the caller's, who calls `known.forget` if it fails."""
    known.begin(connection)
    asked = _STORED.format(places=", ".join("?" * len(batch)))
    stored: dict[str, bytes] = dict(
        connection.execute(asked, [rows.id for rows in batch]).fetchall()
    )
    number: int = connection.execute("SELECT coalesce(max(run), 0) FROM runs").fetchone()[0]
    outcomes: list[Outcome] = []
    new: list[tuple[int, RunRows]] = []
    for rows in batch:
        if rows.id not in stored:
            number += 1
            new.append((number, rows))
            stored[rows.id] = rows.digest
            outcomes.append("new")
        else:
            outcomes.append("already" if stored[rows.id] == rows.digest else "conflict")
    _put(connection, new, known)
    return outcomes


def _put(connection: sqlite3.Connection, new: list[tuple[int, RunRows]], known: Known) -> None:
    chunks = known.chunks(connection, [key for _, rows in new for key, _ in rows.candidates])
    texts = {key: text for _, rows in new for key, text in rows.texts.items()}
    connection.executemany(_RUN, [(run, *rows.run) for run, rows in new])
    connection.executemany(_TEXT, list(texts.items()))
    connection.executemany(
        _SECTION,
        [(run, seq, *row) for run, rows in new for seq, row in enumerate(rows.sections)],
    )
    numbers = iter(chunks)
    connection.executemany(
        _CANDIDATE,
        [
            (run, seq, next(numbers), *row)
            for run, rows in new
            for seq, (_, row) in enumerate(rows.candidates)
        ],
    )
    connection.executemany(_SEARCH, [(run, rows.query, rows.answer) for run, rows in new])
    connection.executemany(
        _FLAGGED, [(code, rows.time_us, run) for run, rows in new for code in rows.flags]
    )
    hours = Counter(
        (rows.time_us // HOUR_US, known.kind(connection, rows.kind), code)
        for _, rows in new
        for code in ("", *rows.flags)
    )
    connection.executemany(_HOUR, [(*hour, runs) for hour, runs in hours.items()])


def conflict(reader: LogReader, record: Record, digest: bytes) -> InputError:
    """What to say where a record's id stands in a log with other content: it names both."""
    standing = reader.get(record.id)
    there = canonical(standing)
    here, before = to_builtins(record), there.plain
    fields = [key for key in here | before if here.get(key) != before.get(key)]
    return InputError(
        f"run {record.id!r} stands in {reader.name} with other content: there of "
        f"{standing.time} ({there.digest.hex()[:8]}), here of {record.time} "
        f"({digest.hex()[:8]}); they differ in {', '.join(fields)}."
    )
