"""Calls of the library that together call every kernel."""

import numpy as np
from lowered import lowered

import fastqueens
from fastqueens._run.arguments import STARTS
from fastqueens.classroom.rules import RULES, Limits
from fastqueens.classroom.runs import run_many
from fastqueens.densities import bin_board
from fastqueens.kernels import checking as verification_kernel


def call_all():
    """Call the library on small boards, with lower thresholds too, until each kernel is called for all its types."""
    board = fastqueens.solve(1024, seed=1).queens
    for changes in ({}, {"groups": 1000, "threads": 1}):
        with lowered(**changes):
            for start in STARTS:
                fastqueens.solve(1024, seed=1, start=start, threads=2)
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
    for n, wide_tree in ((8, 65), (17, 65), (33, 65), (8, 1)):
        with lowered(wide_tree=wide_tree, uncut_squares=1):
            fastqueens.count_solutions(n, limit=20)
            list(fastqueens.all_solutions(n, limit=1))
    fastqueens.puzzle(8, 3, seed=1)
    fastqueens.descend([0, 0, 0, 0])
    for rule in RULES:
        fastqueens.climb(8, rule=rule, seed=1, limits=Limits(max_steps=1))
        run_many(8, rule, range(1, 2))
    fastqueens.check_climber(list, n=4, runs=20)
