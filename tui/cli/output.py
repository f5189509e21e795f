"""Printing: one JSON document or text for people on standard output, narration beside it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from tui.text import cells, pad, plain_line, words

PIPE_WIDTH = 120
"""Cells of a line where there is no terminal to ask."""

MOST_SAID = 20
"""Sentences of one kind that are said before the rest is counted."""

LONGEST_SENTENCE = 2_000


class Column(NamedTuple):
    """A column of a table: its heading, its side, and the most cells that it takes."""

    heading: str
    align: Literal["left", "right"] = "left"
    most: int = 40


def width() -> int:
    """Cells of a line of text."""
    if sys.stdout is not None and sys.stdout.isatty():
        return max(40, shutil.get_terminal_size().columns)
    return PIPE_WIDTH


def ascii_only() -> bool:
    """Whether standard output can hold no more than ASCII."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return not encoding.lower().replace("-", "").startswith("utf")


def say(sentence: str) -> None:
    """A sentence for people, on standard error, on one line, with nothing in it interpreted."""
    if sys.stderr is None:
        return
    line = plain_line(sentence, LONGEST_SENTENCE)
    encoding = sys.stderr.encoding or "ascii"
    print(line.encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr, flush=True)


def say_all(sentences: Iterable[str]) -> None:
    """Sentences, the first of them; how many more there are is said at last."""
    listed = list(sentences)
    for sentence in listed[:MOST_SAID]:
        say(sentence)
    if len(listed) > MOST_SAID:
        say(f"and {len(listed) - MOST_SAID:,} more.")


def print_json(document: Any) -> None:
    """One JSON document on one line, UTF-8 whatever the locale says; never a NaN."""
    import msgspec

    print_bytes([msgspec.json.encode(document), b"\n"])


def print_bytes(parts: Iterable[bytes]) -> None:
    """Bytes as they are."""
    sys.stdout.flush()
    for part in parts:
        sys.stdout.buffer.write(part)
    sys.stdout.buffer.flush()


def print_lines(lines: Iterable[str]) -> None:
    """Lines that were made plain, without blanks at their ends."""
    encoding = sys.stdout.encoding or "ascii"
    for line in lines:
        text = line.rstrip(" ")
        print(text.encode(encoding, "backslashreplace").decode(encoding))


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], room: int) -> list[str]:
    """A heading and rows, aligned by cells; the last column takes what is left of `room`."""
    ascii = ascii_only()
    shown = [
        [
            plain_line(text, min(column.most, room), ascii=ascii)
            for text, column in zip(row, columns, strict=True)
        ]
        for row in [[column.heading for column in columns], *rows]
    ]
    widths = [max(cells(row[place]) for row in shown) for place in range(len(columns))]
    before = sum(widths[:-1]) + 2 * (len(columns) - 1)
    widths[-1] = min(widths[-1], max(12, room - before))
    return [
        "  ".join(
            pad(text, size, column.align, ascii=ascii)
            for text, size, column in zip(row, widths, columns, strict=True)
        ).rstrip(" ")
        for row in shown
    ]


def labelled(label: str, text: str, room: int, lines: int = 4) -> list[str]:
    """A text behind its label, wrapped between words, at most `lines` lines of it."""
    head = f"{label:<10}"
    ascii = ascii_only()
    inner = max(20, room - len(head))
    wrapped = words(text[: inner * (lines + 1)], inner, ascii=ascii) or [""]
    if len(wrapped) > lines or len(text) > inner * (lines + 1):
        wrapped = [
            *wrapped[: lines - 1],
            plain_line(" ".join(wrapped[lines - 1 :]) + " ...", inner),
        ]
    return [(head if not place else " " * len(head)) + line for place, line in enumerate(wrapped)]


def count(number: int, one: str, many: str | None = None) -> str:
    """A number and its noun: `1 run`, `2,000 runs`, `3 strategies`."""
    return f"{number:,} {one}" if number == 1 else f"{number:,} {many or one + 's'}"


def number(value: int | None) -> str:
    """A whole number for people, `?` where it is not known."""
    return "?" if value is None else f"{value:,}"
