"""What a spool costs the request path: one append of a record of 20 candidates with texts."""

from __future__ import annotations

import tempfile
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.made_log import lines as made_lines
from benchmarks.table import Line

if TYPE_CHECKING:
    from logs import Privacy

APPENDS = 5_000


def lines() -> list[Line]:
    """Milliseconds of an append, the median and at p99, with all kept and with a policy."""
    from logs import Privacy
    from logs.redaction import Redaction

    policy = Privacy(
        candidates="hash",
        redact=(Redaction("mail", r"[\w.+-]+@[\w-]+\.[\w.]+"),),
        key=b"a key of a benchmark",
    )
    return [*_appended("spool append", None), *_appended("spool append with a policy", policy)]


def _appended(name: str, privacy: Privacy | None) -> list[Line]:
    from ctxpack import decode
    from logs import Spool

    taken: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        spool = Spool(folder, service="benchmark", privacy=privacy)
        for line in made_lines(APPENDS):
            record = decode(line).record
            begun = perf_counter()
            spool.append(record)
            taken.append((perf_counter() - begun) * 1_000)
        spool.close()
        assert not spool.lost, spool.lost
    taken.sort()
    bound = "≤ 1" if privacy is None else "–"
    return [
        Line(f"{name}, median", taken[len(taken) // 2], "–", "ms"),
        Line(f"{name}, p99", taken[len(taken) * 99 // 100], bound, "ms"),
    ]
