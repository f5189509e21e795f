"""`python -m benchmarks [PART ...] [--readme]`: one table of figures from one run."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from benchmarks.table import Line, marked_down, printed, put_into

PARTS = ("knapsack", "mmr", "placing", "why", "startup", "keys", "store", "spool")
"""The modules that measure; each has `lines()`."""

PAGE = Path(__file__).with_name("README.md")


def main() -> None:
    """Measure the parts that were asked for, all of them by default, and print the table."""
    asked = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    asked.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}")
    asked.add_argument("--readme", action="store_true", help="put the table into README.md here")
    given = asked.parse_args()
    unknown = sorted(set(given.parts) - set(PARTS))
    if unknown:
        asked.error(f"unknown part {unknown[0]!r}: choose among {', '.join(PARTS)}")
    lines: list[Line] = []
    for part in given.parts or PARTS:
        measured = import_module(f"benchmarks.{part}").lines()
        print(printed(measured), flush=True)
        lines += measured
    if given.readme:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(put_into(page, marked_down(lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
