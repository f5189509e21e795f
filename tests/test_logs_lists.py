"""Lists of runs: filters, orders, pages, and the run that a name means."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from ctxpack import InputError
from logs import LogReader, RunFilter, RunLog, Sort, open_log
from logs.filtering import SortColumn
from tests.logged_runs import candidate, record

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _time(hours: int) -> str:
    return (START + timedelta(hours=hours)).isoformat()


A = candidate("a-1", 1, 7, "packed")
RUNS = [
    record("first", time=_time(0), request_type="billing"),
    record("second", time=_time(2), request_type=None, settings={"budget": 900}),
    record(
        "third", time="2026-03-01T13:00:00-01:00", candidates=[candidate("a-1", 1, 7, "packed")]
    ),
    record("fourth", time=_time(1), candidates=[], sections=[{"name": "evidence", "tokens": 5}]),
    record("fifth", time=_time(3), candidates=[candidate("b-1", 1, 9, "unknown")], sections=[]),
]


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[LogReader]:
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        log.append_many(RUNS)
    with open_log([path]) as opened:
        yield opened


def test_the_newest_run_comes_first_whatever_its_offset(reader: LogReader) -> None:
    # second and third are at the same moment: the later appended stands first.
    assert reader.ids() == ["fifth", "third", "second", "fourth", "first"]
    assert reader.ids(sort=Sort(reverse=True)) == reader.ids()[::-1]


def test_a_summary_carries_what_a_list_shows(reader: LogReader) -> None:
    assert msgspec.to_builtins(reader.summary("first")) == {
        "id": "first",
        "time": "2026-03-01T12:00:00+00:00",
        "request_type": "billing",
        "query": "How do refunds work?",
        "model": "model-1",
        "assembler": "packer",
        "assembler_version": "1.2",
        "budget": 300,
        "used": 210,
        "packed": 2,
        "considered": 3,
        "flags": "",
    }


def test_used_tokens_come_from_the_packed_and_else_from_the_evidence_sections(
    reader: LogReader,
) -> None:
    used = {run: (reader.summary(run).used, reader.summary(run).packed) for run in reader.ids()}
    assert used == {
        "first": (210, 2),
        "second": (210, 2),
        "third": (7, 1),
        "fourth": (5, None),
        "fifth": (None, None),
    }


def test_a_packed_chunk_without_a_count_makes_the_section_decide(tmp_path: Path) -> None:
    uncounted = [{"id": "x", "outcome": "packed"}, candidate("y-1", 2, 8, "packed")]
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        log.append(record("r", candidates=uncounted))
        log.append(record("s", candidates=[candidate("y-1", 1, 8, "skipped")]))
    with open_log([path]) as reader:
        assert (reader.summary("r").used, reader.summary("r").packed) == (210, 2)
        assert (reader.summary("s").used, reader.summary("s").packed) == (0, 0)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (RunFilter(), ["fifth", "third", "second", "fourth", "first"]),
        (RunFilter(since=START + timedelta(hours=2)), ["fifth", "third", "second"]),
        (RunFilter(until=START + timedelta(hours=1)), ["fourth", "first"]),
        (RunFilter(request_type="billing"), ["first"]),
        (RunFilter(chunk="refunds-2"), ["second", "first"]),
        (RunFilter(chunk="refunds"), []),
        (RunFilter(doc="refunds"), ["second", "first"]),
        (RunFilter(doc="b"), ["fifth"]),
        (RunFilter(ids=("first", "none", "third")), ["third", "first"]),
        (RunFilter(ids=()), []),
        (RunFilter(doc="refunds", request_type="billing", search="refund"), ["first"]),
        (RunFilter(request_type="\ud800"), []),
    ],
)
def test_a_filter_lets_through_what_meets_all_its_conditions(
    reader: LogReader, wanted: RunFilter, found: list[str]
) -> None:
    assert reader.ids(wanted) == found
    assert reader.count(wanted) == len(found)
    assert [run.id for run in reader.page(wanted)] == found


@pytest.mark.parametrize(
    ("column", "found"),
    [
        ("type", ["first", "fifth", "third", "fourth", "second"]),
        ("used", ["second", "first", "third", "fourth", "fifth"]),
        ("packed", ["second", "first", "third", "fifth", "fourth"]),
        ("considered", ["second", "first", "fifth", "third", "fourth"]),
        ("budget", ["second", "fifth", "third", "fourth", "first"]),
    ],
)
def test_each_column_sorts_and_runs_without_its_number_come_last(
    reader: LogReader, column: SortColumn, found: list[str]
) -> None:
    assert reader.ids(sort=Sort(column=column)) == found
    turned = reader.ids(sort=Sort(column=column, reverse=True))
    key = {"type": "request_type"}.get(column, column)
    values = [getattr(reader.summary(run), key) for run in turned]
    known = [value for value in values if value is not None]
    assert known == sorted(known, reverse=column == "type")
    assert values[len(known) :] == [None] * (len(values) - len(known))


def test_pages_lie_end_to_end(reader: LogReader) -> None:
    paged = [run.id for offset in range(0, 6, 2) for run in reader.page(offset=offset, limit=2)]
    assert paged == reader.ids()


def test_types_are_counted_with_the_nameless(reader: LogReader) -> None:
    assert reader.types() == [("support", 3), (None, 1), ("billing", 1)]


def test_more_ids_than_sqlite_takes_values_are_still_a_filter(reader: LogReader) -> None:
    many = (*(f"none-{number}" for number in range(40_000)), "first")
    assert reader.ids(RunFilter(ids=many)) == ["first"]


@pytest.mark.parametrize(
    ("name", "run"),
    [("fi", None), ("firs", "first"), ("@last", "fifth"), ("first", "first"), ("trace-9", "t-1")],
)
def test_a_name_is_an_id_a_unique_prefix_a_trace_or_the_last(
    tmp_path: Path, name: str, run: str | None
) -> None:
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        log.append_many(RUNS)
        log.append(record("t-1", time=_time(-9), trace={"trace_id": "trace-9"}))
    with open_log([path]) as reader:
        if run is None:
            with pytest.raises(InputError, match="'fifth', 'first' begin so"):
                reader.resolve(name)
        else:
            assert reader.resolve(name) == run


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("frist", "no run 'frist' in .*Near it: 'first'"),
        ("zzz", r"no run 'zzz' in \S+\.$"),
        ("", "is empty"),
        ("%", "no run '%'"),
        ("f\x00", "no run"),
        ("\ud800", "no run"),
    ],
)
def test_a_name_of_no_run_is_refused_with_near_ids(reader: LogReader, name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        reader.resolve(name)


def test_a_trace_of_several_runs_is_not_one_run(tmp_path: Path) -> None:
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        log.append_many(record(f"step-{n}", trace={"trace_id": "t"}) for n in range(5))
    with open_log([path]) as reader, pytest.raises(InputError, match=r"several runs.* and more"):
        reader.resolve("t")


def test_get_and_summary_refuse_an_id_that_is_not_there(reader: LogReader) -> None:
    for ask in (reader.get, reader.summary):
        with pytest.raises(InputError, match="no run 'fir'"):
            ask("fir")


@pytest.mark.parametrize("kind", ["database", "lines"])
def test_clones_read_from_other_threads_at_the_same_time(tmp_path: Path, kind: str) -> None:
    path = str(tmp_path / "log")
    if kind == "database":
        with RunLog(path) as log:
            log.append_many(record(f"r{number}") for number in range(50))
    else:
        from tests.logged_runs import line

        (tmp_path / "log").write_bytes(b"".join(line(f"r{number}") for number in range(50)))
    failed: list[BaseException] = []

    def read(own: LogReader) -> None:
        try:
            for run in own.ids():
                assert own.get(run).id == run
        except BaseException as error:
            failed.append(error)

    with open_log([path]) as reader:
        clones = [reader.clone() for _ in range(4)]
        threads = [threading.Thread(target=read, args=(own,)) for own in (*clones, reader)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for own in clones:
            own.close()
        assert not failed
        assert reader.count() == 50
