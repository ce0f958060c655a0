"""A long soak: solve random boards with random options, and check each answer with plain NumPy.

``python -m bench.soak --minutes 60`` draws n log-uniformly from 4 to 10^8, as far as memory permits, and never rounds
it. It writes a line of JSON for each failure into ``soak-failures.jsonl``, and its summary into bench/results. A run
depends only on its number: ``python -m bench.soak --run NUMBER`` repeats it. The current run is in
``soak-running.json``; if the process dies, repeat that one.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
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
from fastqueens.cli import app
from fastqueens.cli.process import Session
from fastqueens.core.arguments import STARTS
from fastqueens.core.memory import available_memory
from fastqueens.core.thresholds import lowered
from fastqueens.files.boards import FORMATS, board_in_file

_FAILURES = Path("soak-failures.jsonl")
_RUNNING = Path("soak-running.json")
_SMALLEST, _LARGEST = 4, 10**8

#: Largest n for traces, initial boards and files of every format; they would take too much time on larger boards.
_LARGEST_WITH_FILES = 10**5

#: Largest n for starts that count the queens on every line, and for budgets that leave boards unsolved.
_LARGEST_COUNTED = 3 * 10**6

#: Most fixed queens on boards beyond ``_LARGEST_COUNTED``, and largest n of tables over several seeds.
_MOST_FIXED = 10**5
_LARGEST_SEEDS = 10**5

#: The most memory that a run takes, for making a puzzle or for comparing boards.
_BYTES_A_QUEEN = 75


@click.command()
@click.option("--minutes", type=float, default=15, show_default=True)
@click.option("--first", type=int, default=0, show_default=True, help="The number of the first run.")
@click.option("--run", "single", type=int, help="Repeat only this run.")
def main(minutes: float, first: int, single: int | None) -> None:
    """Solve random boards of 4 to 100 million queens with random options, and check each."""
    if single is not None:
        click.echo(json.dumps(options_of(single), default=_as_json))
        click.echo(outcome(single))
        return
    summary = soak(minutes, first, _FAILURES)
    report.store("soak", machine.describe(), [summary])
    click.echo(json.dumps(summary, indent=1))
    sys.exit(1 if summary["failures"] else 0)


def soak(minutes: float, first: int, failures: Path) -> dict[str, Any]:
    """Run for this many minutes; return the figures of the summary."""
    outcomes: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    queens = 0
    end = time.monotonic() + 60 * minutes
    number = first
    while time.monotonic() < end:
        options = options_of(number)
        memory = available_memory()
        if memory is not None and memory < _BYTES_A_QUEEN * options["n"]:
            outcomes["left out for lack of memory"] += 1
            number += 1
            continue
        queens += options["n"]
        sizes[f"10^{int(math.log10(options['n']))}"] += 1
        _RUNNING.write_text(json.dumps({"run": number, **options}))
        try:
            outcomes[outcome(number)] += 1
        except Exception as error:
            outcomes["failure"] += 1
            where = traceback.format_exception_only(error)[-1].strip()
            line = {"run": number, "error": where, **options}
            with failures.open("a") as file:
                file.write(json.dumps(line, default=_as_json) + "\n")
        number += 1
    _RUNNING.unlink(missing_ok=True)
    failed = outcomes.pop("failure", 0)
    return {
        "minutes": minutes,
        "first": first,
        "runs": number - first,
        "queens": queens,
        "failures": failed,
        "outcomes": dict(sorted(outcomes.items())),
        "sizes": dict(sorted(sizes.items())),
    }


def options_of(number: int) -> dict[str, Any]:
    """Return n, log-uniform and not rounded, and the options of a run."""
    random = np.random.default_rng(number)
    n = math.floor(math.exp(random.uniform(math.log(_SMALLEST), math.log(_LARGEST + 1))))
    is_small, is_counted = n <= _LARGEST_WITH_FILES, n <= _LARGEST_COUNTED
    most_fixed = n // 2 if is_counted else _MOST_FIXED
    return {
        "n": n,
        "seed": int(random.integers(2**63)),
        "start": str(random.choice(STARTS)) if is_counted else "windowed",
        "threads": int(random.integers(1, 4)),
        "max_steps": int(random.integers(0, 2 * n)) if is_counted and random.random() < 0.2 else None,
        "restarts": int(random.integers(0, 3)) if random.random() < 0.2 else None,
        "trace": bool(is_small and random.random() < 0.5),
        "board": int(random.integers(2**63)) if is_small and random.random() < 0.2 else None,
        "fixed": int(random.integers(0, most_fixed + 1)) if random.random() < 0.3 else None,
        "mapped": bool(random.random() < 0.3),
        "seeds": int(random.integers(2, 6)) if n <= _LARGEST_SEEDS and random.random() < 0.1 else None,
        "suffix": str(random.choice(FORMATS)) if is_small and random.random() < 0.3 else None,
    }


def outcome(number: int) -> str:
    """Do a run and check everything about it; return how it ended."""
    options = options_of(number)
    n, seed = options["n"], options["seed"]
    suffix, n_fixed, board_seed, is_mapped, seeds = (
        options.pop(key) for key in ("suffix", "fixed", "board", "mapped", "seeds")
    )
    if seeds is not None:
        _check_seeds(n, seed % 10**9, seeds, options["start"])
    fixed = None
    if n_fixed is not None:
        try:
            fixed = fastqueens.puzzle(n, n_fixed, seed=seed)
        except InputError:
            fixed = fastqueens.puzzle(n, n_fixed, seed=seed, solvable=n > 3)
    if board_seed is not None:
        options["board"] = np.random.default_rng(board_seed).integers(0, n, n)
    with contextlib.ExitStack() as stack:
        if is_mapped:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            stack.enter_context(lowered(made_in_file=1))
            options["out"] = stack.enter_context(board_in_file(Path(folder, "q.npy"), n))
        try:
            result = fastqueens.solve(**options, fixed=fixed)
        except NoSolutionError:
            if fixed is None:
                raise
            return "no solution"
        _check(result, n, fixed)
    if is_mapped:
        _expect(result.queens is options["out"], "the board is not in its file")
    elif suffix is not None:
        _check_file(result.queens, suffix)
    return "solved" if result.solved else "not solved"


def _check(result: fastqueens.Result, n: int, fixed: Any) -> None:
    """Check a result with plain NumPy."""
    queens = result.queens
    _expect(queens.shape == (n,), f"the board has shape {queens.shape}")
    _expect(int(queens.min()) >= 0 and int(queens.max()) < n, f"rows go from {queens.min()} to {queens.max()}")
    if result.solved:
        _expect(_has_free_lines(queens), "the board is called solved, but two queens share a line")
        pairs = 0
    else:
        pairs = _attacking_pairs(queens)
    _expect(result.pairs == pairs, f"pairs is {result.pairs}; the board has {pairs}")
    _expect(result.solved == (pairs == 0), f"solved is {result.solved} with {pairs} pairs")
    _expect(fastqueens.is_solution(queens) == (pairs == 0), "is_solution is wrong")
    if fixed is not None:
        _expect(bool((queens[fixed[:, 0]] == fixed[:, 1]).all()), "a fixed queen was moved")
    if result.trace is not None:
        _expect(len(result.trace.pairs) == result.steps + len(result.restarts) + 1, "the trace has the wrong length")
        _expect(int(result.trace.pairs[0]) == result.initial_pairs, "the trace begins with the wrong number of pairs")


def _has_free_lines(queens: Any) -> bool:
    """Mark every line in plain NumPy, piece by piece: large boards need little more than a byte a line."""
    n = len(queens)
    for slope in (0, 1, -1):
        taken = np.zeros(3 * n, np.bool_)
        for first in range(0, n, 1 << 22):
            rows = queens[first : first + (1 << 22)].astype(np.int64)
            taken[rows + slope * np.arange(first, first + len(rows)) + n] = True
        if int(np.count_nonzero(taken)) != n:
            return False
    return True


def _attacking_pairs(queens: Any) -> int:
    rows, columns = queens.astype(np.int64), np.arange(len(queens))
    counted = [np.bincount(lines) for lines in (rows, rows + columns, rows - columns + len(queens))]
    return sum(int((counts * (counts - 1) // 2).sum()) for counts in counted)


def _check_seeds(n: int, first: int, count: int, start: str) -> None:
    """Check ``fastqueens solve --seeds`` and solve_many() against each other."""
    output = io.TextIOWrapper(io.BytesIO())
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
        seeds = f"{first}..{first + count - 1}"
        exit_code = app.run(["solve", str(n), "--seeds", seeds, "--start", start, "--json", "--quiet"], Session())
    _expect(exit_code == 0, f"solve --seeds exits with {exit_code}")
    output.flush()
    table = json.loads(output.buffer.getvalue())
    outcomes = fastqueens.solve_many(n, range(first, first + count), start=start)
    for row, *found in zip(table, *(figures.tolist() for figures in outcomes), strict=True):
        printed = [row["initial_pairs"], row["pairs"], row["steps"], row["restarts"]]
        _expect(printed == found, f"--seeds prints {printed} for seed {row['seed']}, solve_many returns {found}")


def _check_file(queens: Any, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"q{suffix}")
        fastqueens.write_board(path, queens)
        _expect(np.array_equal(fastqueens.read_board(path), queens), f"{suffix} returns a different board")


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise AssertionError(otherwise)


def _as_json(value: Any) -> Any:
    return value.tolist()


if __name__ == "__main__":
    main()
