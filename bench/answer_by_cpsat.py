"""``python -m bench.answer_by_cpsat``: answer instances, given as JSON on stdin, by OR-Tools CP-SAT.

It runs in a separate process, maybe in another interpreter without fastqueens. The time of an answer excludes imports
and includes stating the problem.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import sys
import time
from typing import Any

from bench.solve_by import NOT_INSTALLED

#: Seconds after which an instance stays undecided.
MOST_SECONDS = 60.0


def main() -> int:
    """Print {"version", "answers"}; an answer has "solvable" (or None), "queens" and "seconds"."""
    try:
        cp_model = importlib.import_module("ortools.sat.python.cp_model")
    except ImportError:
        return NOT_INSTALLED
    answers = [_answer(cp_model, instance) for instance in json.load(sys.stdin)]
    print(json.dumps({"version": importlib.metadata.version("ortools"), "answers": answers}))
    return 0


def _answer(cp_model: Any, instance: dict[str, Any]) -> dict[str, Any]:
    """Use AllDifferent on the rows and on both diagonals, and one constraint for each square and each diagonal."""
    begun = time.perf_counter()
    n = instance["n"]
    model = cp_model.CpModel()
    queens = [model.new_int_var(0, n - 1, f"q{column}") for column in range(n)]
    model.add_all_different(queens)
    model.add_all_different([queen + column for column, queen in enumerate(queens)])
    model.add_all_different([queen - column for column, queen in enumerate(queens)])
    for column, row in instance["fixed"]:
        model.add(queens[column] == row)
    for column, row in instance["blocked"]:
        model.add(queens[column] != row)
    for column, queen in enumerate(queens):
        for diagonal in instance["excluded_sums"]:
            model.add(queen + column != diagonal)
        for diagonal in instance["excluded_differences"]:
            model.add(queen - column != diagonal)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = MOST_SECONDS
    status = solver.solve(model)
    is_found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return {
        "solvable": True if is_found else False if status == cp_model.INFEASIBLE else None,
        "queens": [solver.value(queen) for queen in queens] if is_found else None,
        "seconds": time.perf_counter() - begun,
    }


if __name__ == "__main__":
    sys.exit(main())
