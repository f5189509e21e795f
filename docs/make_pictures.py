"""Make the pictures of the documentation from the app itself: `python docs/make_pictures.py`.

Every picture is the app's own SVG of a screen on the sample runs; beside it stands the same screen
as plain text, by which alignment can be judged anywhere.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import NamedTuple

from textual.pilot import Pilot

import sample_runs
from logs import open_log
from tui.app import CtxpackApp
from tui.screens.runs import RunsScreen

OUT = Path(__file__).with_name("pictures")
THEMES = {"dark": "textual-dark", "light": "textual-light", "no-colour": "ansi-dark"}


class Picture(NamedTuple):
    """A screen to show: its name, its size, the theme, the run that is open, the keys pressed."""

    name: str
    size: tuple[int, int]
    theme: str = "dark"
    run: str | None = None
    keys: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The file's name without its ending."""
        return f"{self.name}-{self.size[0]}x{self.size[1]}-{self.theme}"


def pictures(run: str) -> list[Picture]:
    """All of them; `run` is the one that is looked at."""
    what_if = ("plus", "plus", "t", "o")
    sizes = [(80, 24), (120, 40), (200, 50)]
    panes = [Picture(f"pane-{n}", (80, 24), "dark", run, (str(n),)) for n in range(1, 9)]
    return [
        *(Picture("runs", size) for size in sizes),
        *(Picture("run", size, "dark", run) for size in sizes),
        *(Picture("what-if", size, "dark", run, what_if) for size in sizes),
        *(Picture("runs", (120, 40), theme) for theme in ("light", "no-colour")),
        *(Picture("run", (120, 40), theme, run) for theme in ("light", "no-colour")),
        Picture("help", (80, 24), "dark", run, ("question_mark",)),
        *panes,
        *(
            Picture("compare", size, "dark", run, ("C", "j", "j", "j", *("l",) * 26))
            for size in sizes
        ),
        Picture("compare-fill", (120, 40), "dark", run, ("C", "j", *("l",) * 12)),
    ]


async def looked_at(pilot: Pilot[None]) -> None:
    """Wait until what was found wrong with each run is on the list."""
    runs = next(s for s in pilot.app.screen_stack if isinstance(s, RunsScreen))
    while not runs.all_looked_at:
        await pilot.pause(0.05)


async def take(picture: Picture) -> None:
    """Open the app, press the keys, keep the screen."""
    with open_log([str(sample_runs.path())]) as reader:
        reader.name = "sample runs"
        app = CtxpackApp(reader, picture.run, theme=THEMES[picture.theme])
        async with app.run_test(size=picture.size) as pilot:
            await looked_at(pilot)
            for key in picture.keys:
                await pilot.press(key)
                await app.workers.wait_for_complete()
            await pilot.pause()
            svg = app.export_screenshot(title="ctxpack", simplify=True)
            rows = [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]
    (OUT / f"{picture.file}.svg").write_text(svg, encoding="utf-8")
    (OUT / f"{picture.file}.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")


def main() -> None:
    """Make every picture anew."""
    OUT.mkdir(exist_ok=True)
    for old in (*OUT.glob("*-*x*-*.svg"), *OUT.glob("*.txt")):
        old.unlink()
    with open_log([str(sample_runs.path())]) as reader:
        run = reader.ids()[0]
    for picture in pictures(run):
        asyncio.run(take(picture))
        print(picture.file)


if __name__ == "__main__":
    main()
