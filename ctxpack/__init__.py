"""The engine of ctxpack: what goes into a window, where, and why. Pure: no I/O, no screen."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctxpack.candidate import Candidate
    from ctxpack.counting import Counter
    from ctxpack.decoding import Decoded, decode, encode
    from ctxpack.errors import InputError
    from ctxpack.likeness.similarity import Likeness
    from ctxpack.packing import pack
    from ctxpack.record import LoggedCandidate, LoggedSettings, Record
    from ctxpack.recording import logged_candidates, logged_settings_of
    from ctxpack.result import Packed, PackResult, Skipped, result_json
    from ctxpack.settings import PLACEMENTS, STRATEGIES, VALUES, Settings

__all__ = [
    "PLACEMENTS",
    "STRATEGIES",
    "VALUES",
    "Candidate",
    "Counter",
    "Decoded",
    "InputError",
    "Likeness",
    "LoggedCandidate",
    "LoggedSettings",
    "PackResult",
    "Packed",
    "Record",
    "Settings",
    "Skipped",
    "decode",
    "encode",
    "logged_candidates",
    "logged_settings_of",
    "pack",
    "result_json",
]

# Where each name lives: a command that only lists runs pays for no packing.
_HOMES = {
    "Candidate": "candidate",
    "Counter": "counting",
    "Decoded": "decoding",
    "InputError": "errors",
    "Likeness": "likeness.similarity",
    "LoggedCandidate": "record",
    "LoggedSettings": "record",
    "PLACEMENTS": "settings",
    "PackResult": "result",
    "Packed": "result",
    "Record": "record",
    "STRATEGIES": "settings",
    "Settings": "settings",
    "Skipped": "result",
    "VALUES": "settings",
    "decode": "decoding",
    "encode": "decoding",
    "logged_candidates": "recording",
    "logged_settings_of": "recording",
    "pack": "packing",
    "result_json": "result",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"ctxpack.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
