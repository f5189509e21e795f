"""Finding an expected answer in a text: case, white space, Unicode form and thousands apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_APART = r"(?<![\d.,])[1-9]\d{0,2}(?:([%s])\d{3})(?:\1\d{3})*(?!\d|\1\d)"
_GROUPED = re.compile(_APART % ",'’_\u00a0\u2009\u202f")
"""A number whose thousands are set apart: `1,234`, `1,234,567`; not `0,125` or `2020,300`."""

_SPACED = re.compile(_APART % " ")
"""The same with plain spaces, which may as well stand between two numbers."""

_SPACE = re.compile(r"\s+")
_CLUSTER = re.compile(r"[^\u0300-\u036f\u3099\u309a][\u0300-\u036f\u3099\u309a]*|.", re.DOTALL)
_UNSPACED = 0x2E80


def normal(text: str) -> str:
    """The text as it is compared."""
    folded = unicodedata.normalize("NFKC", _GROUPED.sub(_ungrouped, text)).casefold()
    return _SPACE.sub(" ", _GROUPED.sub(_ungrouped, folded)).strip()


def holds(text: str, expected: str) -> bool:
    """Whether the text holds the expected string, not as a part of a longer word or number."""
    return holds_normal(normal(text), normal(expected))


def holds_normal(haystack: str, needle: str) -> bool:
    """The same for texts that are normal already."""
    if next(_places(haystack, needle), None) is not None:
        return True
    if not any(unit.isdigit() for unit in needle):
        return False
    return next(_places(_close_up(haystack), _close_up(needle)), None) is not None


def crosses(head: str, tail: str, needle: str) -> bool:
    """Whether the needle stands over the joint of two normal texts that are put together."""
    near = head[-len(needle) - 1 :]
    places = _places(near + tail[: len(needle) + 1], needle)
    return any(at < len(near) < at + len(needle) for at in places)


def spans(text: str, expected: str) -> list[tuple[int, int]]:
    """Where the expected string stands in the text: start and end, in characters of the text."""
    needle = normal(expected)
    as_written = _spans(text, needle, _GROUPED)
    if not any(unit.isdigit() for unit in needle):
        return as_written
    closed_up = _spans(text, _close_up(needle), _GROUPED, _SPACED)
    return sorted({*as_written, *closed_up})


def _spans(text: str, needle: str, *grouped: re.Pattern[str]) -> list[tuple[int, int]]:
    mapped = [
        (unit, match.start(), match.end())
        for match in _CLUSTER.finditer(text)
        for unit in _folded(match.group())
    ]
    loose = "".join(unit for unit, _, _ in mapped)
    dropped = {
        match.start() + offset
        for pattern in grouped
        for match in pattern.finditer(loose)
        for offset, unit in enumerate(match.group())
        if not unit.isdigit()
    }
    kept: list[tuple[str, int, int]] = []
    for index, (unit, start, end) in enumerate(mapped):
        if index in dropped or (unit.isspace() and (not kept or kept[-1][0] == " ")):
            continue
        kept.append((" " if unit.isspace() else unit, start, end))
    haystack = "".join(unit for unit, _, _ in kept)
    return [(kept[at][1], kept[at + len(needle) - 1][2]) for at in _places(haystack, needle)]


def _folded(cluster: str) -> str:
    # A no-break or thin space is kept as it is: between digits it sets thousands apart.
    if cluster.isspace():
        return cluster
    return unicodedata.normalize("NFKC", cluster).casefold()


def _close_up(text: str) -> str:
    return _SPACED.sub(_ungrouped, text)


def _ungrouped(number: re.Match[str]) -> str:
    return "".join(unit for unit in number.group() if unit.isdigit())


def _places(haystack: str, needle: str) -> Iterator[int]:
    at = haystack.find(needle) if needle else -1
    while at >= 0:
        end = at + len(needle)
        before, after = haystack[max(0, at - 2) : at], haystack[end : end + 2]
        if not _runs_on(needle[0], before[::-1]) and not _runs_on(needle[-1], after):
            yield at
        at = haystack.find(needle, at + 1)


def _runs_on(edge: str, beyond: str) -> bool:
    """Whether a word or a number goes on past the edge of a match."""
    if not beyond:
        return False
    if edge.isdigit():
        return beyond[0].isdigit() or (beyond[0] in ".," and beyond[1:2].isdigit())
    return edge.isalpha() and beyond[0].isalpha() and ord(edge) < _UNSPACED > ord(beyond[0])
