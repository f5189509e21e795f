"""Text from logs: shown, never interpreted, never wider than asked, at a cost that is bounded."""

from __future__ import annotations

import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.graphemes import is_hidden
from tui.text import Wrapped, cells, pad, plain, plain_ends, plain_line, plain_lines, shown, words

HOSTILE = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from("\x00\x07\x1b\t\r\n\x7f\x9b\u200b\u200d\u202e\ufe0f\u0301\u3164 []/退👍🏽"),
        st.sampled_from("\U0001f468\U0001f469\U0001f467\U0001f1ec\U0001f1e7\U000e0041\ud800"),
    ),
    max_size=80,
)


def acts_on_a_terminal(text: str) -> list[str]:
    """Characters of shown text that a terminal would obey or hide, joiners inside words apart."""
    return [
        character
        for at, character in enumerate(text)
        if is_hidden(character) and not (character in "\u200d\u200c" and at > 0)
    ]


@given(HOSTILE, st.integers(0, 40), st.booleans())
def test_a_plain_line_fits_its_width_and_holds_nothing_a_terminal_obeys(
    text: str, width: int, ascii: bool
) -> None:
    line = plain_line(text, width, ascii=ascii)
    assert cells(line) <= width
    assert not acts_on_a_terminal(line)
    assert not any(unicodedata.category(character) in ("Cc", "Cs") for character in line)


@given(HOSTILE, st.integers(1, 40))
def test_every_wrapped_line_fits_and_the_lines_cover_the_text_in_order(
    text: str, width: int
) -> None:
    wrapped = Wrapped(text, width)
    number, last = 0, 0
    while (line := wrapped.line(number)) is not None:
        assert cells(wrapped.shown(number)) <= width
        assert not acts_on_a_terminal(wrapped.shown(number))
        # Between lines nothing is lost but the blank or newline that they were broken at.
        assert text[last : line.start].strip(" \t\r\n") == ""
        assert line.start >= last
        last = line.end
        number += 1
    assert text[last:].strip("\r\n \t") == ""
    assert wrapped.complete
    assert wrapped.estimate == wrapped.known == number


