"""Reading a record: strict where it matters, tolerant where logs are messy, plain words always."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import Any

import pytest

from ctxpack import Decoded, InputError, LoggedCandidate, Record, decode, encode
from ctxpack.decoding import instant
from ctxpack.findings import diagnose, open_case
from ctxpack.showing import show_json

LEAST = {"schema": 1, "id": "r1", "time": "2026-11-30T09:00:00+01:00", "query": "How long?"}


def read(**fields: Any) -> Decoded:
    return decode(json.dumps(LEAST | fields))


def refusal(line: str | bytes) -> str:
    with pytest.raises(InputError) as caught:
        decode(line)
    assert "\n" not in str(caught.value)
    assert "Traceback" not in str(caught.value)
    return str(caught.value)


def with_raw(field: str) -> str:
    """A record's line with one field written by hand."""
    return f"{json.dumps(LEAST)[:-1]}, {field}}}"


def test_only_schema_id_time_and_query_are_required() -> None:
    record, warnings = read()
    assert (record.id, record.query, record.candidates, record.sections) == (
        "r1",
        "How long?",
        (),
        (),
    )
    assert warnings == ()


@pytest.mark.parametrize("field", ["schema", "id", "time", "query"])
def test_a_required_field_that_is_missing_or_null_is_named(field: str) -> None:
    rest = {key: value for key, value in LEAST.items() if key != field}
    assert field in refusal(json.dumps(rest))
    assert f"field {field}" in refusal(json.dumps(rest | {field: None}))


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"id": ""}, "id"),
    ({"id": 7}, "id"),
    ({"query": ["a"]}, "query"),
    ({"time": 1735787045}, "time"),
    ({"budget": -1}, "budget"),
    ({"budget": True}, "budget"),
    ({"budget": "512"}, "budget"),
    ({"budget": 51.5}, "budget"),
    ({"limit": {}}, "limit"),
    ({"notes": "one"}, "notes"),
    ({"notes": ["one", 2]}, "notes[1]"),
    ({"assembler": "ours"}, "assembler"),
    ({"assembler": {"version": 3}}, "assembler.version"),
    ({"usage": {"input_tokens": 1.5}}, "usage.input_tokens"),
    ({"window": {"total": "9"}}, "window.total"),
    ({"settings": {"budget": -5}}, "settings.budget"),
    ({"settings": {"value": "votes"}}, "settings.value"),
    ({"settings": {"mmr_lambda": 1.5}}, "settings.mmr_lambda"),
    ({"settings": {"group": "author"}}, "settings.group"),
    ({"settings": {"cliff": "yes"}}, "settings.cliff"),
    ({"settings": {"pins": "a"}}, "settings.pins"),
    ({"settings": {"max_chunks": -1}}, "settings.max_chunks"),
    ({"sections": [{"name": "system"}]}, "sections[0]"),
    ({"sections": [{"name": "s", "tokens": -1}]}, "sections[0].tokens"),
    ({"sections": [{"name": "s", "tokens": 1, "items": [{"id": 3}]}]}, "sections[0].items[0].id"),
    (
        {"sections": [{"name": "s", "tokens": 1, "items": [{"id": "i", "outcome": "gone"}]}]},
        "sections[0].items[0].outcome",
    ),
    ({"candidates": {"id": "a"}}, "candidates"),
    ({"candidates": [None]}, "candidates[0]"),
    ({"candidates": [{"rank": 1}]}, "candidates[0]"),
    ({"candidates": [{"id": ""}]}, "candidates[0].id"),
    ({"candidates": [{"id": "a"}, {"id": "b", "rank": 0}]}, "candidates[1].rank"),
    ({"candidates": [{"id": "a", "tokens": -3}]}, "candidates[0].tokens"),
    ({"candidates": [{"id": "a", "score": "0.5"}]}, "candidates[0].score"),
    ({"candidates": [{"id": "a", "score_kind": "cosine"}]}, "candidates[0].score_kind"),
    ({"candidates": [{"id": "a", "outcome": "kept"}]}, "candidates[0].outcome"),
    ({"candidates": [{"id": "a", "basis": "guess"}]}, "candidates[0].basis"),
    ({"candidates": [{"id": "a", "position": -1}]}, "candidates[0].position"),
    ({"candidates": [{"id": "a", "vector": [1, "2"]}]}, "candidates[0].vector[1]"),
    ({"candidates": [{"id": "a", "detail": [1]}]}, "candidates[0].detail"),
    ({"candidates": [{"id": "a", "pinned": "no"}]}, "candidates[0].pinned"),
    ({"drops": [{"tokens": "3"}]}, "drops[0].tokens"),
    ({"compactions": [{"form": "poem"}]}, "compactions[0].form"),
    ({"compactions": [{"from": "a"}]}, "compactions[0].from"),
    ({"answer": "30 days"}, "answer"),
    ({"answer": {"expected": "30 days"}}, "answer.expected"),
    ({"answer": {"expected": [["30", 4]]}}, "answer.expected[0][1]"),
    ({"answer": {"correct": "yes"}}, "answer.correct"),
    ({"gold": [1]}, "gold[0]"),
    ({"trace": {"span_ids": [1]}}, "trace.span_ids[0]"),
    ({"trace": {"truncated": "no"}}, "trace.truncated"),
]


