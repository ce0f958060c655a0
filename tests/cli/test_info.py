"""``fastqueens info``: versions, the machine, and what runs the kernels."""

import json

import numpy as np
from processes import process

import fastqueens
from fastqueens._run.threads import all_cores
from fastqueens.kernels import all_kernels


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


def origin(**environment):
    """Return the two lines that a process in a clone says about the kernels, as text; the JSON says the same."""
    in_a_clone = "from fastqueens._jit import library; library.FOLDER /= 'none'"
    environment = {"FASTQUEENS_BACK_END": "", "FASTQUEENS_CHECKED": "", **environment}
    shown = process("info", before=in_a_clone, env=environment).stdout
    return shown.partition("kernels     ")[2].replace(" " * 12, "").splitlines()


def test_two_lines_say_what_runs_the_kernels_and_why(run, tmp_path):
    linked = origin(NUMBA_CACHE_DIR=str(tmp_path), CC="cc")
    shown = run("info")[1].partition("kernels     ")[2].replace(" " * 12, "").splitlines()
    assert [*json.loads(run("info", "--json")[1])["kernels"].values()] == shown
    assert linked[0] == "libraries linked with cc on first use"
    assert linked[1].startswith(f"in {tmp_path}")
    assert linked[1].endswith(f": 0 of {len(all_kernels())} kernels")
    assert origin(CC="/missing/cc") == ["numba", "because there is no C compiler"]
    for name, value in (("FASTQUEENS_BACK_END", "numba"), ("FASTQUEENS_CHECKED", "1")):
        assert origin(**{name: value}) == ["numba", f"because of the environment variable {name}"]
