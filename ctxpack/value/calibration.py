"""The calibrated value: the chance that a candidate holds the answer, learned elsewhere.

A calibration file is one JSON object:

    {"calibration": 1, "ranks": [0.61, 0.22, 0.09]}
    {"calibration": 1, "coefficients": {"intercept": -0.4, "log_rank": -1.9}}

`ranks` is P(answer | rank), from 0 to 1, for ranks 1, 2, 3 ...; the last number holds for all later
ranks. `coefficients` are those of a logistic regression on FEATURES; one that is left out is 0.
With both, the table stands in where a candidate has no score. `hash` may name the content, as
`content_hash` gives it, and is then checked; `about` may say anything, and is not read.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ctxpack.errors import InputError

FORMAT = 1
"""The number under `calibration` in a file."""

FEATURES = (
    "intercept",
    "log_rank",
    "score_share",
    "log_tokens",
    "lead",
    "log_rank_score_share",
    "log_rank_log_tokens",
)
"""What coefficients are given for: 1; ln of the rank; the score's value over the best one's, 0 to
1; ln of the tokens; the best score's lead over the second, as a share of the best, 0 to 1; and two
products, of the log rank with the score share and with the log tokens."""

LARGEST = 1e6
"""How far from 0 a coefficient may lie."""

_KEYS = {"calibration", "ranks", "coefficients", "hash", "about"}


class Calibration(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table by rank, coefficients of a logistic regression, or both; `hash` names the content."""

    ranks: tuple[float, ...] = ()
    coefficients: dict[str, float] = msgspec.field(default_factory=dict)
    hash: str | None = None


def parse_calibration(content: bytes) -> Calibration:
    """Read a calibration file's content; raises InputError saying what is wrong with it."""
    try:
        given = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"calibration: it is not JSON: {error}.") from None
    if not isinstance(given, dict):
        raise InputError('calibration: it must be a JSON object, {"calibration": 1, ...}.')
    if given.get("calibration") != FORMAT or isinstance(given["calibration"], bool):
        raise InputError(f'calibration: "calibration": {FORMAT} must name the format.')
    return calibration_from(given)


def calibration_from(given: Mapping[str, Any]) -> Calibration:
    """A calibration from a file's or a log's object; raises InputError saying what is wrong."""
    unknown = sorted(str(key) for key in given if key not in _KEYS)
    if unknown:
        raise InputError(
            f"calibration: unknown key {unknown[0]!r}: ranks, coefficients, hash and about are."
        )
    ranks = _ranks(given.get("ranks") or ())
    coefficients = _coefficients(given.get("coefficients") or {})
    if not ranks and not coefficients:
        raise InputError("calibration: it has neither ranks nor coefficients.")
    calibration = Calibration(ranks=ranks, coefficients=coefficients)
    found = content_hash(calibration)
    told = given.get("hash")
    if told is not None and told != found:
        raise InputError(f"calibration: its hash is {told!r} but its content gives {found}.")
    return msgspec.structs.replace(calibration, hash=found)


def content_hash(calibration: Calibration) -> str:
    """`sha256:` and 64 hex digits of the table and coefficients, however they were written."""
    content = {
        "coefficients": dict(sorted(calibration.coefficients.items())),
        "ranks": [*calibration.ranks],
    }
    return f"sha256:{hashlib.sha256(msgspec.json.encode(content)).hexdigest()}"


def _ranks(given: object) -> tuple[float, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str | bytes):
        raise InputError("calibration: ranks must be a list of probabilities.")
    numbers = tuple(_number(f"ranks, number {place}", p) for place, p in enumerate(given, 1))
    for place, chance in enumerate(numbers, start=1):
        if not 0 <= chance <= 1:
            raise InputError(f"calibration: ranks, number {place}, is {chance:g}: not from 0 to 1.")
    return numbers


def _coefficients(given: object) -> dict[str, float]:
    if not isinstance(given, Mapping):
        raise InputError("calibration: coefficients must be an object of numbers.")
    unknown = [name for name in given if name not in FEATURES]
    if unknown:
        raise InputError(
            f"calibration: unknown coefficient {unknown[0]!r}: choose from {', '.join(FEATURES)}."
        )
    numbers = {
        name: _number(f"coefficient {name}", given[name]) for name in FEATURES if name in given
    }
    for name, number in numbers.items():
        if abs(number) > LARGEST:
            raise InputError(
                f"calibration: coefficient {name} is {number:g}: past {LARGEST:,.0f} from 0."
            )
    return numbers


def _number(name: str, given: object) -> float:
    try:
        number = float(given) if isinstance(given, int | float) else math.nan
    except OverflowError:
        number = math.nan
    if isinstance(given, bool) or not math.isfinite(number):
        raise InputError(f"calibration: {name} is {given!r}: it must be a finite number.")
    return number
