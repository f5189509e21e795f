"""The charts of the page on placing are what the curves and the sample questions give."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.skipif(not DOCS.is_dir(), reason="the documentation does not stand beside the tests")
def test_the_charts_are_drawn_from_what_comes_along() -> None:
    made = runpy.run_path(str(DOCS / "make_charts.py"))["charts"]()
    assert made
    for name, drawn in made.items():
        assert (DOCS / "pictures" / name).read_text(encoding="utf-8") == drawn
        assert "<script" not in drawn
    page = (DOCS / "placing.md").read_text(encoding="utf-8")
    for name in made:
        assert f"(pictures/{name})" in page
