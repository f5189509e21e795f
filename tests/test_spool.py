"""A spool loses nothing that it acknowledged, counts what it lost, and never raises."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import stat
import threading
from pathlib import Path

import msgspec
import pytest

from ctxpack import InputError
from ctxpack.record import Record
from logs import RunLog, Spool, import_files, import_json, open_log
from tests.logged_runs import record


def _files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def _ids(log: Path) -> list[str]:
    with open_log([str(log)]) as reader:
        return sorted(reader.ids())


def _exit_code(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_record_is_one_line_of_a_file_for_its_owner_alone(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool", service="api")
    assert spool.append(record("a"))
    assert spool.append(record("b"))
    spool.close()
    (file,) = _files(tmp_path / "spool")
    assert file.name.startswith("api-")
    assert f"-{os.getpid()}-" in file.name
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [json.loads(line)["id"] for line in file.read_text().splitlines()] == ["a", "b"]
    assert spool.lost == {}


@pytest.mark.parametrize("service", ["", "a/b", "..", "a b", "x" * 65])
def test_a_service_that_is_no_part_of_a_file_name_is_refused(tmp_path: Path, service: str) -> None:
    with pytest.raises(InputError, match="service"):
        Spool(tmp_path, service=service)


def test_what_cannot_be_written_is_counted_and_the_next_line_tells(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool", service="api")
    whole = record("a")
    bad = msgspec.structs.replace(whole, unknown={"x": object()})
    assert not spool.append(bad)
    assert not spool.append(bad)
    assert spool.append(whole)
    assert spool.append(record("b"))
    spool.close()
    assert spool.lost == {"not_encoded": 2}
    (file,) = _files(tmp_path / "spool")
    told = [json.loads(line).get("spool_lost") for line in file.read_text().splitlines()]
    assert told == [{"not_encoded": 2}, None]
    report = import_files([str(tmp_path / "spool")], tmp_path / "log.db")
    assert any("2 not_encoded" in warning for warning in report.warnings)
    with open_log([str(tmp_path / "log.db")]) as reader:
        assert reader.get("a") == whole


def test_a_file_over_its_size_takes_no_more(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool", service="api", most_bytes=4_000)
    kept = sum(spool.append(record(f"r{run}")) for run in range(50))
    spool.close()
    assert 0 < kept < 50
    assert spool.lost == {"over_size": 50 - kept}
    assert sum(file.stat().st_size for file in _files(tmp_path / "spool")) <= 4_000 * 2


def test_a_folder_that_cannot_be_made_raises_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    spool = Spool(tmp_path / "file" / "spool", service="api")
    assert not spool.append(record("a"))
    assert sum(spool.lost.values()) == 1


def test_a_link_in_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "spool"
    spool = Spool(folder, service="api")
    spool.append(record("a"))
    spool.close()
    (file,) = _files(folder)
    file.unlink()
    (tmp_path / "other").write_text("mine")
    file.symlink_to(tmp_path / "other")
    if spool.append(record("b")):  # the hour turned meanwhile
        pytest.skip("another hour, another file")
    assert (tmp_path / "other").read_text() == "mine"


def test_without_rights_nothing_is_raised_and_the_loss_is_counted(tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("needs root, to become a user without rights")
    folder = tmp_path / "spool"
    folder.mkdir(mode=0o700)
    child = os.fork()
    if not child:
        code = 1
        try:
            os.setgid(65534)
            os.setuid(65534)
            spool = Spool(folder, service="api")
            code = 0 if not spool.append(record("a")) and spool.lost == {"no_rights": 1} else 2
        finally:
            os._exit(code)
    assert _exit_code(child) == 0
    assert _files(folder) == []


def test_a_write_that_a_full_disk_cut_costs_no_other_record(tmp_path: Path) -> None:
    folder = tmp_path / "spool"
    child = os.fork()
    if not child:
        code = 1
        try:
            spool = Spool(folder, service="api")
            spool.append(record("first"))
            (file,) = _files(folder)
            hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
            resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + 100, hard))
            lost = not spool.append(record("cut")) and not spool.append(record("none"))
            resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
            kept = spool.append(record("last"))
            code = 0 if lost and kept and spool.lost == {"disk_full": 2} else 2
        finally:
            os._exit(code)
    assert _exit_code(child) == 0
    report = import_files([str(folder)], tmp_path / "log.db")
    assert (report.read, report.records) == (3, 2)
    (bad,) = report.quarantined
    assert bad.line == 2
    assert bad.file.endswith(".jsonl")
    assert any("2 disk_full" in warning for warning in report.warnings)
    assert _ids(tmp_path / "log.db") == ["first", "last"]


def test_a_fork_has_a_file_of_its_own_even_while_a_thread_holds_the_lock(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool", service="api")
    spool.append(record("parent"))
    with spool._lock:
        child = os.fork()
        if not child:
            os._exit(0 if spool.append(record("child")) else 1)
    assert _exit_code(child) == 0
    spool.append(record("parent-2"))
    spool.close()
    assert len(_files(tmp_path / "spool")) >= 2
    import_files([str(tmp_path / "spool")], tmp_path / "log.db")
    assert _ids(tmp_path / "log.db") == ["child", "parent", "parent-2"]


def _fill(folder: str, writer: int) -> None:
    spool = Spool(folder, service="api")
    for run in range(100):
        assert spool.append(record(f"w{writer}-{run}"))


def test_eight_processes_spool_at_once_while_it_is_imported(tmp_path: Path) -> None:
    folder, log = tmp_path / "spool", tmp_path / "log.db"
    folder.mkdir()
    forking = multiprocessing.get_context("fork")
    writers = [forking.Process(target=_fill, args=(str(folder), one)) for one in range(8)]
    for writer in writers:
        writer.start()
    records = 0
    while any(writer.is_alive() for writer in writers):
        if any(file.stat().st_size for file in _files(folder)):
            report = import_files([str(folder)], log)
            assert report.quarantined == ()
            records += report.records
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    records += import_files([str(folder)], log).records
    assert records == len(_ids(log)) == 800


def test_threads_share_one_spool(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool", service="api")

    def fill(first: int) -> None:
        for run in range(100):
            spool.append(record(f"t{first}-{run}"))

    threads = [threading.Thread(target=fill, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spool.close()
    assert import_files([str(tmp_path / "spool")], tmp_path / "log.db").records == 400


def _spooled(folder: Path, *ids: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / "api-host-1-20260101T00.jsonl"
    with file.open("ab") as lines:
        for name in ids:
            lines.write(_line(record(name)))
    return file


def _line(one: Record) -> bytes:
    from ctxpack import encode

    return encode(one) + b"\n"


def test_an_import_goes_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    file, log = _spooled(tmp_path / "spool", "a", "b"), tmp_path / "log.db"
    assert import_files([str(tmp_path / "spool")], log).records == 2
    again = import_files([str(tmp_path / "spool")], log)
    assert (again.read, again.records, again.already) == (0, 0, 0)
    _spooled(tmp_path / "spool", "c")
    more = import_files([str(file)], log)
    assert (more.read, more.records, more.already) == (1, 1, 0)
    assert _ids(log) == ["a", "b", "c"]


def test_a_torn_last_line_waits_until_it_is_whole(tmp_path: Path) -> None:
    file, log = _spooled(tmp_path / "spool", "a"), tmp_path / "log.db"
    line = _line(record("b"))
    for cut in (1, len(line) // 2, len(line) - 1):
        whole = file.read_bytes()
        file.write_bytes(whole + line[:cut])
        report = import_files([str(file)], log)
        assert report.quarantined == ()
        assert report.waiting == 1
        assert import_json(report)["waiting"] == 1
        file.write_bytes(whole)
    file.write_bytes(whole + line)
    report = import_files([str(file)], log)
    assert (report.read, report.records, report.waiting) == (1, 1, 0)
    assert _ids(log) == ["a", "b"]


def test_a_spool_with_nothing_but_a_torn_line_is_no_error(tmp_path: Path) -> None:
    file = _spooled(tmp_path / "spool")
    file.write_bytes(b'{"schema": 1,')
    report = import_files([str(file)], tmp_path / "log.db")
    assert (report.read, report.waiting) == (0, 1)
    assert not (tmp_path / "log.db").exists()


def test_a_file_that_shrank_or_was_replaced_is_read_again_and_that_is_said(tmp_path: Path) -> None:
    file, log = _spooled(tmp_path / "spool", "a", "b"), tmp_path / "log.db"
    import_files([str(file)], log)
    file.write_bytes(_line(record("a")))
    report = import_files([str(file)], log)
    assert (report.read, report.already) == (1, 1)
    assert any("shrank" in warning for warning in report.warnings)
    file.write_bytes(_line(record("other")) + _line(record("b")) + _line(record("c")))
    report = import_files([str(file)], log)
    assert (report.records, report.already) == (2, 1)
    assert any("replaced" in warning for warning in report.warnings)
    assert import_files([str(file)], log).warnings == ()


def test_lines_and_a_spool_may_be_imported_together(tmp_path: Path) -> None:
    spool = _spooled(tmp_path / "spool", "a")
    lines = tmp_path / "lines.jsonl"
    lines.write_bytes(_line(record("b")))
    report = import_files([str(lines), str(spool)], tmp_path / "log.db")
    assert (report.read, report.records) == (2, 2)
    with RunLog(tmp_path / "log.db") as log:
        assert not log.append(record("a"))
