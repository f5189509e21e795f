"""An id each: what happens where two candidates of one request carry the same id."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def unique_names(ids: Sequence[str]) -> list[str]:
    """The ids in their order, each once: one that stands again becomes `id#2`, then `id#3`."""
    taken = set(ids)
    seen: set[str] = set()
    last: dict[str, int] = {}
    names = []
    for name in ids:
        if name in seen:
            number = last.get(name, 1) + 1
            while f"{name}#{number}" in taken:
                number += 1
            last[name] = number
            taken.add(f"{name}#{number}")
            names.append(f"{name}#{number}")
        else:
            seen.add(name)
            names.append(name)
    return names


def stem_of(name: str, ids: Collection[str]) -> str | None:
    """The id that a logged `id#2` was made from, as far as its form tells; None for any other."""
    stem, _, number = name.rpartition("#")
    return stem if number.isascii() and number.isdigit() and stem in ids else None
