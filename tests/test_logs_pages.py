"""Any page of any list, whatever way the store takes to it, is the page that sorting all gives."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import pytest

from ctxpack import Record
from logs import LogReader, RunFilter, RunLog, RunSummary, Sort, open_log
from logs.filtering import SortColumn
from tests.logged_runs import candidate, record

RUNS = 700
START = datetime(2026, 3, 1, tzinfo=UTC)
WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "rare-word")


def _records() -> list[Record]:
    chance = random.Random(11)
    return [_one(number, chance) for number in range(RUNS)]


def _one(number: int, chance: random.Random) -> Record:
    # Many runs at the same moment, times out of the order of appending, values that are missing.
    minutes = number // 3 if chance.random() < 0.9 else chance.randrange(RUNS)
    found = [
        candidate(f"c-{place}", rank, chance.randrange(50, 400), "unknown", doc_id=f"d-{place % 4}")
        for rank, place in enumerate(chance.sample(range(12), chance.randrange(4)), 1)
    ]
    for one in found:
        one["outcome"] = chance.choice(("packed", "skipped"))
        if one["outcome"] == "skipped":
            one |= {"reason": "no_room", "detail": {"needed": one["tokens"], "left": 3}}
    fields: dict[str, Any] = {
        "time": (START + timedelta(minutes=minutes)).isoformat(),
        "request_type": chance.choice(
            ("support", "billing", None, "a-rare-type"[: number % 40 or 11])
        ),
        "assembler": {"name": "packer", "version": chance.choice(("1", "2"))},
        "settings": {"budget": chance.choice((300, 700))} if chance.random() < 0.8 else {},
        "query": " ".join(chance.sample(WORDS[:5], 3)) + (" rare-word" if number % 97 == 5 else ""),
        "candidates": found,
    }
    return record(f"r{number:04}", **fields)


RECORDS = _records()

FILTERS = [
    RunFilter(),
    RunFilter(request_type="support"),
    RunFilter(version="2"),
    RunFilter(request_type="billing", version="1"),
    RunFilter(search="alpha"),
    RunFilter(search="rare-w"),
    RunFilter(search="alpha gam", request_type="billing"),
    RunFilter(chunk="c-3"),
    RunFilter(doc="d-1", version="1"),
    RunFilter(finding="top_skipped_for_size"),
    RunFilter(finding="top_skipped_for_size", request_type="support", search="beta"),
    RunFilter(since=START + timedelta(minutes=60), until=START + timedelta(minutes=150)),
    RunFilter(since=START + timedelta(minutes=60), finding="top_skipped_for_size"),
    RunFilter(until=START + timedelta(minutes=100), search="delta", chunk="c-1"),
    RunFilter(ids=("r0003", "r0600", "none")),
    RunFilter(request_type="none such"),
]
SORTS = [
    Sort(column=column, reverse=turned)
    for column in get_args(SortColumn)
    for turned in (False, True)
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("pages") / "log.db")
    with RunLog(path) as log:
        log.append_many(RECORDS)
    return path


@pytest.fixture(params=["few fetched", "all walked"])
def reader(
    path: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LogReader]:
    if request.param == "all walked":
        # The ways of a log of a million runs, on a small one.
        monkeypatch.setattr("logs.conditions.FEW", 2)
        monkeypatch.setattr("logs.selecting.FIRST_BLOCK", 7)
        monkeypatch.setattr("logs.selecting.BLOCK", 40)
        monkeypatch.setattr("logs.lists._NEAR", 5)
        for name in ("logs.selecting.conditions",):
            monkeypatch.setattr(name, _never_few)
    with open_log([path]) as opened:
        yield opened


def _never_few(*arguments: Any) -> Any:
    from logs.conditions import conditions

    return [one._replace(few=1) for one in conditions(*arguments)]


def _expected(reader: LogReader, wanted: RunFilter, sort: Sort) -> list[str]:
    summaries = [reader.summary(one.id) for one in RECORDS]
    kept = [
        (number, one, summary)
        for number, (one, summary) in enumerate(zip(RECORDS, summaries, strict=True))
        if _meets(one, summary, wanted)
    ]
    name = {"type": "request_type"}.get(sort.column, sort.column)

    def key(entry: tuple[int, Record, RunSummary]) -> tuple[Any, ...]:
        number, one, summary = entry
        newest = (datetime.fromisoformat(one.time), number)
        return newest if name == "time" else (getattr(summary, name), *newest)

    with_value = [entry for entry in kept if name == "time" or key(entry)[0] is not None]
    without = [entry for entry in kept if entry not in with_value]
    without.sort(key=lambda entry: key(entry)[1:], reverse=not sort.reverse)
    if name == "request_type":
        with_value.sort(key=lambda entry: key(entry)[1:], reverse=not sort.reverse)
        with_value.sort(key=lambda entry: key(entry)[0], reverse=sort.reverse)
    else:
        with_value.sort(key=key, reverse=not sort.reverse)
    return [one.id for _, one, _ in (*with_value, *without)]


def _meets(one: Record, summary: RunSummary, wanted: RunFilter) -> bool:
    time = datetime.fromisoformat(one.time)
    words = wanted.search.split() if wanted.search else []
    text = one.query.replace("-", " ").split()
    return (
        (wanted.since is None or time >= wanted.since)
        and (wanted.until is None or time <= wanted.until)
        and (wanted.request_type is None or one.request_type == wanted.request_type)
        and (wanted.version is None or summary.assembler_version == wanted.version)
        and (wanted.chunk is None or any(c.id == wanted.chunk for c in one.candidates))
        and (wanted.doc is None or any(c.doc_id == wanted.doc for c in one.candidates))
        and (wanted.finding is None or wanted.finding in summary.flags.split())
        and (wanted.ids is None or one.id in wanted.ids)
        and all(any(w.startswith(part) for w in text) for word in words for part in word.split("-"))
    )


@pytest.mark.parametrize("wanted", FILTERS, ids=repr)
def test_every_page_of_every_order_is_what_sorting_all_gives(
    reader: LogReader, wanted: RunFilter
) -> None:
    for sort in SORTS:
        expected = _expected(reader, wanted, sort)
        assert reader.ids(wanted, sort) == expected
        assert reader.count(wanted) == len(expected)
        assert reader.count_to(wanted, 10) == min(11, len(expected))
        for offset in (0, 3, len(expected) // 2, max(0, len(expected) - 4), len(expected), 0):
            page = [run.id for run in reader.page(wanted, offset, 9, sort)]
            assert page == expected[offset : offset + 9], (sort, offset)


@pytest.mark.parametrize("wanted", FILTERS[:12], ids=repr)
def test_pages_are_walked_by_key_to_the_end_and_back(reader: LogReader, wanted: RunFilter) -> None:
    for sort in SORTS:
        expected = _expected(reader, wanted, sort)
        forth, key = [], None
        while (page := reader.page_beyond(key, wanted, 61, sort)).runs:
            forth += [run.id for run in page.runs]
            key = page.last
        assert forth == expected
        back, key = list[str](), None
        while (page := reader.page_beyond(key, wanted, 61, sort, back=True)).runs:
            back = [run.id for run in page.runs] + back
            key = page.first
        assert back == expected


def test_a_list_goes_on_from_its_key_where_runs_were_appended_meanwhile(tmp_path: Path) -> None:
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        log.append_many(RECORDS[:50])
        with open_log([path]) as reader:
            first = reader.page_beyond(None, limit=10)
            before, mark = reader.ids(), reader.mark()
            log.append_many(RECORDS[50:80])
            rest = reader.page_beyond(first.last, limit=1_000).runs
            newer = {one.id for one in RECORDS[50:80]}
            assert [run.id for run in rest if run.id not in newer] == before[10:]
            appended = reader.appended(mark)
            assert [run.id for run in appended.runs] == [one.id for one in RECORDS[50:80]]
            assert reader.appended(appended.mark) == ([], appended.mark)
            assert reader.count() == 80


def test_hours_add_up_to_the_runs_and_their_flags(reader: LogReader) -> None:
    counts = reader.hours()
    assert sum(one.runs for one in counts if one.code == "") == RUNS
    flagged = reader.count(RunFilter(finding="top_skipped_for_size"))
    assert 0 < flagged < RUNS
    assert sum(one.runs for one in counts if one.code == "top_skipped_for_size") == flagged


def test_the_use_of_a_chunk_is_counted_and_dated(reader: LogReader) -> None:
    had = [one for one in RECORDS if any(c.id == "c-3" for c in one.candidates)]
    times = sorted(one.time for one in had)
    packed = sum(c.id == "c-3" and c.outcome == "packed" for one in had for c in one.candidates)
    assert reader.use_of("c-3") == (len(had), packed, times[0], times[-1])
    assert reader.use_of("none") == (0, 0, None, None)
