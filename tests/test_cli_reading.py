"""`list` and `show`: what they print for people, and their JSON, to the letter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxpack import decode, encode
from tests.cli_runs import HOSTILE, hostile_run, make_log, wrong_run
from tests.command import ctxpack

LIST = """\
RUN    TIME                       TYPE     PACKED  USED/BUDGET  FOUND              QUERY
run-1  2026-03-01T10:00:00+01:00  support  2 of 3        11/12  answer skipped +1  How do refunds work?
1 run.
"""  # noqa: E501

SHOW = """\
CAUSE     The answer was retrieved at rank 2 (refunds-2) and left out (no room: 18 tokens needed, 6 left); history took
          70 tokens, 10 over its allowance of 60.
          It is in with a budget of 24 tokens (+12).

run       run-1, support, 2026-03-01T10:00:00+01:00, packer 1.2, model-1
asked     How do refunds work?
replied   Within thirty days.
packed by budget 12, strategy top, placement best-first

SECTION   TOKENS  ALLOWANCE  CAP  SHARE
system        40         50    -    33%
evidence      11        300  400     9%
history       70         60    -    58%  10 over
window 121 tokens, reserved for the reply 100, budget 1,000, limit 8,000

PACKED     #  RANK  TOKENS  VALUE  START     X  WINDOW X     P
refunds-1  1     1       6  1.000      0  0.27      0.36  0.57
returns-1  2     3       5  0.500      6  0.77      0.40  0.56
2 of 3 candidates packed, 11 of 12 tokens, value 1.500, curve assumed

SKIPPED    RANK  TOKENS  VALUE  WHY
refunds-2     2      18  0.631  no room: 18 tokens needed, 6 left; holds the answer

ALSO
FAULT     History took 70 tokens, 10 over its allowance of 60.
          Cap history by its own rule before the window is assembled.

ANSWER
expected  14 days
          retrieved: yes, rank 2
          filters: yes, not filtered out
          packed: NO, no chunk that holds it is in the window
          placed: not known, not in the window
          in the reply: NO, the reply lacks it
"""  # noqa: E501


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_log(tmp_path_factory.mktemp("cli") / "log.db")


def test_a_list_is_aligned_and_says_how_many_runs_there_are(log: str) -> None:
    done = ctxpack("list", log, "--until", "2026-03-01T12:00Z")
    assert (done.code, done.out, done.err) == (0, LIST, "")


def test_show_has_the_cause_first_and_the_reasons_in_words(log: str) -> None:
    done = ctxpack("show", log, "run-1")
    assert (done.code, done.out, done.err) == (0, SHOW, "")


def test_list_json_has_the_agreed_keys(log: str) -> None:
    done = ctxpack("list", log, "--json", "--chunk", "refunds-2", "--until", "2026-03-01T12:00Z")
    assert done.json == {
        "total": 1,
        "shown": 1,
        "runs": [
            {
                "id": "run-1",
                "time": "2026-03-01T10:00:00+01:00",
                "request_type": "support",
                "query": "How do refunds work?",
                "budget": 12,
                "used": 11,
                "packed": 2,
                "considered": 3,
                "findings": ["answer_skipped", "over_allowance"],
            }
        ],
    }


def test_show_json_is_the_record_with_what_was_computed(log: str) -> None:
    shown = ctxpack("show", log, "run-1", "--json").json
    assert shown["findings"][0]["code"] == "answer_skipped"
    assert shown["answer_trace"]["broke_at"] == "packed"
    assert shown["computed"]["used"] == 11
    assert [chunk["id"] for chunk in shown["computed"]["packed"]] == ["refunds-1", "returns-1"]
    assert decode(json.dumps(shown)).record == wrong_run()


def test_an_expected_answer_can_be_typed(log: str) -> None:
    shown = ctxpack("show", log, "run-1", "--json", "--expect", "a label").json
    assert shown["answer_trace"]["source"] == "typed"
    assert shown["answer_trace"]["chunks"] == ["returns-1"]
    assert "expected  a label" in ctxpack("show", log, "run-1", "--expect", "a label").out


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ((), ["evil-", "run-2", "run-1"]),
        (("--limit", "1"), ["evil-"]),
        (("--limit", "0"), []),
        (("--all",), ["evil-", "run-2", "run-1"]),
        (("--search", "thirty"), ["run-1"]),
        (("--type", "support"), ["run-2", "run-1"]),
        (("--since", "2026-03-02T10:00:00Z"), ["evil-", "run-2"]),
        (("--doc", "returns"), ["run-2", "run-1"]),
        (("--finding", "answer_skipped"), ["run-1"]),
        (("--finding", "answer_skipped", "--limit", "0"), []),
        (("--since", "1s"), []),
    ],
)
def test_options_of_list_choose_runs(log: str, options: tuple[str, ...], found: list[str]) -> None:
    runs = ctxpack("list", log, "--json", *options).json["runs"]
    assert [run["id"][:5] for run in runs] == found


def test_a_list_that_is_cut_says_of_how_many(log: str) -> None:
    done = ctxpack("list", log, "--limit", "1")
    assert done.out.splitlines()[-1] == "1 of 3 runs, newest first; --all lists all."
    assert ctxpack("list", log, "--limit", "1", "--json").json["total"] == 3


def test_a_run_is_named_by_prefix_or_as_the_last(log: str) -> None:
    assert ctxpack("show", log, "@last", "--json").json["id"] == hostile_run().id
    assert ctxpack("show", log, "evil", "--json").json["id"] == hostile_run().id


@pytest.mark.parametrize("arguments", [("list",), ("show", "@last"), ("repack", "@last")])
def test_text_of_a_log_reaches_the_terminal_only_as_something_to_look_at(
    log: str, arguments: tuple[str, ...]
) -> None:
    command, *rest = arguments
    done = ctxpack(command, log, *rest)
    assert done.code == 0
    for printed in (done.out, done.err):
        assert not {sign for sign in printed if not sign.isprintable()} - {"\n"}
    assert "[/red]" in done.out
    assert done.out.count("\n") == len(done.out.splitlines())


def test_the_json_of_hostile_text_is_the_text_itself(log: str) -> None:
    assert ctxpack("show", log, "@last", "--json").json["query"] == HOSTILE


def test_lines_from_standard_input_are_a_log_too() -> None:
    done = ctxpack("list", "-", "--json", stdin=encode(wrong_run()) + b"\n")
    assert [run["id"] for run in done.json["runs"]] == ["run-1"]


def test_bad_lines_of_a_log_are_said_and_the_good_ones_shown() -> None:
    done = ctxpack("list", "-", stdin=b"oops\n" + encode(wrong_run()) + b"\n")
    assert done.code == 0
    assert done.out == LIST
    assert "1 line was left out; standard input line 1: not JSON" in done.err


def test_a_terminal_without_unicode_gets_no_sign_that_it_cannot_show(log: str) -> None:
    done = ctxpack("list", log, encoding="ascii")
    assert done.code == 0
    assert done.out.isascii()


def test_without_a_terminal_the_app_is_the_list_as_text(log: str, tmp_path: Path) -> None:
    assert ctxpack(log) == ctxpack("list", log)
    assert ctxpack(log, "--run", "run-1").out == SHOW
    named = tmp_path / "list"
    named.write_bytes(encode(wrong_run()))
    assert ctxpack(str(named)).out == LIST


def test_without_a_log_the_bundled_sample_runs_are_listed() -> None:
    done = ctxpack()
    assert done.code == 0
    assert len(done.out.splitlines()) > 16
