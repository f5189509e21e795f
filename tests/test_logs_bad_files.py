"""What is not a log is refused in one plain sentence, and nothing is made on disk."""

from __future__ import annotations

import gzip
import os
import random
import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest

from ctxpack import InputError
from logs import RunLog, open_log
from logs.schema import SCHEMA_VERSION
from tests.logged_runs import line, record

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00"


def _refusal(path: Path) -> str:
    before = sorted(os.listdir(path.parent)) if path.parent.is_dir() else []
    with pytest.raises(InputError) as refused, open_log([str(path)]):
        pass
    after = sorted(os.listdir(path.parent)) if path.parent.is_dir() else []
    assert after == before
    said = str(refused.value)
    assert "\n" not in said
    assert str(path) in said
    return said


def test_a_missing_file_is_said_and_not_made(tmp_path: Path) -> None:
    assert "does not exist" in _refusal(tmp_path / "none.db")
    assert "does not exist" in _refusal(tmp_path / "no" / "folder.db")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"\n \n", "holds no record"),
        (PNG, "is not a log"),
        (b"plain words\nand more\n", "is not a log: none of 2 lines is a record; line 1: not JSON"),
        ("{}".encode("utf-16"), "is not a log"),
        (gzip.compress(b"", mtime=0), "is empty"),
        (gzip.compress(PNG, mtime=0), "is not a log"),
        (gzip.compress(line(), mtime=0)[:20], "cannot be unpacked"),
        (gzip.compress(b"SQLite format 3\0" + bytes(100), mtime=0), "unpack it first"),
        (b"SQLite format 3\0", "its end is missing"),
        (b'{"schema": 1, "id": "a"}\n', "line 1: missing required field"),
        (line().replace(b'"budget":300', b'"budget":-5'), "field settings.budget"),
        (line()[:-40], "line 1: torn"),
        (b'{"schema": 2, "id": "a"}', "reads records of schema 1, not 2"),
        (b"[" * 100_000, "is not a log"),
    ],
)
def test_a_file_that_is_no_log_is_refused_in_words(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert said in _refusal(path)


def test_a_foreign_database_is_not_a_log(tmp_path: Path) -> None:
    path = tmp_path / "foreign.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE runs (id)")
    connection.commit()
    connection.close()
    assert "is a SQLite database, but not a ctxpack log" in _refusal(path)


def test_a_log_of_a_newer_version_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = _snapshot(tmp_path)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.commit()
    connection.close()
    assert "upgrade ctxpack-tui" in _refusal(path)


def test_a_log_whose_tables_are_views_or_missing_is_damaged(tmp_path: Path) -> None:
    path = _snapshot(tmp_path)
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE texts")
    connection.execute("CREATE VIEW texts AS SELECT 1 AS hash, 'x' AS text")
    connection.commit()
    connection.close()
    assert "some of its tables are missing" in _refusal(path)


@pytest.mark.parametrize("share", [0.01, 0.1, 0.5, 0.9, 0.999])
def test_a_log_that_is_cut_anywhere_is_damaged(tmp_path: Path, share: float) -> None:
    path = _snapshot(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    assert "is damaged" in _refusal(path)


@pytest.mark.parametrize("seed", range(30))
def test_a_log_with_wrong_bytes_anywhere_is_read_or_refused_in_words(
    tmp_path: Path, seed: int
) -> None:
    path = _snapshot(tmp_path)
    content = bytearray(path.read_bytes())
    chance = random.Random(seed)
    for place in chance.sample(range(16, len(content)), 400):
        content[place] = chance.randrange(256)
    path.write_bytes(content)
    with suppress(InputError), open_log([str(path)]) as reader:
        for run in reader.page(limit=100):
            reader.get(run.id)
        reader.types()
        reader.resolve("@last")


def test_a_folder_stands_for_the_logs_in_it_and_only_for_them(tmp_path: Path) -> None:
    assert "holds no log" in str(_folder_refusal(tmp_path))
    (tmp_path / "a.jsonl").write_bytes(line("a"))
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(line("b"), mtime=0))
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "picture.json").write_bytes(PNG)
    (tmp_path / "notes.txt").write_bytes(b"words")
    sqlite3.connect(tmp_path / "foreign.db").execute("CREATE TABLE x (y)").connection.close()
    with RunLog(tmp_path / "c.db") as log:
        log.append(record("c"))
    with open_log([str(tmp_path)]) as reader:
        assert sorted(reader.ids()) == ["a", "b", "c"]
        assert reader.notes == ()


def _folder_refusal(folder: Path) -> InputError:
    with pytest.raises(InputError) as refused:
        open_log([str(folder)])
    return refused.value


def _snapshot(folder: Path) -> Path:
    with RunLog(folder / "log.db") as log:
        log.append_many(record(f"r{number}", x="y" * 900) for number in range(40))
        log.snapshot(folder / "copy.db")
    return folder / "copy.db"


def test_a_log_whose_upkeep_is_gone_says_that_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with RunLog(path) as log:
        log.append(record("r1"))
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM upkeep")
    connection.commit()
    connection.close()
    with RunLog(path) as log, pytest.raises(InputError, match="is damaged"):
        log.append(record("r2"))
    with open_log([str(path)]) as reader:
        assert reader.ids() == ["r1"]
        with pytest.raises(InputError, match="upkeep table is damaged"):
            reader.sidecar()
