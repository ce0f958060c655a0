"""The declared types of kernels: all of them, and as the library calls them."""

import inspect
import pkgutil
from importlib import import_module

import numpy as np
from lowered import lowered

import fastqueens
from fastqueens import kernels
from fastqueens._jit.decorators import Kernel
from fastqueens._jit.types import declared
from fastqueens._run.arguments import STARTS
from fastqueens.classroom.rules import RULES, Limits
from fastqueens.classroom.runs import run_many
from fastqueens.densities import bin_board
from fastqueens.kernels import all_kernels
from fastqueens.kernels import checking as verification_kernel


def name_of(kernel):
    return f"{kernel.__module__}.{kernel.__name__}"


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


def test_each_kernel_that_drivers_call_declares_the_types_of_all_parameters():
    modules = [import_module(f"fastqueens.kernels.{module.name}") for module in pkgutil.iter_modules(kernels.__path__)]
    of_package = {
        name_of(value): value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Kernel) and not value.is_inlined and not name.startswith("_")
    }
    assert [name_of(kernel) for kernel in all_kernels()] == list(of_package)
    for name, kernel in of_package.items():
        function = kernel.py_func
        assert list(function.__annotations__) == list(inspect.signature(function).parameters), name


def test_kernels_are_called_with_the_types_that_they_declare(monkeypatch):
    for kernel in all_kernels():
        monkeypatch.setattr(kernel, "calls", {})
    call_all()
    called = {name_of(kernel): set(kernel.calls) for kernel in all_kernels()}
    assert called == {name_of(kernel): set(declared(kernel.py_func)) for kernel in all_kernels()}
