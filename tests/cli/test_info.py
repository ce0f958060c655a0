"""``fastqueens info``, ``fastqueens`` without arguments, and the help of every command."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import fastqueens
from fastqueens.cli import app
from fastqueens.core.threads import all_cores
from fastqueens.jit import back_end, store


def info_in(cache, *arguments, back_end="loader"):
    """Run the real command with its own folder for compiled code."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": os.pathsep.join(sys.path)}
    environment |= {"FASTQUEENS_BACK_END": back_end}
    command = [sys.executable, "-m", "fastqueens", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def test_versions_and_machine_are_shown(run):
    found = json.loads(run("info", "--json")[1])
    assert found["fastqueens"] == fastqueens.__version__
    assert found["libraries"]["numpy"] == np.__version__
    assert found["cores"] == all_cores()
    assert len(found["compiled"]) <= found["kernels"] > 40
    exit_code, stdout, stderr = run("info")
    assert (exit_code, stderr) == (0, "")
    assert f"fastqueens  {fastqueens.__version__}, in " in stdout


@pytest.mark.gate
def test_compiled_kernels_are_listed_with_their_sizes(tmp_path):
    nothing = json.loads(info_in(tmp_path, "info", "--json"))
    assert nothing["compiled"] == {}
    info_in(tmp_path, "solve", "100", "-q")
    some = json.loads(info_in(tmp_path, "info", "--json"))
    assert {"windows_kernel.place_windowed", "repair_kernel.repair"} <= set(some["compiled"])
    assert len(some["compiled"]) < some["kernels"]
    sizes = [file.stat().st_size for file in tmp_path.rglob("*.kernel") if not file.name.startswith("back_end")]
    assert sum(some["compiled"].values()) == sum(sizes) > 0
    assert some["cache"].startswith(str(tmp_path))
    assert "repair_kernel.repair " in info_in(tmp_path, "info")
    for file in tmp_path.rglob("*.kernel"):
        file.unlink()
    assert json.loads(info_in(tmp_path, "info", "--json"))["compiled"] == {}


def test_the_back_end_is_named(tmp_path):
    loader = json.loads(info_in(tmp_path, "info", "--json"))
    assert (loader["back_end"], loader["reason"]) == ("loader", None)
    numba = json.loads(info_in(tmp_path, "info", "--json", back_end="numba"))
    assert (numba["back_end"], numba["reason"]) == ("numba", "FASTQUEENS_BACK_END is numba")
    shown = info_in(tmp_path, "info", back_end="numba")
    assert "back end    numba: FASTQUEENS_BACK_END is numba" in shown
    assert "compiled    numba stores it" in shown


@pytest.mark.gate
def test_after_a_warmup_no_command_compiles(tmp_path):
    found = json.loads(info_in(tmp_path, "info", "--json"))
    said = info_in(tmp_path, "warmup")
    assert re.match(rf"Compiled {found['kernels']} kernels in .* All {found['kernels']} are stored: ", said)
    assert info_in(tmp_path, "warmup").startswith("Compiled 0 kernels in ")
    found = json.loads(info_in(tmp_path, "info", "--json"))
    assert len(found["compiled"]) == found["kernels"]
    before = len(list(tmp_path.rglob("*.kernel")))
    for command in (
        ["solve", "8"], ["solve", "1e5", "--threads", "2"], ["solve", "5e6", "-o", str(tmp_path / "q.npy")],
        ["verify", str(tmp_path / "q.npy")], ["solve", "10", "--start", "random", "--seeds", "1..3"],
        ["climb", "8", "--seed", "1", "--rule", "min-conflicts"], ["solve", "6", "--count"], ["puzzle", "8"],
        ["show", str(tmp_path / "q.npy"), "-o", str(tmp_path / "q.png")],
    ):  # fmt: skip
        info_in(tmp_path, *command)
    assert len(list(tmp_path.rglob("*.kernel"))) == before


def test_a_folder_that_is_not_writable_is_reported(run, monkeypatch):
    monkeypatch.setattr(back_end, "reason_for_numba", lambda: None)
    monkeypatch.setattr(store, "folder_of", lambda function: None)
    assert "compiled    nothing: no folder is writable" in run("info")[1]


def test_the_program_without_arguments_shows_first_steps(run):
    exit_code, stdout, stderr = run()
    assert (exit_code, stderr) == (0, "")
    assert max(map(len, stdout.splitlines())) < 80
    shown = re.findall(r"^  fastqueens ([a-z]+)", stdout, re.M)
    assert len(shown) > 4
    assert set(shown) <= set(app.cli.commands)


@pytest.mark.parametrize("name", list(app.cli.commands))
def test_every_command_has_examples_in_its_help(run, name):
    exit_code, stdout, _ = run(name, "--help")
    assert exit_code == 0
    assert re.search(rf"^ .*fastqueens {name}", stdout.partition("Options:")[2], re.M), stdout


@pytest.mark.parametrize(
    ("arguments", "near"),
    [(["slove"], "solve"), (["solve", "--sede", "1"], "--seed"), (["explor", "8"], "explore")],
)
def test_a_similar_word_is_suggested(run, arguments, near):
    exit_code, _, stderr = run(*arguments)
    assert exit_code == 2
    assert near in stderr
