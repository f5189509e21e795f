"""The samples come along in the wheel, and are found in an editable install."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

import sample_runs

ROOT = Path(__file__).parent.parent
FIND = (
    "import site, sys; site.addsitedir(sys.argv[1]); sys.path.insert(0, sys.argv[1]);"
    "import sample_runs, logs; path = sample_runs.path();"
    "log = logs.open_log([str(path)]); print(path); print(log.count()); log.close()"
)


def built(hook: str, out: Path) -> zipfile.ZipFile:
    """A wheel that hatchling makes of this checkout, without a network."""
    pytest.importorskip("hatchling")
    code = f"import sys; from hatchling.build import {hook}; print({hook}(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(out)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return zipfile.ZipFile(out / done.stdout.split()[-1])


def found(folder: Path) -> tuple[Path, int]:
    """Where an interpreter that knows `folder` finds the log, and how many runs it opens."""
    done = subprocess.run(
        [sys.executable, "-c", FIND, str(folder)], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    path, runs = done.stdout.splitlines()
    return Path(path), int(runs)


def test_the_wheel_holds_the_log_the_handbook_and_the_requests(tmp_path: Path) -> None:
    with built("build_wheel", tmp_path) as wheel:
        names = set(wheel.namelist())
        assert wheel.read("sample_runs/samples.db") == sample_runs.path().read_bytes()
    sources = [file for file in (ROOT / "sample_runs").rglob("*") if file.is_file()]
    wanted = {str(file.relative_to(ROOT)) for file in sources if "__pycache__" not in file.parts}
    assert len([name for name in wanted if name.startswith("sample_runs/handbook/")]) >= 60
    assert {"sample_runs/samples.db", "sample_runs/requests.toml"} <= wanted <= names


def test_installed_from_the_wheel_the_log_is_found_and_opens(tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    with built("build_wheel", tmp_path) as wheel:
        wheel.extractall(installed)
    path, runs = found(installed)
    assert path == installed / "sample_runs" / "samples.db"
    assert runs >= 18


def test_installed_editable_the_log_of_the_checkout_is_found(tmp_path: Path) -> None:
    pytest.importorskip("editables")
    installed = tmp_path / "installed"
    with built("build_editable", tmp_path) as wheel:
        wheel.extractall(installed)
        assert "sample_runs/samples.db" not in wheel.namelist()
    path, runs = found(installed)
    assert path.samefile(ROOT / "sample_runs" / "samples.db")
    assert runs >= 18


def test_the_install_that_runs_these_tests_finds_the_log_from_any_folder(tmp_path: Path) -> None:
    try:
        metadata.distribution("ctxpack-tui")
    except metadata.PackageNotFoundError:
        pytest.skip("ctxpack-tui is not installed here: the tests run from the checkout")
    path, runs = found(tmp_path)
    assert path.samefile(sample_runs.path())
    assert runs >= 18


def test_the_log_is_found_without_installing() -> None:
    assert sample_runs.path().is_file()
    assert sample_runs.path().is_absolute()
