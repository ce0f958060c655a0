"""``python -m bench.solve_by PEER N``: solve once by another program, and print the seconds and the board as JSON.

It runs in a separate process, so that it can be stopped, and maybe in another interpreter without fastqueens. The time
excludes imports and includes stating the problem.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import itertools
import json
import sys
import time
from collections.abc import Callable
from typing import Any

NOT_INSTALLED = 3


def main(peer: str, n: int) -> int:
    """Print {"version", "seconds", "queens"} for one peer, or nothing if it is not installed."""
    module, package, solve = PEERS[peer]
    try:
        library = importlib.import_module(module)
        version = importlib.metadata.version(package) if package else ""
    except ImportError:
        return NOT_INSTALLED
    begun = time.perf_counter()
    queens = [int(row) for row in solve(library, n)]
    seconds = time.perf_counter() - begun
    print(json.dumps({"version": version, "seconds": seconds, "queens": queens}))
    return 0


def _cp_sat(cp_model: Any, n: int) -> list[Any]:
    """Use AllDifferent on the rows and on both diagonals, with the solver's default settings."""
    model = cp_model.CpModel()
    queens = [model.new_int_var(0, n - 1, f"q{column}") for column in range(n)]
    model.add_all_different(queens)
    model.add_all_different([queen + column for column, queen in enumerate(queens)])
    model.add_all_different([queen - column for column, queen in enumerate(queens)])
    solver = cp_model.CpSolver()
    solver.solve(model)
    return [solver.value(queen) for queen in queens]


def _constraint(library: Any, n: int) -> list[Any]:
    """Use AllDifferent on the rows and a constraint on the diagonals of each pair, with the default solver."""
    problem = library.Problem()
    problem.addVariables(range(n), range(n))
    problem.addConstraint(library.AllDifferentConstraint())
    for left, right in itertools.combinations(range(n), 2):
        distance = right - left
        problem.addConstraint(lambda a, b, distance=distance: abs(a - b) != distance, (left, right))
    found = problem.getSolution()
    return [found[column] for column in range(n)]


def _simpleai(library: Any, n: int) -> list[Any]:
    """Use a constraint on each pair, and its min_conflicts."""

    def is_quiet(columns: tuple[int, int], rows: tuple[int, int]) -> bool:
        return rows[0] != rows[1] and abs(rows[0] - rows[1]) != abs(columns[0] - columns[1])

    columns = list(range(n))
    pairs = [(pair, is_quiet) for pair in itertools.combinations(columns, 2)]
    found = library.min_conflicts(library.CspProblem(columns, dict.fromkeys(columns, columns), pairs))
    return [found[column] for column in columns]


def _plain(library: Any, n: int) -> Any:
    return library.solve(n, seed=1)


#: For each peer: the module to import, the package that has its version, and the function that calls it.
PEERS: dict[str, tuple[str, str, Callable[[Any, int], Any]]] = {
    "OR-Tools CP-SAT": ("ortools.sat.python.cp_model", "ortools", _cp_sat),
    "python-constraint2": ("constraint", "python-constraint2", _constraint),
    "simpleai min_conflicts": ("simpleai.search", "simpleai", _simpleai),
    "plain min-conflicts, NumPy": ("bench.plain_min_conflicts", "numpy", _plain),
    "plain min-conflicts, numba": ("bench.numba_min_conflicts", "numba", _plain),
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
