"""Whole messages. The other tests check what an error names, and not how it says so."""

import pytest

import fastqueens
from fastqueens.check.violations import violations
from fastqueens.core import memory
from fastqueens.core.instance import make_instance

MESSAGES = [
    ("solve 0", "n is 0: a board has at least 1 queen"),
    ("solve 3", "no solution exists for n = 3"),
    ("solve eight", "n: 'eight' is not a whole number; write, for example, 1000000, 1,000,000 or 1e6"),
    ("solve 8 --seed -1", "seed is -1: it goes from 0 to 18446744073709551615"),
    ("solve 8 --seeds 3..1", "--seeds: '3..1' goes down; write 1..3"),
    ("solve 8 --threads 0", "threads is 0: it goes from 1 to 1024"),
    ("solve 8 --start fast", "--start: 'fast' is not one of 'windowed', 'uniform', 'random', 'permutation'"),
    ("solve 8 --method exact", "--method: 'exact' is not one of 'auto', 'local', 'complete'"),
    ("solve 8 -o q.xyz", "q.xyz: unknown suffix '.xyz'; use .npy, .txt, .csv or .json"),
    ("solve 8 --queen 9,0", "fixed queen in column 9, row 0: columns go from 0 to 7"),
    ("solve 8 --queen 0", "'0' is not a square; write COLUMN,ROW, for example 3,17"),
    ("solve 8 --block 2,8", "blocked square in column 2, row 8: rows go from 0 to 7"),
    (
        "solve 8 --queen 0,0 --queen 1,1",
        "no solution exists: the fixed queens in column 0, row 0 and in column 1, row 1 attack each other on a "
        "diagonal",
    ),
    (
        "solve 6 --queen 0,0 --queen 1,2",
        "no solution exists for n = 6 with 2 fixed queens: all possibilities were tried (3 squares)",
    ),
    ("solve 4 --board 1,9,0,2", "--board: column 1 holds 9; rows go from 0 to 3"),
    (
        "estimate 6 --queen 0,0",
        "no solution of n = 6 with 1 fixed queen was met: there is none, or they are too rare to be counted in this "
        "way; fastqueens solve --count may tell, or count_solutions in Python",
    ),
    ("verify missing.npy", "missing.npy: no such file"),
    ("verify off.txt", "off.txt: line 2 holds 9; rows go from 0 to 3"),
    ("verify words.txt", "words.txt: line 3 holds 'x'; a whole number is needed"),
    (
        "descend board.txt",
        "board.txt: each line holds one number; a line holds a whole board, its rows from 1 to n separated by blanks, "
        "for example 2 5 7 4 1 3 6 3",
    ),
    (
        "study --rules up",
        "there is no rule 'up': it is one of steepest, sideways, restart, restart-sideways, min-conflicts, annealing, "
        "stochastic, first-choice, beam, stochastic-beam, genetic, random-walk, random-sampling, backtracking, "
        "forward-checking, mrv",
    ),
    ("study --runs 0", "runs is 0: it is at least 1"),
    ("sample 8 --count 0", "count is 0: it is at least 1"),
    ("estimate 8 --replicas 1", "replicas is 1: it goes from 4 to 1000000"),
    ("show board.txt --origin left", "--origin: 'left' is not one of 'upper', 'lower'"),
    ("show board.txt -o q.gif", "q.gif: unknown suffix '.gif'; use .png, .pdf, .svg, .jpg, .jpeg or .webp"),
    (
        "poster 8 --size A9 -o p.png",
        "size is 'A9': it is A0 to A6, letter, legal, tabloid, or WxHmm, WxHcm or WxHin as in 24x36in",
    ),
    ("animate 4 --seconds 0 -o a.gif", "seconds is 0.0: it goes from 3 to 60"),
    ("plot board.txt -o c.png", "board.txt: unknown suffix '.txt'; use .csv or .npz"),
]


@pytest.mark.parametrize(("command", "message"), MESSAGES, ids=[command for command, _ in MESSAGES])
def test_the_command_line_says_what_is_wrong(run, tmp_path, command, message):
    for name, text in {"board.txt": "2\n4\n1\n3\n", "off.txt": "1\n9\n0\n2\n", "words.txt": "1\n3\nx\n"}.items():
        (tmp_path / name).write_text(text)
    exit_code, stdout, stderr = run(*command.split())
    assert exit_code == (3 if message.startswith("no solution exists") else 2)
    assert (stdout, stderr) == ("", f"Error: {message}\n")


def test_too_little_memory_is_told_with_both_numbers(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 300_000_000)
    with pytest.raises(fastqueens.NotEnoughMemoryError) as caught:
        fastqueens.solve(10**8)
    assert str(caught.value) == "solving n = 100,000,000 needs 500 MB of memory, and 300 MB are available"


def test_a_board_of_another_instance():
    with pytest.raises(fastqueens.InputError) as caught:
        violations([1, 3, 0, 2], make_instance(5))
    assert str(caught.value) == "the instance has n = 5, and the board has 4 queens"


@pytest.mark.parametrize("words", ["--instances a.json board.txt", "board.txt --instances a.json"])
def test_a_second_file_of_instances_is_no_board_to_start_from(run, words):
    exit_code, _, stderr = run("solve", *words.split())
    assert (exit_code, "--instances takes one file" in stderr, "--file" in stderr) == (2, True, False)
