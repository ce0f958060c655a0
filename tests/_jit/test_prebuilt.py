"""Machine code that comes with the package: the right file is used, and never one that does not fit."""

import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fastqueens
from fastqueens._jit import prebuilt, store

PACKAGE = Path(fastqueens.__file__).parent

V2 = {"cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"}
V3 = V2 | {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}
V4 = V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
LEVELS = ["x86-64-v4", "x86-64-v3", "x86-64-v2"]

of_this_system = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="only Linux on x86-64 has such files"
)


@pytest.mark.parametrize("count", range(4))
def test_each_level_needs_all_instruction_sets_of_its_own_and_of_those_below(count):
    flags = [set(), V2, V3, V4][count]
    assert prebuilt.supported(frozenset(flags | {"fpu", "sse2", "avx10"})) == LEVELS[3 - count :]
    for missing in flags:
        supported = prebuilt.supported(frozenset(flags - {missing}))
        assert supported == LEVELS[3 - sum(missing not in level for level in (V2, V3, V4)[:count]) :], missing


@pytest.fixture
def levels(tmp_path, monkeypatch):
    """Files for the two lower levels, on a processor that supports all three."""
    monkeypatch.setattr(prebuilt, "FOLDER", tmp_path / "prebuilt")
    monkeypatch.setattr(prebuilt, "processor_flags", lambda: frozenset(V4))
    monkeypatch.setattr(store, "IS_CHECKED", False)
    for name in [name for name in os.environ if name.startswith("NUMBA_")]:
        monkeypatch.delenv(name)
    return {level: prebuilt.write(level, {"name": level.encode()}) for level in LEVELS[1:]}


codes = prebuilt.codes.__wrapped__


@of_this_system
def test_the_highest_level_that_has_a_file_is_used(levels, monkeypatch):
    assert codes() == ("x86-64-v3", {"name": b"x86-64-v3"})
    prebuilt.write("x86-64-v4", {})
    assert codes() == ("x86-64-v4", {})
    monkeypatch.setattr(prebuilt, "processor_flags", lambda: frozenset(V2))
    assert codes() == ("x86-64-v2", {"name": b"x86-64-v2"})
    monkeypatch.setattr(prebuilt, "processor_flags", frozenset)
    assert codes() == (None, {})


@of_this_system
def test_a_damaged_file_or_one_of_another_level_is_left_aside(levels):
    file = levels["x86-64-v3"]
    content = file.read_bytes()
    for place in range(len(content)):
        file.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        assert codes()[0] == "x86-64-v2", place
    for other in (b"", content[:7], content[:-1], content + b"\0", levels["x86-64-v2"].read_bytes()):
        file.write_bytes(other)
        assert codes()[0] == "x86-64-v2", other
    file.write_bytes(content)
    assert codes()[0] == "x86-64-v3"


CHANGES = {
    "a setting of numba": lambda patch: patch.setenv("NUMBA_OPT", "3"),
    "bounds checks": lambda patch: patch.setattr(store, "IS_CHECKED", True),
    "edited sources": lambda patch: patch.setattr(store, "stamp", lambda: "0123"),
    "another system": lambda patch: patch.setattr(sys, "platform", "darwin"),
    "another processor": lambda patch: patch.setattr(platform, "machine", lambda: "aarch64"),
}


@of_this_system
@pytest.mark.parametrize("change", CHANGES)
def test_code_is_compiled_here_where_that_of_the_package_does_not_fit(levels, monkeypatch, change):
    assert codes()[0]
    CHANGES[change](monkeypatch)
    assert codes() == (None, {})


@of_this_system
def test_a_cache_of_ones_own_is_no_setting(levels, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/elsewhere")
    assert codes()[0]


BUILD = """
from fastqueens._jit import decorators, prebuilt
from fastqueens.kernels import windows
for level in prebuilt.LEVELS:
    prebuilt.write(level, decorators.compiled_ahead([windows.place_random]))
"""

USE = """
import json, sys
import numpy as np
if sys.argv[1] == "without":
    sys.modules["numba"] = sys.modules["llvmlite"] = None
from fastqueens._jit import decorators
from fastqueens.kernels import windows
queens = np.empty(20, np.int32)
windows.place_random(queens, np.uint64(1), np.uint64(0), 0, 20)
print(json.dumps([decorators.describe_compiled_code()["level"], queens.tolist()]))
"""


@of_this_system
def test_a_process_uses_the_files_without_numba_until_a_source_is_edited(tmp_path):
    """The code is made for x86-64-v2 here, and for each level by ``.ci/prebuild.py``."""
    if not prebuilt.supported(prebuilt.processor_flags()):
        pytest.skip("this processor is older than x86-64-v2")
    shutil.copytree(PACKAGE, tmp_path / "fastqueens", ignore=shutil.ignore_patterns("__pycache__", "prebuilt"))
    foreign = ("NUMBA_", "XDG_", "PYTHON", "FASTQUEENS_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    environment |= {"PYTHONPATH": str(tmp_path), "HOME": str(tmp_path / "home"), "PYTHONDONTWRITEBYTECODE": "1"}

    def run(program, numba, **settings):
        command = [sys.executable, "-c", program, numba]
        done = subprocess.run(command, env=environment | settings, capture_output=True, text=True, cwd=tmp_path)
        return json.loads(done.stdout) if done.stdout else done.stderr

    run(BUILD, "with", NUMBA_CPU_NAME="x86-64-v2", NUMBA_CPU_FEATURES="", NUMBA_CACHE_DIR=os.devnull)
    level, rows = run(USE, "without")
    assert level in LEVELS
    assert list(tmp_path.rglob("*.kernel")) == []

    bits = tmp_path / "fastqueens" / "kernels" / "bits.py"
    bits.write_text(bits.read_text() + "\n# edited\n")
    assert "numba" in run(USE, "without")
    assert run(USE, "with") == [None, rows]
    assert len(list(tmp_path.rglob("*.kernel"))) == 2
