"""The engine of ctxpack: what goes into a window, where, and why. Pure: no I/O, no screen."""

from ctxpack.candidate import Candidate
from ctxpack.counting import Counter
from ctxpack.decoding import Decoded, decode, encode
from ctxpack.errors import InputError
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
