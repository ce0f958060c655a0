"""Success rates of the classroom's algorithms on boards of several sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fastqueens import study
from fastqueens.classroom.algorithms import ALGORITHMS
from fastqueens.classroom.studies import mean_text

#: The board sizes, and the number of runs of each algorithm on each size.
SIZES, RUNS = (4, 8, 12, 16, 20), 2000

SEEDS = f"seeds 0 to {RUNS - 1}"


def measure(sizes: Sequence[int] = SIZES, runs: int = RUNS) -> Iterator[dict[str, Any]]:
    """Yield the figures of every algorithm on boards of several sizes."""
    yield from study(sizes, ALGORITHMS, runs, seed=0).to_rows()


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the success rates by algorithm and n, and the mean number of evaluations per run for n = 8."""
    sizes = [n for n in SIZES if n != 16]  # the page has room for four
    by_algorithm: dict[str, dict[int, dict[str, Any]]] = {}
    for row in rows:
        by_algorithm.setdefault(row["algorithm"], {})[row["n"]] = row
    titles = ["algorithm", *(f"n = {n}" for n in sizes), "evaluations"]
    lines = ["| " + " | ".join(titles) + " |", "|---|" + "---:|" * (len(titles) - 1)]
    for algorithm, by_size in by_algorithm.items():
        cells = [f"{100 * by_size[n]['success_rate']:.1f}%" for n in sizes]
        lines.append(f"| `{algorithm}` | " + " | ".join([*cells, mean_text(by_size[8]["evaluations_mean"])]) + " |")
    return "\n".join(lines)
