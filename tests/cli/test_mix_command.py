"""``--mix`` of solve and poster: values, what is printed and written, contradictions."""

import json
import re

import numpy as np
import plain
import pytest

import fastqueens
from fastqueens.files.boards import read_board, write_board
from fastqueens.pictures.posters import making
from fastqueens.pictures.posters.subject import caption_of

MIXED_300 = fastqueens.solve(100, seed=1, mix=300).queens.tolist()
MIXED_20 = fastqueens.solve(100, seed=1, mix=20).queens.tolist()


def written(run, *arguments):
    """Solve n = 100 with seed 1; return the board that is written and what is printed."""
    exit_code, stdout, stderr = run("solve", "100", "--seed", "1", "-o", "q.json", *arguments)
    assert (exit_code, stderr) == (0, "")
    return read_board("q.json").tolist(), stdout


@pytest.mark.parametrize(
    ("arguments", "board", "sweeps"),
    [
        (["--mix"], MIXED_300, "300 sweeps"),
        (["--mix", "--threads", "2"], MIXED_300, "300 sweeps"),
        (["--mix", "300"], MIXED_300, "300 sweeps"),
        (["--mix", "3e2"], MIXED_300, "300 sweeps"),
        (["--mix", "20"], MIXED_20, "20 sweeps"),
        (["--mix=20"], MIXED_20, "20 sweeps"),
        (["--mix=1"], fastqueens.solve(100, seed=1, mix=1).queens.tolist(), "1 sweep"),
    ],
)
def test_sweeps_with_and_without_a_number(run, arguments, board, sweeps):
    found, stdout = written(run, *arguments)
    assert found == board
    assert re.search(rf"^Mixed for [\d.]+ m?s: {sweeps}\.$", stdout, re.MULTILINE)
    assert stdout.index("Searched for") < stdout.index("Mixed for") < stdout.index("Solved and mixed in")


def test_without_mix_nothing_is_said_about_it(run):
    board, stdout = written(run)
    assert "Mixed" not in stdout
    assert board == fastqueens.solve(100, seed=1).queens.tolist()
    assert board not in (MIXED_20, MIXED_300)


def test_mix_and_n_in_any_order(run):
    for arguments in (
        ["--mix", "20", "100"],
        ["100", "--mix", "20"],
        ["--mix=20", "100"],
        ["--mix", "20", "-n", "100"],
    ):
        exit_code, stdout, _ = run("solve", *arguments, "--seed", "1", "-o", "-", "-q")
        assert exit_code == 0
        assert list(map(int, stdout.split())) == MIXED_20


def test_mixing_as_json(run):
    figures = json.loads(run("solve", "100", "--seed", "1", "--mix", "20", "--json")[1])
    assert figures["sweeps"] == 20
    assert figures["mixing_seconds"] > 0
    figures = json.loads(run("solve", "100", "--seed", "1", "--json")[1])
    assert (figures["sweeps"], figures["mixing_seconds"]) == (0, 0)


def test_every_seed_is_mixed(run):
    exit_code, stdout, _ = run("solve", "100", "--seeds", "1..3", "--mix", "2", "--json")
    assert exit_code == 0
    assert [figures["sweeps"] for figures in json.loads(stdout)] == [2, 2, 2]
    assert "3 of 3 runs solved" in run("solve", "100", "--seeds", "1..3", "--mix")[1]


def test_a_board_in_a_file_with_constraints_is_solved_and_mixed(run):
    write_board("start.txt", [0] * 50)
    arguments = ["--queen", "0,5", "--block", "1,9", "--exclude-sum", "3", "--mix", "20"]
    exit_code, stdout, stderr = run("solve", "--file", "start.txt", "--seed", "2", "-o", "q.npy", *arguments)
    assert (exit_code, stderr) == (0, ""), stdout
    plain.assert_solution(np.load("q.npy"), 50, {0: 5})
    assert "20 sweeps" in stdout


def test_an_unsolved_board_is_not_mixed(run):
    exit_code, stdout, _ = run("solve", "100", "--start", "random", "--max-steps", "3", "--mix")
    assert exit_code == 1
    assert "Mixed" not in stdout


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("0", "mix is 0: it goes from 1 to 1000000000"),
        ("1000000001", "mix is 1000000001: it goes from 1 to 1000000000"),
        ("-5", "mix is -5: it goes from 1 to 1000000000"),
        ("1.5", "'1.5' is not a whole number"),
        ("x", "'x' is not a whole number"),
        ("", "'' is not a whole number"),
    ],
)
@pytest.mark.parametrize("is_one_word", [True, False])
def test_sweeps_that_make_no_sense_are_refused(run, value, message, is_one_word):
    arguments = [f"--mix={value}"] if is_one_word else ["--mix", value]
    exit_code, stdout, stderr = run("solve", "100", *arguments)
    assert (exit_code, stdout) == (2, "")
    assert message in " ".join(stderr.split())


