"""Calls of the library that together call every kernel, and what runs or watches kernels instead."""

from contextlib import contextmanager

import numpy as np
import pytest
from lowered import LOW, lowered, solve

import fastqueens
from fastqueens._jit import cache, decorators
from fastqueens._jit.decorators import Kernel
from fastqueens._run.arguments import STARTS
from fastqueens._run.thresholds import USUAL
from fastqueens.classroom.algorithms import ALGORITHMS, Limits
from fastqueens.classroom.runs import run_many
from fastqueens.densities import bin_board
from fastqueens.kernels import all_kernels
from fastqueens.kernels import checking as verification_kernel


def call_all():
    """Call the library on small boards, with lower thresholds too, until each kernel is called for all its types."""
    board = fastqueens.solve(1024, seed=1).queens
    for changes, thresholds in (({}, USUAL), ({"threads": 1}, LOW)):
        with lowered(**changes):
            for start in STARTS:
                solve(1024, seed=1, start=start, threads=2, thresholds=thresholds)
            for function in (fastqueens.is_solution, fastqueens.attacking_pairs, fastqueens.conflicting_queens):
                function(board, threads=2)
    fastqueens.first_attack(board)
    bin_board(board, cells=2)
    fastqueens.statistics(board)
    fastqueens.attacking_pairs(np.zeros(1024, board.dtype))
    verification_kernel.is_solution(board, np.zeros(64, np.uint64))
    fastqueens.solve(8, seed=1, fixed={0: 3, 1: 7, 2: 4}, method="local")  # looks for forced queens
    fastqueens.solve(1024, seed=1, fixed={3: 17})
    fastqueens.solve(8, seed=1, mix=1)
    fastqueens.sample(8, seed=1)
    fastqueens.estimate(8, seed=1, replicas=4)
    for n in (8, 17, 33):
        with lowered(uncut_squares=1):
            fastqueens.count_solutions(n, limit=20)
            list(fastqueens.all_solutions(n, limit=1))
    fastqueens.puzzle(8, 3, seed=1)
    fastqueens.descend([0, 0, 0, 0])
    for algorithm in ALGORITHMS:
        fastqueens.climb(8, algorithm=algorithm, seed=1, limits=Limits(max_steps=1))
        run_many(8, algorithm, range(1, 2))
    fastqueens.check_climber(list, n=4, runs=20)


def usual_call(kernel, kinds, ready=decorators.ready):
    """Return what calls a kernel, even while tests let something else do it."""
    return ready(kernel, kinds) or cache.compiled(kernel, kinds)


@contextmanager
def kernels_run_by(ready):
    """Let a function say what calls each kernel."""

    def forget():
        for kernel in all_kernels():
            kernel.calls.clear()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decorators, "ready", ready)
        forget()
        try:
            yield
        finally:
            forget()


@contextmanager
def kernels_watched_by(check):
    """Let a function see each kernel and its arguments before a call."""
    call = Kernel.__call__

    def watched(kernel, *arguments):
        check(kernel, arguments)
        return call(kernel, *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "__call__", watched)
        yield
