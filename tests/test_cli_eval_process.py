"""`ctxpack eval` as a process: Ctrl-C, closed pipes, room, and the bundled set from a wheel."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ctxpack import Candidate, Settings
from ctxpack.evaluating.evaluation import evaluation
from ctxpack.evaluating.grid import grid
from ctxpack.evaluating.question import Question
from tests.test_sample_wheel import built
from tui.cli.eval_processes import measured

ROOT = str(Path(__file__).parents[1])
RUN = "from tui.cli import run; run()"
PIPE = subprocess.PIPE


def start(*arguments: str, path: str = ROOT, **streams: int) -> subprocess.Popen[bytes]:
    search = os.pathsep.join([path, *filter(None, sys.path)])
    return subprocess.Popen(
        [sys.executable, "-c", RUN, *arguments],
        env={**os.environ, "PYTHONPATH": search},
        cwd="/",
        start_new_session=True,
        **streams,  # type: ignore[call-overload]
    )


def write(path: Path, questions: int, candidates: int = 20) -> str:
    """Questions whose chunks have no text, so that nothing but reading and packing takes time."""
    made = random.Random(4)
    with path.open("w") as file:
        for n in range(questions):
            listed = [
                {"id": f"c{rank}", "tokens": made.randint(20, 200), "source": "s" * 200}
                for rank in range(candidates)
            ]
            file.write(json.dumps({"id": f"q{n}", "gold_ids": ["c1"], "candidates": listed}) + "\n")
    return str(path)


def children(pid: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(after_name[1]) == pid and after_name[0] != "Z":
            found.append(int(status.parent.name))
    return found


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def until(happened: object, seconds: float = 20) -> None:
    assert callable(happened)
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.02)


needs_cores = pytest.mark.skipif(
    not Path("/proc/self/stat").exists() or len(os.sched_getaffinity(0)) < 2,
    reason="needs /proc and two cores",
)


@needs_cores
@pytest.mark.parametrize("whole_group", [True, False])
def test_ctrl_c_ends_it_with_130_no_word_and_no_process_left(
    tmp_path: Path, whole_group: bool
) -> None:
    # Shares of 64 questions of 2,000 candidates take many seconds each.
    questions = write(tmp_path / "q.jsonl", 300, 2_000)
    process = start("eval", questions, "--budget", "20000,30000", stdout=PIPE, stderr=PIPE)
    until(lambda: len(children(process.pid)) >= 2)
    time.sleep(0.3)
    workers = children(process.pid)
    began = time.monotonic()
    # A terminal tells the whole group, `kill` the one process.
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    took = time.monotonic() - began
    assert (process.returncode, out, err) == (130, b"", b"")
    assert took < 2
    until(lambda: all(gone(worker) for worker in workers), 2)


@needs_cores
def test_processes_end_when_the_one_that_started_them_is_killed(tmp_path: Path) -> None:
    questions = write(tmp_path / "q.jsonl", 300, 2_000)
    process = start("eval", questions, "--budget", "20000", stdout=PIPE, stderr=PIPE)
    until(lambda: len(children(process.pid)) >= 2)
    time.sleep(0.3)
    workers = children(process.pid)
    process.kill()
    until(lambda: all(gone(worker) for worker in workers))
    process.communicate(timeout=20)


@needs_cores
def test_a_process_that_is_ended_from_outside_is_said(tmp_path: Path) -> None:
    questions = write(tmp_path / "q.jsonl", 300, 2_000)
    process = start("eval", questions, "--budget", "20000", stdout=PIPE, stderr=PIPE)
    until(lambda: len(children(process.pid)) >= 2)
    os.kill(children(process.pid)[0], signal.SIGKILL)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (2, b"")
    assert err.startswith(b"ctxpack: a process that measured was ended from outside")
    assert err.count(b"\n") == 1


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_closed_pipe_is_no_fault_and_makes_no_noise(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    questions = write(tmp_path / "q.jsonl", 2)
    reading, writing = os.pipe()
    os.close(reading)
    process = start("eval", questions, "--budget", "500", *more, stdout=writing, stderr=PIPE)
    os.close(writing)
    _, err = process.communicate()
    assert (process.returncode, err) == (0, b"")


def most_room(questions: str) -> int:
    """The most memory, in kB, that the command has held for a file."""
    code = (
        "import resource, sys\n"
        "from tui.cli import run\n"
        "try:\n    run()\n"
        "finally:\n"
        "    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "eval", questions, "--budget", "300", "--strategy", "top"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([ROOT, *filter(None, sys.path)])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return int(done.stderr.split()[-1])


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has another unit elsewhere")
def test_room_does_not_grow_with_the_file(tmp_path: Path) -> None:
    short = most_room(write(tmp_path / "short.jsonl", 500))
    large = write(tmp_path / "long.jsonl", 8_000)
    megabytes = os.path.getsize(large) / 2**20
    assert megabytes > 35
    assert most_room(large) - short < 12 * 1024


def test_however_many_processes_measure_the_figures_are_the_same_to_the_last_bit() -> None:
    made = random.Random(5)
    questions = [
        Question(
            id=f"q{n}",
            gold=("c3",),
            candidates=tuple(
                Candidate(id=f"c{rank}", rank=rank, tokens=made.randint(20, 200))
                for rank in range(1, 9)
            ),
        )
        for n in range(200)
    ]
    ways = grid(
        Settings(budget=0), budgets=[300, 500], strategies=["top", "ordered"], placements=["ends"]
    )
    alone = evaluation(measured(questions, ways, workers=1), ways)
    assert alone["questions"] == 200
    for workers in (2, 3):
        assert evaluation(measured(questions, ways, workers=workers), ways) == alone


def test_installed_from_the_wheel_the_bundled_questions_are_measured(tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    with built("build_wheel", tmp_path) as wheel:
        wheel.extractall(installed)
    code = "import sample_runs, tui; print(sample_runs.__file__, tui.__file__)"
    search = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), *sys.path[1:]])}
    own = subprocess.run(
        [sys.executable, "-c", code], env=search, cwd=tmp_path, capture_output=True, text=True
    )
    assert own.stdout.count(str(installed)) == 2
    process = start("eval", "--json", path=str(installed), stdout=PIPE, stderr=PIPE)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    found = json.loads(out)
    assert found["questions"] == 200
    assert {row["budget"] for row in found["packing"]} == {256, 512, 1024}
    assert b"No QUESTIONS given" in err
