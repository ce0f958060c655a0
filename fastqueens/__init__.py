"""N-queens by local search: a million queens in milliseconds.

The public names are loaded when they are first used, so that ``import fastqueens`` costs nothing and
``fastqueens --help`` never waits for numba.

>>> import fastqueens
>>> result = fastqueens.solve(1000, seed=1)
>>> result.solved, fastqueens.attacking_pairs(result.queens)
(True, 0)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastqueens.board import InputError as InputError
    from fastqueens.board import NoSolutionError as NoSolutionError
    from fastqueens.board import NotEnoughMemoryError as NotEnoughMemoryError
    from fastqueens.boardfile import read_board as read_board
    from fastqueens.boardfile import write_board as write_board
    from fastqueens.classroom.climbing import Climb as Climb
    from fastqueens.classroom.climbing import climb as climb
    from fastqueens.classroom.descent import Descent as Descent
    from fastqueens.classroom.descent import descend as descend
    from fastqueens.classroom.moves import attacks as attacks
    from fastqueens.classroom.moves import heuristic_cost as heuristic_cost
    from fastqueens.classroom.moves import move_costs as move_costs
    from fastqueens.classroom.moves import steepest_move as steepest_move
    from fastqueens.classroom.rules import Limits as Limits
    from fastqueens.classroom.study import Study as Study
    from fastqueens.classroom.study import study as study
    from fastqueens.counting import attacking_pairs as attacking_pairs
    from fastqueens.counting import conflicting_queens as conflicting_queens
    from fastqueens.counting import first_attack as first_attack
    from fastqueens.counting import is_solution as is_solution
    from fastqueens.exact import count_solutions as count_solutions
    from fastqueens.many import Outcomes as Outcomes
    from fastqueens.many import solve_many as solve_many
    from fastqueens.pictures.posters import poster as poster
    from fastqueens.pictures.showing import picture as picture
    from fastqueens.puzzles import puzzle as puzzle
    from fastqueens.result import Result as Result
    from fastqueens.result import Trace as Trace
    from fastqueens.solver import solve as solve
    from fastqueens.tracefile import read_trace as read_trace
    from fastqueens.tracefile import write_trace as write_trace
    from fastqueens.watch import Stopped as Stopped

__version__ = "0.1.0"

_HOME_OF = {
    "Climb": "classroom.climbing",
    "Descent": "classroom.descent",
    "InputError": "board",
    "Limits": "classroom.rules",
    "NoSolutionError": "board",
    "NotEnoughMemoryError": "board",
    "Outcomes": "many",
    "Result": "result",
    "Stopped": "watch",
    "Study": "classroom.study",
    "Trace": "result",
    "attacking_pairs": "counting",
    "attacks": "classroom.moves",
    "climb": "classroom.climbing",
    "conflicting_queens": "counting",
    "count_solutions": "exact",
    "descend": "classroom.descent",
    "first_attack": "counting",
    "heuristic_cost": "classroom.moves",
    "is_solution": "counting",
    "move_costs": "classroom.moves",
    "picture": "pictures.showing",
    "poster": "pictures.posters",
    "puzzle": "puzzles",
    "read_board": "boardfile",
    "read_trace": "tracefile",
    "solve": "solver",
    "solve_many": "many",
    "steepest_move": "classroom.moves",
    "study": "classroom.study",
    "write_board": "boardfile",
    "write_trace": "tracefile",
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
