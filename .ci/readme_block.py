"""Print the README's fenced shell block that ends in the given command."""

import re
import sys
from pathlib import Path


def block_ending_in(readme: str, command: str) -> str:
    """The one block whose last line runs `command`; exits with a sentence where there is none."""
    blocks = re.findall(r"^```(?:sh|bash|shell)\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
    wanted = [block for block in blocks if block.strip().splitlines()[-1].split()[0] == command]
    if len(wanted) != 1:
        sys.exit(f"README.md has {len(wanted)} shell blocks that end in {command}, not one")
    return wanted[0]


if __name__ == "__main__":
    print(block_ending_in(Path("README.md").read_text(encoding="utf-8"), sys.argv[1]))
