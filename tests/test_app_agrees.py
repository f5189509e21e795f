"""What stands on the screen and what `show --json` prints are the same, for every sample run."""

from __future__ import annotations

from typing import Any

import pytest

from ctxpack.findings import diagnose, open_case
from ctxpack.reasons import in_words
from ctxpack.showing import show_json
from tests.app_screen import lines, opened, sample, sample_ids
from tests.widget_screen import on_a_screen
from tui.text import plain_line

PANE = "2 Chunks"


def shown_rows(screen: list[str]) -> list[dict[str, str]]:
    """The rows of the chunk pane, read by the columns that its header names."""
    top = next(number for number, line in enumerate(screen) if PANE in line)
    left = screen[top].index(PANE) - 3
    inner = [line[left + 1 :].split("│")[0] for line in screen[top + 1 :]]
    header = inner[0]
    starts = sorted(header.index(name) for name in header.split())
    names = header.split()
    spans = _spans(header, names)
    rows = []
    for line in inner[1:]:
        state = line[3:5].strip()
        if not state or state[0] not in "PS?!" or line[3:].startswith(("PACKED", "SKIPPED")):
            continue
        cells = {name: line[a:b].strip() for name, (a, b) in spans.items()}
        rows.append({"state": state[0], **cells})
    assert starts
    return rows


def _spans(header: str, names: list[str]) -> dict[str, tuple[int, int]]:
    """Right-aligned columns end under their name's end; left-aligned ones begin under its begin."""
    right = {"at", "rank", "tokens", "gain", "value", "score", "bm25"}
    begins = {name: header.index(name) for name in names}
    ends = {name: begins[name] + len(name) for name in names}
    spans = {}
    for number, name in enumerate(names):
        following = names[number + 1] if number + 1 < len(names) else None
        before = names[number - 1] if number else None
        start = begins[name]
        if name in right:
            start = ends[before] if before in right else (9 if before is None else start - 4)
        end = ends[name]
        if name not in right:
            end = len(header) if following is None else begins[following]
            if following in right:
                end = ends[following] - max(len(following), 6)
        spans[name] = (start, end)
    return spans


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
    assert [row["id"] for row in rows] == [plain_line(c["id"], 24) for c in packed + skipped]
    assert [row["state"] for row in rows] == ["P"] * len(packed) + ["S"] * len(skipped)
    assert [row["tokens"].replace(",", "") for row in rows] == [
        str(c["tokens"]) for c in packed + skipped
    ]
    for row, candidate in zip(rows[len(packed) :], skipped, strict=True):
        words = in_words(candidate["reason"], candidate.get("detail") or {}, candidate["tokens"])
        assert row["why"] == words.replace(" tokens needed", " needed")
    for finding in told["findings"][:1]:
        read = "".join("".join(screen).split())
        assert "".join(plain_line(finding["title"], 10_000).split()) in read
    for section in told["computed"]["sections"]:
        assert any(section["name"] in line and f"{section['tokens']:,}" in line for line in screen)
