"""The runs of a log as rows of the run list, each with what was found wrong with it."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.errors import InputError
from logs.filtering import NEWEST_FIRST, RunFilter, Sort
from logs.reading import LogReader, RunSummary
from tui.widgets.run_row import RunRow

Found = tuple[tuple[str, str], ...]
"""Codes and severities of one run's findings, the gravest first."""


class LogRuns:
    """The runs that a filter lets through, read a page at a time.

    Findings take the whole record and come later: `diagnosed` has those that are known, and
    `waiting` names the runs that were read and are not among them.
    """

    def __init__(
        self,
        reader: LogReader,
        wanted: RunFilter,
        sort: Sort = NEWEST_FIRST,
        diagnosed: dict[str, Found] | None = None,
    ) -> None:
        self._reader = reader
        self._wanted = wanted
        self._sort = sort
        self.diagnosed = {} if diagnosed is None else diagnosed
        self.waiting: dict[str, None] = {}

    def count(self) -> int:
        """How many runs there are."""
        return self._reader.count(self._wanted)

    def rows(self, offset: int, limit: int) -> Sequence[RunRow]:
        """Up to `limit` runs from `offset` on."""
        page = self._reader.page(self._wanted, offset, limit, self._sort)
        self.waiting |= {run.id: None for run in page if run.id not in self.diagnosed}
        return [run_row_of(run, self.diagnosed.get(run.id)) for run in page]


def findings_of(reader: LogReader, run_id: str) -> Found:
    """Codes and severities of a run's findings, the gravest first; a damaged run says so."""
    from ctxpack.findings import diagnose, open_case

    try:
        case = open_case(reader.get(run_id), advise=False)
    except InputError:
        return (("unreadable", "fault"),)
    return tuple((finding.code, finding.severity) for finding in diagnose(case))


def run_row_of(summary: RunSummary, findings: Found | None) -> RunRow:
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
