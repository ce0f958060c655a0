"""Kernels in libraries: every kind of argument and result, threads, forks, and processes that may not make code."""

import copy
import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import pytest
from processes import process

from fastqueens._jit import cache
from fastqueens._jit.decorators import Kernel
from fastqueens._jit.types import bundle
from fastqueens.kernels import bits

# Arguments


def fill_line(numbers, number):
    if numbers.size:
        numbers[-1] = number
    return numbers.size, numbers.shape[0]


def fill_cube(numbers, number):
    if numbers.size:
        numbers[-1, 0, -1] = number
    return numbers.size, numbers.shape[2]


def test_arrays_and_numbers_of_every_type():
    for number, letter in enumerate("bHiLqBhIlQ"):
        function, shape, place = [(fill_line, (3,), 2), (fill_cube, (2, 3, 4), 15)][number % 2]
        kernel, kind = Kernel(function), np.dtype(letter).type
        for number in (np.iinfo(kind).min, np.iinfo(kind).max):
            numbers = np.ones(shape, kind)
            assert kernel(numbers, kind(number)) == (numbers.size, shape[-1]), letter
            assert [at for at, one in enumerate(numbers.flat) if one == number] == [place], letter
            numbers.flags.writeable = False
            assert kernel(numbers[:0], kind(number))[0] == 0
        assert len(kernel.calls) == 1, letter
    unaligned = np.frombuffer(bytearray(25), np.int64, offset=1)
    for number in (-7, True):
        Kernel(fill_line)(unaligned, number)
        assert unaligned.tolist() == [0, 0, number]


class Inner(NamedTuple):
    numbers: np.ndarray
    by: int


class Outer(NamedTuple):
    first: Inner
    square: np.ndarray
    second: Inner


def move(outer):
    outer.second.numbers[0] += outer.first.numbers[0] * outer.first.by
    outer.square[1, 0] += outer.second.by


def test_nested_tuples_are_flattened():
    outer = Outer(Inner(np.array([2]), 3), np.zeros((2, 2), np.uint8), Inner(np.array([5]), 7))
    Kernel(move)(outer)
    assert (outer.first.numbers[0], outer.square.tolist(), outer.second.numbers[0]) == (2, [[0, 0], [7, 0]], 11)


@bundle
class Numbers(NamedTuple):
    numbers: np.ndarray


def count_up(bundle, empty):
    bundle.numbers[0] += 1
    return bundle.numbers[0]


def test_a_bundle_is_read_once_and_its_copies_have_their_own_arrays():
    kernel, first, empty = Kernel(count_up), Numbers(np.array([5])), np.empty(0, np.uint64)
    assert kernel(first, empty) == 6
    copies = [pickle.loads(pickle.dumps(first)), copy.deepcopy(first), first._replace(numbers=np.array([6]))]
    assert [kernel(one, empty) for one in [*copies, first]] == [7, 7, 7, 7]
    assert [one.numbers[0] for one in [*copies, first]] == [7, 7, 7, 7]
    with pytest.raises(TypeError, match="not in C order"):
        kernel(Numbers(np.arange(6)[::2]), empty)


def test_other_arguments_are_refused_before_the_kernel_runs():
    kernel, cube = Kernel(fill_cube), np.ones((4, 6, 2), int)
    for array in (cube.T, cube[::2], cube[:, ::2], *map(cube.astype, (float, bool, ">i4"))):
        with pytest.raises(TypeError, match=r"an array is not in C order|kernels take arrays of"):
            kernel(array, 1)
    for number in (1.5, [1], None, "1"):
        with pytest.raises(TypeError, match="kernels take arrays, integers"):
            kernel(cube, number)
    assert (cube == 1).all()
    with pytest.raises(TypeError, match="only kernels can use the instruction count_ones"):
        bits.count_ones(np.uint64(3))


# Results


RESULTS = {
    "none": (lambda number: None, None),
    "negative": (lambda number: -number, -5),
    "above 2^63": (lambda number: np.uint64(2**64 - 2), 2**64 - 2),
    "true": (lambda number: number > 3, True),
    "several": (lambda number: (number > 9, np.uint64(2**63), -number, number == 5), (False, 2**63, -5, True)),
}


def test_results_of_every_kind():
    for name, (function, expected) in RESULTS.items():
        assert repr(Kernel(function)(5)) == repr(expected), name


def divide(number, by):
    return number // by


