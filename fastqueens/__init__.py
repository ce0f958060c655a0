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
    from fastqueens.classroom.checks import check_climber as check_climber
    from fastqueens.classroom.checks import check_cost as check_cost
    from fastqueens.classroom.climbing import Climb as Climb
    from fastqueens.classroom.climbing import climb as climb
    from fastqueens.classroom.descent import Descent as Descent
    from fastqueens.classroom.descent import descend as descend
    from fastqueens.classroom.limits import Limits as Limits
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
    from fastqueens.sampling.estimate_result import CountEstimate as CountEstimate
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

#: The public names of each file.
_NAMES_IN = {
    "check.verification": "attacking_pairs conflicting_queens first_attack is_solution",
    "classroom.checks": "check_climber check_cost",
    "classroom.climbing": "Climb climb",
    "classroom.descent": "Descent descend",
    "classroom.limits": "Limits",
    "classroom.moves": "attacks heuristic_cost move_costs steepest_move",
    "classroom.puzzles": "Puzzle puzzle unique_puzzles",
    "classroom.study": "Study study",
    "core.board": "Trace",
    "core.errors": "InputError NoSolutionError NotEnoughMemoryError SamplingWarning Stopped",
    "core.instance": "Instance make_instance",
    "exact.solutions": "all_solutions count_solutions has_unique_solution",
    "explorer.serving": "explore",
    "files.boards": "read_board write_board",
    "files.instances": "read_instance read_instances write_instance",
    "files.traces": "read_trace write_trace",
    "pictures.boards": "picture",
    "pictures.posters": "poster",
    "sampling.estimate": "estimate",
    "sampling.estimate_result": "CountEstimate",
    "sampling.limit_shape": "LimitGamma limit_density limit_gamma limit_occupancy",
    "sampling.samples": "Samples sample",
    "sampling.statistics": "Statistics statistics",
    "solving.many": "Outcomes solve_many",
    "solving.result": "Result",
    "solving.solver": "solve",
    "solving.windows": "random_board",
}

_HOME_OF = {name: home for home, names in _NAMES_IN.items() for name in names.split()}

__all__ = ["__version__", *sorted(_HOME_OF)]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'fastqueens' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"fastqueens.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
