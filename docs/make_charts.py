"""Make the charts of the page on placing: `python docs/make_charts.py`.

They are drawn from the curves that come along and from the sample questions alone, so anyone can
make them again; the same figures make the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sample_runs
from ctxpack import Counter, Settings
from ctxpack.curves import Curve, curve_named
from ctxpack.curves.points import BUILT_IN
from ctxpack.evaluating.evaluation import evaluation
from ctxpack.evaluating.grid import grid
from ctxpack.evaluating.measuring import measure
from ctxpack.evaluating.question import counted
from logs.questions import QuestionFile, read_corpus
from tui.cli.eval_charts import Marks, marks

OUT = Path(__file__).with_name("pictures")
BUDGET = 1024
PLACEMENTS = ("best-first", "ends", "best-last", "split", "middle", "optimal")
WIDE, HIGH = 760, 330
LEFT, RIGHT, TOP, BOTTOM = 50, 170, 30, 290
LOWEST, HIGHEST = 0.5, 0.8

STYLE = """
text { fill: #1b1f24; } .tick { text-anchor: middle; fill: #59636e; } .head { font-weight: 600; }
.label { text-anchor: end; } .grid, .faint { stroke: #d1d9e0; fill: none; }
.mark { stroke: #fff; stroke-width: 1; } .curve { fill: none; stroke-width: 2; }
.m0 { fill: #0969da; } .m1 { fill: #b35900; } .m2 { fill: #1a7f37; } .m3 { fill: #8250df; }
"""
COLOURS = ("#0969da", "#b35900", "#1a7f37", "#8250df")


def charts() -> dict[str, str]:
    """Every chart by the name of its file."""
    return {"curves.svg": curves_chart(), "placements.svg": placements_chart()}


def curves_chart() -> str:
    """p over x of the built-in curves, a dot where one was measured."""
    parts = [*_axes()]
    for place, name in enumerate(BUILT_IN):
        parts += _drawn(curve_named(name), COLOURS[place])
    title = "p(x): the chance that a model uses what stands at x, 0 the start and 1 the end"
    return _picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" '
        f'font-family="system-ui, sans-serif" font-size="12">',
        f'<text class="head" x="0" y="14">{title}</text>{"".join(parts)}</svg>',
    )


def placements_chart() -> str:
    """The mean p at the answer under each placement, on the 200 sample questions."""
    found = measured()
    rows = [
        Marks(
            "",
            f"{curve} ({found['placement'][0]['questions']})",
            {
                one["placement"]: one["mean_p"]
                for one in found["placement"]
                if one["curve"] == curve
            },
        )
        for curve in BUILT_IN
    ]
    title = f"Mean p at the answer, top at {BUDGET:,} tokens, by curve (questions)"
    drawn = marks(title, PLACEMENTS, rows)
    return _picture('<svg xmlns="http://www.w3.org/2000/svg" ', drawn.removeprefix("<svg "))


def measured() -> dict[str, Any]:
    """The sample questions under every placement and curve, as `ctxpack eval --json` tells it."""
    folder = sample_runs.path().parent
    chunks, _ = read_corpus(str(folder / "corpus.jsonl"))
    questions = QuestionFile(str(folder / "questions.jsonl"), chunks)
    asked = grid(
        Settings(budget=0),
        budgets=[BUDGET],
        strategies=["top"],
        placements=PLACEMENTS,
        curves=BUILT_IN,
    )
    count = Counter()
    return evaluation(measure((counted(one, count) for one in questions), asked), asked)


def _picture(begin: str, rest: str) -> str:
    head, body = (begin + rest).split(">", 1)
    back = '<rect width="100%" height="100%" fill="#fff"/>'
    return f"{head}><style>{STYLE}</style>{back}{body}\n"


def _axes() -> Iterator[str]:
    for step in range(7):
        p = LOWEST + step * 0.05
        y = _y(p)
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDE - RIGHT}"/>'
        yield f'<text class="label" x="{LEFT - 8}" y="{y + 4:.1f}">{p:.2f}</text>'
    for step in range(5):
        x = _x(step / 4)
        yield f'<text class="tick" x="{x:.1f}" y="{BOTTOM + 20}">{step / 4:g}</text>'


def _drawn(curve: Curve, colour: str) -> Iterator[str]:
    places = [step / 200 for step in range(201)]
    line = "L".join(f"{_x(x):.1f} {_y(curve.p(x)):.1f}" for x in places)
    yield f'<path class="curve" stroke="{colour}" d="M{line}"/>'
    for x, p in curve.points:
        yield f'<circle cx="{_x(x):.1f}" cy="{_y(p):.1f}" r="4" fill="{colour}"/>'
    # Two of them end close together: each name stands a little off its line.
    end = _y(curve.p(1.0)) + (8 if curve.p(1.0) < 0.555 else 2)
    yield f'<text x="{WIDE - RIGHT + 10}" y="{end:.1f}" style="fill: {colour}">{curve.name}</text>'


def _x(x: float) -> float:
    return LEFT + (WIDE - RIGHT - LEFT) * x


def _y(p: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * (p - LOWEST) / (HIGHEST - LOWEST)


def main() -> None:
    """Make every chart anew."""
    for name, drawn in charts().items():
        (OUT / name).write_text(drawn, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
