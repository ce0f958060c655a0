"""Random boards: random_board() and the command ``random``; and optional seeds."""

import logging

import numpy as np
import pytest
from errors import check_error, check_names
from processes import without_compiling

import fastqueens
from fastqueens import attacking_pairs, random_board
from fastqueens.errors import InputError, Stopped

pytestmark = pytest.mark.checked


def test_it_is_the_first_board_of_a_solve_from_a_random_start():
    for n in (1, 2, 8, 64, 1000):
        board = random_board(n, seed=5)
        assert board.dtype == np.int32
        assert 0 <= board.min() <= board.max() < n
        if n > 2:
            first = fastqueens.solve(n, seed=5, start="random", trace="moves").moves.first_boards[0]
            assert board.tolist() == first.tolist()


def test_rows_are_uniform_and_columns_independent():
    """Chi-squared with 15 degrees of freedom is below 45 with a probability of 0.9999."""
    boards = np.stack([random_board(16, seed) for seed in range(2000)])
    for counts in (np.bincount(boards[:, 3], minlength=16), np.bincount((boards[:, 0] - boards[:, 9]) % 16)):
        assert ((counts - 125) ** 2 / 125).sum() < 45


def test_wrong_arguments_are_refused_and_it_can_be_stopped():
    for name, value in (("n", 0), ("n", 8.5), ("seed", -1), ("seed", 1.5)):
        with check_error(InputError, name, value):
            random_board(**{"n": 8, name: value})
    with check_error(Stopped, "placement"):
        random_board(8, stop=lambda: True)


@pytest.mark.parametrize(
    "make", [lambda **seed: random_board(1000, **seed), lambda **seed: fastqueens.puzzle(1000, 100, **seed).fixed]
)
def test_a_drawn_seed_is_logged_and_repeats_the_result(make, caplog):
    with caplog.at_level(logging.INFO, "fastqueens"):
        made = make()
    (seed,) = [int(record.message.split()[1]) for record in caplog.records if record.message.startswith("seed ")]
    assert make(seed=seed).tolist() == made.tolist()
    assert make().tolist() != made.tolist()


def test_the_command_draws_the_board_counts_its_attacks_and_writes_it(run):
    exit_code, stdout, stderr = run("random", "8", "--seed", "1")
    assert (exit_code, without_compiling(stderr)) == (0, "")
    drawn = [line.split() for line in stdout.splitlines() if line.startswith((".", "Q"))]
    board = random_board(8, 1)
    assert [[row[c] for row in drawn].index("Q") for c in range(8)] == board.tolist()
    check_names(stdout.splitlines()[-1], "8 queens", "seed 1", f"{attacking_pairs(board)} attacking pairs")
    assert run("random", "--seed", "1")[1] == stdout
    assert run("random", "50", "--seed", "3", "-q", "-o", "q.npy") == (0, "", "")
    assert fastqueens.read_board("q.npy").tolist() == random_board(50, 3).tolist()
    exit_code, stdout, stderr = run("random", "50", "--seed", "3", "--rows-from", "1", "-o", "-")
    assert (exit_code, [int(row) - 1 for row in stdout.split()]) == (0, random_board(50, 3).tolist())
    assert "50 queens on random rows, seed 3" in stderr
