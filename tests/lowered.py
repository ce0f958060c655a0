"""Lower thresholds, so that small boards take the paths of large ones."""

from contextlib import contextmanager
from importlib import import_module

import pytest

from fastqueens._run import memory
from fastqueens._run.progress import Callbacks
from fastqueens._run.thresholds import Thresholds
from fastqueens.solver import solve_task
from fastqueens.task import Task

# The modules with constants that can be lowered.
HOMES = [
    import_module(f"fastqueens.{name}")
    for name in (
        "_run.threads", "board", "chain", "checking", "exact.complete_search", "exact.solutions",
        "files.boards", "local_search", "placement.arrays", "placement.first_boards", "recorder",
        "sampling.board_statistics", "sampling.levels",
    )
]  # fmt: skip

#: Constants, in small letters, and thresholds with which a board of any size takes every path of large boards.
EVERYTHING = {
    "threads": 1,
    "touched": 1,
    "counters": 64,
    "made_in_file": 1,
    "mapped_bytes": 1,
    "checked_slice": 1000,
    "placement_slice": 500,
    "search_slice": 7,
    "tree_slice": 3,
    "mixing_slice": 100,
    "levels_slice": 100,
    "validated_piece": 500,
}
LOW = Thresholds(groups=1, cuts=((1 << 32, 8, 4),), dealt=64, holes_far=1)


def lower(patch, **changes):
    """Change constants, named in small letters, in every module that has them, until the patch ends."""
    for name, value in changes.items():
        homes = [home for home in HOMES if hasattr(home, name.upper())]
        assert homes, name
        for home in homes:
            patch.setattr(home, name.upper(), value)


@contextmanager
def lowered(**changes):
    """Change constants inside the ``with`` block."""
    with pytest.MonkeyPatch.context() as patch:
        lower(patch, **changes)
        yield


def solve(n=None, *, thresholds=LOW, progress=None, stop=None, **options):
    """Return what ``fastqueens.solve`` would return with other thresholds."""
    task = Task(n, **{"trace": True} | options, thresholds=thresholds)
    return solve_task(task, Callbacks.until(task.time_limit, progress, stop))


@contextmanager
def small_pieces(size, most=1 << 20):
    """Read and write numbers in pieces of a few numbers, and read text in blocks of at most as many bytes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fastqueens.files.numbers.PIECE", size)
        patch.setattr("fastqueens.files.numbers.BLOCK", most)
        yield


def limit_memory(patch, available):
    """Let this number of bytes of memory be available until the patch ends."""
    patch.setattr(memory, "available_memory", lambda: available)
