"""What of a record's texts is kept: all, a keyed hash, or nothing; counts and ranks always stay."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec

from ctxpack.decoding import from_builtins, to_builtins
from ctxpack.errors import InputError
from ctxpack.record import UNKNOWN, Item, LoggedCandidate, Record, Section
from logs.faults import in_words
from logs.redaction import Redaction, Redactor

Policy = Literal["full", "hash", "none"]
"""Keep a text; keep a keyed hash of it, by which equal texts are still known; keep nothing."""

FIELD = "privacy"
"""The field of a record that says what is not kept, and what was taken out how often."""

KEYED = "blake2b-keyed:"
SHORTEST_KEY = 16

_HASHED = re.compile(KEYED + "[0-9a-f]{32}")

_TEXTS = {"text", "header", "source", "section", UNKNOWN}
_OF_CANDIDATE = frozenset(LoggedCandidate.__struct_encode_fields__) - _TEXTS
_OF_SECTION = frozenset(Section.__struct_encode_fields__) - _TEXTS
_OF_ITEM = frozenset(Item.__struct_encode_fields__) - _TEXTS


class Privacy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Policies for a record's texts, and the patterns that are taken out of what is kept.

    `section` names sections of other policies than `sections`. `key` is 16 to 64 bytes, needed
    where a policy is `hash`: whoever has it can test guesses. Vectors, by which `mmr` is replayed,
    may betray their texts: `vectors` is `full` or `none`.
    """

    query: Policy = "full"
    answer: Policy = "full"
    candidates: Policy = "full"
    sections: Policy = "full"
    vectors: Literal["full", "none"] = "full"
    section: dict[str, Policy] = {}
    redact: tuple[Redaction, ...] = ()
    key: bytes = b""

    def check(self) -> None:
        """Raise InputError for a policy without its key, or a pattern that cannot be used."""
        policies = (self.query, self.answer, self.candidates, self.sections)
        if "hash" in (*policies, *self.section.values()) and not (
            SHORTEST_KEY <= len(self.key) <= 64
        ):
            raise InputError(
                "privacy: a policy is 'hash': give a key of 16 to 64 bytes (key_file), kept apart."
            )
        Redactor(self.redact)


def read_privacy(path: str | os.PathLike[str]) -> Privacy:
    """Read a policy from a TOML file; `key_file` is a path from the file's own folder.

    Raises InputError that names the file and the field that is wrong.
    """
    name = os.fspath(path)
    with in_words(name):
        content = Path(path).read_bytes()
    try:
        plain = tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{name} is not TOML: {error}.") from None
    key_file = plain.pop("key_file", None)
    if "key" in plain:
        raise InputError(f"{name}: keep the key in a file of its own and name it as key_file.")
    try:
        privacy = msgspec.convert(plain, Privacy)
    except msgspec.ValidationError as error:
        raise InputError(f"{name}: {error}.") from None
    if key_file is not None:
        where = Path(path).parent / str(key_file)
        with in_words(str(where)):
            privacy = msgspec.structs.replace(privacy, key=where.read_bytes().strip())
    try:
        privacy.check()
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    return privacy


def private(record: Record, privacy: Privacy) -> Record:
    """The record as the policy keeps it, with what is absent said in its field `privacy`.

    Patterns go first, so that a hash is of the redacted text. Ids, tokens, ranks and scores stay:
    the packing is replayed as before. Raises InputError where the policy cannot be used.
    """
    privacy.check()
    redactor = Redactor(privacy.redact)
    plain = to_builtins(record)
    said = plain.pop(FIELD, None)
    before = [one.get("text") for one in plain.get("candidates", ())]
    plain = redactor.record(plain)
    plain["candidates"] = [
        _candidate(one, text, privacy)
        for one, text in zip(plain.get("candidates", ()), before, strict=True)
    ]
    plain["sections"] = [_section(one, privacy) for one in plain.get("sections", ())]
    for compaction in plain.get("compactions", ()):
        policy = privacy.section.get(compaction.get("section", ""), privacy.sections)
        if policy != "full":
            compaction.pop("text", None)
    if privacy.query != "full":
        plain["query"] = _query(plain["query"], privacy)
    if privacy.answer != "full" and plain.get("answer"):
        plain["answer"] = _answer(plain["answer"], privacy)
    if privacy.vectors == "none" and plain.get("settings"):
        plain["settings"].pop("query_vector", None)
    plain[FIELD] = _said(said if isinstance(said, dict) else {}, privacy, redactor)
    if not plain[FIELD]:
        del plain[FIELD]
    return from_builtins(plain).record


