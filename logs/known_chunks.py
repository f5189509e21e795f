"""What a writer knows to stand in its store already, so that it need not ask for every run."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from logs.chunk_rows import ChunkKey, chunk_row

Kind = tuple[str | None, str | None, str | None]
"""Request type, assembler's name, assembler's version."""

MOST_CHARACTERS = 32 * 1024 * 1024
"""Characters of text that are remembered; above it everything is forgotten at once."""

_CHUNK = "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?)"
_TEXT = "INSERT OR IGNORE INTO texts VALUES (?, ?)"
_KIND = (
    "SELECT kind FROM kinds WHERE request_type IS ? AND assembler IS ? AND assembler_version IS ?"
)
_ASKED_AT_ONCE = 500


class Known:
    """Numbers of chunks and kinds in one store; every method runs within a transaction.

    A transaction that is rolled back takes its numbers with it: say so with `forget`. Another
    process that prunes the store says so by the store's own count of prunings.
    """

    def __init__(self) -> None:
        self._chunks: dict[ChunkKey, int] = {}
        self._kinds: dict[Kind, int] = {}
        self._characters = 0
        self._pruned: int | None = None

    def forget(self) -> None:
        """Know nothing any more."""
        self._chunks.clear()
        self._kinds.clear()
        self._characters = 0

    def begin(self, connection: sqlite3.Connection) -> None:
        """Forget everything where the store was pruned since the last transaction."""
        asked = "SELECT value FROM upkeep WHERE name = 'pruned'"
        row = connection.execute(asked).fetchone()
        if row is None:
            raise sqlite3.DatabaseError("malformed: upkeep lacks a row")
        (pruned,) = row
        if pruned != self._pruned or self._characters > MOST_CHARACTERS:
            self.forget()
        self._pruned = pruned

    def chunks(self, connection: sqlite3.Connection, keys: Sequence[ChunkKey]) -> list[int]:
        """The number of every chunk; those that are not in the store are put there."""
        # A key is long, and is looked up once where it is known.
        numbers = list(map(self._chunks.get, keys))
        places = [place for place, number in enumerate(numbers) if number is None]
        new = list(dict.fromkeys(keys[place] for place in places))
        for start in range(0, len(new), _ASKED_AT_ONCE):
            self._add(connection, new[start : start + _ASKED_AT_ONCE])
        for place in places:
            numbers[place] = self._chunks[keys[place]]
        return [number for number in numbers if number is not None]

    def kind(self, connection: sqlite3.Connection, kind: Kind) -> int:
        """The number of a kind of run, which is put into the store where it is not there."""
        if kind not in self._kinds:
            found = connection.execute(_KIND, kind).fetchone()
            if found is None:
                added = connection.execute("INSERT INTO kinds VALUES (NULL, ?, ?, ?)", kind)
                found = (added.lastrowid,)
            self._kinds[kind] = found[0]
            self._characters += sum(len(name) for name in kind if name)
        return self._kinds[kind]

    def _add(self, connection: sqlite3.Connection, keys: list[ChunkKey]) -> None:
        rows = {key: chunk_row(key) for key in keys}
        asked = f"SELECT hash, chunk FROM chunks WHERE hash IN ({', '.join('?' * len(rows))})"
        stored: dict[bytes, int] = dict(
            connection.execute(asked, [row.hash for row in rows.values()]).fetchall()
        )
        number: int = connection.execute("SELECT coalesce(max(chunk), 0) FROM chunks").fetchone()[0]
        made = []
        for key, row in rows.items():
            if row.hash not in stored:
                number += 1
                stored[row.hash] = number
                made.append((number, *row[:5]))
            self._chunks[key] = stored[row.hash]
            self._characters += 200 + len(row.text or "") + len(row.rest or "")
        connection.executemany(_CHUNK, made)
        texts = [(row.text_hash, row.text) for row in rows.values() if row.text is not None]
        connection.executemany(_TEXT, texts)
