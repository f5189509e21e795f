"""The store at scale: importing, room on disk, and what a person waits for in a long log.

`python -m benchmarks store` builds a log of 100,000 runs for it; `python -m benchmarks.store LOG`
measures one that was made before: `python -m benchmarks.made_log 1000000 LOG`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from benchmarks.made_log import build
from benchmarks.made_log import lines as made_lines
from benchmarks.startup import first_paint
from benchmarks.table import Line, printed

if TYPE_CHECKING:
    from logs import LogReader

RUNS = 100_000
IMPORTED = 20_000
ROUNDS = 7
PAINTS = 5


def lines() -> list[Line]:
    """Importing lines, and a log of `RUNS` runs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.db"
        build(path, RUNS)
        return [*importing(Path(folder)), *measured(path)]


def importing(folder: Path) -> list[Line]:
    """Our own lines into a new log, against what reading them as JSON alone takes."""
    from logs import import_files

    source, target = folder / "made.jsonl", folder / "imported.db"
    with source.open("wb") as file:
        file.writelines(made_lines(IMPORTED))
    begun = process_time()
    for line in source.open("rb"):
        json.loads(line)
    parsed = process_time() - begun
    begun = process_time()
    import_files([str(source)], target)
    imported = process_time() - begun
    return [
        Line("imported runs of 20 candidates a CPU second", IMPORTED / imported, "≥ 5,000", ""),
        Line("import / json.loads of the same lines, CPU", imported / parsed, "–"),
    ]


def measured(path: Path) -> list[Line]:
    """What a list, a search, a run and the app take on a log."""
    from logs import open_log

    with open_log([str(path)]) as reader:
        runs = reader.count()
        found = [
            Line(f"{runs:,} runs: bytes a run", path.stat().st_size / runs, "≤ 3,000", "B"),
            *(
                Line(f"{runs:,} runs: {what}", _wait(reader, ask) * 1_000, goal, "ms")
                for what, ask, goal in _questions(reader)
            ),
        ]
    found.append(Line(f"{runs:,} runs: memory of a reader", _memory(path), "≤ 80", "MB"))
    samples, opened = _paints(path)
    found.append(
        Line(
            f"{runs:,} runs: the app opens later than on the samples",
            opened - samples,
            "≤ 0.3",
            "s",
        )
    )
    return found


def _questions(reader: LogReader) -> Iterator[tuple[str, Callable[[], object], str]]:
    from logs import RunFilter, Sort

    newest = reader.page(limit=1)[0]
    word, more = newest.query.split()[:2]
    half = reader.count() // 2
    ids = iter([run.id for run in reader.page(offset=half, limit=10 * ROUNDS)])
    by_tokens = Sort(column="used")
    support = RunFilter(request_type="support")
    yield "first page", reader.page, "≤ 10"
    yield "first page of a type, by tokens", lambda: reader.page(support, sort=by_tokens), "≤ 10"
    yield "first page of a flag", lambda: reader.page(RunFilter(finding="padding")), "≤ 10"
    yield "first page of a chunk", lambda: reader.page(RunFilter(chunk="chunk-100")), "≤ 10"
    yield "a page in the middle", lambda: reader.page(offset=half), "≤ 10"
    yield "a run", lambda: reader.get(next(ids)), "≤ 5"
    yield "one word", lambda: reader.page(RunFilter(search=word)), "≤ 50"
    yield "two words", lambda: reader.page(RunFilter(search=f"{word} {more}")), "≤ 50"
    yield "all signatures", reader.hours, "≤ 100"


def _wait(reader: LogReader, ask: Callable[[], object]) -> float:
    """The median of what it takes, with nothing remembered from the time before."""
    waits = []
    for _ in range(ROUNDS):
        reader.forget()
        begun = perf_counter()
        ask()
        waits.append(perf_counter() - begun)
    return median(waits)


_READING = """
import resource, sys
from logs import RunFilter, open_log
with open_log([sys.argv[1]]) as reader:
    reader.page(), reader.page(offset=reader.count() // 2), reader.hours()
    reader.page(RunFilter(search=reader.page(limit=1)[0].query.split()[0]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def _memory(path: Path) -> float:
    asked = [sys.executable, "-c", _READING, str(path)]
    return float(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)


def _paints(path: Path) -> tuple[float, float]:
    """Seconds to the first screen, of the samples and of the log, in turn."""
    pairs = [(first_paint(), first_paint(str(path))) for _ in range(PAINTS)]
    return median(one for one, _ in pairs), median(other for _, other in pairs)


if __name__ == "__main__":
    print(printed(measured(Path(sys.argv[1]))))
