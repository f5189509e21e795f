"""What retrieval handed over for one question, and how it is counted."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from ctxpack.candidate import Candidate
from ctxpack.counting import Count
from ctxpack.errors import Stop
from ctxpack.likeness.similarity import Likeness
from ctxpack.packing import pack
from ctxpack.result import PackResult
from ctxpack.settings import Settings


@dataclass(frozen=True)
class Retrieved:
    """Everything that `pack` is given besides the settings.

    `said` are sentences about what the log could not give; `separator` False means that the
    settings' separator is left out, because its tokens are not known. `likeness` remembers how
    alike the candidates are.
    """

    candidates: tuple[Candidate, ...]
    query: str = ""
    count: Count | None = None
    separator_size: int | None = None
    separator: bool = True
    said: tuple[str, ...] = ()
    likeness: Likeness = field(default_factory=Likeness, compare=False, repr=False)

    def pack(self, settings: Settings, *, should_stop: Stop | None = None) -> PackResult:
        """Pack it under `settings`, as `ctxpack.pack` does, with the same errors."""
        result = pack(
            self.candidates,
            self.usable(settings),
            query=self.query,
            count=self.count,
            separator_size=self.separator_size,
            likeness=self.likeness,
            should_stop=should_stop,
        )
        if not self.said:
            return result
        return msgspec.structs.replace(result, warnings=self.said + result.warnings)

    def usable(self, settings: Settings) -> Settings:
        """The settings without a separator whose tokens are not known."""
        if self.separator:
            return settings
        return msgspec.structs.replace(settings, separator=None)
