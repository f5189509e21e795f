"""The command run inside the test's own process, with its output and exit code."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tui.cli.entry import run


class Done(NamedTuple):
    """What a call left: the exit code, standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on standard output; no NaN is let through."""
        return json.loads(self.out, parse_constant=_refuse)


def ctxpack(*arguments: str, stdin: bytes = b"", encoding: str = "utf-8") -> Done:
    """Call the command as a shell would, without a terminal."""
    out, err = io.BytesIO(), io.BytesIO()
    with _streams(
        io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"),
        io.TextIOWrapper(out, encoding=encoding, write_through=True),
        io.TextIOWrapper(err, encoding=encoding, write_through=True),
    ):
        try:
            run(arguments)
        except SystemExit as left:
            code = left.code
        done = Done(int(code or 0), out.getvalue().decode(), err.getvalue().decode())
    assert "Traceback" not in done.err
    return done


@contextmanager
def _streams(*streams: io.TextIOWrapper) -> Iterator[None]:
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = streams
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} in JSON")
