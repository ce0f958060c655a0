"""Compiled code: its types and options, and a cache on disk that is never stale and never stops a run."""

import errno
import importlib.util
import itertools
import json
import logging
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.caching import FunctionCache

import fastqueens
from fastqueens.classroom.climbing import climb
from fastqueens.core.names import RULES, STARTS

PACKAGE = Path(fastqueens.__file__).parent


@pytest.fixture
def package_copy(tmp_path):
    """A folder with a copy of the package, without compiled code."""
    return copy_package(tmp_path)


def copy_package(folder):
    shutil.copytree(PACKAGE, folder / "fastqueens", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def start_in(folder, program, **settings):
    """Start a program that imports the package in this folder."""
    foreign = ("NUMBA_", "XDG_", "PYTHON")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    # No .pyc files: Python's own cache misses a second edit within the same second.
    environment |= {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"} | settings
    command = [sys.executable, "-W", "error", "-c", program]
    return subprocess.Popen(
        command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def printed_by(process):
    """Return what a program has printed as JSON."""
    output, errors = process.communicate(timeout=180)
    assert process.returncode == 0, errors
    return json.loads(output)


def run_in(folder, program, **settings):
    return printed_by(start_in(folder, program, **settings))


def test_only_one_file_uses_the_decorators_of_numba():
    files = [path.name for path in PACKAGE.rglob("*.py") if "njit" in path.read_text() or "@jit" in path.read_text()]
    assert files == ["jit.py"]


# The cache of the package, in separate processes.

ROWS_PROGRAM = """
import json, logging, numpy as np
compiled = []
handler = logging.Handler()
handler.emit = lambda record: compiled.append(record.getMessage())
logging.getLogger("fastqueens").addHandler(handler)
logging.getLogger("fastqueens").setLevel(logging.INFO)
from fastqueens.kernels import placement
queens = np.empty(20, np.int32)
placement.place_random(queens, np.uint64(1), np.uint64(0), 0, 20)
print(json.dumps([queens.tolist(), compiled]))
"""

COMPILING = ["compiling place_random"]


def test_an_edit_in_an_imported_module_is_noticed(package_copy):
    """Numba's own cache would run the old code (numba issue 1833)."""
    first, said = run_in(package_copy, ROWS_PROGRAM)
    assert said == COMPILING
    assert run_in(package_copy, ROWS_PROGRAM) == [first, []]

    edited = package_copy / "fastqueens" / "kernels" / "stream.py"
    times = edited.stat()
    text = edited.read_text()
    assert "0xA0761D6478BD642F" in text
    edited.write_text(text.replace("0xA0761D6478BD642F", "0xA0761D6478BD6421"))
    os.utime(edited, ns=(times.st_atime_ns, times.st_mtime_ns))
    after, said = run_in(package_copy, ROWS_PROGRAM)
    assert said == COMPILING
    assert after != first


def test_a_process_with_a_damaged_cache_compiles_again(package_copy):
    first, _ = run_in(package_copy, ROWS_PROGRAM)
    for file in (*package_copy.rglob("*.nbi"), *package_copy.rglob("*.nbc")):
        file.write_bytes(b"damaged")
    assert run_in(package_copy, ROWS_PROGRAM) == [first, COMPILING]


# The cache of a small kernel, in this process.

SMALL_KERNEL = """
from fastqueens.kernels.jit import kernel

@kernel
def twice(number):
    return 2 * number
"""


class SmallKernel:
    """A module with one kernel, imported again at each call, as by a new process."""

    numbers = itertools.count()

    def __init__(self, folder, log):
        self._file = folder / "small.py"
        self._file.write_text(SMALL_KERNEL)
        self._log = log

    def files(self, suffix):
        return list(self._file.parent.rglob(f"*.{suffix}"))

    def __call__(self, number):
        """Return the kernel's answer and the messages logged meanwhile."""
        self._log.clear()
        spec = importlib.util.spec_from_file_location(f"small_{next(self.numbers)}", self._file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.twice(number), self._log.messages.copy()


@pytest.fixture
def twice(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    caplog.set_level(logging.INFO, "fastqueens")
    return SmallKernel(tmp_path, caplog)


def test_a_kernel_is_compiled_once_for_each_signature_with_a_message(twice):
    assert twice(21) == (42, ["compiling twice"])
    assert twice(21) == (42, [])
    assert twice(np.uint64(21)) == (42, ["compiling twice"])
    assert twice(np.uint64(21)) == twice(21) == (42, [])


DAMAGE = {
    "empty": lambda content: b"",
    "cut off": lambda content: content[: len(content) // 2],
    "cut off at the end": lambda content: content[:-1],
    "random bytes": lambda content: bytes(np.random.default_rng(1).bytes(len(content))),
    "text": lambda content: b"not found",
    "another pickle": lambda content: pickle.dumps(["something", "else"]),
    "a pickle of an unknown class": lambda content: b"cno_such_module\nNoSuchClass\n.",
}


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_cache_file_is_replaced(twice, suffix, damage):
    twice(21)
    (file,) = twice.files(suffix)
    file.write_bytes(DAMAGE[damage](file.read_bytes()))
    assert twice(21) == (42, ["compiling twice"])
    assert twice(21) == (42, [])


def test_a_missing_data_file_is_replaced(twice):
    twice(21)
    (file,) = twice.files("nbc")
    file.unlink()
    assert twice(21) == (42, ["compiling twice"])
    assert twice(21) == (42, [])


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_full_or_read_only_disk_does_not_stop_a_run(twice, monkeypatch, error):
    def refuse(self, sig, data):
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(FunctionCache, "save_overload", refuse)
    answer, said = twice(21)
    assert answer == 42
    assert said[0] == "compiling twice"
    assert said[1].startswith("compiled code was not cached")
    assert os.strerror(error) in said[1]


# Without a cache, since only a freshly compiled kernel can be inspected.

COLD_PROGRAM = """
import importlib, json, pkgutil
from numba.core.dispatcher import Dispatcher
import fastqueens, fastqueens.kernels
import dataclasses
from fastqueens import nqueens
from fastqueens.core import board
from fastqueens.core import thresholds
from fastqueens.solving import tiled_placement as tiled
from fastqueens.analysis.density import bin_board
from fastqueens.classroom.climbing import climb
from fastqueens.classroom.runs import run_many
from fastqueens.core.names import RULES
from fastqueens.explore.queen_lines import lines_of_queen
from fastqueens.explore.pyramid import build_pyramid
from fastqueens.explore.map_tiles import Tiles

def lower(**changes):
    thresholds.current = dataclasses.replace(thresholds.current, **changes)

lower(tiles=1000, threads=2)
tiled.cut_of = lambda n: tiled.Cut(128, 64)

def work():
    for bands in (1, 10**6):
        lower(bands=bands)
        assert fastqueens.solve(1024, seed=1, threads=2).solved
    solved = [fastqueens.solve(8, seed=1, start=start) for start in STARTS]
    board_of_four = [0, 3, 1, 2]
    answers = [fastqueens.is_solution(board_of_four), fastqueens.attacking_pairs(board_of_four),
               fastqueens.conflicting_queens(board_of_four), fastqueens.first_attack(board_of_four)]
    fixed = [fastqueens.puzzle(8, 3, seed=1, solvable=solvable) for solvable in (False, True)][1]
    completed = [fastqueens.solve(8, seed=1, fixed=fixed, max_steps=max_steps).solved for max_steps in (0, None)]
    assert completed == [True, True] and fastqueens.count_solutions(4, {1: 3}) == 1
    assert bin_board(board_of_four, cells=2).squares.tolist() == [[1, 1], [1, 1]]
    queens = board.as_queens(board_of_four)
    assert len(Tiles(queens, build_pyramid(queens)).tile(0, 0, 0)) == 4 + 9 * 4
    assert lines_of_queen(queens, 2).attackers == [(3, 2)]
    climbs = [climb(8, rule=rule, seed=1).as_dict() for rule in RULES]
    for of_rule in climbs:
        assert run_many(8, of_rule["rule"], range(1, 2)).pairs == of_rule["cost"]
    return [[result.queens.tolist() for result in solved], answers, climbs]

def report_on(name, dispatcher):
    overloads = dispatcher.overloads.values()
    kinds = {str(kind) for compiled in overloads for kind in compiled.type_annotation.typemap.values()}
    kinds |= {str(compiled.signature) for compiled in overloads}
    code = "".join(dispatcher.inspect_llvm().values())
    return {"name": name, "compiled": len(overloads), "floats": sorted(kind for kind in kinds if "float" in kind),
            "counts_references": "NRT_incref" in code or "NRT_decref" in code,
            "cache": type(dispatcher._cache).__name__,
            "options": [option for option, value in dispatcher.targetoptions.items() if value]}

signed = work()
fastqueens.solve_many(8, [1])
fastqueens.descend([0, 0, 0, 0])
nqueens._compiled_climb(4)([0, 0, 0, 0], 0)
lower(unsigned_rows=0)
unsigned = work()
modules = [importlib.import_module(f"fastqueens.kernels.{module.name}")
           for module in pkgutil.iter_modules(fastqueens.kernels.__path__)]
reports = [report_on(f"{module.__name__}.{name}", value) for module in modules for name, value in vars(module).items()
           if isinstance(value, Dispatcher) and value.py_func.__module__ == module.__name__]
print(json.dumps({"signed": signed, "unsigned": unsigned, "kernels": reports}))
"""


@pytest.fixture(scope="module", autouse=True)
def cold_process(tmp_path_factory):
    """A process without a writable folder for compiled code; it runs at the same time as the tests above."""
    folder = copy_package(tmp_path_factory.mktemp("read_only"))
    (folder / "fastqueens" / "kernels" / "__pycache__").write_text("no folder")
    nowhere = folder / "a_file" / "cache"
    nowhere.parent.write_text("no folder")
    program = f"STARTS = {STARTS}\n{COLD_PROGRAM}"
    with start_in(folder, program, NUMBA_CACHE_DIR=str(nowhere), HOME="/dev/null/home") as process:
        yield process
        process.kill()


@pytest.fixture(scope="module")
def cold(cold_process):
    return printed_by(cold_process)


def test_it_solves_without_a_writable_folder(cold):
    boards, answers, climbs = cold["signed"]
    assert boards == [fastqueens.solve(8, seed=1, start=start).queens.tolist() for start in STARTS]
    assert answers == [False, 1, 2, [2, 3]]
    assert climbs == [climb(8, rule=rule, seed=1).as_dict() for rule in RULES]
    assert {kernel["cache"] for kernel in cold["kernels"]} <= {"_NoCache", "NullCache"}


def test_unsigned_rows_change_no_board(cold):
    assert cold["unsigned"] == cold["signed"]


def test_every_kernel_was_compiled_for_these_tests(cold):
    assert len(cold["kernels"]) > 40
    assert [kernel["name"] for kernel in cold["kernels"] if not kernel["compiled"]] == []


def test_no_kernel_holds_a_float(cold):
    """Most versions of numba turn a mix of int64 and uint64 into float64, which silently loses the lowest bits."""
    assert {kernel["name"]: kernel["floats"] for kernel in cold["kernels"] if kernel["floats"]} == {}


def test_no_kernel_counts_references(cold):
    """With reference counts for each array of a named tuple, kernels took twice as long."""
    assert [kernel["name"] for kernel in cold["kernels"] if kernel["counts_references"]] == []


def test_kernels_release_the_gil_and_use_no_risky_options(cold):
    for kernel in cold["kernels"]:
        assert not {"fastmath", "parallel", "boundscheck", "error_model"} & set(kernel["options"]), kernel["name"]
        assert "nogil" in kernel["options"] or "forceinline" in kernel["options"], kernel["name"]
