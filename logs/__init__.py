"""The store of ctxpack: logs of runs in SQLite and JSON Lines; files, but no screen."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from logs.analysing import Analysed, analyse
    from logs.bad_lines import BadLine
    from logs.chunk_use import ChunkUse
    from logs.filtering import RunFilter, Sort
    from logs.hours import HourCount
    from logs.importing import import_files
    from logs.lines import export_lines, read_lines
    from logs.migrating import Migrated, migrate
    from logs.opening import open_log
    from logs.privacy import Privacy, read_privacy
    from logs.pruning import Pruned, prune
    from logs.reading import LogReader, Page, RunSummary, TypeCount
    from logs.since import moment
    from logs.spool import Spool
    from logs.taking_in import ImportReport, import_json
    from logs.walking import Key
    from logs.writing import Appended, RunLog

__all__ = [
    "Analysed",
    "Appended",
    "BadLine",
    "ChunkUse",
    "HourCount",
    "ImportReport",
    "Key",
    "LogReader",
    "Migrated",
    "Page",
    "Privacy",
    "Pruned",
    "RunFilter",
    "RunLog",
    "RunSummary",
    "Sort",
    "Spool",
    "TypeCount",
    "analyse",
    "export_lines",
    "import_files",
    "import_json",
    "migrate",
    "moment",
    "open_log",
    "prune",
    "read_lines",
    "read_privacy",
]

# Where each name lives: a reader pays for no writer, and a writer for no import.
_HOMES = {
    "Analysed": "analysing",
    "Appended": "writing",
    "BadLine": "bad_lines",
    "ChunkUse": "chunk_use",
    "HourCount": "hours",
    "ImportReport": "taking_in",
    "Key": "walking",
    "LogReader": "reading",
    "Migrated": "migrating",
    "Page": "reading",
    "Pruned": "pruning",
    "Privacy": "privacy",
    "RunFilter": "filtering",
    "RunLog": "writing",
    "RunSummary": "reading",
    "Sort": "filtering",
    "Spool": "spool",
    "TypeCount": "reading",
    "analyse": "analysing",
    "export_lines": "lines",
    "import_files": "importing",
    "import_json": "taking_in",
    "migrate": "migrating",
    "moment": "since",
    "open_log": "opening",
    "prune": "pruning",
    "read_lines": "lines",
    "read_privacy": "privacy",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'logs' has no attribute {name!r}")
    return getattr(import_module(f"logs.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
