"""What stands on the screen and what `show --json` prints are the same, for every sample run."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ctxpack.findings import diagnose, open_case
from ctxpack.reasons import in_words
from ctxpack.showing import show_json
from tests.app_screen import lines, opened, sample, sample_ids
from tests.widget_screen import on_a_screen
from tui.text import plain_line
from tui.views.chunk_rows import briefly

PANE = "2 Chunks"
STATE = re.compile(r"[PS?!][+~-]?")
MARK_OR_NUMBER = re.compile(r"[★⊤×]{1,2}|\d+")


def shown_rows(screen: list[str]) -> list[dict[str, str]]:
    """The rows of the chunk pane as read: fields between blanks, the reason in its column."""
    top = next(number for number, line in enumerate(screen) if PANE in line)
    left = screen[top].index(PANE) - 3
    inner = [line[left + 1 :].split("│")[0] for line in screen[top + 1 :]]
    header = inner[0]
    after_why = header[header.index("why") + 3 :].split()
    why = slice(header.index("why"), header.index(after_why[0]) if after_why else len(header))
    rows = []
    for line in inner[1:]:
        fields = line.replace("▌", " ").split()
        if not fields or not STATE.fullmatch(fields[0]):
            continue
        named = [field for field in fields[1:] if not MARK_OR_NUMBER.fullmatch(field)]
        at = fields.index(named[0])
        rows.append(
            {
                "state": fields[0][0],
                "id": fields[at],
                "tokens": fields[at + 1].replace(",", ""),
                "why": line[why].strip(),
            }
        )
    return rows


@pytest.mark.parametrize("run_id", sample_ids())
@on_a_screen
async def test_ids_states_reasons_and_tokens_on_the_screen_are_those_of_the_json(
    run_id: str,
) -> None:
    case = open_case(sample(run_id))
    told: dict[str, Any] = show_json(case, diagnose(case))
    async with opened(run_id, size=(240, 110)) as pilot:
        screen = lines(pilot)
    rows = shown_rows(screen)
    packed = sorted(
        (c for c in told["candidates"] if c["outcome"] == "packed"), key=lambda c: c["position"]
    )
    skipped = sorted(
        (c for c in told["candidates"] if c["outcome"] == "skipped"), key=lambda c: c["rank"]
    )
    assert [row["id"] for row in rows] == [c["id"] for c in packed + skipped]
    assert [row["state"] for row in rows] == ["P"] * len(packed) + ["S"] * len(skipped)
    assert [row["tokens"] for row in rows] == [str(c["tokens"]) for c in packed + skipped]
    for row, candidate in zip(rows[len(packed) :], skipped, strict=True):
        words = in_words(candidate["reason"], candidate.get("detail") or {}, candidate["tokens"])
        assert row["why"] == briefly(words)
    for finding in told["findings"][:1]:
        read = "".join("".join(screen).split())
        assert "".join(plain_line(finding["title"], 10_000).split()) in read
    for section in told["computed"]["sections"]:
        assert any(section["name"] in line and f"{section['tokens']:,}" in line for line in screen)
