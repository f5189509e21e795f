"""Whether the packages that were imported are this distribution's own.

Another project owns the name `ctxpack` on the package index, and `logs` is nobody's in particular.
"""

from __future__ import annotations

from importlib.machinery import PathFinder
from pathlib import Path

DISTRIBUTION = "ctxpack-tui"
PACKAGES = ("ctxpack", "logs", "tui")

_HOME = Path(__file__).resolve().parents[2]
_ADVICE = f"install {DISTRIBUTION} in an environment of its own"


def strangers() -> list[str]:
    """A sentence for each package that Python would import from elsewhere, or that two share."""
    said = [sentence for name in PACKAGES if (sentence := _from_elsewhere(name))]
    return said or [sentence for name in PACKAGES if (sentence := _shared(name))]


def stranger(error: ImportError) -> str | None:
    """What to say of an import that failed in one of our packages; None if none is to blame."""
    name = (error.name or "").partition(".")[0]
    if name not in PACKAGES:
        return None
    return _from_elsewhere(name) or _shared(name)


def version_line() -> str:
    """The distribution's name and version."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{DISTRIBUTION} {version(DISTRIBUTION)}"
    except PackageNotFoundError:
        return f"{DISTRIBUTION} (not installed: run from {_HOME})"


def from_elsewhere() -> list[str]:
    """A sentence for each package that Python would import from elsewhere; cheap."""
    return [sentence for name in PACKAGES if (sentence := _from_elsewhere(name))]


def _from_elsewhere(name: str) -> str | None:
    found = PathFinder.find_spec(name)
    origin = found.origin if found else None
    if found is not None and origin and Path(origin).resolve().parent.parent == _HOME:
        return None
    where = f"comes from {Path(origin).parent}" if origin else "is missing"
    return f"the package {name} is not {DISTRIBUTION}'s own: it {where}; {_ADVICE}."


def _shared(name: str) -> str | None:
    from importlib.metadata import packages_distributions

    owners = {owner.lower() for owner in packages_distributions().get(name, [])}
    others = sorted(owners - {DISTRIBUTION})
    if not others:
        return None
    return f"the package {name} is also installed by {', '.join(others)}: {_ADVICE}."
