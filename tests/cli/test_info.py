"""``fastqueens info``, ``fastqueens`` without arguments, and the help of every command."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from errors import check_names

import fastqueens
from fastqueens._jit import decorators, store
from fastqueens._run.threads import all_cores
from fastqueens.cli import machine


def info_in(cache, *arguments, back_end="loader"):
    """Run the real command with its own folder for compiled code."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": os.pathsep.join(sys.path)}
    environment |= {"FASTQUEENS_BACK_END": back_end}
    command = [sys.executable, "-m", "fastqueens", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def test_versions_and_machine_are_shown(run):
    found = json.loads(run("info", "--json")[1])
    assert (found["fastqueens"], found["libraries"]["numpy"]) == (fastqueens.__version__, np.__version__)
    assert found["cores"] == all_cores()
    assert found["kernels"] > 40
    exit_code, stdout, stderr = run("info")
    assert (exit_code, stderr) == (0, "")
    assert f"fastqueens  {fastqueens.__version__}, in " in stdout


@pytest.mark.gate
def test_compiled_kernels_are_listed_with_their_sizes(tmp_path):
    nothing = json.loads(info_in(tmp_path, "info", "--json"))
    assert nothing["compiled"] == {}
    info_in(tmp_path, "solve", "100", "-q")
    some = json.loads(info_in(tmp_path, "info", "--json"))
    assert {"windows.place_in_one_piece", "repair.repair"} <= set(some["compiled"])
    assert len(some["compiled"]) < some["kernels"]
    sizes = [file.stat().st_size for file in tmp_path.rglob("*.kernel") if not file.name.startswith("decorators")]
    assert sum(some["compiled"].values()) == sum(sizes) > 0
    assert some["cache"].startswith(str(tmp_path))
    for file in tmp_path.rglob("*.kernel"):
        file.unlink()
    assert json.loads(info_in(tmp_path, "info", "--json"))["compiled"] == {}


def test_the_back_end_is_named(tmp_path):
    loader = json.loads(info_in(tmp_path, "info", "--json"))
    assert (loader["back_end"], loader["reason"]) == ("loader", None)
    shown = info_in(tmp_path, "info", back_end="numba")
    check_names(shown, re.compile(r"back end +numba: FASTQUEENS_BACK_END is numba\n"), re.compile("compiled +numba"))


@pytest.mark.gate
def test_after_a_warmup_no_command_compiles(tmp_path):
    kernels = json.loads(info_in(tmp_path, "info", "--json"))["kernels"]
    check_names(info_in(tmp_path, "warmup"), f"Compiled {kernels} kernels", f"All {kernels}")
    check_names(info_in(tmp_path, "warmup"), "Compiled 0 kernels")
    assert len(json.loads(info_in(tmp_path, "info", "--json"))["compiled"]) == kernels
    before = len(list(tmp_path.rglob("*.kernel")))
    for words in (
        "solve 8", "solve 1e5 --threads 2", "solve 5e6 -o {0}/q.npy", "verify {0}/q.npy", "puzzle 8",
        "solve 10 --start random --seeds 1..3", "climb 8 --seed 1 --rule min-conflicts", "solve 6 --count",
        "show {0}/q.npy -o {0}/q.png",
    ):  # fmt: skip
        info_in(tmp_path, *words.format(tmp_path).split())
    assert len(list(tmp_path.rglob("*.kernel"))) == before


def test_a_folder_that_is_not_writable_is_reported(run, monkeypatch):
    monkeypatch.setattr(decorators, "reason_for_numba", lambda: None)
    monkeypatch.setattr(store, "folder", lambda: None)
    check_names(run("info")[1], re.compile("compiled +nothing: .* folder .* writable"))
    monkeypatch.setattr(machine, "call_every_kernel", pytest.fail)
    exit_code, stdout, stderr = run("warmup")
    assert (exit_code, stdout) == (2, "")
    check_names(stderr, "NUMBA_CACHE_DIR")
