"""Every key of every screen, with an id by which a user's own file can change it."""

from __future__ import annotations

from pathlib import Path

from textual.binding import Binding

from ctxpack.errors import InputError


def key(
    keys: str, action: str, words: str, tip: str, *, footer: bool = True, shown: str | None = None
) -> Binding:
    """A binding with an id made of its words, so that a keymap file can name it.

    `shown` is how the footer writes its keys.
    """
    name = words.lower().replace(" ", "-")
    return Binding(keys, action, words, footer, shown, tooltip=tip, id=name)


EVERYWHERE = [
    key("question_mark,f1", "help", "Help", "The keys and letters of this screen", shown="?"),
    key("colon", "app.command_palette", "Commands", "Every command by name", footer=False),
    key("q,ctrl+q", "app.quit", "Quit", "Leave ctxpack", shown="q"),
    key("ctrl+c", "app.quit_twice", "Quit at twice", "Leave ctxpack: press it twice", footer=False),
    key("ctrl+z", "app.suspend_process", "Suspend", "Back to the shell; fg returns", footer=False),
]

RUNS = [
    key("slash", "search", "Search", "Runs whose question or reply has these words"),
    key("escape", "clear", "All runs", "Clear the search", footer=False),
    key("s", "sort", "Sort", "Sort by the next column"),
    key("S", "reverse", "Reverse", "Reverse the order", footer=False),
    key("R", "reload", "Reload", "Read the log again", footer=False),
]

WHAT_IF = [
    key("plus", "budget(1)", "Budget +5%", "Pack again with 5 % more budget", footer=False),
    key("minus", "budget(-1)", "Budget -5%", "Pack again with 5 % less budget", footer=False),
    key("equals_sign", "type_budget", "Budget", "Type a budget", shown="+-="),
    key(
        "right_square_bracket",
        "leap(1)",
        "Next budget",
        "The next larger budget at which the set changes",
        footer=False,
    ),
    key(
        "left_square_bracket",
        "leap(-1)",
        "Budget before",
        "The next smaller budget at which the set changes",
        footer=False,
    ),
    key("t", "strategy(1)", "Strategy", "Pack again with the next strategy"),
    key("T", "strategy(-1)", "Strategy back", "The strategy before", footer=False),
    key("o", "placement(1)", "Placement", "Lay out with the next placement", footer=False),
    key("O", "placement(-1)", "Placement back", "The placement before", footer=False),
    key("r", "curve(1)", "Curve of p", "The next curve of p(x)", footer=False),
    key("R", "curve(-1)", "Curve back", "The curve before", footer=False),
    key("z", "group", "Group", "Chunks of a document together, or not", footer=False),
    key("v", "value(1)", "Value", "What a chunk is worth: the next value", footer=False),
    key("V", "value(-1)", "Value back", "The value before", footer=False),
    key("c", "cutoff", "Cut-off", "Type how far below the best score to cut", footer=False),
    key("f", "cliff", "Cliff", "Cut at the fall in the scores, or not", footer=False),
    key("d", "dedupe", "Dedupe", "Leave near-duplicates out, or not", footer=False),
    key("i", "similarity", "Similarity", "Type when texts are duplicates", footer=False),
    key("l", "lambda", "Lambda", "Type what relevance weighs in mmr", footer=False),
    key("M", "max_chunks", "At most", "Type how many chunks may compete", footer=False),
    key("p", "pin", "Pin", "Pin the chunk, or let go of it", footer=False),
    key("x", "ban", "Ban", "Ban the chunk, or allow it again", footer=False),
    key("u", "undo", "Undo", "The settings before the last change"),
    key("ctrl+r", "redo", "Redo", "The change that was undone", footer=False),
    key("0", "as_logged", "Log", "Back to the logged packing"),
]

LOOKING = [
    key("C", "compare", "Compare", "All strategies on these candidates, step by step"),
    key("e", "expect", "Expect", "Type what the answer should have said"),
    key("a", "only", "Filter", "All chunks, only packed, only skipped", footer=False),
    key("w", "whole", "Window x", "Places in the window, or in the evidence", footer=False),
]

PANE_KEYS = [
    key("1", "pane('sections')", "Sections", "Sections against their allowances", footer=False),
    key("2", "pane('chunks')", "Chunks", "Candidates, packed and skipped", footer=False),
    key("3", "pane('curve')", "Curve", "Where every packed chunk stands", footer=False),
    key("4", "pane('text')", "Text", "The text of the chunk", footer=False),
    key("5", "pane('why')", "Why", "Why the chunk is in or out, and all findings", footer=False),
    key("6", "pane('budget')", "Budgets", "Value and chunks at every budget", footer=False),
    key("7", "pane('scores')", "Scores", "The scores, their cliff and cut-off", footer=False),
    key("8", "pane('orders')", "Orders", "The chunks under every placement", footer=False),
    key("tab", "next_pane(1)", "Next pane", "The next pane", footer=False),
    key("shift+tab", "next_pane(-1)", "Pane before", "The pane before", footer=False),
    key("escape", "back", "Runs", "Back to the list of runs"),
]

RUN = [*WHAT_IF, *LOOKING, *PANE_KEYS]

COMPARE = [
    key("right,l", "step(1)", "Step", "The next step of the fill", shown="h/l"),
    key("left,h", "step(-1)", "Step back", "The step before", footer=False),
    key("home", "step_to(0)", "First step", "The empty budget", footer=False),
    key("end", "step_to(-1)", "Last step", "The whole fill", footer=False),
    key("enter", "use", "Use", "Take this strategy as the what-if", shown="Enter"),
    key("escape,C", "back", "Back", "Back to the run", shown="esc"),
]

GROUPS = {
    "What-if": WHAT_IF,
    "Run": LOOKING,
    "Panes": PANE_KEYS,
    "Runs": RUNS,
    "Compare": COMPARE,
    "App": EVERYWHERE,
}
"""Every key that is ours under the name of what it is about; the palette and the help use it."""

MOVING = "Moving about"
"""What keys that are in no group are about."""


def group_of(name: str | None) -> str | None:
    """The group of the key with this id; None for keys that only move about."""
    for group, bindings in GROUPS.items():
        if any(binding.id == name for binding in bindings):
            return group
    return None


DIALOG = [key("escape", "cancel", "Cancel", "Leave without a change")]


def keymap_from(path: str) -> dict[str, str]:
    """A user's own keys from a TOML file of `id = "keys"`; raises InputError where it is off."""
    import tomllib

    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"keymap {path}: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"keymap {path}: {error}.") from None
    known = {binding.id for bindings in (*GROUPS.values(), DIALOG) for binding in bindings}
    for name, keys in table.items():
        if name not in known:
            names = ", ".join(sorted(str(each) for each in known))
            raise InputError(f"keymap {path}: {name!r} is no key's id. The ids are: {names}.")
        if not isinstance(keys, str):
            raise InputError(f'keymap {path}: {name} must be keys in quotes, such as "ctrl+r".')
    return {str(name): str(keys) for name, keys in table.items()}
