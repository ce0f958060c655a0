"""``fastqueens info``, ``fastqueens`` without arguments, and the help of every command."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from errors import check_names

import fastqueens
from fastqueens._jit import decorators, prebuilt, store
from fastqueens._run.threads import all_cores
from fastqueens.kernels import all_kernels


def info_in(cache, *arguments, **settings):
    """Run the real command with its own folder for compiled code. With any setting of numba, code is compiled."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": os.pathsep.join(sys.path)}
    environment |= {"FASTQUEENS_BACK_END": "loader"} | settings
    command = [sys.executable, "-m", "fastqueens", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def test_versions_and_machine_are_shown(run, monkeypatch):
    monkeypatch.delenv("FASTQUEENS_THREADS", raising=False)
    found = json.loads(run("info", "--json")[1])
    assert (found["fastqueens"], found["libraries"]["numpy"]) == (fastqueens.__version__, np.__version__)
    assert found["cores"] == all_cores()
    exit_code, stdout, stderr = run("info")
    assert (exit_code, stderr) == (0, "")
    assert f"cores       {all_cores()}\n" in stdout
    monkeypatch.setenv("FASTQUEENS_THREADS", "1000")
    assert f"cores       {all_cores()} (FASTQUEENS_THREADS is 1000)\n" in run("info")[1]
    assert f"fastqueens  {fastqueens.__version__}, in " in stdout


def test_it_is_said_where_the_code_comes_from(tmp_path, run, monkeypatch):
    compiled = json.loads(info_in(tmp_path, "info", "--json", NUMBA_OPT="3"))
    assert (compiled["back_end"], compiled["level"], compiled["reason"]) == ("loader", None, None)
    assert compiled["cache"].startswith(str(tmp_path))
    check_names(info_in(tmp_path, "info", NUMBA_OPT="3"), f"code        compiled on this machine, stored in {tmp_path}")
    shown = info_in(tmp_path, "info", FASTQUEENS_BACK_END="numba")
    check_names(shown, "code        compiled and stored by numba: FASTQUEENS_BACK_END is numba\n")
    monkeypatch.setattr(decorators, "reason_for_numba", lambda: None)
    monkeypatch.setattr(prebuilt, "codes", lambda: ("x86-64-v3", {}))
    check_names(run("info")[1], "code        came with the package, compiled for x86-64-v3\n")
    nothing = "Nothing to compile: the code came with the package, compiled for x86-64-v3.\n"
    assert run("warmup") == (0, nothing, "")


@pytest.mark.gate
def test_after_a_warmup_no_command_compiles(tmp_path):
    kernels = len(all_kernels())
    check_names(info_in(tmp_path, "warmup", NUMBA_OPT="3"), f"All {kernels} kernels are ready after")
    before = len(list(tmp_path.rglob("*.kernel")))
    assert before > kernels
    for words in (
        "warmup", "solve 8", "solve 1e5 --threads 2", "solve 5e6 -o {0}/q.npy", "verify {0}/q.npy", "puzzle 8",
        "solve 10 --start random --seeds 1..3", "climb 8 --seed 1 --rule min-conflicts", "solve 6 --count",
        "show {0}/q.npy -o {0}/q.png",
    ):  # fmt: skip
        info_in(tmp_path, *words.format(tmp_path).split(), NUMBA_OPT="3")
    assert len(list(tmp_path.rglob("*.kernel"))) == before


def test_a_folder_that_is_not_writable_is_reported(run, monkeypatch):
    monkeypatch.setattr(decorators, "reason_for_numba", lambda: None)
    monkeypatch.setattr(prebuilt, "codes", lambda: (None, {}))
    monkeypatch.setattr(store, "folder", lambda: None)
    check_names(run("info")[1], "code        compiled again by each process because no folder is writable\n")
    monkeypatch.setattr(decorators.Kernel, "prepare", pytest.fail)
    exit_code, stdout, stderr = run("warmup")
    assert (exit_code, stdout) == (2, "")
    check_names(stderr, "NUMBA_CACHE_DIR")
