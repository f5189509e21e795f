"""Search takes what people type: words, quotes, operators, any script; nothing typed can raise."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logs import LogReader, RunFilter, open_log
from tests.logged_runs import line

TEXTS = {
    "english": ("How do refunds work?", "Within thirty days, by card."),
    "french": ("Où est le café ?", "Près de l'entrée."),
    "chinese": ("退款需要多长时间", "三十天内。"),
    "japanese": ("返金はいつですか", "三十日以内にABCへ"),
    "code": ('call get_user("a") AND retry', "C++ or C#: a-b_c/d 100% {x}"),
    "nul": ("before \x00 after", ""),
    "russian": ("Как вернуть деньги?", "За тридцать дней."),
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LogReader]:
    path = tmp_path_factory.mktemp("search") / "log.jsonl"
    path.write_bytes(
        b"".join(line(run, query=q, answer={"text": a}) for run, (q, a) in TEXTS.items())
    )
    with open_log([str(path)]) as opened:
        yield opened


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("refunds", {"english"}),
        ("REFUND", {"english"}),
        ("refund card", {"english"}),
        ("refund café", set()),
        ("fund", set()),
        ("cafe", {"french"}),
        ("CAFÉ", {"french"}),
        ("l'ent", {"french"}),
        ("退款", {"chinese"}),
        ("需要", {"chinese"}),
        ("三十", {"chinese", "japanese"}),
        ("返金 いつ", {"japanese"}),
        ("へabc", set()),
        ("abcへ", {"japanese"}),
        ("деньг", {"russian"}),
        ('"', {"code"}),
        ('get_user("a")', {"code"}),
        ("AND", {"code"}),
        ("AND OR", {"code"}),
        ("NOT", set()),
        ("c++ 100%", {"code"}),
        ("%", {"code"}),
        ("{", {"code"}),
        ("*", set()),
        ("query:refunds", set()),
        ("after", {"nul"}),
        ("", set(TEXTS)),
        (" \t\n", set(TEXTS)),
    ],
)
def test_every_word_has_to_begin_a_word_of_the_query_or_the_answer(
    reader: LogReader, typed: str, found: set[str]
) -> None:
    assert set(reader.ids(RunFilter(search=typed))) == found


@settings(max_examples=300, deadline=None)
@given(typed=st.text() | st.text('"*^():{}+-AND OR NEAR\x00\ud800', max_size=40))
def test_nothing_that_is_typed_raises(reader: LogReader, typed: str) -> None:
    assert reader.count(RunFilter(search=typed)) <= len(TEXTS)


def test_a_pasted_page_is_searched_by_its_first_words(reader: LogReader) -> None:
    page = " ".join(f"word{number}" for number in range(20_000))
    assert reader.count(RunFilter(search=page)) == 0
    assert reader.ids(RunFilter(search="refunds " * 20_000)) == ["english"]