def test_a_negative_number_of_queens_is_still_named(run):
    for arguments in (["-5"], ["--mix", "20", "-5"], ["-5", "--mix"], ["--mix=20", "-5"]):
        exit_code, _, stderr = run("solve", *arguments)
        assert exit_code == 2
        assert "n is -5: a board has at least 1 queen" in stderr


@pytest.mark.parametrize("option", ["--count", "--unique", "--all=all.txt"])
def test_mix_contradicts_a_look_at_all_solutions(run, option):
    exit_code, _, stderr = run("solve", "8", option, "--mix")
    assert exit_code == 2
    assert f"{option.partition('=')[0]} and --mix: " in stderr


def test_there_is_no_solution_to_mix(run):
    assert run("solve", "2", "--mix") == (3, "", "Error: no solution exists for n = 2\n")


# Posters


def drawn(monkeypatch):
    """Return the list that gets each board that becomes a poster."""
    boards = []

    def draw_poster(_session, _path, queens, result=None, **_):
        boards.append(queens.tolist())

    monkeypatch.setattr("fastqueens.cli.pictures.draw_poster", draw_poster)
    return boards


def test_a_poster_shows_the_mixed_board(run, monkeypatch):
    boards = drawn(monkeypatch)
    assert run("solve", "100", "--seed", "1", "--mix", "20", "--poster", "p.png")[0] == 0
    assert run("poster", "100", "--seed", "1", "--mix", "20", "-o", "p.png")[0] == 0
    assert run("poster", "100", "--seed", "1", "--mix", "-o", "p.png")[0] == 0
    assert run("poster", "100", "--seed", "1", "-o", "p.png")[0] == 0
    assert boards == [MIXED_20, MIXED_20, MIXED_300, fastqueens.solve(100, seed=1).queens.tolist()]


@pytest.mark.parametrize(("sweeps", "words"), [(0, ""), (1, " · mixed for 1 sweep"), (300, " · mixed for 300 sweeps")])
def test_the_small_print_of_a_poster_names_the_sweeps(sweeps, words):
    assert caption_of(4, titled=False, seed=7, steps=2, sweeps=sweeps) == f"seed 7 · 2 steps{words}"


def test_the_sweeps_reach_the_poster(run, monkeypatch):
    facts = []
    monkeypatch.setattr(
        making, "caption_of", lambda n, **given: facts.append(given["sweeps"]) or caption_of(n, **given)
    )
    for mix in ([], ["--mix", "5"]):
        arguments = ["--seed", "1", "--caption", *mix, "--size", "60x60mm", "--dpi", "20", "-o", "p.png"]
        assert run("poster", "12", *arguments)[0] == 0
    assert facts == [0, 5]


def test_a_mixed_poster_is_written(run):
    arguments = ["--size", "60x60mm", "--dpi", "20", "--style", "infographic"]
    assert run("poster", "12", "--seed", "1", "--mix", "5", "-o", "p.png", *arguments)[0] == 0
    with open("p.png", "rb") as file:
        assert file.read(4) == b"\x89PNG"


@pytest.mark.parametrize("mix", [["--mix"], ["--mix", "20"], ["--mix=300"]])
def test_a_board_from_a_file_is_not_mixed(run, mix):
    write_board("q.txt", [1, 3, 0, 2])
    exit_code, _, stderr = run("poster", "q.txt", *mix, "-o", "p.png")
    assert exit_code == 2
    assert "--mix: the board comes from a file, and only a board that is solved is mixed." in " ".join(stderr.split())


@pytest.mark.parametrize(
    ("value", "message"), [("0", "mix is 0: it goes from 1 to"), ("x", "'x' is not a whole number")]
)
def test_a_poster_refuses_sweeps_that_make_no_sense(run, value, message):
    exit_code, _, stderr = run("poster", "8", f"--mix={value}", "-o", "p.png")
    assert exit_code == 2
    assert message in " ".join(stderr.split())
