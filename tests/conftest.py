"""What every test starts from: no colour settings of the caller's, and the shared data if any."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

for name in [n for n in os.environ if n == "NO_COLOR" or n.startswith("TEXTUAL_")]:
    # The snapshot plugin hands its folder to the workers of a parallel run by this name.
    if name != "TEXTUAL_SNAPSHOT_TEMPDIR":
        del os.environ[name]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public question sets and cases beside the checkout; skips where it is not."""
    folder = Path(__file__).parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("no ../shared here")
    return folder
