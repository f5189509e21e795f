"""The sample question set: 200 questions on the handbook whose answers can be checked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sample_runs
from ctxpack import InputError
from ctxpack.matching import holds
from logs.questions import QuestionFile, read_corpus
from sample_runs.question_set import KnownQuestion, build_question_set, main, read_questions

FOLDER = sample_runs.path().parent
ASKED = '[[question]]\nid = "{}"\ndoc_id = "collect-aarhus"\nversion = "v1"\n'
WORDED = "Where in Aarhus can an order of mine be collected by a friend?"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def questions() -> list[dict[str, Any]]:
    return lines(FOLDER / "questions.jsonl")


@pytest.fixture(scope="module")
def corpus() -> dict[str, dict[str, Any]]:
    return {line["id"]: line for line in lines(FOLDER / "corpus.jsonl")}


def made_from(content: str, folder: Path) -> int:
    source = folder / "asked.toml"
    source.write_text(content, encoding="utf-8")
    return build_question_set(folder, source)


def asked(answers: list[str], question: str = WORDED, name: str = "one") -> str:
    # A JSON string of ASCII is a TOML string.
    return (
        f"{ASKED.format(name)}question = {json.dumps(question)}\nanswers = {json.dumps(answers)}\n"
    )


def test_there_are_200_questions_with_ids_and_wordings_of_their_own(
    questions: list[dict[str, Any]],
) -> None:
    assert len(questions) == 200
    assert len({question["id"] for question in questions}) == 200
    assert len({question["question"] for question in questions}) == 200


def test_the_shipped_files_are_what_the_maker_makes(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sample_runs.question_set", str(tmp_path)],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["corpus.jsonl", "questions.jsonl"]
    for file in tmp_path.iterdir():
        assert file.read_bytes() == (FOLDER / file.name).read_bytes()


def test_an_answer_stands_in_its_gold_chunks_and_in_no_other_chunk(
    questions: list[dict[str, Any]], corpus: dict[str, dict[str, Any]]
) -> None:
    pages = {chunk: line for chunk, line in corpus.items() if len(line["text"]) < 100_000}
    assert len(pages) == len(corpus) - 1
    for question in questions:
        answers = question["answers"]
        assert answers
        assert all(answer.strip() for answer in answers)
        found = [c for c, line in pages.items() if any(holds(line["text"], a) for a in answers)]
        assert found == question["gold_ids"] != []


def test_answers_are_short_and_not_given_away_by_the_question(
    questions: list[dict[str, Any]],
) -> None:
    for question in questions:
        for answer in question["answers"]:
            assert len(answer.split()) <= 9
            assert not holds(question["question"], answer)


def test_every_question_has_20_different_candidates_ranked_by_falling_score(
    questions: list[dict[str, Any]], corpus: dict[str, dict[str, Any]]
) -> None:
    for question in questions:
        ids = [chunk for chunk, _ in question["candidates"]]
        scores = [score for _, score in question["candidates"]]
        assert len(ids) == len(set(ids)) == 20
        assert set(ids) <= corpus.keys()
        assert scores == sorted(scores, reverse=True)
        assert scores[-1] > 0


def test_the_questions_are_spread_over_the_handbook(questions: list[dict[str, Any]]) -> None:
    asked_about = [question.doc_id + question.version for question in read_questions()]
    assert len(asked_about) == len(questions)
    assert len(set(asked_about)) >= 70
    assert max(asked_about.count(page) for page in set(asked_about)) <= 16


def test_most_gold_chunks_are_retrieved_and_a_few_are_honestly_missed(
    questions: list[dict[str, Any]],
) -> None:
    missed = [
        question["id"]
        for question in questions
        if not set(question["gold_ids"]) & {chunk for chunk, _ in question["candidates"]}
    ]
    assert 1 <= len(missed) <= 20


def test_eval_reads_the_shipped_files_without_leaving_a_line_out() -> None:
    chunks, left_out = read_corpus(str(FOLDER / "corpus.jsonl"))
    read = QuestionFile(str(FOLDER / "questions.jsonl"), chunks)
    assert len(list(read)) == 200
    assert left_out.lines == read.left_out.lines == 0


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (asked(["Ankerkajen 15"]), "no chunk of collect-aarhus@v1 holds the answer"),
        (asked(["Ankerkajen 14", "Ankerkajen 15"]), "holds the answer 'Ankerkajen 15'"),
        (asked(["21 days"]), "also stands in firmware-update@v1#0, refunds@v2#0"),
        (asked([]), "it has no answer"),
        (asked(["Ankerkajen 14"], "xyzzy Ankerkajen?"), "only 1 chunks share a word"),
        (asked(["Ankerkajen 14"]) * 2, "question 'one' is there twice"),
        (ASKED.format("one"), "missing required field `question`"),
        ("[[question]\n", "asked.toml: "),
    ],
)
def test_the_maker_refuses_in_words_and_writes_nothing(
    content: str, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as refused:
        made_from(content, tmp_path)
    assert reason in str(refused.value)
    assert [file.name for file in tmp_path.iterdir()] == ["asked.toml"]


def test_the_maker_takes_several_answers_of_one_page(tmp_path: Path) -> None:
    assert made_from(asked(["Ankerkajen 14", "keep a parcel for 21 days"]), tmp_path) == 1
    (line,) = lines(tmp_path / "questions.jsonl")
    assert line["gold_ids"] == ["collect-aarhus@v1#0"]
    assert len(line["candidates"]) == 20


def test_a_source_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml"):
        read_questions(tmp_path / "none.toml")


def test_the_command_says_its_usage_and_a_folder_that_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([]) == main(["--help"]) == 2
    assert capsys.readouterr().err.startswith("usage: python -m sample_runs.question_set FOLDER")
    assert main([str(tmp_path / "none")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_question_is_a_record_of_its_source() -> None:
    first = read_questions()[0]
    assert isinstance(first, KnownQuestion)
    assert (first.doc_id, first.version) == ("account-deletion", "v2")
