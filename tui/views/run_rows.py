"""The runs of a log as rows of the run list, each with what was found wrong with it."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack import InputError
from ctxpack.findings import diagnose, open_case
from logs.filtering import NEWEST_FIRST, RunFilter, Sort
from logs.reading import LogReader, RunSummary
from tui.widgets.run_row import RunRow


class LogRuns:
    """The runs that a filter lets through, read a page at a time; findings are made on reading."""

    def __init__(self, reader: LogReader, wanted: RunFilter, sort: Sort = NEWEST_FIRST) -> None:
        self._reader = reader
        self._wanted = wanted
        self._sort = sort

    def count(self) -> int:
        """How many runs there are."""
        return self._reader.count(self._wanted)

    def rows(self, offset: int, limit: int) -> Sequence[RunRow]:
        """Up to `limit` runs from `offset` on."""
        page = self._reader.page(self._wanted, offset, limit, self._sort)
        return [run_row_of(summary, findings_of(self._reader, summary.id)) for summary in page]


def findings_of(reader: LogReader, run_id: str) -> tuple[tuple[str, str], ...]:
    """Codes and severities of a run's findings, the gravest first; a damaged run says so."""
    try:
        case = open_case(reader.get(run_id), advise=False)
    except InputError:
        return (("unreadable", "fault"),)
    return tuple((finding.code, finding.severity) for finding in diagnose(case))


def run_row_of(summary: RunSummary, findings: tuple[tuple[str, str], ...]) -> RunRow:
    """A summary as a row."""
    made_by = f"{summary.assembler or ''} {summary.assembler_version or ''}".strip()
    return RunRow(
        id=summary.id,
        time=summary.time,
        request_type=summary.request_type or "",
        query=summary.query,
        budget=summary.budget,
        used=summary.used,
        packed=summary.packed,
        considered=summary.considered,
        assembler=made_by,
        findings=findings,
    )
