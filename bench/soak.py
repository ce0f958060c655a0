"""A long soak: random boards with random options, each answer checked by other means; what fails can be repeated.

``python -m bench.soak --minutes 15`` writes a line of JSON for each failure into ``soak-failures.jsonl``, and keeps its
summary in bench/results. A run depends on its number alone: ``python -m bench.soak --run NUMBER`` repeats one.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import click
import numpy as np

import fastqueens
from bench import machine, report
from fastqueens import InputError, NoSolutionError
from fastqueens.boardfile import FORMATS
from fastqueens.solver import STARTS

_FAILURES = Path("soak-failures.jsonl")
_SMALLEST, _LARGEST = 4, 10**6

#: Traces, and boards that are solved from, stay below this n: the rest of the time is for boards.
_LARGEST_WITH_FILES = 10**5


@click.command()
@click.option("--minutes", type=float, default=15, show_default=True)
@click.option("--first", type=int, default=0, show_default=True, help="The number of the first run.")
@click.option("--run", "single", type=int, help="Repeat this run only.")
def main(minutes: float, first: int, single: int | None) -> None:
    """Solve random boards of 4 to a million queens with random options, and check each."""
    if single is not None:
        click.echo(json.dumps(options_of(single), default=_as_json))
        click.echo(outcome(single))
        return
    summary = soak(minutes, first, _FAILURES)
    report.keep("soak", machine.describe(), [summary])
    click.echo(json.dumps(summary, indent=1))
    sys.exit(1 if summary["failures"] else 0)


def soak(minutes: float, first: int, failures: Path) -> dict[str, Any]:
    """Run for so long; what came of it in figures."""
    outcomes: Counter[str] = Counter()
    queens = 0
    end = time.monotonic() + 60 * minutes
    number = first
    while time.monotonic() < end:
        queens += options_of(number)["n"]
        try:
            outcomes[outcome(number)] += 1
        except Exception as error:
            outcomes["failure"] += 1
            where = traceback.format_exception_only(error)[-1].strip()
            line = {"run": number, "error": where, **options_of(number)}
            with failures.open("a") as file:
                file.write(json.dumps(line, default=_as_json) + "\n")
        number += 1
    failed = outcomes.pop("failure", 0)
    return {
        "minutes": minutes,
        "first": first,
        "runs": number - first,
        "queens": queens,
        "failures": failed,
        "outcomes": dict(sorted(outcomes.items())),
    }


def options_of(number: int) -> dict[str, Any]:
    """What a run solves: n, evenly on a logarithmic scale, and the arguments of :func:`fastqueens.solve`."""
    random = np.random.default_rng(number)
    n = int(np.exp(random.uniform(np.log(_SMALLEST), np.log(_LARGEST + 1))))
    is_small = n <= _LARGEST_WITH_FILES
    return {
        "n": n,
        "seed": int(random.integers(2**63)),
        "start": str(random.choice(STARTS)),
        "threads": int(random.integers(1, 4)),
        "max_steps": int(random.integers(0, 2 * n)) if random.random() < 0.2 else None,
        "restarts": int(random.integers(0, 3)) if random.random() < 0.2 else None,
        "trace": bool(is_small and random.random() < 0.5),
        "board": int(random.integers(2**63)) if is_small and random.random() < 0.2 else None,
        "given": int(random.integers(0, n // 2 + 1)) if random.random() < 0.3 else None,
        "suffix": str(random.choice(FORMATS)) if is_small and random.random() < 0.3 else None,
    }


def outcome(number: int) -> str:
    """Make a run and check everything about it; how it ended."""
    options = options_of(number)
    n, suffix, given, board_seed = options["n"], *(options.pop(key) for key in ("suffix", "given", "board"))
    fixed = None
    if given is not None:
        try:
            fixed = fastqueens.puzzle(n, given, seed=options["seed"])
        except InputError:
            fixed = fastqueens.puzzle(n, given, seed=options["seed"], solvable=n > 3)
    if board_seed is not None:
        options["board"] = np.random.default_rng(board_seed).integers(0, n, n)
    try:
        result = fastqueens.solve(**options, fixed=fixed)
    except NoSolutionError:
        if fixed is None:
            raise
        return "no solution"
    _check(result, fixed)
    if suffix is not None:
        _check_file(result.queens, suffix)
    return "solved" if result.solved else "not solved"


def _check(result: fastqueens.Result, fixed: Any) -> None:
    """Hold a result against plain NumPy."""
    queens = result.queens.astype(np.int64)
    columns = np.arange(result.n)
    pairs = sum(_pairs(line) for line in (queens, queens + columns, queens - columns + result.n))
    _expect(result.pairs == pairs, f"pairs is {result.pairs}, and there are {pairs}")
    _expect(result.solved == (pairs == 0), f"solved is {result.solved} with {pairs} pairs")
    _expect(fastqueens.is_solution(queens) == (pairs == 0), "is_solution is wrong")
    _expect(bool((queens >= 0).all() and (queens < result.n).all()), "a row is off the board")
    if fixed is not None:
        _expect(bool((queens[fixed[:, 0]] == fixed[:, 1]).all()), "a given queen was moved")
    if result.trace is not None:
        _expect(len(result.trace.pairs) == result.steps + len(result.restarts) + 1, "the trace has another length")
        _expect(int(result.trace.pairs[0]) == result.initial_pairs, "the trace begins otherwise")


def _pairs(lines: Any) -> int:
    counts = np.bincount(lines)
    return int((counts * (counts - 1) // 2).sum())


def _check_file(queens: Any, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"q{suffix}")
        fastqueens.write_board(path, queens)
        _expect(np.array_equal(fastqueens.read_board(path), queens), f"{suffix} gives back another board")


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise AssertionError(otherwise)


def _as_json(value: Any) -> Any:
    return value.tolist()


if __name__ == "__main__":
    main()
