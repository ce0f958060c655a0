"""``fastqueens sample``: data on stdout, the report on stderr; files, contradictions, exit codes, signals."""

import json
import os
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from errors import check_names
from plain import broken

from fastqueens import make_instance, sample, write_instance
from fastqueens.files.samples import write_samples


@pytest.fixture
def run(run):
    return partial(run, "sample")


def rows_in(text):
    return [[int(row) for row in line.split(" ")] for line in text.splitlines()]


def contents(name):
    """Return the text of a file or the arrays of an archive, without the time that the samples took."""
    if name.lower().endswith(".txt"):
        return Path(name).read_text()
    with np.load(name) as file:
        return {key: file[key].tolist() for key in file if key != "seconds"}


def figures_of(drawn):
    return {name: value for name, value in drawn.as_dict().items() if name != "seconds"}


# Output


def test_lines_of_rows_on_stdout_and_a_report_on_stderr(run):
    drawn = sample(8, 1000, seed=1)
    exit_code, stdout, stderr = run("8", "--count", "1000", "--seed", "1")
    assert (exit_code, rows_in(stdout)) == (0, drawn.boards.tolist())
    first, second, third = stderr.splitlines()
    check_names(first, "1,000 solutions", "n = 8", "64 chains", "thinning 16", "seed 1")
    check_names(second, f"{drawn.hops:,} hops", f"{drawn.acceptance:.1%}")
    check_names(third, f"{drawn.autocorrelation_time:.1f} visited", f"{drawn.effective_sample_size:.0f} independent")
    for arguments in (["-o", "-"], ["-q"], ["--threads", "3"]):
        assert run("8", "--count", "1000", "--seed", "1", *arguments)[1] == stdout


def test_short_thinning_is_in_the_report_unless_it_is_quiet(run, recwarn):
    arguments = ["8", "--count", "300", "--seed", "1", "--thinning", "1"]
    exit_code, stdout, stderr = run(*arguments)
    assert (exit_code, len(rows_in(stdout))) == (0, 300)
    check_names(stderr, "Warning: thinning is 1", 16)
    assert run(*arguments, "-q") == (0, stdout, "")
    assert run(*arguments, "-q", "-o", "s.npz") == (0, "", "")
    assert not recwarn.list, "only the report says so"


@pytest.mark.parametrize("name", ["s.npz", "s.txt", "S.TXT"])
@pytest.mark.parametrize("rows_from", ["0", "1"])
def test_files(run, name, rows_from):
    exit_code, stdout, stderr = run(*["9", "--count", "130", "--seed", "4", "-o"], name, "--rows-from", rows_from)
    assert (exit_code, stderr, os.listdir()) == (0, "", [name])
    check_names(stdout, "130 solutions of n = 9", re.compile(rf"\nWrote {name} \([\d.]+ (bytes|kB)\)\.\n$"))
    drawn = sample(9, 130, seed=4)
    write_samples(f"expected{name[1:]}", drawn.boards, drawn.as_dict(), rows_from=int(rows_from))
    found, expected = (contents(path) for path in (name, f"expected{name[1:]}"))
    assert found == expected


@pytest.mark.parametrize("output", [[], ["-o", "s.npz"]])
def test_json(run, output):
    """The JSON has the boards, unless a file has them."""
    arguments = ["9", "--count", "1000", "--seed", str(2**64 - 1), "--json", "--rows-from", "1", *output]
    exit_code, stdout, stderr = run(*arguments)
    found = json.loads(stdout)
    expected = sample(9, 1000, seed=2**64 - 1)
    assert (exit_code, found.pop("seconds") > 0, stderr) == (0, True, "")
    assert found.pop("boards") == (None if "s.npz" in output else (expected.boards + 1).tolist())
    assert found == figures_of(expected) | {"rows_from": 1}


def test_instances(run, tmp_path):
    instance = make_instance(10, {1: 3}, blocked=[(0, 0)], excluded_sums=[9], excluded_differences=[3])
    parts = ["--queen", "1,3", "--block", "0,0", "--exclude-sum", "9", "--exclude-difference", "3"]
    common = ["--count", "70", "--seed", "1"]
    exit_code, stdout, stderr = run("10", *parts, *common)
    boards = np.array(rows_in(stdout))
    assert exit_code == 0
    assert np.array_equal(boards, sample(instance, count=70, seed=1).boards)
    assert all(broken(board, instance) == (0, 0, 0, 0) for board in boards)
    check_names(stderr, "70 solutions of n = 10", "1 fixed queen", "1 blocked square", "1 excluded sum diagonal")
    write_instance(tmp_path / "ten.json", instance)
    eight = run("--queen", "1,4", "--rows-from", "1", "--seed", "3")[1]
    assert rows_in(eight) == (sample(make_instance(8, {1: 3}), seed=3).boards + 1).tolist()
    for arguments in (["--instance", "ten.json"], ["10", "--instance", "ten.json"]):
        assert run(*arguments, *common)[:2] == (0, stdout)
    counts = json.loads(run("--instance", "ten.json", *common, "--json")[1])
    assert (counts["fixed_queens"], counts["blocked_squares"], counts["excluded_diagonals"]) == (1, 1, 2)
