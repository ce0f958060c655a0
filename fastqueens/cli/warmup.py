"""``fastqueens warmup``: compiles everything now, so that no later command has to."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from fastqueens.cli import options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.session import Session
from fastqueens.cli.wording import say
from fastqueens.core.wording import counted


@click.command(
    short_help="Compile everything now, so that no later command has to.", epilog="\b\nExample:\n  fastqueens warmup"
)
@options.quiet
@click.pass_obj
def warmup(session: Session, quiet: bool) -> None:
    """Compile everything now, so that no later command has to.

    Otherwise each command compiles what it needs on its first use, which takes some seconds. Run this once after an
    installation, for example before a lesson.
    """
    from fastqueens.cli.info import describe_compiled_code

    before = describe_compiled_code()["compiled"]
    begun = time.perf_counter()
    with progress_and_notes(session.display, quiet=quiet):
        session.display.report("compiling")
        call_every_kernel(session)
    seconds = time.perf_counter() - begun
    found = describe_compiled_code()
    if quiet:
        return
    if found["cache"] is None:
        storing = "numba stores it" if found["reason"] else "nothing is stored, since no folder is writable"
        say(f"Compiled everything in {seconds:.1f} s; {storing}.")
        return
    stored, size = found["compiled"], sum(found["compiled"].values()) / 1000
    compiled = counted(len(stored) - len(before), "kernel")
    say(f"Compiled {compiled} in {seconds:.1f} s. All {len(stored)} are stored: {size:.0f} kB in {found['cache']}.")


def call_every_kernel(session: Session) -> None:
    """Call the library on small boards, with lower thresholds too, until each kernel has been called."""
    import numpy as np

    import fastqueens
    from fastqueens.check import verification_kernel
    from fastqueens.check.density import bin_board
    from fastqueens.classroom.batches import run_many
    from fastqueens.core.arguments import RULES, STARTS
    from fastqueens.explorer.map_tiles import Tiles
    from fastqueens.explorer.pyramid import build_pyramid

    board = fastqueens.solve(1024, seed=1).queens
    read_only = board.copy()
    read_only.flags.writeable = False  # as a board that is mapped from a file
    for changes in ({}, {"tiles": 1000, "threads": 1}):
        with _lowered(**changes):
            for start in STARTS:
                session.check_stop()
                fastqueens.solve(1024, seed=1, start=start, threads=2)
                fastqueens.solve(8, seed=1, start=start)
                fastqueens.solve_many(8, [1], start=start)
            for queens in (board, read_only):
                fastqueens.is_solution(queens, threads=2)
                fastqueens.attacking_pairs(queens, threads=2)
                fastqueens.conflicting_queens(queens, threads=2)
                fastqueens.first_attack(queens)
                Tiles(queens, build_pyramid(queens)).load_kernels()
                bin_board(queens, cells=2)
                fastqueens.statistics(queens)
    session.check_stop()
    fastqueens.attacking_pairs([0, 0, 0, 0])
    for max_steps in (0, None):
        fastqueens.solve(8, seed=1, fixed={0: 3, 1: 7, 2: 4}, max_steps=max_steps)
    verification_kernel.is_solution(board, np.zeros(64, np.uint64))
    fastqueens.solve(1024, seed=1, fixed={3: 17})
    fastqueens.solve(8, seed=1, mix=1)
    fastqueens.sample(8, seed=1)
    fastqueens.estimate(8, seed=1, replicas=4)
    for n, wide_tree in ((8, 65), (17, 65), (33, 65), (8, 1)):
        with _lowered(wide_tree=wide_tree, tree_slice=1):
            session.check_stop()
            fastqueens.count_solutions(n, limit=20)
            list(fastqueens.all_solutions(n, limit=1))
    fastqueens.puzzle(8, 3, seed=1)
    list(fastqueens.unique_puzzles(8, 1, seed=1))
    fastqueens.descend([0, 0, 0, 0])
    for rule in RULES:
        session.check_stop()
        fastqueens.climb(8, rule=rule, seed=1)
        run_many(8, rule, range(1, 2))


@contextmanager
def _lowered(**changes: Any) -> Iterator[None]:
    from fastqueens.core import thresholds

    usual = thresholds.current
    thresholds.current = dataclasses.replace(usual, **changes)
    try:
        yield
    finally:
        thresholds.current = usual
