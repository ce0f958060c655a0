"""Compiled code: two back ends with the same answers, and a cache on disk that is never stale and never stops a run."""

import errno
import importlib.util
import json
import logging
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
from numba.core.caching import FunctionCache

import fastqueens
from fastqueens._jit import compiler, decorators, machine_code, prebuilt, store
from fastqueens._jit.machine_code import MachineCode

PACKAGE = Path(fastqueens.__file__).parent


def copy_package(folder):
    """Copy the package, without compiled code, into a folder."""
    shutil.copytree(PACKAGE, folder / "fastqueens", ignore=shutil.ignore_patterns("__pycache__", "prebuilt"))
    return folder


def run_in(folder, program, **settings):
    """Run a program that imports the package in this folder; return what it printed as JSON."""
    foreign = ("NUMBA_", "XDG_", "PYTHON", "FASTQUEENS_BACK_END")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    # No .pyc files: Python's own cache misses a second edit within the same second.
    environment |= {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"} | settings
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# The cache of the package, in separate processes.

ROWS_PROGRAM = """
import json, logging, numpy as np
compiled = []
handler = logging.Handler()
handler.emit = lambda record: compiled.append(record.getMessage())
logging.getLogger("fastqueens").addHandler(handler)
logging.getLogger("fastqueens").setLevel(logging.INFO)
from fastqueens.kernels import windows as placement
queens = np.empty(20, np.int32)
placement.place_random(queens, np.uint64(1), np.uint64(0), 0, 20)
print(json.dumps([queens.tolist(), compiled]))
"""

COMPILING = ["compiling sum_up", "compiling place_random"]


BACK_ENDS = {"loader": decorators.loader, "numba": decorators.with_numba}


@pytest.mark.gate
@pytest.mark.parametrize("name", BACK_ENDS)
def test_code_is_stored_for_this_user_only_until_an_imported_module_is_edited(tmp_path, name):
    """Numba's own cache would run the old code (numba issue 1833), and it unpickles the files that it finds."""
    copy_package(tmp_path)
    settings = {"FASTQUEENS_BACK_END": name, "HOME": str(tmp_path / "home")}
    compiling = COMPILING if name == "loader" else COMPILING[1:]
    first, said = run_in(tmp_path, ROWS_PROGRAM, **settings)
    assert said == compiling
    assert run_in(tmp_path, ROWS_PROGRAM, **settings) == [first, []]
    stored = {*tmp_path.rglob("*.kernel"), *tmp_path.rglob("*.nb?")}
    assert {file for file in stored if file.is_relative_to(tmp_path / "fastqueens")} == set() != stored
    assert {file.parents[0 if name == "loader" else 2].stat().st_mode & 0o777 for file in stored} == {0o700}

    edited = tmp_path / "fastqueens" / "kernels" / "stream.py"
    times = edited.stat()
    text = edited.read_text()
    assert "0xA0761D6478BD642F" in text
    edited.write_text(text.replace("0xA0761D6478BD642F", "0xA0761D6478BD6421"))
    os.utime(edited, ns=(times.st_atime_ns, times.st_mtime_ns))
    after, said = run_in(tmp_path, ROWS_PROGRAM, **settings)
    assert said == compiling
    assert after != first
    left = {file for file in stored if file.suffix == ".kernel"} & set(tmp_path.rglob("*.kernel"))
    assert not left, "what is no longer loaded is removed"


# The cache of a small kernel, in this process.


def imported(file, name):
    """Import a module from a file, again if it was imported before."""
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SMALL_KERNEL = """
from fastqueens._jit.decorators import kernel

@kernel
def twice(number):
    return 2 * number
"""


class SmallKernel:
    """A module of the package with one kernel, imported again at each call, as by a new process."""

    def __init__(self, folder, log, suffixes):
        self.suffixes = suffixes
        self._file = folder / "small.py"
        self._file.write_text(SMALL_KERNEL)
        self._log = log

    def files(self):
        """Return one file of each kind that holds the compiled code."""
        return [file for suffix in self.suffixes for file in self._file.parent.rglob(f"small.twice*.{suffix}")]

    def __call__(self, number):
        """Return the kernel's answer and the messages logged meanwhile."""
        self._log.clear()
        answer = imported(self._file, "fastqueens.small").twice(number)
        return answer, self._log.messages.copy()


def forget():
    """Forget the facts about the cache that a new process determines."""
    store._place.cache_clear()
    store._build.cache_clear()


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A separate home, so that nothing is left in the user's cache."""
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    forget()
    yield
    forget()


@pytest.fixture(params=BACK_ENDS)
def twice(request, home, tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(decorators, "back_end", lambda: BACK_ENDS[request.param])
    caplog.set_level(logging.INFO, "fastqueens")
    return SmallKernel(tmp_path, caplog, ["*"] if request.param == "loader" else ["nbi", "nbc"])


of_the_loader = pytest.mark.parametrize("twice", ["loader"], indirect=True)


@of_the_loader
def test_a_kernel_is_compiled_once_for_each_signature_with_a_message(twice):
    assert twice(21) == (42, ["compiling twice"])
    assert twice(21) == (42, [])
    assert twice(np.uint64(21)) == (42, ["compiling twice"])
    assert twice(np.uint64(21)) == twice(21) == (42, [])


def test_numba_logs_only_on_request(twice, caplog):
    """At the level DEBUG, it logs thousands of messages per kernel."""
    caplog.set_level(logging.DEBUG)
    assert twice(21) == (42, ["compiling twice"])
    caplog.set_level(logging.DEBUG, "numba")
    assert len(twice(np.uint64(21))[1]) > 10


DAMAGE = {
    "missing": None,
    "empty": lambda content: b"",
    "cut off": lambda content: content[: len(content) // 2],
    "random bytes": lambda content: bytes(np.random.default_rng(1).bytes(len(content))),
    "a pickle of an unknown class": lambda content: b"cno_such_module\nNoSuchClass\n.",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_or_missing_cache_file_stops_nothing(twice, damage):
    assert twice(21) == (42, ["compiling twice"])
    for number in range(len(twice.suffixes)):
        file = twice.files()[number]
        content = file.read_bytes()
        file.unlink()
        if DAMAGE[damage] is not None:
            file.write_bytes(DAMAGE[damage](content))
        answer, said = twice(21)
        assert answer == 42
        assert "nbi" in twice.suffixes or said == ["compiling twice"]
        assert twice(21) == (42, [])


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EACCES])
def test_a_full_or_read_only_disk_does_not_stop_a_run(twice, monkeypatch, error):
    def refuse(*arguments, **options):
        raise OSError(error, os.strerror(error))

    # Errors from elsewhere, such as a signal handler, would pass.
    in_numba = {**refuse.__globals__, "__name__": "numba.core.caching"}
    refuse_in_numba = FunctionType(refuse.__code__, in_numba, closure=refuse.__closure__)
    monkeypatch.setattr(FunctionCache, "save_overload", refuse_in_numba)
    monkeypatch.setattr(store.os, "replace", refuse)
    answer, said = twice(21)
    assert (answer, said[0]) == (42, "compiling twice")
    assert len(twice.suffixes) == 2 or os.strerror(error) in said[1]
    assert twice.files() == []
    monkeypatch.setattr(store, "folder", lambda: None)
    assert twice(21)[0] == 42


@of_the_loader
def test_a_cache_that_can_only_be_read_is_read(twice, monkeypatch):
    """This is the case in a container whose files are read-only."""
    twice(21)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert store.folder() is None
    assert twice(21) == (42, [])


@pytest.mark.parametrize("others", [0o000, 0o077])
def test_folders_and_files_are_for_this_user_only(home, tmp_path, others):
    before = os.umask(others)
    try:
        folder = store.folder()
    finally:
        os.umask(before)
    assert folder.parent == tmp_path / ".cache" / "fastqueens"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("platform", "variable", "below"),
    [
        ("linux", "HOME", ".cache/fastqueens"),
        ("darwin", "HOME", "Library/Caches/fastqueens"),
        ("win32", "LOCALAPPDATA", "fastqueens"),
        ("linux", "XDG_CACHE_HOME", "fastqueens"),
        ("linux", "NUMBA_CACHE_DIR", "."),
    ],
)
def test_the_cache_is_where_the_platform_keeps_caches(home, tmp_path, monkeypatch, platform, variable, below):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(variable, str(tmp_path / "here"))
    assert store.folder().parent == tmp_path / "here" / below


@pytest.mark.parametrize("cache", ["a file", "relative home"])
def test_without_a_folder_nothing_is_stored(home, tmp_path, monkeypatch, cache):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv(*(("NUMBA_CACHE_DIR", str(tmp_path / "file")) if cache == "a file" else ("HOME", "relative")))
    assert store.folder() is None
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


# The loader.


@pytest.fixture
def stored(twice):
    """A small kernel, called for int64 and for uint64: two files if the loader runs it."""
    twice(21), twice(np.uint64(21))
    return twice


@of_the_loader
def test_one_flipped_bit_anywhere_is_noticed(stored):
    file = min(stored.files())
    content = file.read_bytes()
    places = {0, 31, 32, 33, len(content) // 2, len(content) - 1}
    places |= set(np.random.default_rng(1).integers(0, len(content), 10).tolist())
    for place in places:
        file.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        answers = [stored(21), stored(np.uint64(21))]
        assert sorted(answers) == [(42, []), (42, ["compiling twice"])], place


@of_the_loader
def test_files_that_changed_places_are_noticed(stored):
    first, second = stored.files()
    contents = first.read_bytes(), second.read_bytes()
    second.write_bytes(contents[0])
    first.write_bytes(contents[1])
    assert stored(21) == stored(np.uint64(21)) == (42, ["compiling twice"])


CHANGES = {
    "processor": lambda patch: patch.setattr(store, "processor", lambda: "another processor"),
    "numba": lambda patch: patch.setattr(store, "_numba", lambda: "another version"),
    "setting": lambda patch: patch.setenv("NUMBA_OPT", "2"),
    "checked": lambda patch: patch.setattr(store, "IS_CHECKED", not store.IS_CHECKED),
}


@of_the_loader
@pytest.mark.parametrize("change", CHANGES)
def test_code_for_another_machine_or_version_is_not_loaded(stored, monkeypatch, change):
    CHANGES[change](monkeypatch)
    forget()
    assert stored(21) == (42, ["compiling twice"])


KERNELS = """
import math
import numpy as np
from fastqueens._jit.decorators import kernel

@kernel
def nothing(number):
    number + 1

@kernel
def several(array, number):
    return len(array), number, array[0, 0] > 0, np.uint64(array.shape[1])

@kernel
def divide(number, by):
    return number // by

@kernel
def refuse(number):
    raise ValueError("a word", 2)

@kernel
def odd_ones(array):
    found = 0
    for i in range(len(array)):
        found += np.int64(array[i] & 1 != 0)
    return found

@kernel
def clear(array):
    for i in range(len(array)):
        array[i] = 0

@kernel
def choose(number):
    if number == 0:
        return 7
    elif number == 1 or number == 5:
        return 1
    elif number == 3:
        return 2
    elif number == 7:
        return -1
    return 8

@kernel
def thousandfold_sine(number):
    return np.int64(1000 * math.sin(number))
"""


@pytest.fixture
def kernels(home, tmp_path, monkeypatch):
    """Import kernels that the loader runs, without stored code."""
    monkeypatch.setattr(decorators, "back_end", lambda: decorators.loader)
    (tmp_path / "kernels.py").write_text(KERNELS)
    return imported(tmp_path / "kernels.py", "kernels")


ARRAYS = {
    "C order": np.arange(1, 7, dtype=np.int32).reshape(2, 3),
    "one entry": np.ones((1, 1), np.uint32),
    "unsigned": np.arange(1, 7, dtype=np.uint64).reshape(2, 3),
    "byte": np.arange(1, 7, dtype=np.uint8).reshape(2, 3),
    "unaligned": np.frombuffer(b"abc" + np.arange(1, 7, dtype=np.int32).tobytes(), np.int32, offset=3).reshape(2, 3),
}


def test_a_processor_without_description_does_not_hang(monkeypatch, tmp_path):
    (tmp_path / "cpuinfo").write_text("")
    monkeypatch.setattr(machine_code, "open", lambda _: (tmp_path / "cpuinfo").open(), raising=False)
    assert machine_code.processor()


def test_results_and_arrays_of_every_kind(kernels):
    assert kernels.nothing(1) is None
    for _ in range(2):  # the second time, other code was called in between
        for array in ARRAYS.values():
            for number in (-1, 2**63 - 1, np.uint64(2**64 - 1), True):
                assert kernels.several(array, number) == (*array.shape[:1], number, True, array.shape[1])


@pytest.mark.parametrize("array", [np.ones((3, 2), int).T, np.ones((4, 6), int)[::2], np.ones((2, 6), int)[:, ::2]])
def test_an_array_in_another_order_is_refused_before_the_kernel_runs(kernels, array):
    with pytest.raises(TypeError, match="an array is not in C order"):
        kernels.several(array, 1)
    assert kernels.several(array.copy("C"), 1)[0] == len(array)


def test_a_read_only_array_runs_the_same_code_and_another_number_of_dimensions_does_not(kernels):
    array = ARRAYS["C order"].copy()
    assert kernels.several(array, 1)[0] == 2
    array.flags.writeable = False
    assert kernels.several(array, 1)[0] == 2
    assert len(kernels.several.calls) == 1
    with pytest.raises(Exception, match="array"):
        kernels.several(array.reshape(6), 1)
    assert kernels.several(array, 1)[0] == 2


@pytest.mark.parametrize("is_image", [True, False])
def test_constants_tables_and_functions_of_c_are_linked(kernels, monkeypatch, is_image):
    """The second time, LLVM links them, as on systems for which the loader makes no image."""
    if not is_image:
        monkeypatch.setattr(compiler, "linked", lambda files, result: MachineCode(tuple(files), None, (), result))
    array = np.arange(1000, dtype=np.int32)
    assert kernels.odd_ones(array) == 500
    kernels.clear(array[:999])
    assert array.tolist() == [0] * 999 + [999]
    assert [kernels.choose(number) for number in range(8)] == [7, 1, 8, 2, 8, 1, 8, -1]
    assert kernels.thousandfold_sine(1) == 841


def test_other_object_files_are_left_to_llvm():
    header = bytearray(64)
    header[:6], header[18] = b"\x7fELF\2\1", 183  # Linux on ARM
    for content in (header, *(begin.ljust(64, b"\0") for begin in (b"", b"\x7fELF\1\1", b"MZ", b"\xcf\xfa\xed\xfe"))):
        assert compiler.linked([bytes(content)], "q") == MachineCode((bytes(content),), None, (), "q")


def test_exceptions_with_and_without_arguments(kernels):
    assert kernels.divide(7, 2) == 3
    with pytest.raises(ZeroDivisionError):
        kernels.divide(7, 0)
    with pytest.raises(ValueError) as caught:
        kernels.refuse(1)
    assert caught.value.args == ("a word", 2)


@pytest.mark.parametrize("value", [1.5, [1, 2]])
def test_kernels_refuse_other_arguments(kernels, value):
    with pytest.raises(TypeError, match="kernels take arrays"):
        kernels.nothing(value)


def test_a_daemon_thread_may_run_a_kernel_when_the_interpreter_ends():
    program = "import threading, time, fastqueens; fastqueens.solve(300, seed=1, start='random', max_steps=1)\n"
    program += "def work():\n    while True: fastqueens.solve(2_000_000, seed=1)\n"
    program += "threading.Thread(target=work, daemon=True).start(); time.sleep(1)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_code_of_a_package_in_an_archive_is_not_stored(monkeypatch):
    """Its sources cannot be read, so an edit would not be noticed."""
    monkeypatch.setattr(store, "sources", lambda: ())
    assert not store.StoredKernel(decorators._self_test.py_func, "a name")._is_stored


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_does_not_wait_for_threads_of_its_parent():
    program = """
import os, threading
from fastqueens._jit import decorators as jit
import fastqueens
held = threading.Event()
def hold():
    with jit._preparing:
        held.set()
        threading.Event().wait()
threading.Thread(target=hold, daemon=True).start()
held.wait()
child = os.fork()
if not child:
    os._exit(0 if fastqueens.solve(8, seed=1, threads=1).solved else 1)
print(os.waitpid(child, 0)[1], flush=True)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout == "0\n"


LAYOUT = "the loader needs a usual CPython"
REASONS = {
    "a wrong result": (machine_code, "loaded", lambda *_: lambda *_: (0, True), "failed its test: a wrong result"),
    "an error": (machine_code, "loaded", None, "the loader failed its test: TypeError"),
    "Py_TRACE_REFS": (decorators, "_HEAD_BYTES", 32, LAYOUT),
    "a small array object": (decorators, "_ARRAY_BYTES", 64, LAYOUT),
    "no global lock": (sys, "abiflags", "t", LAYOUT),
    "32 bits": (sys, "maxsize", 2**31 - 1, LAYOUT),
    "big-endian": (sys, "byteorder", "big", LAYOUT),
    "another Python": (sys.implementation, "name", "pypy", LAYOUT),
}


@pytest.mark.parametrize("change", REASONS)
def test_numba_takes_over_if_the_loader_cannot_be_trusted(home, monkeypatch, change):
    monkeypatch.delenv("FASTQUEENS_BACK_END", raising=False)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    assert decorators.reason_for_numba.__wrapped__() is None
    *place, value, reason = REASONS[change]
    monkeypatch.setattr(*place, value)
    monkeypatch.setattr(store.StoredKernel, "read", lambda entry: None)
    monkeypatch.setattr(prebuilt, "codes", lambda: (None, {}))
    if reason is LAYOUT:
        monkeypatch.setattr(decorators, "_passes_its_test", lambda: pytest.fail("a crash"))
    assert reason in decorators.reason_for_numba.__wrapped__()


def test_the_setting_names_a_back_end(monkeypatch):
    monkeypatch.setenv("FASTQUEENS_BACK_END", "numba")
    assert decorators.reason_for_numba.__wrapped__() == "FASTQUEENS_BACK_END is numba"
    monkeypatch.setenv("FASTQUEENS_BACK_END", "nimba")
    done = subprocess.run([sys.executable, "-m", "fastqueens", "solve", "8"], capture_output=True, text=True)
    message = "Error: the environment variable FASTQUEENS_BACK_END must be loader or numba, not 'nimba'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


def test_the_layout_of_this_python_is_known():
    assert decorators._has_known_layout()
    assert (object.__basicsize__, np.ndarray.__basicsize__ >= 72) == (16, True)


DISABLED = "NUMBA_DISABLE_JIT is set, and nothing runs without compiled code; unset NUMBA_DISABLE_JIT"


@pytest.mark.parametrize("name", BACK_ENDS)
def test_disabled_compilation_is_one_line(tmp_path, name):
    settings = {"NUMBA_DISABLE_JIT": "1", "NUMBA_CACHE_DIR": str(tmp_path), "FASTQUEENS_BACK_END": name}
    environment = os.environ | settings
    command = [sys.executable, "-m", "fastqueens"]
    done = subprocess.run([*command, "solve", "8"], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"Error: {DISABLED}\n")
    done = subprocess.run([*command, "info"], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert DISABLED in done.stdout or name == "numba"


WARM_PROGRAM = """
import json, sys
from fastqueens.cli import app
from fastqueens.cli import Session
heavy = {"numba", "llvmlite", "scipy", "matplotlib", "PIL", "dask"}
codes = {}
for command in sys.argv[1:]:
    code = app.run(command.split(), Session())
    codes[command] = code, sorted(heavy & set(sys.modules))
print(json.dumps(codes), file=sys.stderr)
"""


def test_a_warm_command_imports_neither_numba_nor_scipy(tmp_path):
    (tmp_path / "q.txt").write_text("1\n3\n0\n2\n")
    # Other seeds can need other kernels the second time.
    seeded = [f"{command} --seed 1" for command in ("climb 8", "solve 100 -o q.npy", "solve 100000 -q")]
    commands = ["verify q.txt", "show q.txt", *seeded]
    run = [sys.executable, "-c", WARM_PROGRAM, *commands]
    environment = os.environ | {"FASTQUEENS_BACK_END": "loader"}
    for _ in range(2):
        process = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True, env=environment)
    found = json.loads(process.stderr.splitlines()[-1])
    assert {command: heavy for command, (_, heavy) in found.items() if heavy} == {}
    # A climb can end on a board that is not a solution.
    assert {code for command, (code, _) in found.items() if "climb" not in command} == {0}


# Without a cache, since only a freshly compiled kernel can be inspected.

COLD_PROGRAM = """
import gc, json
from fastqueens.kernels import all_kernels
from fastqueens._jit import compiler
from fastqueens._jit.decorators import Kernel

def report_on(function):
    dispatcher = compiler.dispatchers.of(function)
    kinds = {str(kind) for compiled in dispatcher.overloads.values()
             for kind in (compiled.signature, *compiled.type_annotation.typemap.values())}
    code = "".join(dispatcher.inspect_llvm().values())
    return {"name": function.__name__, "compiled": len(dispatcher.overloads),
            "floats": sorted(kind for kind in kinds if "float" in kind),
            "counts_references": "NRT_incref" in code or "NRT_decref" in code,
            "options": [name for name, on in dispatcher.targetoptions.items() if on]}

for kernel in all_kernels():
    kernel.prepare()
print(json.dumps([report_on(value) for value in gc.get_objects() if issubclass(type(value), Kernel)]))
"""


@pytest.mark.gate
def test_kernels_are_compiled_without_floats_references_and_risky_options(tmp_path):
    """Most versions of numba turn a mix of int64 and uint64 into float64, which silently loses the lowest bits.

    With reference counts for each array of a named tuple, kernels took twice as long.
    """
    (tmp_path / "file").write_text("no folder")
    kernels = run_in(copy_package(tmp_path), COLD_PROGRAM, NUMBA_CACHE_DIR=str(tmp_path / "file"))
    assert len(kernels) > 100
    for kernel in kernels:
        name = kernel["name"]
        assert kernel["compiled"], name
        assert (kernel["floats"], kernel["counts_references"]) == ([], False), name
        assert not {"fastmath", "parallel", "boundscheck", "error_model"} & set(kernel["options"]), name
        assert {"nogil", "forceinline"} & set(kernel["options"]), name
