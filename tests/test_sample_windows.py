"""The sample windows: every count is a real one, and the engine stands by what it packed."""

from __future__ import annotations

import pytest

from ctxpack import Record
from ctxpack.counting import Counter
from ctxpack.findings import diagnose, open_case
from ctxpack.packing import pack
from ctxpack.rendering import join, render
from ctxpack.replay import logged_settings, packed_in_order
from sample_runs.build import build_records
from sample_runs.requests import Request, read_requests

REQUESTS = {request.id: request for request in read_requests()}

SHOWN = {
    "section_over_cap": "over_allowance",
    "superseded_packed": "stale_packed",
    "near_duplicates": "duplicates_packed",
    "top_too_long": "top_skipped_for_size",
    "answer_ignored": "answer_ignored",
    "density_loses_to_top": "answer_skipped",
    "history_crowds": "over_allowance",
    "answer_buried": "answer_buried",
    "answer_split": "answer_split",
    "answer_not_retrieved": "answer_not_retrieved",
    "pinned_missing": "pinned_missing",
    "padding_beyond_cliff": "padding",
    "quarter_over_budget": "over_budget",
    "answer_skipped": "answer_skipped",
    "reserve_given_away": "over_budget",
    "pins_crowd": "answer_skipped",
    "fixed_count": "answer_filtered",
    "hostile_text": "instruction_in_evidence",
}
"""The finding by which each planted fault is told."""


@pytest.fixture(scope="module")
def records() -> dict[str, Record]:
    return {record.id: record for record in build_records()}


@pytest.fixture(scope="module")
def count() -> Counter:
    return Counter()


def codes(record: Record) -> list[str]:
    return [finding.code for finding in diagnose(open_case(record, advise=False))]


def test_every_section_has_its_text_and_the_count_of_it(
    records: dict[str, Record], count: Counter
) -> None:
    for record in records.values():
        for section in record.sections:
            counted = count(section.text or "")
            # The engine never reports less than is sent: a chunk alone can be a token more.
            spare = len(packed_in_order(record)) if section.name == "evidence" else 0
            assert counted <= section.tokens <= counted + spare, (record.id, section.name)


def test_every_candidate_is_counted_as_it_is_rendered(
    records: dict[str, Record], count: Counter
) -> None:
    for record in records.values():
        for chunk in record.candidates:
            assert chunk.tokens == count(render(chunk) or ""), (record.id, chunk.id)


def test_the_evidence_is_the_packed_chunks_in_their_order(records: dict[str, Record]) -> None:
    for record in records.values():
        (evidence,) = [section for section in record.sections if section.name == "evidence"]
        assert evidence.text == join([render(c) or "" for c in packed_in_order(record)], "\n\n")


def test_the_total_is_the_sum_of_its_parts(records: dict[str, Record]) -> None:
    for record in records.values():
        window = record.window
        assert window is not None
        parts = (window.framing or 0) + (window.separators or 0) + (window.notes or 0)
        assert window.total == parts + sum(section.tokens for section in record.sections)
        assert record.usage is not None
        assert record.usage.input_tokens == window.total


def test_allowances_reserve_framing_and_notes_keep_within_the_budget(
    records: dict[str, Record],
) -> None:
    for record in records.values():
        assert record.window is not None
        assert record.budget is not None
        assert record.limit is not None
        promised = sum(section.allowance or 0 for section in record.sections)
        around = (record.window.framing or 0) + (record.window.notes or 0)
        assert promised + around + (record.reserved_output or 0) <= record.budget < record.limit


def test_every_candidate_is_packed_or_skipped_with_a_reason(records: dict[str, Record]) -> None:
    for record in records.values():
        for chunk in record.candidates:
            packed = chunk.outcome == "packed"
            assert packed or (chunk.outcome == "skipped" and chunk.reason)
            assert (chunk.position is not None) == packed
        assert [c.position for c in packed_in_order(record)] == list(
            range(len(packed_in_order(record)))
        )


@pytest.mark.parametrize(
    "request_",
    [request for request in REQUESTS.values() if request.route is None],
    ids=lambda request: str(request.id),
)
def test_the_engine_packs_a_healthy_run_again_as_it_is_logged(
    request_: Request, records: dict[str, Record], count: Counter
) -> None:
    record = records[request_.id]
    settings = logged_settings(record)
    assert settings.said == ()
    again = pack(record.candidates, settings.settings, query=record.query, count=count)
    logged = {chunk.id: chunk for chunk in record.candidates}
    assert [c.id for c in again.packed] == [c.id for c in packed_in_order(record)]
    assert [c.start for c in again.packed] == [c.start for c in packed_in_order(record)]
    for out in again.skipped:
        assert (logged[out.id].reason, logged[out.id].detail or {}) == (out.reason, out.detail)


def test_what_is_wrong_is_found_in_every_faulty_run_and_nothing_in_a_healthy_one(
    records: dict[str, Record],
) -> None:
    for run, request in REQUESTS.items():
        found = codes(records[run])
        if request.fault is None:
            assert found == [], run
        else:
            assert SHOWN[request.fault] in found, run


def test_history_that_was_trimmed_says_what_went(records: dict[str, Record]) -> None:
    record = records["req-71be3d"]
    (history,) = [section for section in record.sections if section.name == "history"]
    gone = [item.id for item in history.items if item.outcome == "dropped"]
    assert gone == [drop.id for drop in record.drops] != []
    assert (history.tokens_before or 0) > 4 * history.tokens
    assert record.notes[-1] == f"[{len(gone)} earlier messages were left out.]"
