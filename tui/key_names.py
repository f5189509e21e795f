"""How keys are named on the screen, for the names that Textual has for them."""

from __future__ import annotations

_SHOWN = {
    "question_mark": "?",
    "colon": ":",
    "slash": "/",
    "plus": "+",
    "minus": "-",
    "equals_sign": "=",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "escape": "Esc",
    "tab": "Tab",
    "shift+tab": "Shift+Tab",
    "enter": "Enter",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "down": "↓",
    "up": "↑",
    "left": "←",
    "right": "→",
    "f1": "F1",
    "home": "Home",
    "end": "End",
    "space": "Space",
}


def key_name(name: str, *, ascii: bool = False) -> str:
    """`+` for `plus`, `Ctrl+r` for `ctrl+r`; with `ascii`, no sign beyond ASCII."""
    shown = _SHOWN.get(name, name.replace("ctrl+", "Ctrl+"))
    return name if ascii and not shown.isascii() else shown
