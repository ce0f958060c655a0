"""The libraries that come with the package: the right one is loaded, and all of them compute the same."""

import copy
import ctypes
import shutil

import numpy as np
import pytest
import test_release
from kernel_calls import call_all

from fastqueens._jit import library, objects
from fastqueens._jit.decorators import Kernel
from fastqueens._jit.library import LEVELS
from fastqueens._jit.types import declared
from fastqueens.kernels import all_kernels, windows


def test_each_level_needs_all_instruction_sets_of_its_own_and_of_those_below():
    flags, levels = frozenset({"fpu", "sse2", "avx10"}), []
    for level, more in reversed(LEVELS.items()):
        for flag in more.split():
            assert library.supported(flags | {*more.split()} - {flag}) == levels, flag
        flags, levels = flags | {*more.split()}, [level, *levels]
        assert library.supported(flags) == levels
    assert levels == ["x86-64-v4", "x86-64-v3", "x86-64-v2"]


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler links libraries here")
def test_the_highest_level_that_can_be_loaded_is_used(tmp_path, monkeypatch, caplog):
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
def libraries():
    """The libraries that came with the package and that this processor can run, by level."""
    paths = {level: library.FOLDER / f"kernels-{level}-{library.stamp()}{library.SUFFIX}" for level in LEVELS}
    found = {level: ctypes.CDLL(str(paths[level])) for level in library.levels_here() if paths[level].exists()}
    return found or pytest.skip("no libraries came with the package; a wheel for this system has them")


@pytest.mark.gate
def test_every_kernel_computes_the_same_at_every_level(libraries, monkeypatch):
    """Each call of a kernel is repeated with each library, on copies of its arguments."""
    call, kinds_of = Kernel.__call__, dict[tuple, set]()

    def compared(kernel, *arguments):
        kinds, found = [], []
        library.describe(arguments, kinds, [])
        kinds_of.setdefault(kernel, set()).add(tuple(kinds))
        for one in libraries.values():
            copies, words = copy.deepcopy(arguments), []
            library.describe(copies, [], words)
            result = library.function_of(one, kernel, tuple(kinds))(words, copies)
            found.append(repr((result, list(flat(copies)))))
        assert len(set(found)) == 1, kernel.__name__
        return call(kernel, *arguments)

    monkeypatch.setattr(Kernel, "__call__", compared)
    call_all()
    assert {kernel: {*declared(kernel.py_func)} for kernel in all_kernels()} == kinds_of


def flat(values):
    for value in values:
        yield from flat(value) if isinstance(value, tuple) else [np.asarray(value).tobytes()]


@pytest.mark.gate
def test_seeds_make_the_boards_of_this_version_at_every_level(libraries, monkeypatch):
    monkeypatch.setattr(library, "cached", None)
    for level, one in libraries.items():
        monkeypatch.setattr(library, "of_package", lambda found=(level, one): found)
        for kernel in all_kernels():
            monkeypatch.setattr(kernel, "calls", {})
        for name in test_release.boards():
            test_release.test_a_seed_makes_the_boards_of_this_version(name)
