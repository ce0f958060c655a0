"""Success rates of the classroom's rules on boards of several sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fastqueens import study
from fastqueens.classroom.rules import RULES
from fastqueens.classroom.studies import mean_text

#: The board sizes, and the number of runs of each rule on each size.
SIZES, RUNS = (4, 8, 12, 16, 20), 2000

SEEDS = f"seeds 0 to {RUNS - 1}"


def measure(sizes: Sequence[int] = SIZES, runs: int = RUNS) -> Iterator[dict[str, Any]]:
    """Yield the figures of every rule on boards of several sizes."""
    yield from study(sizes, RULES, runs, seed=0).to_rows()


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the success rates by rule and n, and the mean number of evaluations per run for n = 8."""
    sizes = [n for n in SIZES if n != 16]  # the page has room for four
    by_rule: dict[str, dict[int, dict[str, Any]]] = {}
    for row in rows:
        by_rule.setdefault(row["rule"], {})[row["n"]] = row
    titles = ["rule", *(f"n = {n}" for n in sizes), "evaluations"]
    lines = ["| " + " | ".join(titles) + " |", "|---|" + "---:|" * (len(titles) - 1)]
    for rule, by_size in by_rule.items():
        cells = [f"{100 * by_size[n]['success_rate']:.1f}%" for n in sizes]
        lines.append(f"| `{rule}` | " + " | ".join([*cells, mean_text(by_size[8]["evaluations_mean"])]) + " |")
    return "\n".join(lines)
