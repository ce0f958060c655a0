"""The promises on the rules of the classroom, compared with limits, and how often each rule solves which board."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bench.timing import compared_with_limit, seconds, spread
from fastqueens import nqueens, study
from fastqueens.classroom.batches import run_many
from fastqueens.classroom.report import mean_text
from fastqueens.classroom.rules import RULES
from fastqueens.solving.many import solve_many

RUNS = 5

#: Each task, and the seconds that it may take.
TASKS: dict[str, tuple[Callable[[int], object], float]] = {
    "1,000,000 runs of steepest ascent, n = 8": (lambda turn: run_many(8, "steepest", _seeds(turn, 10**6)), 2.0),
    "100,000 runs with sideways moves, n = 8": (lambda turn: run_many(8, "sideways", _seeds(turn, 10**5)), 1.2),
    "100,000 runs of first-choice hill climbing, n = 8": (
        lambda turn: run_many(8, "first-choice", _seeds(turn, 10**5)),
        2.0,
    ),
    "100,000 runs of annealing, n = 8": (lambda turn: run_many(8, "annealing", _seeds(turn, 10**5)), 10.0),
    "1,000 runs of the genetic algorithm, n = 8": (lambda turn: run_many(8, "genetic", _seeds(turn, 1000)), 4.0),
    "1,000 solves by min-conflicts from random boards, n = 1000": (
        lambda turn: solve_many(1000, _seeds(turn, 1000), start="random"),
        2.0,
    ),
    "n_queens_restart(8, 1000, 0, 0)": (lambda _: _quietly(lambda: nqueens.n_queens_restart(8, 1000, 0, 0)), 0.1),
}


def measure() -> Iterator[dict[str, Any]]:
    """Measure every promise, after one uncounted call."""
    for what, (call, limit) in TASKS.items():
        taken = [seconds(lambda: call(turn)) for turn in range(RUNS + 1)]  # noqa: B023
        yield compared_with_limit(what, "s", limit, spread(taken[1:]))


#: The boards of the table of rates, and its runs of each rule.
SIZES, RATE_RUNS = (4, 8, 12, 16, 20), 2000


def measure_rates() -> Iterator[dict[str, Any]]:
    """Yield the figures of every rule on boards of several sizes."""
    yield from study(SIZES, RULES, RATE_RUNS, seed=0).to_rows()


def rates_table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the shares of solved runs by rule and n, and the mean evaluations of a run for n = 8."""
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


def _seeds(turn: int, runs: int) -> range:
    return range(turn * runs, (turn + 1) * runs)


def _quietly(call: Callable[[], object]) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        call()
