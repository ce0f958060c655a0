"""N-queens by local search: a million queens in milliseconds.

Public names are loaded on first use. Therefore ``import fastqueens`` is fast, and ``fastqueens --help`` does not wait
for numba. The stub ``__init__.pyi`` has the same names for type checkers.

>>> import fastqueens
>>> result = fastqueens.solve(1000, seed=1)
>>> result.solved, fastqueens.attacking_pairs(result.queens)
(True, 0)
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "1.0.0"

#: The public names by the module that defines them.
_NAMES = {
    "answer": "Answer",
    "batch": "solve_instances",
    "board": "Trace",
    "checking": "attacking_pairs conflicting_queens first_attack is_solution",
    "classroom.animations": "Animation animate",
    "classroom.climbing": "Climb climb",
    "classroom.descent": "Descent descend",
    "classroom.grading": "check_climber check_cost",
    "classroom.moves": "attacks heuristic_cost move_costs steepest_move",
    "classroom.puzzles": "Puzzle puzzle unique_puzzles",
    "classroom.algorithms": "Limits",
    "classroom.studies": "Study study",
    "errors": "InputError NoSolutionError NotEnoughMemoryError SamplingWarning Stopped TimeLimitReached",
    "exact.solutions": "all_solutions count_solutions has_unique_solution",
    "explorer.showing": "explore",
    "files.boards": "read_board read_boards write_board",
    "files.instances": "read_instance read_instances write_instance",
    "files.traces": "read_trace write_trace",
    "instance": "Instance make_instance",
    "pictures.drawing": "picture",
    "pictures.figure": "Picture",
    "pictures.posters": "Poster poster",
    "placement.first_boards": "random_board",
    "proof": "prove",
    "result": "Result",
    "sampling.board_statistics": "Statistics statistics",
    "sampling.estimates": "CountEstimate estimate",
    "sampling.limit_shape": "LimitGamma limit_density limit_gamma limit_occupancy",
    "sampling.samples": "Samples sample",
    "solver": "solve",
}

#: The module of each public name.
_HOME_OF = {name: f"fastqueens.{module}" for module, names in _NAMES.items() for name in names.split()}

__all__ = ["__version__", *sorted(_HOME_OF)]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'fastqueens' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
