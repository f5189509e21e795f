"""The command palette: every key of the screen below, by name, and the themes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import NamedTuple

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.types import IgnoreReturnCallbackType

from tui.key_names import key_name
from tui.keymap import group_of
from tui.widgets.ink import glyphs_of

_THEMES = {"dark": "textual-dark", "light": "textual-light", "no colour": "ansi-dark"}


class _Command(NamedTuple):
    name: str
    words: str
    run: IgnoreReturnCallbackType


class KeyCommands(Provider):
    """Commands named `area: Verb`, for those who do not know the key."""

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        async for hit in self._all():
            yield hit

    async def _all(self) -> AsyncIterator[DiscoveryHit]:
        for command in self._commands():
            yield DiscoveryHit(command.name, command.run, help=command.words)

    async def search(self, query: str) -> Hits:
        """Those that match what is typed."""
        matcher = self.matcher(query)
        for command in self._commands():
            score = matcher.match(command.name)
            if score > 0:
                yield Hit(score, matcher.highlight(command.name), command.run, help=command.words)

    def _commands(self) -> Iterator[_Command]:
        seen: set[str] = set()
        signs = glyphs_of(self.screen)
        for active in self.screen.active_bindings.values():
            binding = active.binding
            where = group_of(binding.id)
            # A key that only moves about in a list is no command.
            if where is None or not active.enabled or binding.action in seen:
                continue
            seen.add(binding.action)
            run = partial(self.app.run_action, binding.action, active.node)
            name = f"{where}: {binding.description}  ({key_name(binding.key, ascii=signs.ascii)})"
            yield _Command(name, binding.tooltip or binding.description, run)
        for words, theme in _THEMES.items():
            yield _Command(
                f"App: Theme {words}", f"Use the theme {theme}", partial(self._use_theme, theme)
            )

    def _use_theme(self, theme: str) -> None:
        self.app.theme = theme
