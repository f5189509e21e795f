"""Where a file may be made."""

from __future__ import annotations

from pathlib import Path

from ctxpack.errors import InputError


def check_folder(path: str) -> None:
    """Refuse a path whose folder does not exist; raises InputError."""
    folder = Path(path).absolute().parent
    if not folder.is_dir():
        raise InputError(f"{path} cannot be made: the folder {folder} does not exist.")
