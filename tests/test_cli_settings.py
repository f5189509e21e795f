"""Every setting of the engine as an option: what is typed decides, and is shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from logs import RunLog
from tests.command import Done, ctxpack
from tests.logged_runs import record

SCORES = (0.92, 0.9, 0.88, 0.31, 0.3, 0.29)
CHUNKS: list[dict[str, Any]] = [
    {"id": f"c{n}", "rank": n, "score": score, "score_kind": "similarity", "tokens": 10}
    for n, score in enumerate(SCORES, start=1)
]
SAME = [
    {"id": "a", "rank": 1, "text": "Refunds take thirty days from the day of the order."},
    {"id": "b", "rank": 2, "text": "Refunds take thirty days from the day of the  order."},
    {"id": "c", "rank": 3, "text": "Shipping is free."},
]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, rows in (("scored.jsonl", CHUNKS), ("same.jsonl", SAME)):
        Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    Path("ranks.json").write_text('{"calibration": 1, "ranks": [0.5, 0.25]}', "utf-8")


def pack(*typed: str, file: str = "scored.jsonl") -> Done:
    done = ctxpack("pack", file, "--budget", "1000", *typed)
    assert done.code == 0, done.err
    return done


def packed(*typed: str, file: str = "scored.jsonl") -> list[str]:
    return [chunk["id"] for chunk in pack(*typed, "--json", file=file).json["packed"]]


@pytest.mark.parametrize(
    ("typed", "kept", "shown"),
    [
        ((), 6, "value gain\n"),
        (("--cutoff", "0.1"), 3, "cutoff 0.1"),
        (("--cutoff", "0"), 1, "cutoff 0"),
        (("--margin", "0.03"), 2, "margin 0.03"),
        (("--margin=0.05", "--cutoff=0.02"), 1, "cutoff 0.02, margin 0.05"),
        (("--cliff",), 3, "cliff on"),
        (("--max-chunks", "2"), 2, "max-chunks 2"),
        (("--max-chunks", "0"), 0, "max-chunks 0"),
        (("--cutoff", "none", "--max-chunks", "NONE", "--no-cliff"), 6, "value gain\n"),
    ],
)
def test_a_filter_that_is_typed_cuts_and_is_shown(
    typed: tuple[str, ...], kept: int, shown: str
) -> None:
    assert packed(*typed) == [f"c{n}" for n in range(1, kept + 1)]
    assert shown in pack(*typed).out


def test_the_reasons_are_told_with_their_numbers() -> None:
    assert "below the cut-off: score 0.31, lowest 0.857" in pack("--cutoff", "0.1").out
    assert "below the score cliff: score 0.31, cliff at 0.88 after 3" in pack("--cliff").out
    assert "no cliff, the scores are diffuse" in pack("--cliff", "--ban", "c1", "--ban", "c2").err


def test_a_bare_dedupe_asks_for_four_fifths() -> None:
    assert packed(file="same.jsonl") == ["a", "b", "c"]
    for typed in (("--dedupe",), ("--dedupe", "0.8"), ("--dedupe", "--cliff")):
        done = pack(*typed, "--json", file="same.jsonl")
        assert done.json["settings"]["dedupe"] == 0.8
        assert [chunk["id"] for chunk in done.json["packed"]] == ["a", "c"]
    assert packed("--dedupe", "none", file="same.jsonl") == ["a", "b", "c"]
    assert "dedupe 0.8" in pack("--dedupe", file="same.jsonl").out


def test_mmr_and_its_lambda_are_a_strategy_and_a_setting() -> None:
    done = pack("--strategy", "mmr", "--mmr-lambda", "0", "--query", "refunds", file="same.jsonl")
    assert "strategy mmr, mmr-lambda 0, placement" in done.out
    assert "mmr-lambda" not in pack("--mmr-lambda", "0.2").out


def test_a_calibration_is_a_file_and_its_hash_is_in_the_settings() -> None:
    found = pack("--value", "calibrated=ranks.json", "--json").json
    assert (found["value_by"], found["settings"]["value"]) == ("calibrated", "calibrated")
    assert found["settings"]["calibration"]["hash"].startswith("sha256:")
    assert [chunk["value"] for chunk in found["packed"]] == [0.5, *[0.25] * 5]
    assert "value calibrated" in pack("--value", "calibrated=ranks.json").out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "bad.json: calibration: it is not JSON"),
        ('{"calibration": 1, "ranks": [5]}', "bad.json: calibration: ranks, number 1, is 5"),
        ('{"calibration": 1, "ranks": [0.5], "hash": "x"}', "its hash is 'x' but its content"),
    ],
)
def test_a_calibration_that_cannot_be_used_is_refused_naming_its_file(
    content: str, said: str
) -> None:
    Path("bad.json").write_text(content, "utf-8")
    done = ctxpack("pack", "scored.jsonl", "--budget", "9", "--value", "calibrated=bad.json")
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert len(done.err.splitlines()) == 1


def test_what_a_log_has_on_is_taken_over_and_can_be_switched_off() -> None:
    chosen = {
        "budget": 1000,
        "cutoff": 0.1,
        "margin": 0.3,
        "cliff": True,
        "dedupe": 0.9,
        "max_chunks": 2,
        "mmr_lambda": 0.3,
    }
    rows = [row | {"outcome": "packed", "position": n} for n, row in enumerate(CHUNKS[:2])]
    rows += [row | {"outcome": "skipped", "reason": "below_cutoff"} for row in CHUNKS[2:]]
    with RunLog(Path("log.db")) as log:
        log.append(record("run", settings=chosen, candidates=rows))
    logged = " ".join(ctxpack("repack", "log.db", "run").out.split())
    assert "cutoff 0.1, margin 0.3, cliff on, max-chunks 2, dedupe 0.9" in logged
    assert "*" not in logged
    off = ("--cutoff", "none", "--margin", "none", "--no-cliff", "--max-chunks", "none")
    without = " ".join(ctxpack("repack", "log.db", "run", *off, "--dedupe", "none").out.split())
    assert "cutoff none*, margin none*, cliff off*, max-chunks none*, dedupe none*" in without
    assert "6 of 6 candidates packed" in without


def test_a_logged_calibration_serves_a_bare_calibrated() -> None:
    with RunLog(Path("log.db")) as log:
        log.append(
            record(
                "run",
                settings={"budget": 1000, "value": "gain", "calibration": {"ranks": [0.5, 0.25]}},
                candidates=CHUNKS,
            )
        )
    found = ctxpack("repack", "log.db", "run", "--value", "calibrated", "--json").json
    assert found["value_by"] == "calibrated"
    done = ctxpack("repack", "log.db", "run", "--value", "calibrated=ranks.json")
    assert "value calibrated*" in done.out
