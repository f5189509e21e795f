"""The case files beside the checkout that are about logs: one promise a case."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ctxpack import Candidate, decode, encode
from ctxpack.placing.dates import moment
from logs import RunLog, open_log
from tests.command import ctxpack
from tests.logged_runs import candidate, record
from tests.test_logs_read_only import _fill, _lock_folder, _read_as_another, folder  # noqa: F401


def _case(shared: Path, name: str) -> dict[str, Any]:
    (path,) = sorted((shared / "cases").glob(f"{name}-*.json"))
    case: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return case


def _lines(path: Path, count: int, **fields: Any) -> str:
    path.write_bytes(b"".join(encode(record(f"r{n}", **fields)) + b"\n" for n in range(count)))
    return str(path)


def test_l01_runs_with_hundreds_of_lines_are_listed_at_once_each_on_one_line(
    shared: Path, tmp_path: Path
) -> None:
    case = _case(shared, "L01")
    huge = "\n".join(["a line of the question"] * case["input"]["lines_per_cell"])
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        log.append_many(record(f"r{n}", query=huge) for n in range(case["input"]["rows"]))
    begun = time.process_time()
    with open_log([path]) as reader:
        page = reader.page(limit=50)
    assert time.process_time() - begun < case["expect"]["first_paint_seconds_at_most"]
    assert page[0].query == huge
    lines = ctxpack("list", path).out.splitlines()
    assert len(lines) <= 2 * case["input"]["rows"] + 2
    assert max(map(len, lines)) <= 120


def test_l02_a_run_of_megabytes_and_deep_levels_opens_and_stays_whole(
    shared: Path, tmp_path: Path
) -> None:
    case = _case(shared, "L02")
    image = "iVBORw0KGgo" * (case["input"]["span_payload_mb"] * 1024 * 1024 // 11)
    deep: dict[str, Any] = {"end": 1}
    for _ in range(case["input"]["levels"]):
        deep = {"child": deep}
    path = str(tmp_path / "log.db")
    one = record("big", **{"x-span": {"image": f"data:image/png;base64,{image}", "tree": deep}})
    with RunLog(path) as log:
        assert log.append(one)
    with open_log([path]) as reader:
        assert encode(reader.get("big")) == encode(one)
    shown = ctxpack("show", path, "big")
    assert (shown.code == 0) is case["expect"]["opens"]
    assert len(shown.out) < 20_000


def test_l05_a_list_says_how_many_of_how_many(shared: Path, tmp_path: Path) -> None:
    case = _case(shared, "L05")
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        log.append_many(record(f"r{n}") for n in range(case["input"]["rows"]))
    page = str(case["input"]["page"])
    said = ctxpack("list", path, "--limit", page).out.splitlines()[-1]
    assert said.replace(",", "").startswith(case["expect"]["label"])
    assert ctxpack("list", path, "--all", "--json").json["shown"] == case["input"]["rows"]


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_l06_a_reader_never_fails_while_a_writer_holds_its_transaction(
    shared: Path, tmp_path: Path, journal: str
) -> None:
    case = _case(shared, "L06")
    assert journal in case["input"]["journal"]
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        log.append_many(record(f"r{n}") for n in range(5))
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    assert connection.execute(f"PRAGMA journal_mode = {journal}").fetchone() == (journal,)
    errors, seen, stop = list[BaseException](), list[int](), threading.Event()

    def read() -> None:
        try:
            while not stop.is_set():
                with open_log([path]) as reader:
                    seen.append(reader.count())
                    reader.page()
                time.sleep(0.05)
        except BaseException as error:
            errors.append(error)

    reading = threading.Thread(target=read)
    reading.start()
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE runs SET query = query || '.'")
    time.sleep(1)
    connection.execute("COMMIT")
    stop.set()
    reading.join()
    connection.close()
    assert (len(errors), set(seen)) == (case["expect"]["reader_errors"], {5})
    assert len(seen) > 3


def test_l08_a_wal_log_in_a_locked_folder_opens_or_says_why_not(
    shared: Path,
    folder: Path,  # noqa: F811
) -> None:
    case = _case(shared, "L08")
    assert case["input"]["folder_mode"] == "0555"
    _fill(folder / "log.db").close()
    _lock_folder(folder)
    opens = _read_as_another(folder / "log.db").startswith("20 ")
    assert opens is case["expect"]["opens_without_sidecar"]
    folder.chmod(0o755)
    # Rows in a -wal without its -shm: nobody can read them from a folder that is locked.
    (folder / "log.db-wal").write_bytes(b"x" * 4_096)
    folder.chmod(0o555)
    said = _read_as_another(folder / "log.db")
    explains = "-wal" in said and "snapshot" in said
    assert explains is case["expect"]["explains_with_sidecar"]


def test_b10_the_rule_that_dropped_a_message_is_kept_as_it_was_named(
    shared: Path, tmp_path: Path
) -> None:
    case = _case(shared, "B10")
    items = [
        {"id": f"m{n}", "tokens": 583, "outcome": "kept"} for n in range(case["input"]["messages"])
    ]
    items[0] |= {"outcome": "dropped", "reason": case["expect"]["reason"]}
    drop = {"section": "history", "id": "m0", "tokens": 583, "rule": case["expect"]["reason"]}
    sections = [{"name": "history", "tokens": case["input"]["tokens"], "items": items}]
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        log.append(record("r", sections=sections, drops=[drop], limit=case["input"]["token_limit"]))
    shown = ctxpack("show", path, "r", "--json").json
    dropped = [item for item in shown["sections"][0]["items"] if item["outcome"] == "dropped"]
    assert len(dropped) == case["expect"]["dropped"]
    assert dropped[0]["reason"] == shown["drops"][0]["rule"] == case["expect"]["reason"]
    assert not {"over_limit", "over_budget"} & {one["code"] for one in shown["findings"]}


def test_x04_dates_of_all_kinds_are_ordered_in_utc_or_unknown(shared: Path, tmp_path: Path) -> None:
    case = _case(shared, "X04")
    dates = case["input"]["dates"]
    read = {
        place: moment(Candidate(id=str(place), date=date))
        for place, date in enumerate(dates)
        if date is None or isinstance(date, str)
    }
    unknown = [place for place, seconds in read.items() if seconds is None]
    assert unknown == case["expect"]["unknown"]
    known = [place for place in case["expect"]["order_oldest_first"] if place in read]
    seconds = [read[place] for place in known]
    assert seconds == sorted(seconds, key=lambda one: one or 0)
    # A run's own time has an offset, or the line is left out with the reason.
    (tmp_path / "runs.jsonl").write_bytes(
        encode(record("r")) + b"\n" + encode(record("s")).replace(b"+01:00", b"") + b"\n"
    )
    with open_log([str(tmp_path / "runs.jsonl")]) as reader:
        assert reader.ids() == ["r"]
        assert "has no offset" in reader.quarantined[0].reason
        assert reader.summary("r").time == "2026-03-01T10:00:00+01:00"
    assert datetime.fromisoformat(record("r").time).astimezone(UTC).hour == 9


def test_x05_what_is_known_of_a_chunk_passes_through_the_log_unchanged(
    shared: Path, tmp_path: Path
) -> None:
    case = _case(shared, "X05")
    parts = [
        candidate(f"page-{n}", n + 1, 10, "packed", metadata=case["input"]["metadata"])
        for n in range(case["input"]["parts"])
    ]
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        log.append(record("r", candidates=parts))
    shown = ctxpack("show", path, "r", "--json").json
    assert [part["metadata"]["page"] for part in shown["candidates"]] == case["expect"]["pages"]
    exported = decode(ctxpack("export", path, "r").out).record
    assert exported == record("r", candidates=parts)


def test_x06_a_chunk_above_its_stated_size_is_kept_as_logged_and_counted_anew_beside_it(
    shared: Path, tmp_path: Path
) -> None:
    case = _case(shared, "X06")
    sign, times = case["input"]["text_repeat"]
    long = candidate("long", 1, case["input"]["chunk_size"], "packed", text=sign * times)
    path = str(tmp_path / "log.db")
    with RunLog(path) as log:
        log.append(record("r", candidates=[long], settings={"budget": 300}))
    with open_log([path]) as reader:
        (kept,) = reader.get("r").candidates
    assert (kept.tokens, len(kept.text or "")) == (case["input"]["chunk_size"], times)
    again = ctxpack("repack", path, "r", "--budget", "300", "--json").json
    counted = [*again["packed"], *again["skipped"]][0]["tokens"]
    assert (counted > case["input"]["chunk_size"]) is case["expect"]["recounted"]
