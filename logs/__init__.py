"""The store of ctxpack: logs of runs in SQLite and JSON Lines; files, but no screen."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from logs.bad_lines import BadLine
    from logs.filtering import RunFilter, Sort
    from logs.importing import import_files
    from logs.lines import export_lines, read_lines
    from logs.opening import open_log
    from logs.reading import LogReader, RunSummary, TypeCount
    from logs.since import moment
    from logs.spool import Spool
    from logs.taking_in import ImportReport, import_json
    from logs.writing import Appended, RunLog

__all__ = [
    "Appended",
    "BadLine",
    "ImportReport",
    "LogReader",
    "RunFilter",
    "RunLog",
    "RunSummary",
    "Sort",
    "Spool",
    "TypeCount",
    "export_lines",
    "import_files",
    "import_json",
    "moment",
    "open_log",
    "read_lines",
]

# Where each name lives: a reader pays for no writer, and a writer for no import.
_HOMES = {
    "Appended": "writing",
    "BadLine": "bad_lines",
    "ImportReport": "taking_in",
    "LogReader": "reading",
    "RunFilter": "filtering",
    "RunLog": "writing",
    "RunSummary": "reading",
    "Sort": "filtering",
    "Spool": "spool",
    "TypeCount": "reading",
    "export_lines": "lines",
    "import_files": "importing",
    "import_json": "taking_in",
    "moment": "since",
    "open_log": "opening",
    "read_lines": "lines",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'logs' has no attribute {name!r}")
    return getattr(import_module(f"logs.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
