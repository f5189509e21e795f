"""One run as text, the cause first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxpack.findings import diagnose, open_case
from ctxpack.reasons import in_words
from ctxpack.replay import packed_in_order
from ctxpack.value.logged_values import logged_value, values_by_id
from ctxpack.window import evidence_used, sections_in_place, window_total
from tui.cli.output import Column, count, labelled, number, table

if TYPE_CHECKING:
    from ctxpack.answer import AnswerTrace
    from ctxpack.findings import Case, Finding
    from ctxpack.record import Record

_SECTIONS = (
    Column("SECTION", most=30),
    Column("TOKENS", "right"),
    Column("ALLOWANCE", "right"),
    Column("CAP", "right"),
    Column("SHARE", "right"),
    Column("", most=30),
)
_PACKED = (
    Column("PACKED", most=48),
    Column("#", "right"),
    Column("RANK", "right"),
    Column("TOKENS", "right"),
    Column("VALUE", "right"),
    Column("START", "right"),
    Column("X", "right"),
    Column("WINDOW X", "right"),
    Column("P", "right"),
    Column("", most=20),
)
_OUT = (
    Column("SKIPPED", most=48),
    Column("RANK", "right"),
    Column("TOKENS", "right"),
    Column("VALUE", "right"),
    Column("WHY", most=400),
)
_STEPS = {True: "yes", False: "NO", None: "not known"}


def run_lines(record: Record, expect: str | None, room: int) -> Iterator[str]:
    """The run in lines of at most `room` cells: the cause, what was asked, the window, why."""
    case = open_case(record, expect)
    findings = diagnose(case)
    yield from _verdict(case, findings, room)
    yield ""
    yield from _about(record, room)
    for block in (_sections, _packed, _skipped):
        yield from _below(block(record, case, room))
    yield from _below(_findings(findings[1:], room))
    if case.trace:
        yield from _below(_answer(case.trace, room))


def finding_lines(finding: Finding, room: int) -> Iterator[str]:
    """A finding: how grave, the sentence, what to do."""
    yield from labelled(finding.severity.upper(), finding.title, room, 8)
    if finding.advice:
        yield from labelled("", finding.advice, room, 8)


def _verdict(case: Case, findings: tuple[Finding, ...], room: int) -> Iterator[str]:
    if findings:
        yield from finding_lines(findings[0], room)
    elif case.trace is None:
        said = "Nothing found wrong. No expected answer is known: give one with --expect."
        yield from labelled("HEALTHY", said, room)
    else:
        yield from labelled("HEALTHY", "Nothing found wrong that can be known.", room)


def _about(record: Record, room: int) -> Iterator[str]:
    assembler, settings = record.assembler, record.settings
    made_by = f"{assembler.name or ''} {assembler.version or ''}".strip() if assembler else ""
    parts = (record.id, record.request_type, record.time, made_by, record.model)
    yield from labelled("run", ", ".join(part for part in parts if part), room)
    yield from labelled("asked", record.query, room)
    if record.answer and record.answer.text is not None:
        yield from labelled("replied", record.answer.text, room)
    if settings:
        chosen = (
            f"budget {number(settings.budget)}",
            f"strategy {settings.strategy or '?'}",
            f"placement {settings.placement or '?'}",
        )
        yield from labelled("packed by", ", ".join(chosen), room)


def _sections(record: Record, _case: Case, room: int) -> Iterator[str]:
    if not record.sections:
        return
    rows = []
    for share in sections_in_place(record):
        section = share.section
        limit = section.cap if section.cap is not None else section.allowance
        over = section.tokens - limit if limit is not None and section.tokens > limit else 0
        rows.append(
            (
                section.name,
                number(section.tokens),
                "-" if section.allowance is None else number(section.allowance),
                "-" if section.cap is None else number(section.cap),
                f"{share.share:.0%}",
                f"{over:,} over" if over else "",
            )
        )
    yield from table(_SECTIONS, rows, room)
    said = [f"window {number(window_total(record))} tokens"]
    said += [f"reserved for the reply {record.reserved_output:,}"] if record.reserved_output else []
    said += [f"budget {record.budget:,}"] if record.budget is not None else []
    said += [f"limit {record.limit:,}"] if record.limit is not None else []
    yield ", ".join(said)


def _packed(record: Record, case: Case, room: int) -> Iterator[str]:
    values = values_by_id(record)
    rows = [
        (
            placed.chunk.id,
            str(place),
            number(placed.chunk.rank),
            number(placed.chunk.tokens),
            f"{values[placed.chunk.id]:.3f}",
            number(placed.start),
            _share(placed.x),
            _share(placed.window_x),
            _share(placed.p),
            " ".join(_marks(case, placed.chunk.id, placed.chunk.partial)),
        )
        for place, placed in enumerate(case.placed, 1)
    ]
    if rows:
        yield from table(_PACKED, rows, room)
    packed, considered = len(packed_in_order(record)), len(record.candidates)
    budget = record.settings.budget if record.settings else None
    yield (
        f"{packed:,} of {count(considered, 'candidate')} packed, {evidence_used(record):,} of "
        f"{number(budget)} tokens, value {logged_value(record):.3f}, curve {case.curve.name}"
    )


def _skipped(record: Record, case: Case, room: int) -> Iterator[str]:
    values = values_by_id(record)
    out = [chunk for chunk in record.candidates if chunk.outcome != "packed"]
    rows = []
    for chunk in out:
        why = "not known whether it was packed"
        if chunk.outcome == "skipped":
            why = in_words(chunk.reason, chunk.detail or {}, chunk.tokens)
        marks = _marks(case, chunk.id)
        rows.append(
            (
                chunk.id,
                number(chunk.rank),
                number(chunk.tokens),
                f"{values[chunk.id]:.3f}",
                "; ".join([why, *marks]),
            )
        )
    if rows:
        yield from table(_OUT, rows, room)


def _findings(findings: tuple[Finding, ...], room: int) -> Iterator[str]:
    if findings:
        yield "ALSO"
    for finding in findings:
        yield from finding_lines(finding, room)


def _answer(trace: AnswerTrace, room: int) -> Iterator[str]:
    ways = " or ".join(" and ".join(way) for way in trace.expected.alternatives)
    gold = ", ".join(trace.expected.gold)
    yield "ANSWER"
    yield from labelled("expected", ways or f"chunk {gold}", room)
    for step in trace.steps:
        said = f"{step.name}: {_STEPS[step.ok]}{f', {step.said}' if step.said else ''}"
        yield from labelled("", said, room, 2)


def _marks(case: Case, name: str, partial: bool = False) -> list[str]:
    marks = ["holds the answer"] if case.trace and name in {c.id for c in case.trace.gold} else []
    return [*marks, "cut"] if partial else marks


def _below(lines: Iterator[str]) -> Iterator[str]:
    """Lines with a blank one before them, nothing where there are none."""
    for place, line in enumerate(lines):
        if not place:
            yield ""
        yield line


def _share(value: float | None) -> str:
    return "?" if value is None else f"{value:.2f}"
