"""Bad input is one plain sentence, exit 2, nothing on standard output, nothing made on disk."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli_runs import make_log
from tests.command import ctxpack
from tests.logged_runs import line

LOG = "log.db"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("bad")
    make_log(made / "wal.db")
    ctxpack("export", str(made / "wal.db"))
    exported = ctxpack("export", str(made / "wal.db")).out
    (made / "lines.jsonl").write_text(exported)
    (made / "empty.jsonl").write_bytes(b"")
    (made / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    (made / "words.txt").write_bytes(b"plain words\n")
    (made / "field.jsonl").write_bytes(line().replace(b'"tokens":120', b'"tokens":"many"'))
    (made / "nothing.json").write_text('[{"id": "a"}, {"id": "b", "tokens": 0}]')
    (made / "broken.json").write_text('[{"id": "a", "text": }]')
    connection = sqlite3.connect(made / "foreign.db")
    connection.execute("CREATE TABLE mine (x)")
    connection.close()
    for name in ("wal.db", "wal.db-shm", "wal.db-wal"):
        (made / name).unlink(missing_ok=True)
    return made


@pytest.fixture(autouse=True)
def _here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(folder)
    before = sorted(os.listdir())
    yield
    assert sorted(os.listdir()) == before


LOGS = [
    ("none.db", "none.db does not exist."),
    ("empty.jsonl", "empty.jsonl is empty"),
    ("picture.png", "picture.png is not a log"),
    ("words.txt", "words.txt is not a log: line 1: not JSON"),
    ("foreign.db", "foreign.db is a SQLite database, but not a ctxpack log."),
    ("field.jsonl", "line 1: field candidates[0].tokens: expected int"),
    ("words.txt/x", "does not exist"),
]


@pytest.mark.parametrize("command", [("list",), ("show", "r"), ("repack", "r"), ("export",), ()])
@pytest.mark.parametrize(("path", "said"), LOGS)
def test_what_is_no_log_is_refused_by_every_command(
    command: tuple[str, ...], path: str, said: str
) -> None:
    name, rest = command[:1], command[1:]
    _refused((*name, path, *rest), said)


@pytest.mark.parametrize(("path", "said"), LOGS)
def test_what_is_no_log_is_not_imported(path: str, said: str) -> None:
    _refused(("import", path, "--into", "new.db"), said)


R = ("repack", "lines.jsonl", "run-1")
P = ("pack", "words.txt")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "lines.jsonl", "nope"), "no run 'nope' in lines.jsonl."),
        (("show", "lines.jsonl", "run"), "'run-1', 'run-2' begin so."),
        (("show", "lines.jsonl", "run-3"), "Near it: 'run-"),
        (("lines.jsonl", "--run", "nope"), "no run 'nope'"),
        (("export", "lines.jsonl", "nope"), "no run 'nope'"),
        ((*R, "--budget", "-5"), "budget is -5: it must be 0 tokens or more."),
        ((*R, "--budget", "many"), "'many' is not a valid integer"),
        ((*R, "--strategy", "best"), "unknown strategy 'best': choose one of first-fit, top"),
        ((*R, "--placement", "mid"), "unknown placement 'mid': choose one of best-first"),
        ((*R, "--value", "worth"), "unknown value 'worth'"),
        ((*R, "--curve", "mine"), "unknown curve 'mine'"),
        ((*R, "--encoding", "mine"), "unknown encoding 'mine'"),
        ((*R, "--max-chunks", "-1"), "--max-chunks': '-1' is not a whole number of 0 or more"),
        ((*R, "--cutoff", "1.5"), "--cutoff': '1.5' is not a number from 0 to 1, or none."),
        ((*R, "--cutoff", "nan"), "--cutoff': 'nan' is not a number from 0 to 1"),
        ((*R, "--margin", "inf"), "--margin': 'inf' is not a number of 0 or more"),
        ((*R, "--margin", "-0.1"), "--margin': '-0.1' is not a number of 0 or more"),
        ((*R, "--dedupe", "much"), "--dedupe': 'much' is not a number from 0 to 1"),
        ((*R, "--mmr-lambda", "none"), "--mmr-lambda': 'none' is not a number from 0 to 1."),
        ((*R, "--group", "page"), "unknown group 'page': choose one of none, document"),
        ((*R, "--split-tail", "-1"), "split_tail is -1: it must be 0 chunks or more"),
        ((*R, "--value", "calibrated"), "--value calibrated=FILE"),
        ((*R, "--value", "calibrated="), "--value calibrated=FILE"),
        ((*R, "--value", "calibrated=none"), "none does not exist."),
        ((*R, "--value", "calibrated=words.txt"), "words.txt: calibration: it is not JSON"),
        ((*R, "--pins", "maybe"), "unknown pins policy 'maybe': choose one of report, strict."),
        ((*R, "--pin", "mine"), "--pin mine: no candidate has this id."),
        ((*R, "--ban", "mine"), "--ban mine: no candidate has this id."),
        ((*R, "--pin", "refunds-1", "--ban", "refunds-1"), "both pinned and banned"),
        ((*R, "--bugdet", "5"), "--bugdet"),
        (("list", "lines.jsonl", "--since", "yesterday"), "time 'yesterday' cannot be read"),
        (("list", "lines.jsonl", "--limit", "-1"), "-1 is not in the range"),
        (("list", "lines.jsonl", "--finding", "bad"), "unknown finding 'bad': choose one of"),
        (("list", "lines.jsonl", "--sort", "used"), "--sort"),
        (("list",), "LOG"),
        (("show",), "RUN"),
        (("show", "lines.jsonl"), "RUN is missing: name LOG, then RUN."),
        (("why", "lines.jsonl", "run-1"), "CHUNK is missing: name LOG, then RUN, then CHUNK."),
        (("lsit", "lines.jsonl"), "did you mean list?"),
        (("export", "lines.jsonl", "--format", "html"), "html"),
        (("list", "-", "-"), "read once"),
        (("list", "-"), "standard input is empty"),
        (P, "pack needs --budget"),
        ((*P, "--budget", "-1"), "budget is -1"),
        ((*P, "--budget", "5", "--strategy", "best"), "unknown strategy 'best'"),
        ((*P, "--budget", "5", "--strategy", "top", "--compare"), "leave --strategy out"),
        (("pack", "--budget", "5"), "FILE"),
        (("pack", "none", "--budget", "5"), "none does not exist."),
        (("pack", "empty.jsonl", "--budget", "5"), "empty.jsonl is empty"),
        (("pack", "picture.png", "--budget", "5"), "picture.png is not text"),
        (("pack", "nothing.json", "--budget", "5"), "nothing.json holds not one valid candidate"),
        (("pack", "words.txt", "nothing.json", "--budget", "5"), "neither text nor tokens"),
        (("pack", "broken.json", "--budget", "5"), "broken.json is not JSON"),
        (("pack", "-", "--budget", "5"), "standard input is empty"),
        (("pack", ".", "--budget", "5"), ". is a folder"),
        (("import", "lines.jsonl"), "--into"),
        (("import", "lines.jsonl", "--into", "lines.jsonl"), "into itself"),
        (("import", "lines.jsonl", "--into", "no/log.db"), "folder"),
        (("import", "lines.jsonl", "--into", "words.txt"), "words.txt is not a log"),
        (("import", "lines.jsonl", "--into", "new.db", "--quarantine", "no/bad"), "folder"),
        (("import", "lines.jsonl", "none", "--into", "new.db"), "none does not exist."),
    ],
)
def test_wrong_usage_is_refused_in_words(arguments: tuple[str, ...], said: str) -> None:
    _refused(arguments, said)


def test_what_was_typed_is_not_interpreted_when_it_is_repeated() -> None:
    done = ctxpack("show", "lines.jsonl", "\x1b[31m\ud800")
    assert done.code == 2
    assert "\x1b" not in done.err
    assert len(done.err.splitlines()) == 1


def test_a_locked_database_is_said_to_be_locked(tmp_path: Path) -> None:
    log = make_log(tmp_path / "locked.db")
    holder = sqlite3.connect(log, isolation_level=None)
    holder.execute("PRAGMA journal_mode = DELETE")
    holder.execute("BEGIN EXCLUSIVE")
    _refused(("list", log), "is locked by another program")
    holder.execute("ROLLBACK")
    holder.close()


def _refused(arguments: tuple[str, ...], said: str) -> None:
    done = ctxpack(*arguments)
    assert (done.code, done.out) == (2, ""), done
    assert done.err.startswith("ctxpack: ")
    assert len(done.err.splitlines()) == 1, done.err
    assert said in done.err