@given(HOSTILE, st.integers(0, 30))
def test_padding_gives_exactly_the_cells_asked_for(text: str, width: int) -> None:
    assert cells(pad(text, width)) == width
    assert cells(pad(text, width, "right")) == width
    assert cells(plain_ends(text, width)) <= width


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b[31mred", "␛[31mred"),
        ("a\nb", "a␊b"),
        ("\x00\x7f", "␀␡"),
        ("\x9b2J", "<U+009B>2J"),
        ("\u202eevil", "<U+202E>evil"),
        ("ze\u200bro", "ze<U+200B>ro"),
        ("\ufeffx", "<U+FEFF>x"),
        ("tag\U000e0041", "tag<U+E0041>"),
        ("\ud800", "<U+D800>"),
        ("fill\u3164", "fill<U+3164>"),
        ("\u0301", "◌\u0301"),
        ("e\u0301", "e\u0301"),
        ("a\tb", "a   b"),
        ("[bold]x[/]", "[bold]x[/]"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("done ✔\ufe0f", "done ✔"),
        ("👍🏽 👩🏽\u200d🚀", "👍 👩\u200d🚀"),
        ("tone🏽", "tone<U+1F3FD>"),
    ],
)
def test_what_cannot_be_seen_or_would_act_is_named_and_the_rest_stays(text: str, seen: str) -> None:
    assert plain_line(text, 60) == seen


def test_in_ascii_controls_are_named_as_a_pager_names_them() -> None:
    assert plain_line("\x1b[0m\x00\n", 60, ascii=True) == "^[[0m^@^J"
    assert plain_line("abcdef", 4, ascii=True) == "abc>"


@pytest.mark.parametrize(
    ("text", "width", "seen"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("退款政策", 5, "退款…"),
        ("退款政策", 4, "退…"),
        ("退款", 4, "退款"),
        ("👨\u200d👩\u200d👧👨\u200d👩\u200d👧", 3, "👨\u200d👩\u200d👧…"),
        ("🇬🇧🇬🇧", 3, "🇬🇧…"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
        ("\u202e\u202e", 9, "<U+202E>…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
        ("", 5, ""),
    ],
)
def test_a_line_is_clipped_between_graphemes_with_an_ellipsis(
    text: str, width: int, seen: str
) -> None:
    assert plain_line(text, width) == seen


def test_the_cost_of_a_line_depends_on_its_width_not_on_the_length_of_the_text() -> None:
    class Counted(str):
        """A text that counts how many of its characters are looked at."""

        looked = 0

        def __getitem__(self, at: object) -> str:
            got = str.__getitem__(self, at)  # type: ignore[index]
            Counted.looked += len(got)
            return got

    for unit in ("x", "退", "\u0301", "\u200d", "\x1b", "👨\u200d"):
        Counted.looked = 0
        assert cells(plain_line(Counted(unit * 200_000), 40)) <= 40
        assert Counted.looked < 20_000, unit


def test_wrapping_goes_no_further_than_the_line_that_was_asked_for() -> None:
    wrapped = Wrapped("word " * 40_000, 40)
    assert wrapped.reach(9)
    assert wrapped.known == 10
    assert not wrapped.complete
    assert 4_500 <= wrapped.estimate <= 5_500
    assert plain_lines("x" * 200_000, 10, 0, 2) == ["x" * 10, "x" * 10]
    assert plain_lines("退" * 200_000, 9, 1, 1) == ["退" * 4]


def test_lines_break_at_spaces_beside_wide_characters_and_at_newlines() -> None:
    assert plain_lines("the quick brown fox", 10) == ["the quick", "brown fox"]
    assert plain_lines("one\ntwo\r\n\r\nthree\n", 10) == ["one", "two", "", "three"]
    assert plain_lines("ab退款政策cd", 6) == ["ab退款", "政策cd"]
    assert plain_lines("abcdefgh", 3) == ["abc", "def", "gh"]
    assert plain_lines("a\tb", 10) == ["a   b"]
    assert plain_lines("", 10) == [""]
    assert plain_lines("退", 1) == ["?"]


def test_a_character_is_found_on_its_line() -> None:
    text = "alpha beta gamma delta"
    wrapped = Wrapped(text, 11)
    assert wrapped.shown(wrapped.line_at(text.index("gamma"))) == "gamma delta"
    assert wrapped.line_at(0) == 0
    assert wrapped.line_at(10_000) == wrapped.known - 1


def test_sentences_are_broken_between_words_only() -> None:
    assert words("no room:\nneeds 912", 9) == ["no room:", "needs 912"]
    assert words("a" * 12, 5) == ["aaaaa", "aaaaa", "aa"]


def test_an_id_that_is_too_long_keeps_its_end() -> None:
    assert plain_ends("refunds-policy#17", 10) == "refu…cy#17"
    assert plain_ends("short", 10) == "short"
    assert plain_ends("退款政策退款政策", 9) == "退款…政策"


@pytest.mark.parametrize("text", ["[/]", "[WARN] x", "list[int]", "[@click=app.bell]x[/]", "[b"])
def test_content_for_textual_is_never_read_as_markup(text: str) -> None:
    content = plain(text)
    assert content.plain == text
    assert not content.spans


def test_content_keeps_its_lines_and_is_cut_at_its_limit() -> None:
    assert shown("a\r\nb\tc\x1b") == "a\nb   c␛"
    assert shown("x" * 50, limit=10) == "x" * 10 + "…"


def test_the_gateway_is_light_to_import() -> None:
    program = (
        "import sys, tui.text; tui.text.plain_line('\\x1b退', 20); tui.text.cells('退');"
        "sys.exit(any(name.split('.')[0] == 'textual' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
