"""A file that a command makes: never over one that is there, and whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress


def check_new(path: str) -> None:
    """Refuse a file that is there already or has no folder; raises InputError."""
    from ctxpack.errors import InputError
    from logs.folders import check_folder

    if os.path.lexists(path):
        raise InputError(f"{path} is there already: give the name of a new file.")
    check_folder(path)


def write_new(path: str, content: str) -> None:
    """Write the text in UTF-8; raises InputError where it is there already or cannot be written."""
    from ctxpack.errors import InputError

    check_new(path)
    made = False
    try:
        with open(path, "x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            made = True
            file.write(content)
    except BaseException as error:
        if made:
            with suppress(FileNotFoundError):
                os.unlink(path)
        if isinstance(error, FileExistsError):
            raise InputError(f"{path} is there already: give the name of a new file.") from None
        if isinstance(error, OSError):
            said = error.strerror or str(error)
            raise InputError(f"{path} cannot be written: {said}.") from None
        raise