def test_a_kernel_that_fails_raises_an_error():
    kernel = Kernel(divide)
    assert kernel(-7, 2) == -4
    with pytest.raises(RuntimeError, match="the kernel divide has failed; FASTQUEENS_CHECKED=1"):
        kernel(7, 0)
    assert kernel(7, 2) == 3


def test_what_a_library_cannot_return_is_left_to_numba(caplog):
    assert Kernel(lambda number: (number, number, number, number, number))(1) == (1, 1, 1, 1, 1)
    assert "Numba runs the kernels" in caplog.text


# Threads and processes


def test_threads_compile_a_kernel_once(monkeypatch):
    compiled, calls = cache.compiled, []
    monkeypatch.setattr(cache, "compiled", lambda *kernel_and_kinds: calls.append(1) or compiled(*kernel_and_kinds))
    kernel = Kernel(fill_line)
    with ThreadPoolExecutor(4) as pool:
        assert {*pool.map(lambda length: kernel(np.zeros(length, int), 1)[0], range(8))} == {*range(8)}
    assert calls == [1]


FORK = """
import os, threading
import numpy as np
import fastqueens
from fastqueens._jit import cache
from fastqueens._jit.decorators import Kernel
from fastqueens._jit.types import bundle
begun = threading.Event()
def compiled(*_):
    begun.set()
    threading.Event().wait()
fastqueens.solve(8, seed=1, threads=1)
cache.compiled = compiled
threading.Thread(target=Kernel(lambda number: number), args=[1], daemon=True).start()
begun.wait()
child = os.fork()
if not child:
    os._exit(0 if fastqueens.attacking_pairs([0, 1]) == 1 else 1)
print(os.waitpid(child, 0)[1], flush=True)
os._exit(0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_a_forked_process_does_not_wait_for_a_thread_of_its_parent_that_compiles():
    subprocess.run([sys.executable, "-c", "import fastqueens; fastqueens.attacking_pairs([0, 1])"], check=True)
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=120)
    assert done.stdout == "0\n", done.stderr


def test_a_daemon_thread_can_run_a_kernel_when_the_interpreter_ends():
    program = "import threading, time, fastqueens; fastqueens.solve(300, seed=1, start='random', max_steps=1)\n"
    program += "def work():\n    while True: fastqueens.solve(2_000_000, seed=1)\n"
    program += "threading.Thread(target=work, daemon=True).start(); time.sleep(0.3)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


COMMANDS = ["solve 1000000 --seed 1 -o q.npy -q", "verify q.npy -q", "show q.npy -q", "climb 8 --seed 1 -q"]

#: Forbids new executable memory, runs commands, and prints their exit codes, the slow libraries that are imported, and
#: the lines of executable memory without a file.
CONFINED = """
import ctypes, json, sys, threading
refused = ctypes.CDLL(None, use_errno=True).prctl(65, 1, 0, 0, 0)  # PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN
error = ctypes.get_errno() if refused else 0
found, has_ended = set(), threading.Event()
def watch():
    while not has_ended.is_set():
        for line in open("/proc/self/maps"):
            words = line.split()
            if "x" in words[1] and (len(words) < 6 or not words[5].startswith(("/", "[vdso]", "[vsyscall]"))):
                found.add(line)
watching = threading.Thread(target=watch)
watching.start()
from fastqueens.cli import app
from fastqueens.cli.session import Session
codes = [app.run(command.split(), Session()) for command in sys.argv[1:]]
has_ended.set()
watching.join()
slow = {"numba", "llvmlite", "scipy", "matplotlib", "PIL", "dask"} & set(sys.modules)
print(json.dumps([error, codes, sorted(slow), sorted(found)]), file=sys.stderr)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux describes its memory in /proc")
def test_warm_commands_make_no_executable_memory_and_do_not_import_numba(tmp_path):
    for command in COMMANDS:
        process(*command.split(), cwd=tmp_path, env={"FASTQUEENS_BACK_END": ""})
    program = [sys.executable, "-c", CONFINED, *COMMANDS]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    error, exit_codes, slow, executable = json.loads(done.stderr.splitlines()[-1])
    assert exit_codes[:3] == [0, 0, 0], done.stderr
    assert (slow, executable) == ([], [])
    if error == 22:
        pytest.skip("this kernel cannot forbid new executable memory; Linux 6.3 and later can")
    assert error == 0
