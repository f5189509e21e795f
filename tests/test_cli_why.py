"""`ctxpack why`: the verdict first, then what took the room, then what would let the chunk in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sample_runs
from ctxpack import STRATEGIES
from tests.cli_runs import HOSTILE, make_log
from tests.command import ctxpack

WHY = """\
SKIPPED   refunds-2: rank 2, 18 tokens, value 0.631; no room: 18 tokens needed, 6 left
by        strategy top at a budget of 12 tokens, number 2 in its order
in with   a budget of 24 tokens (+12)
          it shorter by 12 of its 18 tokens

STRATEGY   NOW  IN AT BUDGETS OF
first-fit  out  24 and up
top        out  24 and up
density    out  29 and up
optimal    out  24 and up
mmr        out  29 and up
ordered    ?    not worked out: each budget is a search of its own
"""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_log(tmp_path_factory.mktemp("why") / "log.db")


def test_a_skipped_chunk_is_told_with_its_numbers_and_what_would_let_it_in(log: str) -> None:
    done = ctxpack("why", log, "run-1", "refunds-2")
    assert (done.code, done.err) == (0, "")
    assert done.out == WHY


def test_a_packed_chunk_is_told_with_what_would_put_it_out(log: str) -> None:
    done = ctxpack("why", log, "run-1", "returns-1")
    assert done.out.startswith("PACKED    returns-1: rank 3, 5 tokens, value 0.500\n")
    assert "out with  a budget of 10 tokens (-2)" in done.out


def test_the_json_has_the_keys_of_the_answer_and_spans_with_an_open_end(log: str) -> None:
    answer = ctxpack("why", log, "run-1", "refunds-2", "--json").json
    assert (answer["id"], answer["verdict"], answer["reason"]) == (
        "refunds-2",
        "skipped",
        "no_room",
    )
    assert answer["took_room"] == []
    assert answer["in_at"].keys() == answer["stays_from"].keys() == {*STRATEGIES}
    assert answer["in_at"]["first-fit"] == [[24, None]]
    assert {"kind": "budget", "amount": 12, "verified": True} in answer["changes"]
    assert answer["detail"] == {"needed": 18, "left": 6}


def test_who_took_the_room_is_named_with_rank_tokens_and_value(log: str) -> None:
    # At 20 refunds-1 (6) leaves 14 of the 18 that are needed.
    done = ctxpack("why", log, "run-1", "refunds-2", "--budget", "20")
    assert "no room: 18 tokens needed, 14 left" in done.out
    assert "room took rank 1 refunds-1: 6 tokens, value 1.000\n" in done.out
    assert "\n          banning refunds-1\n" in done.out


def test_settings_that_are_typed_are_those_that_are_explained(log: str) -> None:
    answer = ctxpack("why", log, "run-1", "refunds-2", "--budget", "40", "--json").json
    assert (answer["verdict"], answer["budget"]) == ("packed", 40)
    banned = ctxpack("why", log, "run-1", "refunds-2", "--ban", "refunds-2", "--json").json
    assert (banned["reason"], banned["changes"][0]["kind"]) == ("banned", "unban")


def test_the_beginning_of_an_id_is_enough_where_it_is_the_only_one(log: str) -> None:
    assert ctxpack("why", log, "run-1", "ret", "--json").json["id"] == "returns-1"
    several = ctxpack("why", log, "run-1", "refunds")
    assert several.code == 2
    assert "several candidates begin with 'refunds': refunds-1, refunds-2." in several.err


def test_an_unknown_run_or_chunk_is_a_2_that_names_the_nearest(log: str) -> None:
    done = ctxpack("why", log, "run-1", "refund-2")
    assert done.code == 2
    assert "no candidate 'refund-2' among 3; near: refunds-2" in done.err
    assert ctxpack("why", log, "run-9", "refunds-2").code == 2
    assert ctxpack("why", log, "run-1", "refunds-2", "--strategy", "best").code == 2


def test_text_from_the_log_is_shown_and_never_interpreted(log: str) -> None:
    runs = ctxpack("list", log, "--json").json["runs"]
    (evil,) = [run["id"] for run in runs if run["id"].startswith("evil")]
    done = ctxpack("why", log, evil, HOSTILE)
    assert done.code == 0
    assert not {"\x1b", "\x07", "\u202e", "\r"} & {*done.out}


def test_every_skipped_chunk_of_the_sample_runs_has_an_answer_in_lines_that_fit() -> None:
    samples = str(sample_runs.path())
    for run in ctxpack("list", samples, "--json", "--limit", "3").json["runs"]:
        shown = ctxpack("show", samples, run["id"], "--json").json
        for chunk in shown["candidates"]:
            done = ctxpack("why", samples, run["id"], chunk["id"])
            assert done.code == 0
            assert done.out.startswith(chunk["outcome"].upper())
            assert max(map(len, done.out.splitlines())) <= 120


def test_why_stands_in_the_help_and_reads_a_log_of_lines(tmp_path: Path, log: str) -> None:
    assert "Why a chunk is in or out" in ctxpack("--help").out
    lines = tmp_path / "runs.jsonl"
    lines.write_bytes(ctxpack("export", log, "run-1").out.encode())
    assert ctxpack("why", str(lines), "run-1", "refunds-2").out == WHY


def test_a_pin_is_said_to_be_one_and_that_taking_it_off_puts_it_out(log: str) -> None:
    args = ("why", log, "run-1", "refunds-2", "--budget", "20", "--pin", "refunds-2")
    done = ctxpack(*args)
    assert done.out.startswith("PACKED    refunds-2: rank 2, 18 tokens, value 0.631; pinned\n")
    assert "taking its pin off\n" in done.out
    answer = ctxpack(*args, "--json").json
    assert (answer["reason"], answer["detail"]) == (None, {"pinned": True})
    assert {"kind": "unpin", "amount": None, "verified": True} in answer["changes"]


def test_a_pin_that_does_not_fit_is_said_to_be_one_and_another_pins_ban_lets_it_in(
    log: str,
) -> None:
    pins = ("--pin", "refunds-1", "--pin", "refunds-2")
    done = ctxpack("why", log, "run-1", "refunds-2", "--budget", "20", *pins)
    assert "; pinned, but no room: 18 tokens needed, 14 left\n" in done.out
    assert "          banning refunds-1\n" in done.out
    again = ("--pin", "refunds-2", "--ban", "refunds-1", "--budget", "20")
    assert ctxpack("why", log, "run-1", "refunds-2", *again).out.startswith("PACKED")


def test_a_chunk_whose_tokens_the_log_lacks_has_no_change_to_tell(tmp_path: Path) -> None:
    line = {
        "schema": 1,
        "id": "r",
        "time": "2026-03-02T10:00:00Z",
        "query": "q",
        "settings": {"budget": 20, "strategy": "top"},
        "candidates": [{"id": "a", "rank": 1, "outcome": "packed", "position": 0}],
    }
    path = tmp_path / "runs.jsonl"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    done = ctxpack("why", str(path), "r", "a")
    assert done.out.startswith("PACKED")
    assert "out with  nothing that can be tried: its tokens are not known\n" in done.out
    assert "it stays in" not in done.out
