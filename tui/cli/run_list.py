"""The runs of a log as a list: what `list` and the app without a terminal print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from logs.filtering import ALL, RunFilter
from tui.cli.output import Column, count, labelled, number, table

if TYPE_CHECKING:
    from logs.reading import LogReader, RunSummary

SHOWN = 50
"""Runs that a list shows unless told."""

AT_ONCE = 2_000
"""Runs that are diagnosed for a list; more of them are analysed once, and that is kept."""

_NARROW = 110
_COLUMNS = (
    Column("RUN", most=64),
    Column("TIME", most=32),
    Column("TYPE", most=16),
    Column("PACKED", "right"),
    Column("USED/BUDGET", "right"),
    Column("FOUND", most=24),
    Column("QUERY", most=400),
)


class ListedRun(NamedTuple):
    """A run with the codes of its findings, the cause first."""

    summary: RunSummary
    findings: tuple[str, ...]


class Listed(NamedTuple):
    """The runs that are shown, of `total` that the filter lets through.

    `notes` are sentences for people about what the findings leave out.
    """

    total: int
    runs: tuple[ListedRun, ...]
    notes: tuple[str, ...] = ()


def listed(
    reader: LogReader,
    wanted: RunFilter = ALL,
    limit: int | None = SHOWN,
    finding: str | None = None,
) -> Listed:
    """The newest runs of a filter, all of them without a limit.

    With `finding`, only runs that have it. What takes the texts of more than `AT_ONCE` runs is
    taken from the log's sidecar; raises InputError where it takes one and there is none.
    """
    from ctxpack.findings.flags import FLAG_CODES

    total = reader.count(wanted)
    if finding is not None and total <= AT_ONCE:
        found = [run for run in _runs(reader, wanted, None, True) if finding in run.findings]
        return Listed(len(found), tuple(found[:limit]))
    notes = []
    if finding is not None:
        wanted = msgspec.structs.replace(wanted, finding=finding)
        if finding not in FLAG_CODES:
            notes += _not_analysed(reader)
        total = reader.count(wanted)
    few = total <= AT_ONCE or (limit is not None and limit <= AT_ONCE)
    if not few:
        notes += _not_analysed(reader)
    return Listed(total, tuple(_runs(reader, wanted, limit, few)), tuple(dict.fromkeys(notes)))


def _not_analysed(reader: LogReader) -> list[str]:
    known, runs = reader.use_sidecar(), reader.count()
    if known is None:
        return [f"not analysed: type 'ctxpack analyse {reader.name}' for what the texts tell."]
    if known < runs:
        return [f"{count(runs - known, 'run')} not analysed yet: 'ctxpack analyse' adds them."]
    return []


def list_json(found: Listed) -> dict[str, Any]:
    """The list as plain JSON types."""
    fields = ("id", "time", "request_type", "query", "budget", "used", "packed", "considered")
    return {
        "total": found.total,
        "shown": len(found.runs),
        "runs": [
            {name: getattr(run.summary, name) for name in fields} | {"findings": run.findings}
            for run in found.runs
        ],
    }


def list_lines(found: Listed, room: int) -> Iterator[str]:
    """The list for people, and how many runs there are; a narrow one has the query below."""
    if found.runs:
        columns = _COLUMNS[:-1] if room < _NARROW else _COLUMNS
        rows = [_row(run)[: len(columns)] for run in found.runs]
        heading, *lines = table(columns, rows, room)
        yield heading
        for run, line in zip(found.runs, lines, strict=True):
            yield line
            if len(columns) < len(_COLUMNS):
                yield labelled("", run.summary.query, room, 1)[0]
    if len(found.runs) < found.total:
        yield f"{len(found.runs):,} of {count(found.total, 'run')}, newest first; --all lists all."
    else:
        yield f"{count(found.total, 'run')}{', newest first' if found.total > 1 else ''}."


def _runs(
    reader: LogReader, wanted: RunFilter, limit: int | None, diagnosing: bool
) -> Iterator[ListedRun]:
    key, left = None, limit
    while left is None or left > 0:
        page = reader.page_beyond(key, wanted, SHOWN if left is None else min(SHOWN, left))
        if not page.runs:
            return
        known = reader.analysed_codes([summary.id for summary in page.runs])
        for summary in page.runs:
            if summary.id in known:
                yield ListedRun(summary, known[summary.id])
            elif diagnosing:
                yield ListedRun(summary, _codes(reader, summary.id))
            else:
                yield ListedRun(summary, tuple(summary.flags.split()))
        key, left = page.last, None if left is None else left - len(page.runs)


def _codes(reader: LogReader, run_id: str) -> tuple[str, ...]:
    from ctxpack.findings import diagnose, open_case

    case = open_case(reader.get(run_id), advise=False)
    return tuple(dict.fromkeys(finding.code for finding in diagnose(case)))


def _row(run: ListedRun) -> Sequence[str]:
    summary = run.summary
    more = f" +{len(run.findings) - 1}" if len(run.findings) > 1 else ""
    return (
        summary.id,
        summary.time,
        summary.request_type or "-",
        f"{number(summary.packed)} of {summary.considered:,}",
        f"{number(summary.used)}/{number(summary.budget)}",
        f"{run.findings[0].replace('_', ' ')}{more}" if run.findings else "-",
        summary.query,
    )
