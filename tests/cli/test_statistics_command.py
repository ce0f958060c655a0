"""``fastqueens statistics`` and its files."""

import csv
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
from errors import check_names
from processes import process

import fastqueens
from fastqueens.files.boards import write_board


@pytest.fixture(scope="module")
def eights():
    return np.array(list(fastqueens.all_solutions(8)))


def test_one_board(run):
    queens = fastqueens.solve(5000, seed=1).queens
    write_board("q.npy", queens)
    found = fastqueens.statistics(queens, 10)
    exit_code, stdout, stderr = run("statistics", "q.npy", "-k", "10")
    assert (exit_code, stderr) == (0, "")
    check_names(stdout, "5,000 queens", "10 x 10 cells", f"{found.chi_square_per_cell:.3f}", "about 0.81")
    for measured in (found.corner, found.edge_middle, found.centre, found.longest_diagonals):
        numbers = f"{measured.value:.4f} ± {measured.error:.4f}"
        assert re.search(rf"{re.escape(numbers)} +{measured.limit:.4f}\n", stdout)
    assert max(map(len, stdout.splitlines())) <= 80
    assert run("statistics", "q.npy", "-q") == (0, "", "")


def figures_in(text):
    """Return JSON with twelve digits of each number: the order of a sum depends on the threads of NumPy."""
    return json.loads(text, parse_float=lambda digits: float(f"{float(digits):.12g}"))


@pytest.mark.parametrize("rows_from", ["0", "1"])
@pytest.mark.parametrize("name", ["s.npz", "s.txt"])
def test_what_sample_writes_can_be_read(run, name, rows_from):
    """An .npz file states whether its rows are numbered from 0 or from 1."""
    assert run("sample", "10", "--count", "40", "--seed", "1", "-o", name, "-q", "--rows-from", rows_from)[0] == 0
    expected = figures_in(json.dumps(fastqueens.statistics(fastqueens.sample(10, 40, seed=1)).as_dict()))
    options = ["--rows-from", rows_from]
    for arguments in ([name, *options], [name] if name == "s.npz" else options):
        if arguments is options:
            done = process("statistics", "-", *options, "--json", "-q", input=Path(name).read_text())
            assert figures_in(done.stdout) == expected, done.stderr
            continue
        exit_code, stdout, stderr = run("statistics", *arguments, "--json", "-q")
        assert (exit_code, figures_in(stdout), stderr) == (0, expected, "")


def test_samples_with_constraints_are_not_compared_with_the_limit_shape(run):
    constraints = {"fixed": {0: 3}, "blocked": [(4, 4)]}
    found = fastqueens.statistics(fastqueens.sample(30, 40, seed=1, **constraints))
    assert "chi-square" not in repr(found)
    words = "1 fixed queen and 1 blocked square"
    titles = [axes.get_title(loc="left") for axes in found.plot().axes if axes.get_title(loc="left")]
    assert titles == ["Density", "Diagonals with a queen"]
    asked = ("30", "--queen", "0,3", "--block", "4,4", "--count", "40", "--seed", "1", "-q")
    for name in ("s.npz", "s.txt"):
        assert run("sample", *asked, "-o", name)[0] == 0
        stdout = run("statistics", name)[1]
        check_names(stdout, words, "there is no comparison")
        assert "Chi-square" not in stdout
        assert json.loads(run("statistics", name, "--json")[1]) == json.loads(json.dumps(found.as_dict()))
        assert run("statistics", name, "-o", "t.csv", "-q")[0] == 0
        with open("t.csv") as file:
            lines = list(csv.DictReader(file))
        assert {line["limit"] for line in lines} == {""}
        assert [line["value"] for line in lines if line["statistic"] == "chi_square"] == [""]
    assert found.as_dict()["constraints"] == words


def test_everything_asked_for_is_written(run, eights):
    np.savez("s.npz", boards=eights)
    assert run("statistics", "s.npz", "-o", "t.npz", "--plot", "t.png", "-q") == (0, "", "")
    assert sorted(os.listdir()) == ["s.npz", "t.npz", "t.png"]
    with np.load("t.npz") as content:
        assert np.array_equal(content["density"], fastqueens.statistics(eights).density)
        assert int(content["count"]) == 92
    assert run("statistics", "s.npz", "-o", "t.csv", "-q") == (0, "", "")
    assert Path("t.csv").read_text().startswith("statistic,i,j,value,error,limit\nn,,,8,,\ncount,,,92,,\n")


def test_a_plot_that_has_no_room_is_refused_before_anything_is_written(run, eights):
    np.savez("s.npz", boards=eights)
    exit_code, stdout, stderr = run("statistics", "s.npz", "-o", "t.csv", "--plot", "t.png", "--size", "6.9x5")
    assert (exit_code, stdout, os.listdir()) == (2, "", ["s.npz"])
    check_names(stderr, "--size", "7x4.5 inches", "--what density")
