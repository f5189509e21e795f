"""The smallest number at which something is so, found by halving."""

from __future__ import annotations

from collections.abc import Callable


def first_such(below: int, at: int, is_so: Callable[[int], bool]) -> int:
    """The smallest number above `below` at which it is so, where at `at` it is and then stays."""
    while at - below > 1:
        middle = (below + at) // 2
        if is_so(middle):
            at = middle
        else:
            below = middle
    return at
