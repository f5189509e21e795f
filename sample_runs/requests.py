"""The sample requests: what was asked, under which settings, and by which assembler."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec

FILE = Path(__file__).with_name("requests.toml")


class Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One earlier message. `log_lines` lines of a delivery log are pasted under its text."""

    role: Literal["user", "assistant"]
    text: str
    log_lines: int = 0


class Share(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section's guaranteed tokens, and the tokens that it may never exceed."""

    allowance: int
    cap: int


class Route(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the legacy assembler is switched for a request; see `legacy_assembler`."""

    walk: Literal["skip", "stop", "dense"] = "skip"
    measure: Literal["tokens", "quarter"] = "tokens"
    layout: Literal["ranked", "sandwich"] = "ranked"
    room: Literal["evidence", "rest", "rest and reserve"] = "evidence"
    exactly: int | None = None
    pins: bool = False
    every_tool: bool = False


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One request. `route` None means that our engine assembled it; sizes are tokens.

    `fault` and `planted` name what is wrong. They are for the tests and never reach a record,
    where it has to be found.
    """

    id: str
    time: str
    request_type: str
    session: str
    question: str
    reply: str
    model: str
    limit: int
    budget: int
    reserved_output: int
    evidence: int
    retrieved: int
    sections: dict[str, Share]
    tools: tuple[str, ...]
    reference: str
    memory: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    expected: tuple[str | tuple[str, ...], ...] = ()
    correct: bool | None = None
    feedback: str | None = None
    strategy: str = "top"
    placement: str = "best-first"
    pins: tuple[str, ...] = ()
    ban_superseded: bool = False
    ban_documents: tuple[str, ...] = ()
    route: Route | None = None
    legacy_version: str = "2.3"
    fault: str | None = None
    planted: str | None = None


def read_requests(file: Path = FILE) -> list[Request]:
    """Every request of the file, in order.

    A request takes what it does not say from `defaults`; one that is `like` an earlier one takes
    everything about the question from there, but neither its fault nor its assembler.
    """
    raw = tomllib.loads(file.read_text(encoding="utf-8"))
    written: dict[str, dict[str, Any]] = {}
    for fields in raw["request"]:
        twin = written.get(fields.pop("like", ""), {})
        kept = {key: value for key, value in twin.items() if key not in _OWN}
        written[fields["id"]] = kept | fields
    return [
        msgspec.convert(raw["defaults"] | fields, Request, strict=False)
        for fields in written.values()
    ]


_OWN = ("fault", "planted", "route", "legacy_version", "reply", "correct", "feedback")
