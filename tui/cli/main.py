"""The command and its parts; a first argument that is no command is a log to open."""

from __future__ import annotations

from importlib import import_module

import click

from tui.cli.app_options import app_options

COMMANDS = {
    "list": ("list_command", "The runs of a log, newest first."),
    "show": ("show_command", "One run: what was packed, what was skipped and why, what is wrong."),
    "why": ("why_command", "Why a chunk is in or out, and what would change that."),
    "repack": ("repack_command", "One run packed again under other settings."),
    "pack": ("pack_command", "Candidates or texts packed for a budget."),
    "eval": ("eval_command", "Hit rates and places on questions with known answers."),
    "analyse": ("analyse_command", "Findings of a whole log, kept for its lists."),
    "import": ("import_command", "Records from other files into a log."),
    "export": ("export_command", "The records of a log as lines."),
    "snapshot": ("snapshot_command", "A log as one clean file to hand on."),
    "prune": ("prune_command", "Old runs out of a log, which then takes less room."),
    "migrate": ("migrate_command", "A log of an older version made one of this version."),
}
"""Each command's module, and what it does in one line, so that --help imports none of them."""

OPEN = "open"

_ABOUT = """\
See what a RAG assistant's window held, what was left out and why, and pack it again.

LOG is a database, JSON Lines, several files, a folder, .gz of them, or - for standard input;
without LOG the bundled sample runs open. A file that is named like a command: ./list
"""


class Commands(click.Group):
    """The commands, each imported when it is called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Send everything that neither is a command nor asks for help to the app."""
        if not args or (args[0] not in COMMANDS and args[0] not in ("--help", "--version")):
            args = [OPEN, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The names of the commands, in the order of use."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if cmd_name == OPEN:
            module = "open_command"
        elif cmd_name in COMMANDS:
            module, _ = COMMANDS[cmd_name]
        else:
            return None
        command = import_module(f"tui.cli.{module}").command
        assert isinstance(command, click.Command)
        return command

    def format_usage(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Both ways to call it."""
        formatter.write_usage("ctxpack", "[LOG]... [--run RUN]")
        formatter.write_usage("ctxpack", "COMMAND ...", prefix="       ")

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What each command does, without importing it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


def _version(ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
    if not asked or ctx.resilient_parsing:
        return
    from tui.cli.output import say
    from tui.cli.ownership import strangers, version_line

    click.echo(version_line())
    for sentence in strangers():
        say(f"ctxpack: {sentence}")
    ctx.exit()


@click.group(cls=Commands, help=_ABOUT, params=app_options())
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Name and version of the distribution, and whether its packages are its own.",
)
def main(**_app: object) -> None:
    """Run the command."""
    from tui.cli.output import say
    from tui.cli.ownership import from_elsewhere

    for sentence in from_elsewhere():
        say(f"ctxpack: {sentence}")
