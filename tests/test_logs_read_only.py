"""Reading changes no byte, needs no right to write, and says in words what it cannot do."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctxpack import InputError
from logs import RunFilter, RunLog, Sort, open_log
from logs.read_only import open_database
from tests.logged_runs import record

NOBODY = 65534
READ = (
    "import os, sys\n"
    "root = sys.argv[2] == 'root'\n"
    "sys.path[:0] = sys.argv[3].split(os.pathsep)\n"
    "from logs import open_log\n"
    "from ctxpack import InputError\n"
    "import logs.opening, logs.resolving, logs.reading, difflib\n"
    "if root: os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
    "try:\n"
    "    with open_log([sys.argv[1]]) as reader:\n"
    "        print(reader.count(), len(reader.notes))\n"
    "except InputError as error: print(error)\n"
)


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that anybody may enter, whatever the test run's own folders allow."""
    made = tmp_path_factory.mktemp("shared")
    # Up to the folder that all share: pytest's own are closed to others, one more in each worker.
    for parent in (made, *made.parents):
        if parent == Path(tempfile.gettempdir()) or parent.stat().st_uid != os.getuid():
            break
        parent.chmod(0o755)
    yield made
    made.chmod(0o755)


def _read_as_another(path: Path) -> str:
    """Open the log in a process without rights to the folder and give what it prints."""
    user = "root" if os.getuid() == 0 else "self"
    search = os.pathsep.join(part for part in sys.path if part)
    command = [sys.executable, "-c", READ, str(path), user, search]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _lock_folder(folder: Path) -> None:
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)


def _fill(path: Path) -> RunLog:
    log = RunLog(path)
    log.append_many(record(f"r{number}") for number in range(20))
    return log


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_reading_leaves_the_bytes_of_the_file_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    _fill(path).close()
    before = _digest(path)
    with open_log([str(path)]) as reader:
        reader.page(RunFilter(search="refunds", chunk="refunds-1"), sort=Sort(column="used"))
        reader.get(reader.resolve("@last"))
        reader.types()
    assert _digest(path) == before


def test_a_reader_cannot_write_even_by_sql(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    _fill(path).close()
    opened = open_database(str(path))
    for statement in ("DELETE FROM runs", "CREATE TABLE x (y)", "PRAGMA user_version = 9"):
        with pytest.raises(sqlite3.OperationalError):
            opened.connection.execute(statement)
    opened.connection.close()


def test_rows_that_are_still_in_the_wal_are_read_where_the_folder_is_locked(folder: Path) -> None:
    with _fill(folder / "log.db") as log:
        _lock_folder(folder)
        assert _read_as_another(folder / "log.db") == "20 0"
        folder.chmod(0o755)
        (folder / "log.db").chmod(0o644)
        log.append(record("one-more"))


def test_a_log_without_its_wal_is_read_from_a_locked_folder_and_that_is_said(folder: Path) -> None:
    _fill(folder / "log.db").close()
    assert os.listdir(folder) == ["log.db"]
    _lock_folder(folder)
    before = _digest(folder / "log.db")
    assert _read_as_another(folder / "log.db") == "20 1"
    assert os.listdir(folder) == ["log.db"]
    assert _digest(folder / "log.db") == before


def test_a_snapshot_is_read_from_a_locked_folder_without_a_word(folder: Path) -> None:
    with _fill(folder / "log.db") as log:
        log.snapshot(folder / "copy.db")
    (folder / "log.db").unlink()
    _lock_folder(folder)
    assert _read_as_another(folder / "copy.db") == "20 0"


def test_rows_in_a_wal_that_cannot_be_read_are_never_left_out_in_silence(folder: Path) -> None:
    inner = folder / "copied"
    inner.mkdir()
    with _fill(folder / "log.db"):
        shutil.copy(folder / "log.db", inner / "log.db")
        shutil.copy(folder / "log.db-wal", inner / "log.db-wal")
    _lock_folder(inner)
    said = _read_as_another(inner / "log.db")
    inner.chmod(0o755)
    assert "rows that are still in its -wal file" in said


def test_a_file_without_the_right_to_read_is_said(folder: Path) -> None:
    _fill(folder / "log.db").close()
    (folder / "log.db").chmod(0o000)
    (folder / "lines.jsonl").write_bytes(b"{}\n")
    (folder / "lines.jsonl").chmod(0o000)
    for name in ("log.db", "lines.jsonl"):
        assert "may not be read: no right" in _read_as_another(folder / name)


def test_a_log_that_is_locked_as_a_whole_is_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with _fill(path) as log:
        log.snapshot(tmp_path / "copy.db")
    holder = sqlite3.connect(tmp_path / "copy.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(InputError, match="is locked by another program"):
        open_database(str(tmp_path / "copy.db"), wait=0.05)
    holder.execute("ROLLBACK")
    holder.close()


def test_a_reader_sees_what_is_written_after_it_was_opened(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with _fill(path) as log, open_log([str(path)]) as reader:
        assert reader.count() == 20
        log.append(record("later"))
        assert reader.count() == 21
        assert reader.get("later") == record("later")
