"""Curves that were published: accuracy against where the document with the answer stood.

Liu et al., Lost in the Middle (arXiv:2307.03172): NQ-open with 20 documents, the answer's at index
0, 4, 9, 14 and 19. A document of 20 alike has its middle at x = (index + 0.5) / 20. They were
measured on these models, on short passages: on others and in other windows they may differ.
"""

from __future__ import annotations

from ctxpack.curves.curve import Curve
from ctxpack.curves.monotone import through

_ACCURACY = {
    "mpt-30b-instruct": (0.5367, 0.5175, 0.5217, 0.5266, 0.5623),
    "longchat-13b-16k": (0.6859, 0.5740, 0.5533, 0.5250, 0.5503),
    "llama-2-70b-chat": (0.5677, 0.5332, 0.5408, 0.5966, 0.6949),
}
_PLACES = tuple((index + 0.5) / 20 for index in (0, 4, 9, 14, 19))

PUBLISHED: dict[str, Curve] = {
    name: through(name, [*zip(_PLACES, accuracy, strict=True)])
    for name, accuracy in _ACCURACY.items()
}
"""The published curves by the model's name."""
