"""The page of `ctxpack eval --html`: whole, without a network, and nothing in it interpreted."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.command import ctxpack
from tui.cli.eval_charts import Bar, Interval, Marks, bars, intervals, marks

HOSTILE = "<img src=x onerror=alert(1)>\"'&"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class Page(HTMLParser):
    """Tags, attributes and texts; fails where a tag is closed that is not open."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.feed(content)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._seen(tag, attrs)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._seen(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def _seen(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


def bundled(*typed: str) -> str:
    done = ctxpack("eval", "--html", "page.html", *typed)
    assert done.code == 0, done.err
    assert "page.html: the page is written." in done.err
    return Path("page.html").read_text("utf-8")


def test_the_page_has_the_figures_of_the_json_and_their_intervals() -> None:
    done = ctxpack("eval", "--html", "page.html", "--json")
    found = done.json
    page = Page(Path("page.html").read_text("utf-8"))
    assert page.open == []
    for row in found["packing"]:
        assert f"{100 * row['hit_rate']:.2f} %" in page.texts
        assert f"{row['mean_value']:.4f}" in page.texts
    for row in found["placement"]:
        assert f"{row['mean_p']:.4f}" in page.texts
    for one in found["differences"]:
        low = f"{100 * one['low']:+.2f}" if one["of"] == "hit_rate" else f"{one['low']:+.4f}"
        assert low in page.texts
    assert "A chunk's value is by gain." in page.text
    assert {"svg", "table", "caption"} <= page.tags


def test_the_page_asks_no_network_and_runs_nothing() -> None:
    content = bundled()
    page = Page(content)
    assert not page.tags & {"script", "link", "img", "iframe", "object", "image", "use", "a"}
    assert not page.attributes & {"src", "href"}
    assert "://" not in content
    assert not re.search(r"url\(|@import", content)
    assert "default-src 'none'" in content
    assert "prefers-color-scheme: dark" in content


def test_the_same_figures_make_the_same_bytes() -> None:
    first = bundled("--budget", "300")
    Path("page.html").unlink()
    assert bundled("--budget", "300") == first


def test_texts_from_files_are_shown_and_never_interpreted() -> None:
    Path("curve.json").write_text(
        json.dumps({"curve": 1, "name": HOSTILE, "points": [[0, 0.9], [1, 0.1]]})
    )
    name = "questions<b>.jsonl"
    chunk = {"id": "c", "text": "It is 14 days."}
    lines = [
        {"id": "q", "gold_ids": ["c"], "candidates": [chunk]},
        {"id": "r", "gold_ids": ["c"], "candidates": [["<script>\u202e\x1b[31m", 1]]},
    ]
    Path(name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = ctxpack(
        *("eval", name, "--budget", "50", "--strategy", "top,ordered", "--curve", "curve.json"),
        *("--html", "page.html"),
    )
    assert done.code == 0, done.err
    content = Path("page.html").read_text("utf-8")
    page = Page(content)
    assert not page.tags & {"img", "script", "b"}
    assert "onerror" not in page.attributes
    assert f"on the {HOSTILE} curve" in page.text
    assert name in page.text
    assert "<script>" in page.text
    assert not {"\u202e", "\x1b"} & set(content)


def test_a_page_is_never_written_over_a_file_and_never_half() -> None:
    Path("page.html").write_text("mine")
    done = ctxpack("eval", "--html", "page.html")
    assert done.code == 2
    assert "page.html is there already: give the name of a new file." in done.err
    assert Path("page.html").read_text() == "mine"
    gone = ctxpack("eval", "--html", "none/page.html")
    assert gone.code == 2
    assert "the folder" in gone.err
    assert "does not exist" in gone.err


def test_a_baseline_that_is_not_met_stands_on_the_page() -> None:
    found = ctxpack("eval", "--json").json
    found["packing"][0]["hit_rate"] += 0.02
    Path("before<i>.json").write_text(json.dumps(found))
    done = ctxpack("eval", "--baseline", "before<i>.json", "--html", "page.html")
    assert done.code == 1
    page = Page(Path("page.html").read_text("utf-8"))
    assert "before<i>.json: FAILED: of 60 figures compared, 1 is lower." in page.text
    assert {"top at 256", "65.00 %", "63.00 %", "-2.00"} <= set(page.texts)
    assert "i" not in page.tags


def places(chart: str, pattern: str) -> list[float]:
    return [float(found) for found in re.findall(pattern, chart)]


def test_bars_are_as_long_as_their_shares() -> None:
    chart = bars("b", [Bar("g", "none", 0.0), Bar("g", "half", 0.5), Bar("g", "all", 1.0)])
    none, half, whole = places(chart, r'class="bar"[^>]* width="([\d.]+)"')
    assert none == 0
    assert half == pytest.approx(whole / 2, abs=0.1)


def test_intervals_stand_about_zero_on_one_scale() -> None:
    rows = [Interval("g", "up", 0.1, 0.05, 0.15, "t"), Interval("g", "down", -0.1, None, None, "t")]
    chart = intervals("i", rows, unit=100, digits=2)
    (zero,) = places(chart, r'class="zero" d="M([\d.]+) ')
    up, down = places(chart, r'<circle class="point" cx="([\d.]+)"')
    assert up - zero == pytest.approx(zero - down, abs=0.2)
    (low,) = places(chart, r'class="line" d="M([\d.]+) ')
    assert low - zero == pytest.approx((up - zero) / 2, abs=0.2)
    assert "+10.00" in chart
    assert "-10.00" in chart


def test_marks_have_shapes_of_their_own_and_rise_with_their_figures() -> None:
    names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
    at = {name: 0.5 + place / 100 for place, name in enumerate(names)}
    chart = marks("m", names, [Marks("g", "row", at), Marks("g", "empty", {})])
    drawn = re.findall(r'<path class="mark[^>]* d="([^"]+)" transform="translate\(([\d.]+) ', chart)
    legend, row = drawn[: len(names)], drawn[len(names) :]
    assert len({shape for shape, _ in legend}) == len(names)
    assert [shape for shape, _ in row] == [shape for shape, _ in legend]
    xs = [float(x) for _, x in row]
    assert xs == sorted(set(xs))
