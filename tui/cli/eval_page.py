"""An evaluation as one page that needs nothing else: charts, tables, intervals, how to read them.

The same figures make the same bytes; every text from a file is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tui.cli.eval_against_text import fall, figure, verdict
from tui.cli.eval_charts import Bar, Interval, Marks, bars, intervals, marks, shown
from tui.cli.eval_text import choice_name

if TYPE_CHECKING:
    from ctxpack.evaluating.baseline import Compared
    from logs.questions import LeftOut

LONGEST_TEXT = 500

_STYLE = """
:root { color-scheme: light dark; --back: #fff; --ink: #1b1f24; --soft: #59636e; --rule: #d1d9e0;
  --bar: #0969da; --bad: #b3261e; --m0: #0969da; --m1: #b35900; --m2: #1a7f37; --m3: #8250df; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --ink: #e6edf3; --soft: #9aa4ae;
  --rule: #353c44; --bar: #58a6ff; --bad: #ff8a80; --m0: #58a6ff; --m1: #ffa657; --m2: #56d364;
  --m3: #d2a8ff; } }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem; background: var(--back);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
.soft, caption { color: var(--soft); } .failed { color: var(--bad); font-weight: 600; }
p, li { overflow-wrap: anywhere; }
.wide { overflow-x: auto; } svg { display: block; min-width: 40rem; max-width: 47.5rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
caption { text-align: left; padding: 0.5rem 0; }
th, td { padding: 0.25rem 0.75rem; border-bottom: 1px solid var(--rule); text-align: right;
  white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
text { fill: var(--ink); } .word { paint-order: stroke; stroke: var(--back); stroke-width: 3; }
.head { font-weight: 600; } .label { text-anchor: end; }
.tick { text-anchor: middle; fill: var(--soft); } .grid, .faint { stroke: var(--rule); fill: none; }
.zero { stroke: var(--soft); fill: none; }
.line { stroke: var(--bar); stroke-width: 2; fill: none; }
.bar, .point { fill: var(--bar); } .mark { stroke: var(--back); stroke-width: 1; }
.m0 { fill: var(--m0); } .m1 { fill: var(--m1); } .m2 { fill: var(--m2); } .m3 { fill: var(--m3); }
"""

_READ = (
    "Answer in: the share of all questions of which a chunk that holds the answer is packed; all "
    "in: every such chunk is.",
    "Value, used, chunks: means over all questions; used is in tokens, of the texts alone.",
    "Differences are between settings on the same questions. The 95 % interval of a hit rate is "
    "Agresti and Min's, that of a mean p the normal one. An interval with 0 in it may be chance; "
    "of many intervals some leave 0 out by chance alone.",
    "p: the chance that a model uses what stands where the best-ranked packed chunk with the "
    "answer stands, on the curve that is named. A curve is an assumption about a model, not a "
    "measurement of these answers.",
)


_PLACE_HEADS = (
    *("Strategy", "Budget", "Placement", "Difference", "95 % from", "to"),
    *("Better", "Worse", "Same"),
)


def evaluation_page(
    found: dict[str, Any],
    name: str,
    compared: Compared | None,
    baseline: str | None,
    left_out: Sequence[LeftOut],
) -> str:
    """The page, from what `evaluation` tells of the set called `name`."""
    parts = [
        "<h1>How often the answer was packed, and where it stood</h1>",
        _about(found, name),
        *(() if compared is None else _against(compared, baseline or "")),
        *_packing(found),
        *_placement(found),
        "<h2>How to read this</h2>",
        _list(_READ),
        *_left_out(left_out),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>ctxpack eval: {shown(name)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _about(found: dict[str, Any], name: str) -> str:
    return (
        f"<p>Measured by <code>ctxpack eval</code> on {shown(name, LONGEST_TEXT)}: "
        f"{found['questions']:,} questions, of which {found['retrieved']:,} have a chunk with the "
        "answer among their candidates: no way to pack can do better than these. "
        f"A chunk's value is by {shown(found['packing'][0]['value_by'])}.</p>"
    )


def _packing(found: dict[str, Any]) -> Iterator[str]:
    rows = found["packing"]
    yield "<h2>Packing: is the answer in the window?</h2>"
    yield _wide(
        bars(
            "Questions with the answer packed",
            [Bar(_budget(row), choice_name(row), row["hit_rate"]) for row in rows],
        )
    )
    yield _table(
        f"Means over all {found['questions']:,} questions",
        ("Strategy", "Budget", "Answer in", "All in", "Value", "Used", "Chunks", "Value by"),
        (
            (
                choice_name(row),
                f"{row['budget']:,}",
                f"{100 * row['hit_rate']:.2f} %",
                f"{100 * row['hit_rate_all']:.2f} %",
                f"{row['mean_value']:.4f}",
                f"{row['mean_used']:,.1f}",
                f"{row['mean_packed']:.2f}",
                row["value_by"],
            )
            for row in rows
        ),
    )
    pairs = [one for one in found["differences"] if one["of"] == "hit_rate"]
    if not pairs:
        return
    yield _wide(
        intervals(
            "Against the first strategy of the budget: points of answer in, 95 % interval",
            [
                Interval(
                    f"{_budget(one['b'])}, against {choice_name(one['a'])}",
                    choice_name(one["b"]),
                    one["difference"],
                    one["low"],
                    one["high"],
                    f"{one['only_b']:,} questions gained the answer, {one['only_a']:,} lost it",
                )
                for one in pairs
            ],
            unit=100,
            digits=2,
        )
    )
    yield _table(
        "Differences in points, on the same questions",
        ("Strategy", "Against", "Budget", "Points", "95 % from", "to", "Gained", "Lost"),
        (
            (
                choice_name(one["b"]),
                choice_name(one["a"]),
                f"{one['b']['budget']:,}",
                *(f"{100 * one[part]:+.2f}" for part in ("difference", "low", "high")),
                f"{one['only_b']:,}",
                f"{one['only_a']:,}",
            )
            for one in pairs
        ),
    )


def _placement(found: dict[str, Any]) -> Iterator[str]:
    for curve in dict.fromkeys(row["curve"] for row in found["placement"]):
        rows = [row for row in found["placement"] if row["curve"] == curve]
        yield f"<h2>Placement: mean p at the answer, on the {shown(curve)} curve</h2>"
        lines = _by_choice(rows)
        names = [*dict.fromkeys(row["placement"] for row in rows)]
        at = [
            {row["placement"]: row["mean_p"] for row in line if row["mean_p"] is not None}
            for line in lines
        ]
        if any(at):
            chart = [
                Marks(_budget(line[0]), choice_name(line[0]), figures)
                for line, figures in zip(lines, at, strict=True)
            ]
            yield _wide(marks("Mean p, over the questions where an answer is packed", names, chart))
        yield _table(
            "Mean p, over the questions where an answer is packed",
            ("Strategy", "Budget", "Questions", *names),
            (
                (
                    choice_name(line[0]),
                    f"{line[0]['budget']:,}",
                    f"{line[0]['questions']:,}",
                    *(figure("mean_p", figures.get(name)) for name in names),
                )
                for line, figures in zip(lines, at, strict=True)
            ),
        )
        pairs = [
            one for one in found["differences"] if one["of"] == "mean_p" and one["curve"] == curve
        ]
        if pairs:
            yield _table(
                f"Each placement against {pairs[0]['a']}, on the same questions",
                _PLACE_HEADS,
                (
                    (
                        choice_name(one),
                        f"{one['budget']:,}",
                        one["b"],
                        *(_signed(one[part]) for part in ("difference", "low", "high")),
                        *(f"{one[part]:,}" for part in ("better", "worse", "same")),
                    )
                    for one in pairs
                ),
            )


def _against(compared: Compared, name: str) -> Iterator[str]:
    state = "failed" if compared.lower else "passed"
    yield "<h2>Against the baseline</h2>"
    yield f'<p class="{state}">{shown(name, LONGEST_TEXT)}: {shown(verdict(compared))}.</p>'
    if compared.lower:
        yield _table(
            "Lower than the baseline; a hit rate's difference is in points",
            ("Row", "Figure", "Before", "Now", "Difference"),
            (
                (
                    one.row,
                    one.of.replace("_", " "),
                    figure(one.of, one.before),
                    figure(one.of, one.now),
                    fall(one),
                )
                for one in compared.lower
            ),
        )
    said = [
        *compared.notes,
        *(f"Only in the baseline: {row}." for row in compared.only_before),
        *(f"Only measured now: {row}." for row in compared.only_now),
    ]
    if said:
        yield _list(said)


def _left_out(left_out: Sequence[LeftOut]) -> Iterator[str]:
    if not left_out:
        return
    yield "<h2>Lines left out</h2>"
    for one in left_out:
        more = one.lines - len(one.named)
        rest = [f"{more:,} more lines of {one.file}."] if more else []
        yield _list([*map(str, one.named), *rest])


def _by_choice(rows: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    lines: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        lines.setdefault((choice_name(row), _budget(row)), []).append(row)
    return [*lines.values()]


def _budget(row: dict[str, Any]) -> str:
    return f"{row['budget']:,} tokens"


def _signed(number: float | None) -> str:
    return "-" if number is None else f"{number:+.4f}"


def _wide(inside: str) -> str:
    return f'<div class="wide">{inside}</div>'


def _list(sentences: Iterable[str]) -> str:
    items = "".join(f"<li>{shown(sentence, LONGEST_TEXT)}</li>" for sentence in sentences)
    return f"<ul>{items}</ul>"


def _table(caption: str, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f'<th scope="col">{shown(name)}</th>' for name in heads)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{shown(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return _wide(
        f"<table><caption>{shown(caption)}</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
    )
