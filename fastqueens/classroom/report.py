"""Studies and climbs as tables: at a prompt, in a notebook, and in the terminal.

``study`` imports this file, so the types of its objects are not named here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from fastqueens._run.tables import Table
from fastqueens._run.text import counted
from fastqueens.classroom.rules import RULES

#: For each column its heading, in two lines, its cell in the row of a rule, and its cell for published figures.
_COLUMNS: list[tuple[str, str, Callable[[dict[str, Any]], str], Callable[[Any], str]]] = [
    ("", "rule", lambda row: row["rule"], lambda entry: f"  {entry.source}"),
    ("solved", "%", lambda row: f"{100 * row['success_rate']:.2f}", lambda entry: f"{100 * entry.success_rate:g}"),
    ("95 %", "interval", lambda row: _interval(row), lambda entry: ""),
    (
        "steps,",
        "solved",
        lambda row: mean_text(row["solved_steps_mean"], row["solved_steps_sd"]),
        lambda entry: f"{entry.solved_steps_mean:g}",
    ),
    (
        "steps,",
        "failed",
        lambda row: mean_text(row["failed_steps_mean"]),
        lambda entry: "" if entry.failed_steps_mean is None else f"{entry.failed_steps_mean:g}",
    ),
    (
        "re-",
        "starts",
        lambda row: mean_text(row["restarts_mean"]) if row["restarts"] else "",
        lambda entry: "" if entry.restarts is None else f"{entry.restarts / entry.runs:.2f}",
    ),
    ("evalu-", "ations", lambda row: mean_text(row["evaluations_mean"]), lambda entry: ""),
    ("", "cost", lambda row: f"{row['cost_mean']:.2f}", lambda entry: ""),
    ("time", "", lambda row: time_text(row["seconds_mean"]), lambda entry: ""),
]


def text_of(study: Any) -> str:
    """Return all figures, in 80 columns if they fit."""
    return "\n".join([heading_of(study), "", _table(study).text(), "", *_legend(study)])


def html_of(study: Any) -> str:
    """Return the table for a notebook."""
    return f"<p>{escape(heading_of(study))}</p>{_table(study).html()}<p>{'<br>'.join(map(escape, _legend(study)))}</p>"


def climbs_table(climbs: Iterable[dict[str, Any]]) -> Table:
    """Return a table of single runs, from their figures."""
    figures = ("initial_cost", "steps", "restarts", "evaluations", "cost")
    headings = ("rule", "seed", "initial", "steps", "restarts", "evaluations", "pairs", "solved")
    rows = [
        [row["rule"], str(row["seed"]), *(f"{row[key]:,}" for key in figures), "yes" if row["solved"] else "no"]
        for row in climbs
    ]
    return Table([headings], {"": rows})


def _table(study: Any) -> Table:
    """Return the rows for each n, published figures below the rule that they belong to; no empty column of restarts."""
    has_restarts = any(row.tally.restarts for row in study.rows)
    columns = [column for column in _COLUMNS if has_restarts or column[0] != "re-"]
    groups: dict[int, list[list[str]]] = {}
    for row in study.rows:
        lines, figures = groups.setdefault(row.n, []), row.figures()
        lines.append([cell(figures) for _, _, cell, _ in columns])
        lines += [[cell(entry) for *_, cell in columns] for entry in row.published]
    titles = {f"n = {n:,}" if len(groups) > 1 else "": lines for n, lines in groups.items()}
    return Table([[first for first, *_ in columns], [second for _, second, *_ in columns]], titles, gap=1)


def heading_of(study: Any) -> str:
    """Return a line on what was run."""
    sizes = list(dict.fromkeys(row.n for row in study.rows))
    boards = f"n = {sizes[0]:,}" if len(sizes) == 1 else counted(len(sizes), "size")
    kind = "" if study.moves == "column" else f", moves: {study.moves}"
    seeds = f"seed {study.seed}" if study.runs == 1 else f"seeds {study.seed} to {study.seed + study.runs - 1}"
    return f"{boards}, {counted(study.runs, 'run')} of each rule{kind}, {seeds}"


def _interval(row: dict[str, Any]) -> str:
    return "-".join(f"{100 * row[f'success_{end}']:.1f}".replace("100.0", "100") for end in ("low", "high"))


def mean_text(mean: float | None, deviation: float | None = None) -> str:
    """Return a mean, and its standard deviation, with three digits if the mean is below 100 or above 100,000."""
    if mean is None:
        return ""
    if mean >= 999_500:
        return f"{mean / 1e6:#.3g}M" if mean < 999.5e6 else f"{mean:.2e}"
    if mean >= 99_999.5:
        return f"{mean / 1000:.0f}k"
    digits = 2 if mean < 9.995 else 1 if mean < 99.95 else 0
    return f"{mean:,.{digits}f}" + ("" if deviation is None else f" ± {deviation:,.{digits}f}")


def time_text(seconds: float) -> str:
    """Return a time with two or three digits."""
    value, unit = seconds * 1e6, "µs"
    for larger in ("ms", "s"):
        if value >= 999.5:
            value, unit = value / 1000, larger
    return f"{value:.1f} {unit}" if value < 9.95 else f"{value:,.0f} {unit}"


def _legend(study: Any) -> list[str]:
    costs = {row.n: row.tally.initial_cost / row.tally.runs for row in study.rows if RULES[row.rule].is_seeded}
    boards = ", ".join(f"{cost:,.2f}" if len(costs) == 1 else f"{cost:,.2f} (n = {n:,})" for n, cost in costs.items())
    lines = ["Means; steps ± standard deviation. Cost: at the end. Time: of a processor."]
    if costs:
        lines.append(f"Attacking pairs of the first boards, mean: {boards}.")
    if any(row.published for row in study.rows):
        lines.append("Mahajan: N-queens problem; counts a step more for each climb that gets stuck.")
        lines.append("Textbook: Russell and Norvig, Artificial Intelligence: A Modern Approach.")
    return lines