def why_absent(record: Record, what: str, section: str = "") -> str | None:
    """Why a text is not there, such as 'text not kept: policy hash'; None where none says so.

    `what` is query, answer, candidates or sections; with `section` that section's own policy.
    """
    said = record.unknown.get(FIELD)
    if not isinstance(said, dict):
        return None
    own = said.get("section")
    policy = own.get(section) if section and isinstance(own, dict) else None
    policy = policy or said.get(what)
    return f"text not kept: policy {policy}" if policy in ("hash", "none") else None


def keyed_hash(text: str, key: bytes) -> str:
    """`blake2b-keyed:` and 32 hex digits: equal texts under one key have equal hashes."""
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), key=key, digest_size=16)
    return KEYED + digest.hexdigest()


def _query(text: str, privacy: Privacy) -> str:
    if privacy.query == "none" or not text:
        return ""
    return text if _HASHED.fullmatch(text) else keyed_hash(text, privacy.key)


def _candidate(plain: dict[str, Any], before: str | None, privacy: Privacy) -> dict[str, Any]:
    if privacy.vectors == "none":
        plain.pop("vector", None)
    if privacy.candidates == "full":
        if plain.get("text") != before:
            # A plain hash of the text as it was would let anyone test guesses at what is gone.
            plain.pop("hash", None)
        return plain
    # Fields of the application's own may hold the text again, so only known ones stay.
    kept = {name: value for name, value in plain.items() if name in _OF_CANDIDATE}
    old = kept.pop("hash", None)
    if privacy.candidates == "hash":
        if old and str(old).startswith(KEYED) and not plain.get("text"):
            kept["hash"] = old
        elif text := plain.get("text") or old:
            kept["hash"] = keyed_hash(text, privacy.key)
    return kept


def _section(plain: dict[str, Any], privacy: Privacy) -> dict[str, Any]:
    policy = privacy.section.get(plain["name"], privacy.sections)
    if policy == "full":
        return plain
    kept = _without_text(plain, _OF_SECTION, policy, privacy)
    if "items" in kept:
        kept["items"] = [_without_text(item, _OF_ITEM, policy, privacy) for item in kept["items"]]
    return kept


def _without_text(
    plain: dict[str, Any], names: frozenset[str], policy: Policy, privacy: Privacy
) -> dict[str, Any]:
    kept = {name: value for name, value in plain.items() if name in names}
    old = plain.get("hash")
    if policy == "hash":
        if plain.get("text"):
            kept["hash"] = keyed_hash(plain["text"], privacy.key)
        elif isinstance(old, str) and old.startswith(KEYED):
            kept["hash"] = old
    return kept


def _answer(plain: dict[str, Any], privacy: Privacy) -> dict[str, Any]:
    kept = {name: value for name, value in plain.items() if name == "correct"}
    old = plain.get("hash")
    if privacy.answer == "hash":
        if plain.get("text"):
            kept["hash"] = keyed_hash(plain["text"], privacy.key)
        elif isinstance(old, str) and old.startswith(KEYED):
            kept["hash"] = old
    return kept


def _said(before: dict[str, Any], privacy: Privacy, redactor: Redactor) -> dict[str, Any]:
    said = dict(before)
    for name in ("query", "answer", "candidates", "sections", "vectors"):
        if (policy := getattr(privacy, name)) != "full":
            said[name] = policy
    own = before.get("section")
    # A section that is kept is said too, where the others are not.
    if section := (dict(own) if isinstance(own, dict) else {}) | privacy.section:
        said["section"] = section
    if redactor.taken:
        old = before.get("redacted")
        counts = dict(old) if isinstance(old, dict) else {}
        for name, times in sorted(redactor.taken.items()):
            counts[name] = int(counts.get(name) or 0) + times
        said["redacted"] = counts
    return said
