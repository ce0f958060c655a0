"""``--mix`` of solve and poster: values, what is printed and written, contradictions."""

import json
from pathlib import Path

import numpy as np
import plain
import pytest
from errors import check_names

import fastqueens
from fastqueens.core.wording import counted
from fastqueens.files.boards import read_board, write_board
from fastqueens.pictures.posters import making
from fastqueens.pictures.posters.subject import caption_of

MIXED_5 = fastqueens.solve(100, seed=1, mix=5).queens.tolist()
MIXED_20 = fastqueens.solve(100, seed=1, mix=20).queens.tolist()


def written(run, *arguments):
    """Solve n = 100 with seed 1; return the board that is written and what is printed."""
    exit_code, stdout, stderr = run("solve", "100", "--seed", "1", "-o", "q.json", *arguments)
    assert (exit_code, stderr) == (0, "")
    return read_board("q.json").tolist(), stdout


@pytest.mark.parametrize(
    ("words", "sweeps"),
    [
        ("--mix", 5),
        ("--mix --threads 2", 5),
        ("--mix 3e2", 300),
        ("--mix 20", 20),
        ("--mix=20", 20),
        ("--mix=1", 1),
    ],
)
def test_sweeps_with_and_without_a_number(run, words, sweeps):
    found, stdout = written(run, *words.split())
    result = fastqueens.solve(100, seed=1, mix=sweeps)
    assert found == result.queens.tolist()
    check_names(stdout, counted(result.sweeps, "sweep"))
    assert stdout.index("Searched") < stdout.index("Mixed") < stdout.index("Solved")


def test_without_mix_nothing_is_said_about_it(run):
    board, stdout = written(run)
    assert "Mixed" not in stdout
    assert board == fastqueens.solve(100, seed=1).queens.tolist()
    assert board not in (MIXED_20, MIXED_5)


def test_mix_and_n_in_any_order(run):
    for words in ("--mix 20 100", "100 --mix 20", "--mix=20 100", "--mix 20 -n 100"):
        exit_code, stdout, _ = run("solve", *words.split(), "--seed", "1", "-o", "-", "-q")
        assert (exit_code, list(map(int, stdout.split()))) == (0, MIXED_20)


def test_mixing_as_json(run):
    for options, least in (["--mix", "20"], 20), ([], 0):
        figures = json.loads(run("solve", "100", "--seed", "1", "--json", *options)[1])
        assert figures["sweeps"] >= least
        assert (figures["sweeps"] > 0) == (figures["mixing_seconds"] > 0) == (least > 0)


def test_every_seed_is_mixed(run):
    exit_code, stdout, _ = run("solve", "100", "--seeds", "1..3", "--mix", "2", "--json")
    assert exit_code == 0
    sweeps = [fastqueens.solve(100, seed=seed, mix=2).sweeps for seed in (1, 2, 3)]
    assert [figures["sweeps"] for figures in json.loads(stdout)] == sweeps


def test_a_board_in_a_file_with_constraints_is_solved_and_mixed(run):
    write_board("start.txt", [0] * 50)
    arguments = ["--queen", "0,5", "--block", "1,9", "--exclude-sum", "3", "--mix", "20"]
    exit_code, stdout, stderr = run("solve", "--file", "start.txt", "--seed", "2", "-o", "q.npy", *arguments)
    assert (exit_code, stderr) == (0, ""), stdout
    plain.assert_solution(np.load("q.npy"), 50, {0: 5})
    assert "Mixed" in stdout


def test_an_unsolved_board_is_not_mixed(run):
    exit_code, stdout, _ = run("solve", "100", "--start", "random", "--max-steps", "3", "--mix")
    assert exit_code == 1
    assert "Mixed" not in stdout


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
    for mix in (["--mix", "20"], ["--mix"], []):
        assert run("poster", "100", "--seed", "1", *mix, "-o", "p.png")[0] == 0
    assert boards == [MIXED_20, MIXED_20, MIXED_5, fastqueens.solve(100, seed=1).queens.tolist()]


@pytest.mark.parametrize(("sweeps", "words"), [(0, ""), (1, " · mixed for 1 sweep"), (5, " · mixed for 5 sweeps")])
def test_the_small_print_of_a_poster_names_the_sweeps(sweeps, words):
    assert caption_of(4, titled=False, seed=7, steps=2, sweeps=sweeps) == f"seed 7 · 2 steps{words}"


def test_the_sweeps_reach_the_poster(run, monkeypatch):
    facts = []
    monkeypatch.setattr(
        making, "caption_of", lambda n, **known: facts.append(known["sweeps"]) or caption_of(n, **known)
    )
    look = ["--seed", "1", "--caption", "--size", "60x60mm", "--dpi", "20", "--style", "infographic", "-o", "p.png"]
    for mix in ([], ["--mix", "5"]):
        assert run("poster", "12", *mix, *look)[0] == 0
        assert Path("p.png").read_bytes().startswith(b"\x89PNG")
    assert facts == [0, fastqueens.solve(12, seed=1, mix=5).sweeps]
