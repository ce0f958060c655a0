"""``fastqueens info`` and ``warmup``: versions, machine and compiled code; and compiling everything now."""

from __future__ import annotations

import logging
import platform
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import fastqueens
from fastqueens import __version__
from fastqueens._jit.decorators import describe_compiled_code
from fastqueens._run.memory import available_memory
from fastqueens._run.text import counted
from fastqueens._run.threads import all_cores
from fastqueens._run.thresholds import lowered
from fastqueens.cli.output import Output
from fastqueens.errors import InputError, printable

_LIBRARIES = ("numpy", "numba", "matplotlib", "pillow", "pypdf", "psutil", "click", "rich")
_EXTRAS = ("dask",)


def info(out: Output) -> None:
    """Show versions, cores, memory, and how much compiled code is stored and where."""
    out.progress("looking")
    found: dict[str, Any] = {
        "fastqueens": __version__,
        "folder": str(Path(__file__).parents[1]),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "libraries": {name: version for name in (*_LIBRARIES, *_EXTRAS) if (version := _version(name)) is not None},
        "cores": all_cores(),
        "available_memory": available_memory(),
        **describe_compiled_code(),
    }
    if out.as_json:
        out.json(found)
        return
    out.say(*(f"{heading:12}{printable(line)}" for heading, line in _lines(found).items()))


def warmup(out: Output) -> None:
    """Compile everything now."""
    found = describe_compiled_code()
    before, kernels = found["compiled"], found["kernels"]
    if found["cache"] is None and not found["reason"]:
        raise InputError("compiled code cannot be stored, since no folder is writable: set NUMBA_CACHE_DIR to one")
    begun = time.perf_counter()
    out.progress("compiling", 0, kernels)
    counter = _Counter(out, {name.rpartition(".")[2] for name in before}, kernels)
    logging.getLogger("fastqueens").addHandler(counter)
    try:
        call_every_kernel()
    finally:
        logging.getLogger("fastqueens").removeHandler(counter)
    seconds = time.perf_counter() - begun
    found = describe_compiled_code()
    if found["cache"] is None:
        out.say(f"Compiled everything in {seconds:.1f} s; numba stores it.")
        return
    stored, size = found["compiled"], sum(found["compiled"].values()) / 1000
    compiled = counted(len(stored) - len(before), "kernel")
    out.say(f"Compiled {compiled} in {seconds:.1f} s. All {len(stored)} are stored: {size:.0f} kB in {found['cache']}.")


class _Counter(logging.Handler):
    """Counts the kernels in the progress line, with those that were compiled before."""

    def __init__(self, out: Output, compiled: set[str], kernels: int) -> None:
        super().__init__(logging.INFO)
        self._out, self._compiled, self._kernels = out, compiled, kernels

    def emit(self, record: logging.LogRecord) -> None:
        self._compiled.update(map(str, record.args or ()))
        done = min(len(self._compiled), self._kernels)
        self._out.progress(f"compiling ({done} of {counted(self._kernels, 'kernel')})", done, self._kernels)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _lines(found: dict[str, Any]) -> dict[str, str]:
    """Return the lines to show, by heading."""
    memory = found["available_memory"]
    libraries = [f"{name} {version}" for name, version in found["libraries"].items()]
    return {
        "fastqueens": f"{found['fastqueens']}, in {found['folder']}",
        "Python": f"{found['python']}, {found['system']}",
        "libraries": ", ".join(libraries),
        "cores": str(found["cores"]),
        "memory": "unknown" if memory is None else f"{memory / 2**30:.1f} GiB available",
        "back end": found["back_end"] + (f": {found['reason']}" if found["reason"] else ""),
        "compiled": _compiled(found),
    }


def _compiled(found: dict[str, Any]) -> str:
    if found["reason"]:
        return "numba stores it"
    if found["cache"] is None:
        return "nothing: no folder is writable, so each process compiles again"
    compiled = found["compiled"]
    size = sum(compiled.values()) / 1000
    return f"{len(compiled)} of {found['kernels']} kernels, {size:.0f} kB, in {found['cache']}"


def call_every_kernel() -> None:
    """Call the library on small boards, with lower thresholds too, until each kernel has been called."""
    import numpy as np

    from fastqueens._run.arguments import STARTS
    from fastqueens.classroom.rules import RULES, Limits
    from fastqueens.classroom.runs import run_many
    from fastqueens.densities import bin_board
    from fastqueens.kernels import checking as verification_kernel

    board = fastqueens.solve(1024, seed=1).queens
    read_only = board.copy()
    read_only.flags.writeable = False  # as a board that is mapped from a file
    for changes in ({}, {"groups": 1000, "threads": 1}):
        with lowered(**changes):
            for start in STARTS:
                fastqueens.solve(1024, seed=1, start=start, threads=2)
                fastqueens.solve(8, seed=1, start=start)
            for queens in (board, read_only):
                fastqueens.is_solution(queens, threads=2)
                fastqueens.attacking_pairs(queens, threads=2)
                fastqueens.conflicting_queens(queens, threads=2)
                fastqueens.first_attack(queens)
                bin_board(queens, cells=2)
                fastqueens.statistics(queens)
    attacked = np.zeros(1024, board.dtype)
    for _ in range(2):
        fastqueens.attacking_pairs(attacked)
        fastqueens.first_attack(attacked)
        attacked.flags.writeable = False
    for max_steps in (0, None):
        fastqueens.solve(8, seed=1, fixed={0: 3, 1: 7, 2: 4}, max_steps=max_steps)
    fastqueens.solve(8, seed=1, fixed={0: 3, 1: 7, 2: 4}, method="local")  # looks for forced queens
    verification_kernel.is_solution(board, np.zeros(64, np.uint64))
    fastqueens.solve(1024, seed=1, fixed={3: 17})
    fastqueens.solve(8, seed=1, start="random", max_steps=0)  # boards that are not solved are checked in another way
    fastqueens.solve(8, seed=1, mix=1)
    fastqueens.sample(8, seed=1)
    for n in (8, 65):  # on larger boards, p(m) is measured at few m
        fastqueens.estimate(n, seed=1, replicas=4)
    for n, wide_tree in ((8, 65), (17, 65), (33, 65), (8, 1)):
        with lowered(wide_tree=wide_tree, uncut_squares=1):
            fastqueens.count_solutions(n, limit=20)
            list(fastqueens.all_solutions(n, limit=1))
    fastqueens.puzzle(8, 3, seed=1)
    list(fastqueens.unique_puzzles(8, 1, seed=1))
    fastqueens.descend([0, 0, 0, 0])
    for rule in RULES:
        fastqueens.climb(8, rule=rule, seed=1, limits=Limits(max_steps=1))
        run_many(8, rule, range(1, 2))
    fastqueens.check_climber(list, n=4, runs=20)
