"""``fastqueens info``: versions, the machine, and what runs the kernels."""

import json

import numpy as np
import pytest
from processes import process

import fastqueens
from fastqueens._jit import cache, library, objects
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


@pytest.fixture
def origin(run, monkeypatch):
    """Return a function that returns what a command says about the kernels in a clone, as text and in JSON."""
    monkeypatch.setattr(library, "uses_numba", lambda: False)
    monkeypatch.setattr(library, "IS_CHECKED", False)
    monkeypatch.setattr(library, "of_package", lambda: (None, None))

    def origin():
        shown = run("info")[1].partition("kernels     ")[2].replace(" " * 12, "").splitlines()
        assert [*json.loads(run("info", "--json")[1])["kernels"].values()] == shown
        return shown

    return origin


def test_two_lines_say_what_runs_the_kernels_and_why(origin, monkeypatch, tmp_path):
    monkeypatch.setattr(objects, "linker", lambda: ("gcc", "-shared"))
    folder = tmp_path / "kernels"
    monkeypatch.setattr(library, "cache_folder", lambda: folder)
    assert origin() == ["libraries linked with gcc on first use", f"in {folder}: 0 of {len(all_kernels())} kernels"]
    with monkeypatch.context() as patch:
        patch.setattr(cache, "own_folder", lambda: None)
        assert origin() == ["libraries that each process links with gcc", f"because {folder} is not writable"]
    with monkeypatch.context() as patch:
        patch.setattr(objects, "linker", tuple)
        assert origin() == ["numba", "because there is no C compiler"]
    with monkeypatch.context() as patch:
        patch.setattr(library, "uses_numba", lambda: True)
        assert origin() == ["numba", "because of the environment variable FASTQUEENS_BACK_END"]
        patch.setattr(library, "IS_CHECKED", True)
        assert origin() == ["numba", "because of the environment variable FASTQUEENS_CHECKED"]
    monkeypatch.setattr(library, "of_package", lambda: ("x86-64-v3", None))
    assert origin() == ["the library for x86-64-v3 that came with the package", f"in {library.FOLDER}"]


@pytest.mark.gate
def test_after_everything_is_compiled_no_command_compiles(tmp_path):
    settings = {"cwd": tmp_path, "env": {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "FASTQUEENS_BACK_END": ""}}
    in_a_clone = "from fastqueens._jit import library; library.FOLDER /= 'none'"
    compile_all = f"{in_a_clone}; from fastqueens._jit import build; build.compile_all()"
    done = process("info", before=compile_all, **settings)
    kernels = len(all_kernels())
    assert f": {kernels} of {kernels} kernels" in done.stdout, done.stderr
    libraries = {*tmp_path.rglob(f"*{library.SUFFIX}")}
    for words in (
        "solve 8", "solve 1e5 --threads 2", "solve 5e6 -o q.npy", "verify q.npy", "puzzle 8", "show q.npy -o q.png",
        "solve 10 --start random --seeds 1..3", "climb 8 --seed 1 --rule min-conflicts", "solve 6 --count",
    ):  # fmt: skip
        done = process(*words.split(), before=in_a_clone, **settings)
        assert "Compiling" not in done.stderr, words
    assert {*tmp_path.rglob(f"*{library.SUFFIX}")} == libraries
