"""The command `ctxpack`: light to start, whatever it does is imported when it is done."""

from __future__ import annotations

from tui.cli.entry import run

__all__ = ["run"]
