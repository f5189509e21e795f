"""`--curve`: a built-in curve by its name, or points from a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import Done, ctxpack

CHUNKS = [{"id": f"c{n}", "rank": n, "tokens": 100} for n in range(1, 4)]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("chunks.json").write_text(json.dumps(CHUNKS))
    points = [[0.1, 0.9], [0.9, 0.3]]
    Path("own.json").write_text(json.dumps({"curve": 1, "name": "our-sweep", "points": points}))
    Path("bad.json").write_text(json.dumps({"curve": 1, "name": "bad", "points": [[0.1, 7]]}))


def pack(*typed: str) -> Done:
    return ctxpack("pack", "chunks.json", "--budget", "300", *typed)


def test_p_is_told_on_the_published_curve_that_is_named() -> None:
    found = pack("--curve", "longchat-13b-16k", "--json").json
    assert found["curve"] == "longchat-13b-16k"
    middle = found["packed"][1]
    assert middle["x"] == 0.5
    assert 0.5250 < middle["p"] < 0.5533
    assert "curve longchat-13b-16k" in pack("--curve", "longchat-13b-16k").out


def test_a_file_of_points_is_a_curve_by_its_own_name_and_kept_in_the_settings() -> None:
    found = pack("--curve", "own.json", "--json").json
    assert found["curve"] == found["settings"]["curve"] == "our-sweep"
    assert found["settings"]["curve_points"]["points"] == [[0.1, 0.9], [0.9, 0.3]]
    assert found["packed"][1]["p"] == pytest.approx(0.6)


def test_an_order_is_told_with_what_is_proven_of_it() -> None:
    found = pack("--placement", "optimal", "--curve", "own.json", "--json").json
    assert [chunk["id"] for chunk in found["packed"]] == ["c1", "c2", "c3"]
    assert found["placing"]["proven"] is True
    assert "order used" in " ".join(pack("--placement", "optimal").out.split())


@pytest.mark.parametrize(
    ("curve", "said"),
    [("bad.json", "bad.json: curve: points must be"), ("gone", "unknown curve 'gone'")],
)
def test_a_curve_that_cannot_be_used_is_refused_naming_it(curve: str, said: str) -> None:
    done = pack("--curve", curve)
    assert done.code == 2
    assert said in done.err
