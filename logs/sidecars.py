"""What was found by reading every text of a log: a database of the user's own beside no log.

One file for a log and a version of the findings, under the user's data folder; the log itself is
never written to.
"""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import suppress
from pathlib import Path

from ctxpack.errors import InputError
from logs.faults import in_words

SCHEMA_NAME = "analysed"
"""The name under which a reader attaches the sidecar."""

DIGEST_BYTES = 8
"""So much of a run's digest tells that the run is still the one that was analysed."""

_TABLES = (
    """
    CREATE TABLE IF NOT EXISTS done (
      run INTEGER PRIMARY KEY,
      digest BLOB NOT NULL,
      codes TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS found (
      code TEXT NOT NULL,
      time_us INTEGER NOT NULL,
      run INTEGER NOT NULL,
      PRIMARY KEY (code, time_us, run)
    ) WITHOUT ROWID
    """,
)

_NAME = re.compile(r"[0-9a-f]{16,64}")


def data_folder() -> Path:
    """Where the user's own data lie: $XDG_DATA_HOME, or ~/.local/share."""
    given = os.environ.get("XDG_DATA_HOME", "")
    # By its own rules a path that is not absolute counts as none.
    base = Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"
    return base / "ctxpack"


def findings_version() -> str:
    """What a sidecar's findings depend on beside the log: the rules and their thresholds."""
    import hashlib

    from ctxpack.findings import CODES, DEFAULT
    from ctxpack.findings.flags import FLAGS_VERSION

    rules = repr((FLAGS_VERSION, CODES, DEFAULT))
    return hashlib.blake2b(rules.encode(), digest_size=6).hexdigest()


def sidecar_path(identity: str) -> Path:
    """The sidecar of the log with this identity, for the findings of this version."""
    if not _NAME.fullmatch(identity):
        raise InputError("the log has no name of its own: its upkeep table is damaged.")
    return data_folder() / "analysed" / f"{identity}-{findings_version()}.db"


def open_sidecar(path: Path) -> sqlite3.Connection:
    """The sidecar to write to, made where there is none; those of other versions are removed.

    Raises InputError, in words, where the folder cannot be made or written.
    """
    with in_words(str(path)):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        for other in path.parent.glob(f"{path.name.partition('-')[0]}-*.db*"):
            if not other.name.startswith(path.name):
                with suppress(OSError):
                    other.unlink()
        connection = sqlite3.connect(path, timeout=30, isolation_level=None)
        try:
            path.chmod(0o600)
            for statement in _TABLES:
                connection.execute(statement)
        except BaseException:
            connection.close()
            raise
    return connection


def attach(connection: sqlite3.Connection, path: Path) -> bool:
    """Put the sidecar beside a log that is read; False where there is none that can be read."""
    if not path.is_file():
        return False
    try:
        connection.execute(f"ATTACH ? AS {SCHEMA_NAME}", (str(path),))
        connection.execute(f"SELECT count(*) FROM (SELECT 1 FROM {SCHEMA_NAME}.found LIMIT 1)")
        connection.execute(f"SELECT digest, codes FROM {SCHEMA_NAME}.done LIMIT 1")
    except sqlite3.Error:
        with suppress(sqlite3.Error):
            connection.execute(f"DETACH {SCHEMA_NAME}")
        return False
    return True
