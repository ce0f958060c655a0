"""The program ``python -m bench.cpsat N``: solve one board with OR-Tools CP-SAT, and print seconds and board as JSON.

It is a separate process, so that bench.floor can stop it and can choose an interpreter that has OR-Tools but not
fastqueens. The time includes building the model but not the imports.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import sys
import time
from typing import Any

NOT_INSTALLED = 3


def main(n: int) -> int:
    """Print {"version", "seconds", "queens"}, or nothing if OR-Tools is not installed."""
    try:
        cp_model = importlib.import_module("ortools.sat.python.cp_model")
    except ImportError:
        return NOT_INSTALLED
    begun = time.perf_counter()
    queens = _solve(cp_model, n)
    seconds = time.perf_counter() - begun
    print(json.dumps({"version": importlib.metadata.version("ortools"), "seconds": seconds, "queens": queens}))
    return 0


def _solve(cp_model: Any, n: int) -> list[int]:
    """Require different rows, sums and differences, and use the solver's default settings."""
    model = cp_model.CpModel()
    queens = [model.new_int_var(0, n - 1, f"q{column}") for column in range(n)]
    model.add_all_different(queens)
    model.add_all_different([queen + column for column, queen in enumerate(queens)])
    model.add_all_different([queen - column for column, queen in enumerate(queens)])
    solver = cp_model.CpSolver()
    solver.solve(model)
    return [int(solver.value(queen)) for queen in queens]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
