"""`ctxpack eval --baseline`: exit 1 for a fall, 2 for what is no baseline, the rows in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command import Done, ctxpack

FEW = ("--budget", "256", "--strategy", "top,optimal", "--placement", "ends")


@pytest.fixture(autouse=True)
def before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The bundled questions as they are measured now, in before.json."""
    monkeypatch.chdir(tmp_path)
    done = ctxpack("eval", *FEW, "--json")
    Path("before.json").write_text(done.out)
    found: dict[str, Any] = done.json
    return found


def held(*typed: str) -> Done:
    return ctxpack("eval", *FEW, "--baseline", "before.json", *typed)


def test_what_is_measured_again_passes() -> None:
    done = held()
    assert done.code == 0
    assert "passed: of 4 figures compared, none is lower." in done.out
    told = held("--json").json["baseline"]
    assert told == {
        **{"tolerance": 0.0, "compared": 4, "lower": []},
        **{"only_before": [], "only_now": [], "notes": []},
    }


def test_a_fall_is_exit_1_with_its_row_and_size(before: dict[str, Any]) -> None:
    before["packing"][1]["hit_rate"] += 0.015
    before["placement"][0]["mean_p"] += 0.0000002
    Path("before.json").write_text(json.dumps(before))
    done = held()
    assert done.code == 1
    assert "FAILED: of 4 figures compared, 2 are lower." in done.out
    assert any(
        line.split() == ["hit", "rate", "63.00", "%", "61.50", "%", "-1.50", "optimal", "at", "256"]
        for line in done.out.splitlines()
    )
    assert "-2.0e-07  top at 256, ends on the assumed curve" in done.out
    as_json = held("--json")
    assert as_json.code == 1
    (hit, _) = as_json.json["baseline"]["lower"]
    assert (hit["of"], hit["row"]) == ("hit_rate", "optimal at 256")
    assert hit["difference"] == pytest.approx(-0.015)
    within = held("--tolerance", "0.02")
    assert within.code == 0
    assert "none is lower by more than 0.02." in within.out


def test_rows_that_only_one_of_the_two_has_are_said_and_do_not_fail() -> None:
    done = ctxpack(
        *("eval", "--budget", "256,512", "--strategy", "top", "--placement", "ends"),
        *("--baseline", "before.json"),
    )
    assert done.code == 0
    assert "2 figures only in the baseline:" in done.out
    assert "hit rate of optimal at 256" in done.out
    assert "2 figures only measured now:" in done.out
    assert "mean p of top at 512, ends on the assumed curve" in done.out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("not JSON", "before.json: it is no output of eval --json"),
        ('{"runs": []}', "before.json: it is no output of eval --json"),
        (None, "before.json does not exist."),
    ],
)
def test_what_is_no_baseline_is_exit_2_before_anything_is_measured(
    content: str | None, said: str
) -> None:
    Path("before.json").unlink()
    if content is not None:
        Path("before.json").write_text(content)
    done = held("--html", "page.html")
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert not Path("page.html").exists()


def test_a_baseline_of_other_settings_and_a_tolerance_alone_are_exit_2() -> None:
    done = ctxpack("eval", "--budget", "300", "--baseline", "before.json")
    assert (done.code, done.out) == (2, "")
    assert "no row of the baseline is measured now" in done.err
    alone = ctxpack("eval", "--tolerance", "0.1")
    assert alone.code == 2
    assert "--tolerance goes with --baseline" in alone.err
    assert held("--tolerance", "2").code == held("--tolerance", "nan").code == 2
