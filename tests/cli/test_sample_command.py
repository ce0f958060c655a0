"""``fastqueens sample``: data on stdout, the report on stderr; files, contradictions, exit codes, signals."""

import json
import os
import re
import signal
import subprocess
from functools import partial

import numpy as np
import pytest
from errors import check_names
from plain import assert_solution, broken
from processes import TIMEOUT, running, signal_and_wait, wait_for, without_compiling

from fastqueens import make_instance, sample, unique_puzzles, write_instance


@pytest.fixture
def run(run):
    return partial(run, "sample")


def rows_in(text):
    return [[int(row) for row in line.split(" ")] for line in text.splitlines()]


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


def test_one_sample_of_eight_queens_by_default(run):
    exit_code, stdout, stderr = run()
    ((*board,),) = rows_in(stdout)
    assert exit_code == 0
    assert_solution(np.array(board), 8)
    check_names(stderr, "1 solution of n = 8", "1 chain", "thinning 16")
    assert "utocorrelation" not in stderr, "one sample tells nothing about it"
    check_names(run("--count", "3", "--seed", "1")[2], "autocorrelation time", "not known", "few")
    seed = stderr.partition("seed ")[2].partition(".")[0]
    assert run("--seed", seed)[1] == stdout


def test_the_only_solution_needs_no_hop(run):
    _, stdout, stderr = run("1", "--seed", "1")
    assert (stdout, stderr.count("\n")) == ("0\n", 1)
    check_names(stderr, "1 solution of n = 1", "1 chain", "thinning 16", "seed 1")


def test_quiet(run):
    exit_code, stdout, stderr = run("8", "--count", "300", "--seed", "1", "--thinning", "1", "-q")
    assert (exit_code, len(rows_in(stdout)), stderr) == (0, 300, "")
    assert run("8", "--count", "300", "--seed", "1", "-q", "-o", "s.npz") == (0, "", "")


def test_short_thinning_is_in_the_report(run, recwarn):
    exit_code, stdout, stderr = run("8", "--count", "300", "--seed", "1", "--thinning", "1")
    assert (exit_code, len(rows_in(stdout))) == (0, 300)
    check_names(stderr, "Warning: thinning is 1", 16)
    assert not recwarn.list, "only the report says so"


def test_chains_that_never_move_are_in_the_report(run):
    (puzzle,) = unique_puzzles(8, 1, seed=1, minimal=True)
    queens = [word for c, r in puzzle.instance.fixed.squares.tolist() for word in ("--queen", f"{c},{r}")]
    _, stdout, stderr = run("8", *queens, "--count", "100", "--seed", "1")
    assert rows_in(stdout) == [puzzle.solution.tolist()] * 100
    *_, known, warning = stderr.splitlines()
    check_names(known, "not known", "alike")
    check_names(warning, "Warning", "no chain")
    found = json.loads(run("8", *queens, "--count", "100", "--json", "-q")[1])
    assert (found["correlation"], found["stuck_chains"], found["autocorrelation_time"]) == ("constant", 64, None)


@pytest.mark.parametrize("name", ["s.npz", "s.txt", "S.TXT"])
@pytest.mark.parametrize("rows_from", ["0", "1"])
def test_files(run, tmp_path, name, rows_from):
    drawn = sample(9, 130, seed=4)
    exit_code, stdout, stderr = run(*["9", "--count", "130", "--seed", "4", "-o"], name, "--rows-from", rows_from)
    assert (exit_code, stderr) == (0, "")
    check_names(stdout, "130 solutions of n = 9", re.compile(rf"\nWrote {name} \([\d.]+ (bytes|kB)\)\.\n$"))
    expected = drawn.boards + int(rows_from)
    if name == "s.npz":
        with np.load(name, allow_pickle=False) as file:
            assert np.array_equal(file["boards"], expected)
            found = {name: file[name].item() for name in file.files if name not in ("boards", "seconds")}
        assert found.pop("rows_from") == int(rows_from)
        assert found == {name: value for name, value in figures_of(drawn).items() if value is not None}
    else:
        assert rows_in((tmp_path / name).read_text()) == expected.tolist()
    assert os.listdir() == [name]


@pytest.mark.parametrize("output", [[], ["-o", "s.npz"]])
def test_json(run, output):
    arguments = ["9", "--count", "1000", "--seed", str(2**64 - 1), "--json", *output]
    exit_code, stdout, stderr = run(*arguments)
    found = json.loads(stdout)
    assert (exit_code, found.pop("seconds") > 0) == (0, True)
    assert found == figures_of(sample(9, 1000, seed=2**64 - 1))
    check_names(stderr, "1,000 solutions", *(["Wrote s.npz"] if output else []))
    exit_code, stdout, stderr = run(*arguments, "-q")
    assert (exit_code, json.loads(stdout).keys(), stderr) == (0, {*found, "seconds"}, "")


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
    for arguments in (["--instance", "ten.json"], ["10", "--instance", "ten.json"]):
        assert run(*arguments, *common)[:2] == (0, stdout)
    counts = json.loads(run("--instance", "ten.json", *common, "--json")[1])
    assert (counts["fixed_queens"], counts["blocked_squares"], counts["excluded_diagonals"]) == (1, 1, 2)


def test_only_queens_mean_eight(run):
    exit_code, stdout, _ = run("--queen", "1,4", "--rows-from", "1", "--seed", "3")
    assert exit_code == 0
    assert rows_in(stdout) == (sample(make_instance(8, {1: 3}), seed=3).boards + 1).tolist()


# Errors


# Help


def test_the_help_fits_into_80_columns(run):
    exit_code, stdout, stderr = run("--help")
    assert (exit_code, stderr) == (0, "")
    assert max(map(len, stdout.splitlines())) <= 80


# Processes


#: Leaves a file when the first chain begins.
BEGUN = (
    "import fastqueens.sampling.samples as samples; run_tasks = samples.run_tasks; "
    "samples.run_tasks = lambda *tasks, **where: (open('begun', 'w').close(), run_tasks(*tasks, **where))"
)


@pytest.mark.parametrize(
    ("number", "exit_code", "word"), [(signal.SIGINT, 130, "interrupted\n"), (signal.SIGTERM, 143, "terminated\n")]
)
def test_signals_while_it_samples(tmp_path, number, exit_code, word):
    arguments = ("sample", "8", "--count", "100", "--thinning", "1e15", "-o", "s.npz")
    with running(*arguments, cwd=tmp_path, before=BEGUN) as process:
        wait_for((tmp_path / "begun").exists)
        assert signal_and_wait(process, number, "sampling") == exit_code
        assert without_compiling(process.stderr.read().decode()) == word
    assert os.listdir(tmp_path) == ["begun"]


def test_a_closed_stdout(tmp_path):
    for words, exit_code, named in (("", 2, "-o"), ("-o -", 2, "-o"), ("--json", 2, "--json"), ("-o s.npz", 0, "")):
        closed = {"stdout": subprocess.DEVNULL, "preexec_fn": partial(os.close, 1)}
        with running("sample", "8", *words.split(), cwd=tmp_path, **closed) as process:
            assert process.wait(TIMEOUT) == exit_code
            assert named in process.stderr.read().decode()
    assert os.listdir(tmp_path) == ["s.npz"]
