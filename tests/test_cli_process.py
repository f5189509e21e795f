"""The command as a process of its own: what it imports, closed pipes, Ctrl-C, its version."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest

import sample_runs
from tests.cli_runs import make_log

ROOT = str(Path(__file__).parents[1])
RUN = "from tui.cli import run; run()"
HEAVY = ("textual", "numpy", "tiktoken", "sqlite_utils", "rank_bm25")


def _start(*arguments: str, before: str = "", **streams: int) -> subprocess.Popen[bytes]:
    search = os.pathsep.join([ROOT, *filter(None, sys.path)])
    return subprocess.Popen(
        [sys.executable, "-c", before + RUN, *arguments],
        env={**os.environ, "PYTHONPATH": search},
        **streams,  # type: ignore[call-overload]
    )


def _imported(*arguments: str) -> set[str]:
    """The top modules that a call had imported when it left."""
    code = (
        "import sys, atexit\n"
        "atexit.register(lambda: print(*{n.partition('.')[0] for n in sys.modules}, "
        "sep='\\n', file=sys.stderr))\n"
    )
    pipe = subprocess.PIPE
    process = _start(*arguments, before=code, stdout=pipe, stderr=pipe, stdin=subprocess.DEVNULL)
    _, err = process.communicate()
    assert process.returncode == 0
    return set(err.decode().split())


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("list", "--help")])
def test_help_and_version_import_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert not _imported(*arguments) & {*HEAVY, "rich", "msgspec", "ctxpack", "logs", "sqlite3"}


@pytest.mark.parametrize("command", ["list", "show", "export"])
def test_reading_commands_start_without_what_they_do_not_need(command: str, tmp_path: Path) -> None:
    log = make_log(tmp_path / "log.db")
    run = ("run-2",) if command == "show" else ()
    assert not _imported(command, log, *run) & set(HEAVY)


def test_the_app_without_a_terminal_does_not_import_textual() -> None:
    assert "textual" not in _imported()


def test_a_pipe_that_is_closed_is_no_fault_and_makes_no_noise() -> None:
    samples = str(sample_runs.path())
    for arguments in (("export", samples), ("list", samples, "--all"), ("show", samples, "@last")):
        reading, writing = os.pipe()
        os.close(reading)
        process = _start(*arguments, stdout=writing, stderr=subprocess.PIPE)
        os.close(writing)
        _, err = process.communicate()
        assert (process.returncode, err) == (0, b"")


def test_an_output_that_is_not_there_is_no_fault() -> None:
    process = _start(
        "list", str(sample_runs.path()), before="import sys; sys.stdout = None; ", stderr=-1
    )
    _, err = process.communicate()
    assert (process.returncode, err) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_an_output_that_is_full_is_said() -> None:
    with open("/dev/full", "wb") as full:
        process = _start("export", str(sample_runs.path()), stdout=full.fileno(), stderr=-1)
        _, err = process.communicate()
    assert process.returncode == 2
    assert err.startswith(b"ctxpack: the output cannot be written: ")
    assert err.count(b"\n") == 1


def test_ctrl_c_leaves_with_130_and_no_traceback() -> None:
    pipe = subprocess.PIPE
    process = _start("list", "-", stdin=pipe, stdout=pipe, stderr=pipe)
    # It waits for its input once everything is imported.
    deadline = time.monotonic() + 20
    while "sqlite3" not in Path(f"/proc/{process.pid}/maps").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_the_version_names_the_distribution() -> None:
    process = _start("--version", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = process.communicate()
    assert out.decode() == f"ctxpack-tui {version('ctxpack-tui')}\n"
    assert (process.returncode, err) == (0, b"")


@pytest.mark.parametrize("arguments", [("--version",), ("list", str(sample_runs.path()))])
def test_a_package_that_is_not_its_own_is_said_plainly(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "ctxpack").mkdir()
    (tmp_path / "ctxpack" / "__init__.py").write_text("")
    stranger = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); "
    pipe = subprocess.PIPE
    process = _start(*arguments, before=stranger, stdout=pipe, stderr=pipe)
    _, err = process.communicate()
    assert b"the package ctxpack is not ctxpack-tui's own" in err
    assert b"an environment of its own" in err
    assert b"Traceback" not in err
    assert process.returncode == (0 if arguments == ("--version",) else 2)
