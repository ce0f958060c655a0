"""A study as a table: at a prompt, in a notebook, and in the terminal, where it has 80 columns.

``study`` imports this file, so the types of its objects are not named here.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from html import escape
from itertools import groupby
from typing import Any

from fastqueens.classroom.rules import RULES
from fastqueens.core.errors import counted

_HEADINGS = (
    ("", "rule"),
    ("solved", "%"),
    ("95 %", "interval"),
    ("steps,", "solved"),
    ("steps,", "failed"),
    ("re-", "starts"),
    ("evalu-", "ations"),
    ("", "cost"),
    ("time", ""),
)
_RESTARTS = 5


def text_of(study: Any) -> str:
    """Return all figures in 80 columns, with published figures below the rule that they belong to."""
    shown = _shown(study)
    lines = [[heading[line] for heading in _HEADINGS] for line in (0, 1)]
    lines += [cells for _, groups in _groups(study) for cells in groups]
    laid_out = aligned([[cell for cell, is_shown in zip(cells, shown, strict=True) if is_shown] for cells in lines])
    text = [heading_of(study), "", *laid_out[:2]]
    rest = iter(laid_out[2:])
    for n, groups in _groups(study):
        text += [f"\nn = {n:,}" if _has_sizes(study) else "-" * max(map(len, laid_out))]
        text += [next(rest) for _ in groups]
    return "\n".join([*text, "", *_legend(study)])


def aligned(lines: Sequence[Sequence[str]], gap: int = 1) -> list[str]:
    """Lay out a table: the first column to the left, and the others to the right.

    >>> aligned([["rule", "seed"], ["steepest", "3"]])
    ['rule     seed', 'steepest    3']
    """
    first, *others = (max(map(len, column)) for column in zip(*lines, strict=True))
    laid_out = []
    for cells in lines:
        right = (cell.rjust(gap + width) for cell, width in zip(cells[1:], others, strict=True))
        laid_out.append("".join([cells[0].ljust(first), *right]).rstrip())
    return laid_out


def html_of(study: Any) -> str:
    """Return the table for a notebook."""
    shown = _shown(study)

    def row(cells: Sequence[str], tag: str) -> str:
        kept = [cell for cell, is_shown in zip(cells, shown, strict=True) if is_shown]
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in kept) + "</tr>"

    parts = [f"<p>{escape(heading_of(study))}</p><table>", row([" ".join(words).strip() for words in _HEADINGS], "th")]
    for n, groups in _groups(study):
        if _has_sizes(study):
            parts.append(f"<tr><th colspan={sum(shown)}>n = {n:,}</th></tr>")
        parts += [row(cells, "td") for cells in groups]
    return "".join([*parts, f"</table><p>{'<br>'.join(map(escape, _legend(study)))}</p>"])


def heading_of(study: Any) -> str:
    """Return a line on what was run."""
    sizes = list(dict.fromkeys(row.n for row in study.rows))
    boards = f"n = {sizes[0]:,}" if len(sizes) == 1 else counted(len(sizes), "size")
    kind = "" if study.moves == "column" else f", moves: {study.moves}"
    seeds = f"seeds {study.seed} to {study.seed + study.runs - 1}"
    return f"{boards}, {counted(study.runs, 'run')} of each rule{kind}, {seeds}"


def _has_sizes(study: Any) -> bool:
    return len({row.n for row in study.rows}) > 1


def _shown(study: Any) -> list[bool]:
    """Return which columns are shown: restarts only if there are any."""
    return [at != _RESTARTS or any(row.tally.restarts for row in study.rows) for at in range(len(_HEADINGS))]


def _groups(study: Any) -> list[tuple[int, list[list[str]]]]:
    """Return the lines for each n."""
    groups = []
    for n, rows in groupby(study.rows, key=lambda row: row.n):
        lines = []
        for row in rows:
            lines.append([row.rule, *_cells(row.figures())])
            lines += [[f"  {entry.source}", *_published_cells(entry)] for entry in row.published]
        groups.append((n, lines))
    return groups


def _cells(figures: dict[str, Any]) -> list[str]:
    low, high = (f"{100 * figures[f'success_{end}']:.2f}".replace("100.00", "100") for end in ("low", "high"))
    return [
        f"{100 * figures['success_rate']:.2f}",
        f"{low}-{high}",
        mean_text(figures["solved_steps_mean"], figures["solved_steps_sd"]),
        mean_text(figures["failed_steps_mean"]),
        mean_text(figures["restarts_mean"]) if figures["restarts"] else "",
        mean_text(figures["evaluations_mean"]),
        f"{figures['cost_mean']:.2f}",
        time_text(figures["seconds_mean"]),
    ]


def _published_cells(entry: Any) -> list[str]:
    restarts = "" if entry.restarts is None or entry.runs is None else f"{entry.restarts / entry.runs:.2f}"
    steps = ["" if mean is None else f"{mean:g}" for mean in (entry.solved_steps_mean, entry.failed_steps_mean)]
    return [f"{100 * entry.success_rate:g}", "", *steps, restarts, "", "", ""]


def mean_text(mean: float | None, deviation: float | None = None) -> str:
    """Return a mean, and its standard deviation, with three digits if the mean is below 100.

    >>> mean_text(4.0666, 1.2), mean_text(1234.5), mean_text(123456.7)
    ('4.07 ± 1.20', '1,234', '123k')
    """
    if mean is None:
        return ""
    if mean >= 1e5:
        return f"{mean / 1000:,.0f}k"
    digits = 2 if mean < 10 else 1 if mean < 100 else 0
    return f"{mean:,.{digits}f}" + ("" if deviation is None else f" ± {deviation:,.{digits}f}")


def time_text(seconds: float) -> str:
    """Return a time with two digits.

    >>> time_text(0.0000123), time_text(0.0456), time_text(12)
    ('12 µs', '46 ms', '12 s')
    """
    value, unit = (seconds * 1e6, "µs") if seconds < 1e-3 else (seconds * 1e3, "ms") if seconds < 1 else (seconds, "s")
    return f"{value:.1f} {unit}" if value < 10 else f"{value:,.0f} {unit}"


def _legend(study: Any) -> list[str]:
    costs = {row.n: row.tally.initial_cost / row.tally.runs for row in study.rows if RULES[row.rule].is_seeded}
    boards = ", ".join(f"{cost:,.2f}" if len(costs) == 1 else f"{cost:,.2f} (n = {n:,})" for n, cost in costs.items())
    lines = ["Means; steps ± standard deviation. Cost: at the end. Time: of a processor."]
    if costs:
        lines.append(f"Attacking pairs of the first boards, mean: {boards}.")
    if any(row.published for row in study.rows):
        lines.append("Mahajan: N-queens problem; counts a step more for each climb that gets stuck.")
        lines.append("Textbook: Russell and Norvig, Artificial Intelligence: A Modern Approach.")
    return [line for text in lines for line in textwrap.wrap(text, 80)]
