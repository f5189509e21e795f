"""`ctxpack eval`: question sets in, hit rates and places out, bad lines named, figures met."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import sample_runs
from tests.command import Done, ctxpack

TEXTS = {"c1": "Refunds take 14 days.", "c2": "Shipping is free.", "c3": "Ask the office."}
WITHIN = 0.0005
SETS = ("xquad_en", "xquad_zh", "chroma_eval_200")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    corpus = [
        {"id": name, "doc_id": "d", "title": "t", "text": text} for name, text in TEXTS.items()
    ]
    Path("corpus.jsonl").write_text("".join(json.dumps(line) + "\n" for line in corpus))
    write(
        [
            {
                "id": "q1",
                "question": "How long?",
                "answers": ["14 days"],
                "gold_ids": ["c1"],
                "candidates": [["c1", 3.1], ["c2", 2.0]],
            },
            {
                "id": "q2",
                "question": "Does it cost?",
                "answers": ["free"],
                "candidates": [["c3", 1.0], ["c2", 0.5]],
            },
        ]
    )


def write(lines: list[dict[str, Any]], more: str = "") -> None:
    Path("questions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines) + more)


def evaluated(*typed: str) -> Done:
    return ctxpack("eval", "questions.jsonl", "--corpus", "corpus.jsonl", *typed)


def test_the_json_has_a_row_a_setting_and_every_key_that_is_promised() -> None:
    found = evaluated("--budget", "5,100", "--budget", "7", "--json").json
    assert (found["questions"], found["retrieved"]) == (2, 2)
    assert len(found["packing"]) == 3 * 4
    assert len(found["placement"]) == 3 * 4 * 4
    assert {row["budget"] for row in found["packing"]} == {5, 7, 100}
    assert found["packing"][0].keys() >= {
        *("strategy", "value_by", "budget", "max_chunks", "hit_rate", "hit_rate_all"),
        *("mean_value", "mean_used", "mean_packed"),
    }
    assert found["placement"][0].keys() >= {
        *("strategy", "budget", "placement", "curve", "mean_p", "questions")
    }
    whole = next(row for row in found["packing"] if row["budget"] == 100)
    assert (whole["hit_rate"], whole["mean_packed"], whole["value_by"]) == (1.0, 2.0, "gain")


def test_every_list_is_measured_and_told_in_the_text() -> None:
    done = evaluated(
        *("--budget", "100", "--strategy", "top,mmr", "--mmr-lambda", "0.3,0.9"),
        *("--placement", "ends,optimal", "--curve", "assumed,mpt-30b-instruct"),
        *("--max-chunks", "1,none"),
    )
    assert done.code == 0, done.err
    for words in ("mmr 0.3 at most 1", "mmr 0.9", "mpt-30b-instruct curve", "OPTIMAL", "95 %"):
        assert words in done.out
    assert "2 questions" in done.out


def test_bad_lines_are_named_and_the_good_ones_beside_them_are_measured() -> None:
    good = {"id": "a", "answers": ["x"], "candidates": [{"id": "i", "text": "x y"}]}
    bad = [
        (good, "is there already"),
        ({"id": "b", "gold_ids": ["c1"], "candidates": [["c9", 1]]}, "'c9' is not in the corpus"),
        ({"id": "c", "candidates": []}, "neither gold_ids nor answers"),
        ({"id": "d", "gold_ids": ["c1"]}, "candidates must be a list"),
        ({"gold_ids": ["c1"], "candidates": []}, "id must be a text"),
        ({"id": "e", "gold_ids": "c1", "candidates": []}, "gold_ids must be a list of texts"),
        ({"id": "f", "gold_ids": [], "candidates": [{"id": 5}]}, "candidate 1:"),
    ]
    write([good, *(line for line, _ in bad)], more="{torn\n\n[1]\n")
    done = evaluated("--budget", "100", "--json")
    assert done.code == 0
    assert done.json["questions"] == 1
    for place, (_, said) in enumerate(bad, start=2):
        line = next(line for line in done.err.splitlines() if f"line {place}:" in line)
        assert said in line
    assert "line 9: not JSON" in done.err
    assert "line 11: it must be a JSON object." in done.err


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ((), "eval needs --budget"),
        (("--budget", "none"), "budget is none"),
        (("--budget", ","), "there is nothing in the list"),
        (("--budget", "100", "--mmr-lambda", "none"), "mmr-lambda is none"),
        (("--budget", "100", "--value", "luck"), "unknown value 'luck'"),
        (("--budget", "100", "--value", "calibrated=gone.json"), "gone.json does not exist"),
        (("--budget", "100", "--encoding", "morse"), "unknown encoding 'morse'"),
        (("--budget", "many"), "'many' is not a whole number"),
        (("--budget", "100", "--strategy", "magic"), "unknown strategy 'magic'"),
        (("--budget", "100", "--curve", "mine"), "unknown curve 'mine'"),
        (("--budget", "-5"), "budget is -5"),
    ],
)
def test_wrong_settings_are_refused_in_words(typed: tuple[str, ...], said: str) -> None:
    done = evaluated(*typed)
    assert done.code == 2
    assert said in done.err


def test_a_file_without_one_usable_question_and_a_missing_one_are_errors() -> None:
    write([], more="nothing\n")
    done = evaluated("--budget", "10")
    assert done.code == 2
    assert "no question in it that can be used" in done.err
    assert ctxpack("eval", "gone.jsonl", "--budget", "10").code == 2


def test_a_packed_file_and_a_curve_of_ones_own_are_read() -> None:
    content = Path("questions.jsonl").read_bytes()
    Path("questions.jsonl").write_bytes(gzip.compress(content))
    Path("own.json").write_text('{"curve": 1, "name": "ours", "points": [[0, 0.9], [1, 0.1]]}')
    found = evaluated("--budget", "100", "--curve", "own.json", "--placement", "given", "--json")
    (row,) = [row for row in found.json["placement"] if row["strategy"] == "top"]
    assert row["curve"] == "ours"
    # Two chunks: a line from 0.9 to 0.1 at the middles of both, by hand from their tokens.
    assert 0.1 < row["mean_p"] < 0.9


def test_many_questions_are_measured_in_shares_and_none_is_lost() -> None:
    chunk = {"id": "x", "text": "It is 14 days."}
    lines = [{"id": f"q{n}", "gold_ids": ["x"], "candidates": [chunk]} for n in range(300)]
    write(lines)
    found = evaluated("--budget", "100", "--strategy", "top", "--json").json
    assert found["questions"] == found["retrieved"] == 300
    assert found["packing"][0]["hit_rate"] == 1.0


def test_without_questions_the_bundled_200_are_measured_as_they_are_with_their_names() -> None:
    done = ctxpack("eval", "--json")
    assert "No QUESTIONS given: measuring the bundled questions about the sample handbook." in (
        done.err.splitlines()
    )
    folder = sample_runs.path().parent
    named = ctxpack(
        *("eval", str(folder / "questions.jsonl"), "--corpus", str(folder / "corpus.jsonl")),
        *("--budget", "256,512,1024", "--json"),
    )
    assert done.json == named.json
    assert done.json["questions"] == 200
    assert len(done.json["packing"]) == 3 * 4
    assert len(done.json["placement"]) == 3 * 4 * 4
    assert "the bundled questions about the sample handbook: 200 questions" in ctxpack("eval").out
    fewer = ctxpack("eval", "--budget", "300", "--strategy", "top", "--json").json
    assert [row["budget"] for row in fewer["packing"]] == [300]


def test_a_corpus_without_questions_is_refused_in_words() -> None:
    done = ctxpack("eval", "--corpus", "corpus.jsonl")
    assert done.code == 2
    assert "--corpus goes with QUESTIONS" in done.err


def test_questions_come_from_standard_input_and_through_a_pipe() -> None:
    content = Path("questions.jsonl").read_bytes()
    typed = ("--corpus", "corpus.jsonl", "--budget", "100", "--json")
    found = evaluated("--budget", "100", "--json").json
    assert ctxpack("eval", "-", *typed, stdin=content).json == found
    assert ctxpack("eval", "-", *typed, stdin=gzip.compress(content)).json == found
    empty = ctxpack("eval", "-", *typed, stdin=b"")
    assert empty.code == 2
    assert "standard input: there is no question in it" in empty.err
    twice = ctxpack("eval", "-", "--corpus", "-", "--budget", "100")
    assert twice.code == 2
    assert "standard input (-) can be read once" in twice.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_is_read_once_and_whole() -> None:
    content = Path("questions.jsonl").read_bytes()
    os.mkfifo("pipe")
    writer = Thread(target=lambda: Path("pipe").write_bytes(content))
    writer.start()
    done = ctxpack("eval", "pipe", "--corpus", "corpus.jsonl", "--budget", "100", "--json")
    writer.join()
    assert done.json["questions"] == 2


def test_a_packed_file_that_is_cut_short_is_said() -> None:
    lines = [{"id": f"q{n}", "gold_ids": [str(n * n)], "candidates": []} for n in range(999)]
    write(lines)
    whole = gzip.compress(Path("questions.jsonl").read_bytes())
    Path("questions.jsonl").write_bytes(whole[: len(whole) // 2])
    done = evaluated("--budget", "100")
    assert (done.code, done.out) == (2, "")
    assert "questions.jsonl is damaged: it cannot be unpacked." in done.err


def test_of_many_bad_lines_twenty_are_named_and_the_rest_counted() -> None:
    write([{"id": "a", "gold_ids": [], "candidates": []}], more="bad\n" * 1_000)
    done = evaluated("--budget", "100")
    assert done.code == 0
    assert len([line for line in done.err.splitlines() if "not JSON" in line]) == 20
    assert "left out: 980 more lines of questions.jsonl." in done.err


def test_lines_stay_within_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.cli.output.PIPE_WIDTH", 80)
    done = evaluated(
        *("--budget", "100,100000", "--strategy", "top,mmr,ordered", "--mmr-lambda", "0.25"),
        *("--max-chunks", "17", "--cutoff", "0.125", "--placement"),
        "ends,best-first,best-last,middle,split,rank,chronological,given,optimal",
    )
    assert done.code == 0, done.err
    assert max(map(len, done.out.splitlines())) <= 80
    assert "OPTIMAL" in done.out
    assert "…" in done.out


def rows(readme: Path, name: str) -> Iterator[list[str]]:
    for line in readme.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 11 and cells[0] == name:
            yield cells


@pytest.mark.parametrize("name", SETS)
def test_a_public_question_set_gives_its_figures(shared: Path, name: str) -> None:
    folder = shared / "data"
    done = ctxpack(
        *("eval", str(folder / f"{name}.questions.jsonl")),
        *("--corpus", str(folder / f"{name}.corpus.jsonl")),
        *("--budget", "256,512,1024", "--json"),
    )
    found = done.json
    expected = [*rows(folder / "README.md", name)]
    assert len(expected) == 12
    for _, questions, budget, strategy, hit, value, chunks, *chances in expected:
        same = {"strategy": strategy, "budget": int(budget)}
        (row,) = [r for r in found["packing"] if same.items() <= r.items()]
        assert found["questions"] == int(questions)
        assert row["hit_rate"] == pytest.approx(float(hit) / 100, abs=WITHIN)
        assert row["mean_value"] == pytest.approx(float(value), abs=WITHIN)
        assert row["mean_packed"] == pytest.approx(float(chunks), abs=0.005001)
        names = ("ends", "best-first", "best-last", "middle")
        for placement, p in zip(names, chances, strict=True):
            (place,) = [
                r
                for r in found["placement"]
                if same.items() <= r.items() and r["placement"] == placement
            ]
            assert place["mean_p"] == pytest.approx(float(p), abs=WITHIN)
