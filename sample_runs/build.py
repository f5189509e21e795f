"""Rebuild the sample log from nothing: `python -m sample_runs.build OUT`.

Handbook to chunks, questions to ranks, ranks to windows, windows to records, records to one clean
file. There is no clock and no chance in it: the same handbook and requests give the same records.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ctxpack import InputError, Record
from ctxpack.counting import Counter
from sample_runs.assembly import record_of
from sample_runs.chunking import chunk_documents
from sample_runs.documents import FOLDER, read_documents
from sample_runs.requests import FILE, read_requests


def build_records(handbook: Path = FOLDER, requests: Path = FILE) -> list[Record]:
    """The records of all requests, in the order of the file."""
    chunks = chunk_documents(read_documents(handbook))
    count = Counter()
    return [record_of(request, chunks, count) for request in read_requests(requests)]


def build_log(out: Path, handbook: Path = FOLDER, requests: Path = FILE) -> int:
    """Write the log to `out`, one file with nothing beside it, and say how many runs it has.

    Raises InputError where `out` is there already or cannot be written.
    """
    from logs import RunLog

    records = build_records(handbook, requests)
    with tempfile.TemporaryDirectory() as folder, RunLog(Path(folder) / "building.db") as log:
        log.append_many(records)
        log.snapshot(out)
    return len(records)


def main(arguments: Sequence[str]) -> int:
    """The command; 0 when the log was written, 2 with one sentence on stderr when not."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: python -m sample_runs.build OUT", file=sys.stderr)
        return 2
    try:
        runs = build_log(Path(arguments[0]))
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{arguments[0]}: {runs} runs", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