@pytest.mark.parametrize(("fields", "named"), WRONG, ids=[named for _, named in WRONG])
def test_a_wrong_field_of_any_kind_is_named_with_its_place(
    fields: dict[str, Any], named: str
) -> None:
    said = refusal(json.dumps(LEAST | fields))
    assert said.startswith(f"field {named}: ")
    assert said.endswith(".")


@pytest.mark.parametrize(
    "line",
    [b"", "", "{", "[1, 2", "nul", "schema: 1", '{"schema": 1,}', b"\x00\x01\x02", "\ufeff"],
)
def test_what_is_not_json_is_refused_in_words(line: str | bytes) -> None:
    assert refusal(line).startswith("not JSON: ")


def test_bytes_that_are_not_utf_8_are_refused_with_their_place() -> None:
    assert refusal(b'{"schema": 1, "id": "\xff"}') == "not UTF-8 text: byte 21 cannot be read."


@pytest.mark.parametrize("line", ["[]", "3", "null", '"text"', "[{}]"])
def test_json_that_is_no_object_is_no_record(line: str) -> None:
    assert refusal(line) == "not a record: expected a JSON object."


@pytest.mark.parametrize("schema", [2, 0, "1", 1.5, [1], None, True])
def test_another_schema_is_refused_by_its_name(schema: object) -> None:
    assert "schema" in refusal(json.dumps(LEAST | {"schema": schema}))


def test_a_later_schema_is_said_to_be_one() -> None:
    said = refusal(json.dumps(LEAST | {"schema": 2, "candidates": "another shape"}))
    assert said == "field schema: this version reads records of schema 1, not 2."


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_numbers_that_json_does_not_have_become_null_with_a_warning(number: str) -> None:
    record, warnings = decode(
        with_raw(f'"candidates": [{{"id": "a", "score": {number}}}], "more": [{number}]')
    )
    assert record.candidates[0].score is None
    assert record.unknown == {"more": [None]}
    assert warnings == ("a number was NaN or infinite: read as null.",)
    assert b"NaN" not in encode(record)
    assert b"Infinity" not in encode(record)


def test_output_never_holds_a_nan_that_an_application_put_in() -> None:
    made = Record(
        schema=1,
        id="r",
        time="2026-11-30T09:00:00Z",
        query="",
        candidates=(LoggedCandidate(id="a", score=float("nan")),),
    )
    assert json.loads(encode(made))["candidates"] == [{"id": "a", "score": None}]


def test_half_of_a_character_pair_is_mended_with_a_warning_and_never_written() -> None:
    record, warnings = decode(with_raw('"model": "a\\ud83db", "\\udc00": {"\\ud800": "\\udfff"}'))
    assert record.model == "a?b"
    assert record.unknown == {"?": {"?": "?"}}
    assert warnings == ("text held half of a character pair: shown as '?'.",)
    made = Record(schema=1, id="r", time="2026-11-30T09:00:00Z", query="a\ud83db")
    assert json.loads(encode(made))["query"] == "a?b"


def test_a_byte_order_mark_is_no_fault() -> None:
    assert decode(b"\xef\xbb\xbf" + json.dumps(LEAST).encode()).record.id == "r1"


def deep(depth: int) -> list[str]:
    nested = "[" * depth + "]" * depth
    return [
        with_raw(f'"x": {nested}'),
        with_raw(f'"candidates": [{{"id": "a", "detail": {{"d": {nested}}}}}]'),
        with_raw(f'"y": NaN, "x": {nested}'),
    ]


def test_nesting_of_a_hundred_levels_is_read_and_written() -> None:
    for line in deep(100):
        record = decode(line).record
        assert decode(encode(record)).record == record


@pytest.mark.parametrize("depth", [1_000, 100_000])
def test_nesting_without_end_is_refused_in_words(depth: int) -> None:
    for line in deep(depth):
        assert refusal(line) == "not a record: nested too deep to be read."


def test_numbers_past_2_to_the_53_are_refused_by_name_where_they_are_counted_with() -> None:
    for field in ("tokens", "rank", "position"):
        line = json.dumps(LEAST | {"candidates": [{"id": "a", field: 10**30}]})
        assert refusal(line).startswith(f"field candidates[0].{field}: ")
    assert refusal(json.dumps(LEAST | {"window": {"total": 10**400}})).startswith(
        "field window.total: "
    )
    largest = read(candidates=[{"id": "a", "tokens": 2**53, "outcome": "packed"}]).record
    assert decode(encode(largest)).record == largest
    show_json(open_case(largest), diagnose(open_case(largest)))


