"""What is appended comes back whole: every field, known or not, in its order."""

from __future__ import annotations

import json
import math
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctxpack import InputError, LoggedCandidate, Record, decode, encode
from logs import RunLog, export_lines, open_log, read_lines
from tests.logged_runs import RAW_RECORDS, RECORDS, line, record

SLOW_DISK = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@SLOW_DISK
@given(records=st.lists(RECORDS, max_size=5, unique_by=lambda made: made.id))
def test_a_log_gives_back_each_record_as_it_was_appended(
    tmp_path_factory: pytest.TempPathFactory, records: list[Record]
) -> None:
    path = str(tmp_path_factory.mktemp("log") / "log.db")
    with RunLog(path) as log:
        assert log.append_many(records) == (len(records), 0)
        assert log.append_many(records) == (0, len(records))
    with open_log([path]) as reader:
        assert reader.count() == len(records)
        for made in records:
            assert reader.get(made.id) == made
            assert encode(reader.get(made.id)).__len__() == len(encode(made))


@settings(max_examples=100, deadline=None)
@given(records=st.lists(RAW_RECORDS, min_size=1, max_size=4, unique_by=lambda raw: raw["id"]))
def test_lines_that_are_exported_read_as_the_records_they_came_from(
    records: list[dict[str, object]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("lines")
    source = folder / "in.jsonl"
    source.write_text("".join(json.dumps(raw) + "\n" for raw in records), encoding="utf-8")
    with open_log([str(source)]) as reader:
        exported = b"".join(export_lines(reader))
    copy = folder / "out.jsonl"
    copy.write_bytes(exported)
    with copy.open("rb") as stream:
        found = {read.found.record.id: read.found.record for read in read_lines(stream)}
    assert found == {raw["id"]: decode(json.dumps(raw)).record for raw in records}


def test_an_exported_log_is_already_there_when_it_is_imported_again(tmp_path: Path) -> None:
    path = str(tmp_path / "log.db")
    odd = record("odd", x={"deep": [1, 2.0, None]}, candidates=[{"id": "c", "score": -0.0}])
    with RunLog(path) as log:
        log.append(odd)
        with open_log([path]) as reader:
            again = [decode(exported).record for exported in export_lines(reader)]
        assert log.append_many(again) == (0, 1)


def test_the_same_content_in_another_order_of_keys_is_the_same_run(tmp_path: Path) -> None:
    plain = json.loads(line())
    turned = json.dumps(dict(reversed(plain.items())))
    with RunLog(tmp_path / "log.db") as log:
        assert log.append(record())
        assert not log.append(decode(turned).record)


def test_other_content_under_the_same_id_is_refused_and_both_are_named(tmp_path: Path) -> None:
    with RunLog(tmp_path / "log.db") as log:
        log.append(record("r", time="2026-03-01T10:00:00Z"))
        with pytest.raises(InputError) as refused:
            log.append(record("r", time="2026-03-02T10:00:00Z", model="other"))
    said = str(refused.value)
    assert "run 'r'" in said
    assert "2026-03-01T10:00:00Z" in said
    assert "2026-03-02T10:00:00Z" in said
    assert said.endswith("they differ in time, model.")


def test_a_refused_record_of_a_batch_leaves_the_others_in(tmp_path: Path) -> None:
    batch = [record("a"), record("b"), record("a", model="other"), record("c")]
    with RunLog(tmp_path / "log.db") as log:
        outcomes = log.append_each(batch)
        assert [outcomes[0], outcomes[1], outcomes[3]] == [True, True, True]
        assert isinstance(outcomes[2], InputError)
        with pytest.raises(InputError, match="run 'a' stands"):
            log.append_many(batch)


def test_half_pairs_and_nuls_and_nan_do_not_break_the_writer(tmp_path: Path) -> None:
    hostile = Record(
        schema=1,
        id="h\x00\ud800",
        time="2026-03-01T10:00:00Z",
        query="nul \x00 then \udfff",
        candidates=(
            LoggedCandidate(id="c", text="a\x00b\ud83d", score=math.nan, outcome="packed"),
            LoggedCandidate(id="c", text="other", outcome="skipped"),
        ),
        unknown={"x": math.inf},
    )
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        assert log.append(hostile)
        assert not log.append(hostile)
    with open_log([path]) as reader:
        kept = reader.get("h\x00?")
    assert kept.query == "nul \x00 then ?"
    assert [(part.id, part.text, part.score) for part in kept.candidates] == [
        ("c", "a\x00b?", None),
        ("c#2", "other", None),
    ]
    assert kept.unknown == {"x": None}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"time": "yesterday"}, "field time"),
        ({"time": "2026-03-01T10:00:00"}, "no offset"),
        ({"id": ""}, "field id"),
        ({"budget": -1}, "field budget"),
    ],
)
def test_a_record_that_is_not_valid_is_refused_by_its_field(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    wrong = msgspec.structs.replace(record(), **change)
    with RunLog(tmp_path / "log.db") as log, pytest.raises(InputError, match=said):
        log.append(wrong)


def test_a_key_like_the_inner_name_of_unknown_fields_is_a_key_like_any_other() -> None:
    raw = json.loads(line())
    raw["candidates"][0]["detail"] = {"//unknown//": 5, "b": [{"//unknown//": {}}]}
    raw["candidates"][1]["//unknown//"] = {"id": 3}
    assert json.loads(encode(decode(json.dumps(raw)).record)) == raw


def test_nesting_too_deep_is_refused_in_words(tmp_path: Path) -> None:
    deep: list[object] = []
    for _ in range(5_000):
        deep = [deep]
    nested = msgspec.structs.replace(record(), unknown={"x": deep})
    with RunLog(tmp_path / "log.db") as log, pytest.raises(InputError, match="nested too deep"):
        log.append(nested)


def test_a_question_that_is_the_query_takes_no_room_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    asked = [
        {"name": "question", "tokens": 3, "text": "How do refunds work?"},
        {"name": "history", "tokens": 0, "text": ""},
    ]
    one = record("r1", sections=asked)
    nothing = record("r2", query="", sections=asked)
    with RunLog(path) as log:
        log.append_many([one, nothing])
    with open_log([str(path)]) as reader:
        assert encode(reader.get("r1")) == encode(one)
        assert encode(reader.get("r2")) == encode(nothing)
        texts = [row[0] for row in reader.ask("SELECT text FROM texts", ())]
    assert texts.count("How do refunds work?") == 1
