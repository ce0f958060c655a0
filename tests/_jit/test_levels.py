"""The libraries that come with the package: the right one is loaded, and all of them compute the same."""

import copy
import ctypes
import platform
import re
import shutil
import subprocess
import sys
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import test_release
from kernel_calls import call_all, kernels_run_by, kernels_watched_by

from fastqueens._jit import library
from fastqueens._jit.declarations import declared
from fastqueens._jit.library import LEVELS
from fastqueens.kernels import all_kernels, windows


def test_each_level_needs_all_instruction_sets_of_its_own_and_of_those_below():
    flags, levels = frozenset({"fpu", "sse2", "avx10"}), []
    for level, more in reversed(LEVELS.items()):
        for flag in more.split():
            assert library.supported(flags | {*more.split()} - {flag}) == levels, flag
        flags, levels = flags | {*more.split()}, [level, *levels]
        assert library.supported(flags) == levels
    assert levels == ["x86-64-v4", "x86-64-v3", "x86-64-v2"]


def test_every_system_finds_the_libraries_of_its_processor(monkeypatch):
    expected = {
        ("linux", "aarch64", ()): ["aarch64"],
        ("darwin", "arm64", ()): ["aarch64"],
        ("win32", "ARM64", ()): ["aarch64"],
        ("win32", "AMD64", (10, 38, 40)): ["x86-64-v3", "x86-64-v2"],  # the numbers of SSE4.2 and AVX2 in winnt.h
        ("win32", "AMD64", (10, 38)): ["x86-64-v2"],
        ("win32", "AMD64", (10,)): [],
    }
    for (system, machine, instructions), levels in expected.items():
        monkeypatch.setattr(sys, "platform", system)
        monkeypatch.setattr(platform, "machine", lambda name=machine: name)
        kernel32 = SimpleNamespace(IsProcessorFeaturePresent=lambda number, those=instructions: number in those)
        monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel32), raising=False)
        assert library.levels_here() == levels, (system, machine, instructions)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler links libraries here")
def test_the_highest_level_that_can_be_loaded_is_used(tmp_path, monkeypatch, caplog):
    from fastqueens._jit import objects  # imports numba

    [kinds] = declared(windows.place_random.py_func)
    (tmp_path / "kernel.o").write_bytes(objects.object_file(windows.place_random, kinds, objects.here()))
    files = [tmp_path / f"kernels-{level}-{library.stamp()}{library.SUFFIX}" for level in LEVELS]
    objects.link([tmp_path / "kernel.o"], files[1])
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    monkeypatch.setattr(library, "levels_here", lambda: [*LEVELS])
    of_package = library.of_package.__wrapped__
    assert (of_package()[0], caplog.text) == ("x86-64-v3", "")
    assert library.function_of(of_package()[1], windows.place_random, kinds)
    files[0].write_bytes(b"damaged")
    assert of_package()[0] == "x86-64-v3"
    assert "cannot be loaded" in caplog.text
    monkeypatch.setattr(library, "stamp", lambda: "edited")
    assert of_package() == (None, None)


@pytest.fixture(scope="module")
def paths():
    """The files of the libraries that came with the package and that this processor can run, by level."""
    of_levels = {level: library.FOLDER / f"kernels-{level}-{library.stamp()}{library.SUFFIX}" for level in LEVELS}
    found = {level: of_levels[level] for level in library.levels_here() if of_levels[level].exists()}
    return found or pytest.skip("no libraries came with the package; a wheel for this system has them")


@pytest.fixture(scope="module")
def libraries(paths):
    """The libraries in these files, by level."""
    return {level: ctypes.CDLL(str(path)) for level, path in paths.items()}


#: Instructions that compute with floats. Others whose names end alike move and combine bits.
FLOATS = re.compile(r"\tv?(add|sub|mul|div|sqrt|round|min|max|u?comi|cmp\w*|fn?m(add|sub)\w*)[ps][ds]\b|\tv?cvt")


@pytest.mark.skipif(shutil.which("objdump") is None, reason="no objdump here")
def test_libraries_compute_with_integers_only(paths):
    """Most versions of numba turn a mix of int64 and uint64 into float64, which silently loses the lowest bits."""
    for path in paths.values():
        command = ["objdump", "--disassemble", "--no-show-raw-insn", path]
        code = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert len(code) > 1_000_000
        assert FLOATS.search(code) is None, path


@pytest.mark.gate
def test_every_kernel_computes_the_same_at_every_level(libraries):
    """Each call of a kernel is repeated with each library, on copies of its arguments."""
    kinds_of = dict[tuple, set]()

    def compare(kernel, arguments):
        kinds, found = [], []
        arguments = copy.deepcopy(arguments)  # other threads can write into the arrays meanwhile
        library.describe(arguments, kinds, [])
        kinds_of.setdefault(kernel, set()).add(tuple(kinds))
        for one in libraries.values():
            copies, words = copy.deepcopy(arguments), []
            library.describe(copies, [], words)
            result = library.function_of(one, kernel, tuple(kinds))(words, copies)
            found.append(repr((result, list(flat(copies)))))
        assert len(set(found)) == 1, kernel.__name__

    with kernels_watched_by(compare):
        call_all()
    assert {kernel: {*declared(kernel.py_func)} for kernel in all_kernels()} == kinds_of


def flat(values):
    for value in values:
        yield from flat(value) if isinstance(value, tuple) else [np.asarray(value).tobytes()]


@pytest.mark.gate
def test_seeds_make_the_boards_of_this_version_at_every_level(libraries):
    for one in libraries.values():
        with kernels_run_by(partial(library.function_of, one)):
            for name in test_release.boards():
                test_release.assert_same_board(name)