def test_numbers_of_thousands_of_digits_are_refused_in_words() -> None:
    digits = "1" * (sys.get_int_max_str_digits() + 1)
    assert refusal(with_raw(f'"x": {digits}')) == (
        "not a record: a number has thousands of digits."
    )


def test_a_score_with_too_many_digits_is_named() -> None:
    line = with_raw(f'"candidates": [{{"id": "a", "score": {10**400}}}]')
    assert refusal(line).startswith("field candidates[0].score: ")


def test_whole_numbers_that_other_writers_give_a_point_are_whole() -> None:
    record = read(
        budget=512.0,
        sections=[{"name": "s", "tokens": 3.0}],
        candidates=[{"id": "a", "rank": 1.0, "tokens": 12.0, "score": 3.0}],
        other=4.0,
    ).record
    assert (record.budget, record.sections[0].tokens) == (512, 3)
    assert (record.candidates[0].rank, record.candidates[0].tokens) == (1, 12)
    assert record.unknown == {"other": 4.0}


def test_an_id_that_stands_twice_becomes_id_2_and_that_is_said() -> None:
    record, warnings = read(
        candidates=[{"id": "a", "text": "one"}, {"id": "a", "text": "two"}, {"id": "a#2"}]
    )
    assert [(c.id, c.text) for c in record.candidates] == [
        ("a", "one"),
        ("a#3", "two"),
        ("a#2", None),
    ]
    assert warnings == ("id 'a' stands twice: the second is called 'a#3'.",)
    assert decode(encode(record)) == Decoded(record, ())


def test_ten_thousand_times_the_same_id_take_no_time() -> None:
    record = read(candidates=[{"id": "a"}] * 10_000).record
    assert len({candidate.id for candidate in record.candidates}) == 10_000


@pytest.mark.parametrize(
    ("time", "moment"),
    [
        ("2026-11-30T09:00:00Z", datetime(2026, 11, 30, 9, tzinfo=UTC)),
        ("2026-11-30t09:00:00z", datetime(2026, 11, 30, 9, tzinfo=UTC)),
        ("2026-11-30T09:00:00+01:30", datetime(2026, 11, 30, 7, 30, tzinfo=UTC)),
        ("2026-11-30 09:00:00.25-05:00", datetime(2026, 11, 30, 14, 0, 0, 250_000, tzinfo=UTC)),
        ("2016-12-31T23:59:60Z", datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_a_time_with_an_offset_is_a_moment_and_kept_as_written(time: str, moment: datetime) -> None:
    assert instant(time) == moment
    assert read(time=time).record.time == time


@pytest.mark.parametrize(
    ("time", "what"),
    [
        ("2026-11-30T09:00:00", "has no offset"),
        ("2026-11-30", "has no offset"),
        ("yesterday", "is not an RFC 3339 time"),
        ("", "is not an RFC 3339 time"),
        ("2026-13-01T00:00:00Z", "is not an RFC 3339 time"),
        ("0001-01-01T00:00:00+10:00", "is outside the years 1 to 9999"),
        ("9999-12-31T23:59:59-10:00", "is outside the years 1 to 9999"),
    ],
)
def test_a_time_without_an_offset_or_out_of_reach_is_named(time: str, what: str) -> None:
    said = refusal(json.dumps(LEAST | {"time": time}))
    assert said.startswith("field time: ")
    assert what in said


def test_dates_of_documents_are_kept_as_they_are_written() -> None:
    dates = ["2025-01-02T03:04:05Z", "2025-01-02 03:04:05", "2025-01-02", "", "not a date", None]
    listed = [{"id": f"c{place}", "date": date} for place, date in enumerate(dates)]
    assert [c.date for c in read(candidates=listed).record.candidates] == dates


def test_null_in_a_field_that_may_be_absent_means_absent() -> None:
    record = read(budget=None, settings=None, candidates=[{"id": "a", "pinned": None}]).record
    assert (record.budget, record.settings, record.candidates[0].pinned) == (None, None, False)


def test_the_keys_that_show_adds_are_dropped_when_a_record_is_read() -> None:
    record = read(
        candidates=[{"id": "a", "rank": 1, "tokens": 5, "text": "30 days", "outcome": "packed"}],
        answer={"expected": ["30 days"]},
        extra={"kept": True},
    ).record
    case = open_case(record)
    shown = show_json(case, diagnose(case))
    assert {"findings", "answer_trace", "computed"} <= set(shown)
    assert decode(json.dumps(shown)) == Decoded(record, ())
