"""`repack` and `pack`: what they print for people, and their JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ctxpack import STRATEGIES, Candidate, Settings, pack
from tests.cli_runs import make_log
from tests.command import ctxpack
from tui.cli.packing_text import packing_lines

REPACKED = """\
settings  budget 40*, strategy top, placement best-last*, value gain
gives     3 of 3 candidates packed, 29 of 40 tokens (exact counts), value 2.131 (proven best), curve assumed
changes   entered refunds-2; moved refunds-1

PACKED     #  RANK  TOKENS  VALUE  START     X     P
returns-1  1     3       5  0.500      0  0.09  0.69
refunds-2  2     2      18  0.631      5  0.48  0.55  + entered
refunds-1  3     1       6  1.000     23  0.90  0.61  ~ moved
"""  # noqa: E501

PACKED = """\
settings  budget 9, strategy top, placement best-first, value gain
gives     1 of 3 candidates packed, 5 of 9 tokens (exact counts), value 0.500 (proven best), curve assumed

PACKED  #  RANK  TOKENS  VALUE  START     X     P
c       1     3       5  0.500      0  0.50  0.55

SKIPPED  RANK  TOKENS  VALUE  WHY
a           1      16  1.000  too long: 16 tokens needed, budget 9
b           2      15  0.631  too long: 15 tokens needed, budget 9
"""  # noqa: E501


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_log(tmp_path_factory.mktemp("cli") / "log.db")


def test_a_what_if_marks_all_that_differs_from_the_log(log: str) -> None:
    done = ctxpack("repack", log, "run-1", "--budget", "40", "--placement", "best-last")
    assert (done.code, done.out, done.err) == (0, REPACKED, "")


def test_the_json_of_a_what_if_has_the_agreed_keys(log: str) -> None:
    found = ctxpack("repack", log, "run-1", "--budget", "40", "--json").json
    assert list(found) == [
        "settings",
        "budget",
        "used",
        "counts",
        "considered",
        "value_by",
        "value",
        "bound",
        "bound_on",
        "gap",
        "proven",
        "curve",
        "expected_use",
        "mean_p",
        "packed",
        "skipped",
        "against",
    ]
    assert set(found["settings"]) == set(Settings.__struct_fields__)
    assert set(found["packed"][0]) == {
        *("id", "rank", "tokens", "value", "pinned", "position", "start", "x", "p")
    }
    assert found["against"] == {"entered": ["refunds-2"], "left": [], "moved": []}
    assert (found["used"], found["counts"], found["considered"]) == (29, "exact", 3)


def test_settings_that_are_not_typed_are_the_logged_ones(log: str) -> None:
    found = ctxpack("repack", log, "run-1", "--json").json
    assert (found["settings"]["budget"], found["settings"]["strategy"]) == (12, "top")
    assert found["against"] == {"entered": [], "left": [], "moved": []}
    assert found["skipped"] == [
        {
            "id": "refunds-2",
            "rank": 2,
            "tokens": 18,
            "value": found["skipped"][0]["value"],
            "reason": "too_long",
            "detail": found["skipped"][0]["detail"],
        }
    ]
    text = ctxpack("repack", log, "run-1").out
    assert "*" not in text
    assert "changes   none: the same chunks in the same order as logged" in text


def test_pins_and_bans_decide(log: str) -> None:
    found = ctxpack(
        *("repack", log, "run-1", "--budget", "24", "--pin", "refunds-2", "--ban", "refunds-1"),
        *("--pins-first", "--json"),
    ).json
    assert [chunk["id"] for chunk in found["packed"]] == ["refunds-2", "returns-1"]
    assert found["packed"][0]["pinned"]
    assert found["skipped"][0]["reason"] == "banned"
    assert found["settings"]["pins_first"]


def test_a_pin_that_does_not_fit_is_said_loudly_or_refused(log: str) -> None:
    done = ctxpack("repack", log, "run-1", "--pin", "refunds-2")
    assert done.code == 0
    assert "PIN NOT IN: 'refunds-2'" in done.err
    strict = ctxpack("repack", log, "run-1", "--pin", "refunds-2", "--pins", "strict")
    assert strict.code == 2
    assert "refunds-2" in strict.err


def test_a_budget_that_was_not_logged_is_said_to_be_inferred() -> None:
    bare = {
        "schema": 1,
        "id": "r",
        "time": "2026-03-01T10:00:00Z",
        "query": "q",
        "candidates": [{"id": "a", "rank": 1, "tokens": 7, "outcome": "packed"}],
    }
    done = ctxpack("repack", "-", "r", "--json", stdin=json.dumps(bare).encode())
    assert done.json["budget"] == 7
    assert done.json["counts"] == "logged"
    assert "7 is inferred from the packed tokens" in done.err


CANDIDATES: list[dict[str, Any]] = [
    {
        "id": "a",
        "text": "Refunds are paid within thirty days after the parcel has come back to us.",
    },
    {"id": "b", "text": "Every return needs a label from the web shop, one for each parcel."},
    {"id": "c", "text": "Returns need a label."},
]


def test_pack_takes_an_array_lines_or_a_record(tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(part) for part in CANDIDATES)
    shapes = {
        "array.json": json.dumps(CANDIDATES, indent=2),
        "lines.jsonl": lines,
        "without-ending": lines,
        "record.json": json.dumps({"query": "q", "candidates": CANDIDATES}),
    }
    found = []
    for name, content in shapes.items():
        (tmp_path / name).write_text(content)
        found.append(ctxpack("pack", str(tmp_path / name), "--budget", "9", "--json").json)
    found.append(ctxpack("pack", "-", "--budget", "9", "--json", stdin=lines.encode()).json)
    assert all(one == found[0] for one in found)
    assert [chunk["id"] for chunk in found[0]["packed"]] == ["c"]
    assert found[0]["considered"] == 3


def test_the_text_of_a_packing(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(json.dumps(CANDIDATES))
    done = ctxpack("pack", str(tmp_path / "c.json"), "--budget", "9")
    assert (done.code, done.out, done.err) == (0, PACKED, "")


def test_text_files_are_one_candidate_each_named_by_their_file(tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.md"
    first.write_text("Refunds take thirty days.\n\nStill the same file.\n")
    second.write_text("[A link] and more.\n---\nand a rule.\n")
    found = ctxpack("pack", str(first), str(second), "--budget", "99", "--json").json
    assert [chunk["id"] for chunk in found["packed"]] == [str(first), str(second)]


def test_pasted_text_is_split_at_blank_lines_and_rules() -> None:
    pasted = b"One.\nStill one.\n\n \n\nTwo.\n---\nThree -- not a rule.\r\n\r\n-----\n\nFour.\n"
    found = ctxpack("pack", "-", "--budget", "99", "--json", stdin=pasted).json
    assert [chunk["id"] for chunk in found["packed"]] == ["text-1", "text-2", "text-3", "text-4"]


def test_a_query_ranks_what_has_no_rank() -> None:
    pasted = b"Cats sleep.\n\nRefunds are paid by card.\n\nDogs bark."
    found = ctxpack("pack", "-", "--budget", "9", "--query", "refunds", "--json", stdin=pasted).json
    assert found["value_by"] == "bm25"
    assert found["packed"][0]["id"] == "text-2"


def test_every_strategy_side_by_side_with_what_each_gave_up_against_top() -> None:
    stdin = json.dumps(CANDIDATES).encode()
    found = ctxpack("pack", "-", "--budget", "20", "--compare", "--json", stdin=stdin).json
    strategies = [run["settings"]["strategy"] for run in found["runs"]]
    assert strategies == list(STRATEGIES)
    sets = {
        run["settings"]["strategy"]: {chunk["id"] for chunk in run["packed"]}
        for run in found["runs"]
    }
    for run in found["runs"]:
        own = sets[run["settings"]["strategy"]]
        assert set(run["gave_up"]) == sets["top"] - own
        assert set(run["gained"]) == own - sets["top"]
    out = ctxpack("pack", "-", "--budget", "20", "--compare", stdin=stdin).out.splitlines()
    rows = [line.split() for line in out[out.index("") + 2 :]]
    assert [row[0] for row in rows[: len(strategies)]] == strategies
    for row, run in zip(rows, found["runs"], strict=False):
        assert row[1:4] == [str(len(run["packed"])), f"{run['used']:,}", f"{run['value']:.3f}"]


def test_texts_with_a_query_are_compared_by_bm25() -> None:
    pasted = b"Cats sleep all day long.\n\nRefunds are paid by card.\n---\nRefunds: 14 days."
    args = ("pack", "-", "--budget", "8", "--query", "refunds", "--compare")
    out = ctxpack(*args, stdin=pasted).out
    assert "3 candidates" in out
    assert "value bm25" in out
    runs = ctxpack(*args, "--json", stdin=pasted).json["runs"]
    assert {run["value_by"] for run in runs} == {"bm25"}
    best = max(run["value"] for run in runs)
    optimal = next(run for run in runs if run["settings"]["strategy"] == "optimal")
    assert optimal["proven"]
    assert optimal["value"] == best


def test_the_curves_name_stands_wherever_a_chance_or_a_use_is_shown() -> None:
    stdin = json.dumps(CANDIDATES).encode()
    curve = "llama-2-70b-chat"
    for more in ((), ("--compare",), ("--strategy", "ordered"), ("--placement", "optimal")):
        args = ("pack", "-", "--budget", "20", "--curve", curve, *more)
        out = " ".join(ctxpack(*args, stdin=stdin).out.split())
        assert curve in out


def test_invalid_candidates_are_named_and_the_valid_packed() -> None:
    mixed = [
        *CANDIDATES,
        {"id": "none"},
        {"id": "minus", "tokens": -4},
        {"id": "blank", "text": ""},
        {"id": "odd", "text": "x", "rank": "first"},
        {"id": "nan", "text": "y", "score": float("nan")},
        7,
    ]
    done = ctxpack("pack", "-", "--budget", "99", "--json", stdin=json.dumps(mixed).encode())
    assert done.code == 0
    reasons = {chunk["id"]: chunk["reason"] for chunk in done.json["skipped"]}
    assert reasons == {"none": "invalid", "minus": "invalid", "blank": "invalid"}
    for said in ("'none'", "'minus'", "'blank'", "candidate 7: field rank", "candidate 9: not a"):
        assert said in done.err
    assert "NaN" in done.err


def test_a_separator_is_typed_as_a_backslash_n_and_switched_off_as_the_others(
    tmp_path: Path,
) -> None:
    file = tmp_path / "two.json"
    texts = [{"id": name, "rank": n, "text": f"text {name}"} for n, name in enumerate("ab", 1)]
    file.write_text(json.dumps(texts), encoding="utf-8")
    args = ("pack", str(file), "--budget", "99", "--json", "--separator")
    given = {typed: ctxpack(*args, typed).json["settings"] for typed in (r"\n\n", "none", "None")}
    assert given[r"\n\n"]["separator"] == "\n\n"
    assert given["none"].get("separator") is None
    assert given["None"].get("separator") is None


def test_a_blank_page_is_invalid_and_the_rest_is_packed(tmp_path: Path) -> None:
    file = tmp_path / "pages.json"
    texts = [{"id": "blank", "rank": 1, "text": " \n\t"}, {"id": "page", "rank": 2, "text": "one"}]
    file.write_text(json.dumps(texts), encoding="utf-8")
    done = ctxpack("pack", str(file), "--budget", "99", "--json")
    assert [chunk["id"] for chunk in done.json["packed"]] == ["page"]
    (out,) = done.json["skipped"]
    assert (out["reason"], out["detail"]) == ("invalid", {"why": "empty"})
    file.write_text(json.dumps(texts[:1]), encoding="utf-8")
    alone = ctxpack("pack", str(file), "--budget", "99")
    assert (alone.code, "'blank', is empty" in alone.err) == (2, True)


def test_what_is_too_long_beside_the_pins_says_so(tmp_path: Path) -> None:
    file = tmp_path / "sized.json"
    sizes = [{"id": "a", "rank": 1, "tokens": 60}, {"id": "b", "rank": 2, "tokens": 43}]
    file.write_text(json.dumps(sizes), encoding="utf-8")
    done = ctxpack("pack", str(file), "--budget", "90", "--pin", "a")
    assert "too long: 43 tokens needed, 30 beside the pins" in done.out


@pytest.mark.parametrize(
    ("gap", "shown"), [(0.1234, "0.123"), (0.0005, "0.001"), (0.000032, "3.2e-05")]
)
def test_a_small_gap_is_not_shown_as_none(gap: float, shown: str) -> None:
    result = pack([Candidate(id="a", rank=1, tokens=5)], Settings(budget=9))
    unproven = msgspec.structs.replace(result, proven=False, gap=gap)
    assert f"at most {shown} below the best" in "\n".join(packing_lines(unproven, 400))
