"""The options of the app."""

from __future__ import annotations

import click


def app_options() -> list[click.Parameter]:
    """Fresh parameters, for the app's own command and for the help of the whole."""
    return [
        click.Option(
            ["--run"], metavar="RUN", help="Open on this run: id, prefix, trace or @last."
        ),
        click.Option(["--expect"], metavar="TEXT", help="What the answer should have said."),
        click.Option(
            ["--theme"], metavar="NAME", help="A theme of Textual, such as textual-light."
        ),
        click.Option(["--ascii"], is_flag=True, help="Draw with ASCII signs only."),
        click.Option(["--no-mouse"], is_flag=True, help="Leave the mouse to the terminal."),
        click.Option(["--keymap"], metavar="FILE", help="Keys of your own, from a TOML file."),
    ]
