"""N-queens by local search: a million queens in milliseconds.

Public names are loaded on first use, so that ``import fastqueens`` costs nothing and ``fastqueens --help`` does not
wait for numba.

>>> import fastqueens
>>> result = fastqueens.solve(1000, seed=1)
>>> result.solved, fastqueens.attacking_pairs(result.queens)
(True, 0)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastqueens.check.verification import attacking_pairs as attacking_pairs
    from fastqueens.check.verification import conflicting_queens as conflicting_queens
    from fastqueens.check.verification import first_attack as first_attack
    from fastqueens.check.verification import is_solution as is_solution
    from fastqueens.classroom.climbing import Climb as Climb
    from fastqueens.classroom.climbing import Limits as Limits
    from fastqueens.classroom.climbing import climb as climb
    from fastqueens.classroom.descent import Descent as Descent
    from fastqueens.classroom.descent import descend as descend
    from fastqueens.classroom.moves import attacks as attacks
    from fastqueens.classroom.moves import heuristic_cost as heuristic_cost
    from fastqueens.classroom.moves import move_costs as move_costs
    from fastqueens.classroom.moves import steepest_move as steepest_move
    from fastqueens.classroom.puzzles import Puzzle as Puzzle
    from fastqueens.classroom.puzzles import puzzle as puzzle
    from fastqueens.classroom.puzzles import unique_puzzles as unique_puzzles
    from fastqueens.classroom.study import Study as Study
    from fastqueens.classroom.study import study as study
    from fastqueens.core.board import Trace as Trace
    from fastqueens.core.errors import InputError as InputError
    from fastqueens.core.errors import NoSolutionError as NoSolutionError
    from fastqueens.core.errors import NotEnoughMemoryError as NotEnoughMemoryError
    from fastqueens.core.errors import SamplingWarning as SamplingWarning
    from fastqueens.core.errors import Stopped as Stopped
    from fastqueens.core.instance import Instance as Instance
    from fastqueens.core.instance import make_instance as make_instance
    from fastqueens.exact.solutions import all_solutions as all_solutions
    from fastqueens.exact.solutions import count_solutions as count_solutions
    from fastqueens.exact.solutions import has_unique_solution as has_unique_solution
    from fastqueens.explorer.serving import explore as explore
    from fastqueens.files.boards import read_board as read_board
    from fastqueens.files.boards import write_board as write_board
    from fastqueens.files.instances import read_instance as read_instance
    from fastqueens.files.instances import read_instances as read_instances
    from fastqueens.files.instances import write_instance as write_instance
    from fastqueens.files.traces import read_trace as read_trace
    from fastqueens.files.traces import write_trace as write_trace
    from fastqueens.pictures.boards import picture as picture
    from fastqueens.pictures.posters import poster as poster
    from fastqueens.sampling.estimate import estimate as estimate
    from fastqueens.sampling.estimated_count import CountEstimate as CountEstimate
    from fastqueens.sampling.limit_shape import LimitGamma as LimitGamma
    from fastqueens.sampling.limit_shape import limit_density as limit_density
    from fastqueens.sampling.limit_shape import limit_gamma as limit_gamma
    from fastqueens.sampling.limit_shape import limit_occupancy as limit_occupancy
    from fastqueens.sampling.samples import Samples as Samples
    from fastqueens.sampling.samples import sample as sample
    from fastqueens.sampling.statistics import Statistics as Statistics
    from fastqueens.sampling.statistics import statistics as statistics
    from fastqueens.solving.many import Outcomes as Outcomes
    from fastqueens.solving.many import solve_many as solve_many
    from fastqueens.solving.result import Result as Result
    from fastqueens.solving.solver import solve as solve
    from fastqueens.solving.windows import random_board as random_board

__version__ = "0.1.0"

_HOME_OF = {
    "Climb": "classroom.climbing",
    "CountEstimate": "sampling.estimated_count",
    "Descent": "classroom.descent",
    "InputError": "core.errors",
    "Instance": "core.instance",
    "LimitGamma": "sampling.limit_shape",
    "Limits": "classroom.climbing",
    "NoSolutionError": "core.errors",
    "NotEnoughMemoryError": "core.errors",
    "Outcomes": "solving.many",
    "Puzzle": "classroom.puzzles",
    "Result": "solving.result",
    "Samples": "sampling.samples",
    "SamplingWarning": "core.errors",
    "Statistics": "sampling.statistics",
    "Stopped": "core.errors",
    "Study": "classroom.study",
    "Trace": "core.board",
    "all_solutions": "exact.solutions",
    "attacking_pairs": "check.verification",
    "attacks": "classroom.moves",
    "climb": "classroom.climbing",
    "conflicting_queens": "check.verification",
    "count_solutions": "exact.solutions",
    "descend": "classroom.descent",
    "estimate": "sampling.estimate",
    "explore": "explorer.serving",
    "first_attack": "check.verification",
    "has_unique_solution": "exact.solutions",
    "heuristic_cost": "classroom.moves",
    "is_solution": "check.verification",
    "limit_density": "sampling.limit_shape",
    "limit_gamma": "sampling.limit_shape",
    "limit_occupancy": "sampling.limit_shape",
    "make_instance": "core.instance",
    "move_costs": "classroom.moves",
    "picture": "pictures.boards",
    "poster": "pictures.posters",
    "puzzle": "classroom.puzzles",
    "random_board": "solving.windows",
    "read_board": "files.boards",
    "read_instance": "files.instances",
    "read_instances": "files.instances",
    "read_trace": "files.traces",
    "sample": "sampling.samples",
    "solve": "solving.solver",
    "solve_many": "solving.many",
    "statistics": "sampling.statistics",
    "steepest_move": "classroom.moves",
    "study": "classroom.study",
    "unique_puzzles": "classroom.puzzles",
    "write_board": "files.boards",
    "write_instance": "files.instances",
    "write_trace": "files.traces",
}

__all__ = ["__version__", *sorted(_HOME_OF)]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'fastqueens' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"fastqueens.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
