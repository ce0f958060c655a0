"""``verify`` and ``show`` for boards of other programs, several boards, and a board on the command line."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from errors import check_names
from processes import TIMEOUT, open_terminal, read_until, running

import fastqueens

RIGHT, WRONG = "0 2 4 1 3", "0 1 2 3 4"


@pytest.fixture
def boards(run):
    """Return ``run``, in a folder with files of one board and of several."""
    Path("right.txt").write_text(f"{RIGHT}\n1 3 0 2 4\n")
    Path("wrong.txt").write_text(f"{RIGHT}\n{WRONG}\n{RIGHT}\n")
    Path("drawn.txt").write_text(run("show", "-q", "--board", RIGHT)[1])
    return run


def test_what_commands_write_is_verified(run):
    run("sample", "8", "--count", "5", "--seed", "1", "-o", "s.npz")
    run("sample", "8", "--count", "5", "--seed", "1", "-o", "s.txt", "--rows-from", "1")
    run("list", "6", "-o", "all.txt")
    for words in ("s.npz", "s.txt --rows-from 1", "all.txt", "all.txt --threads 1"):
        exit_code, stdout, _ = run("verify", *words.split())
        assert exit_code == 0
        check_names(stdout, "Solved", "4 boards" if words[0] == "a" else "5 boards")


def test_boards_that_are_no_solutions_are_named(boards):
    exit_code, stdout, _ = boards("verify", "wrong.txt")
    first, summary = stdout.splitlines()
    assert exit_code == 1
    check_names(first, "Board 2", "10 attacking pairs", "column 0, row 0", "column 1, row 1")
    check_names(summary, "Not solved", "3 boards", "2 different", "1 of them", "5 queens")
    assert boards("verify", "wrong.txt", "-q") == (1, "", "")


def test_verify_tells_what_the_content_was_read_as(boards):
    for words, named in (("drawn.txt", "drawing"), ("right.txt", "one board per line"), (f"--board {RIGHT}", "rows")):
        option, _, board = words.partition(" ")
        exit_code, stdout, _ = boards("verify", "-v", option, *[board] * bool(board))
        assert exit_code == 0
        check_names(stdout.splitlines()[0], named, option)
    assert "drawing" not in boards("verify", "drawn.txt")[1]


TRANSPOSED = "0 1 0 0\n1 0 0 0\n0 0 0 1\n0 1 0 0\n"  # one queen in each row, and two in column 1


@pytest.mark.parametrize(
    ("text", "rows_from"),
    [
        (TRANSPOSED, 0),
        (TRANSPOSED, 1),
        (TRANSPOSED.replace("0", ".").replace("1", "Q"), 0),
        ("column,row\n1,0\n0,1\n3,2\n1,3\n", 0),
        ("column,row\n1,1\n0,2\n3,3\n1,4\n", 1),
    ],
)
def test_two_queens_in_a_column_are_a_wrong_answer(run, text, rows_from):
    Path("a.txt").write_text(text)
    words = ["verify", "a.txt", "--rows-from", str(rows_from)]
    exit_code, stdout, _ = run(*words)
    assert exit_code == 1
    check_names(stdout, "Not solved", "4 queens", "3 attacking pairs", f"column 1, row {rows_from}",
                f"column 1, row {3 + rows_from}", "share a column")  # fmt: skip
    verdict = json.loads(run(*words, "--json")[1])
    assert verdict == {"n": 4, "solved": False, "pairs": 3, "first_attack": [[1, rows_from], [1, 3 + rows_from]]}
    exit_code, _, stderr = run(*words, "-n", "5")
    assert exit_code == 2
    check_names(stderr, "4 queens", 5)


def test_n_is_compared_with_the_size_of_the_board(run):
    for rows, n, exit_code, named in (
        ("1 3 0 2", 4, 0, []),
        ("1 3 0 2", 8, 2, ["4 queens", "n is 8"]),
        ("1 3 0 2\n2 0 3 1", 5, 2, ["4 queens", "n is 5"]),
        ("4 1 3 0 2", 5, 0, []),
        ("4 1 3 0 2", 4, 2, ["5 queens", "n is 4", "first number is meant as n"]),
        ("1 3 0 2", 0, 2, ["n is 0"]),
    ):
        Path("a.txt").write_text(rows)
        found, _, stderr = run("verify", "a.txt", "-n", str(n))
        assert found == exit_code, (rows, n)
        check_names(stderr, *named)


def test_the_first_number_may_be_n(run):
    """It is told unless the size is known; a board that is a solution only without it is refused."""
    hint = "first number"
    for n, separator in ((5, " "), (8, "\n"), (9, " ")):
        right = next(fastqueens.all_solutions(n))
        for rows, exit_code, is_told in (
            (right, 0, right[0] == n - 1),
            ([n, *right], None, True),
            ([n, *[0] * n], 1, True),
            ([n + 1, *[0] * n], 2, False),
            ([n - 1, *[0] * n], 1, False),
        ):
            Path("a.txt").write_text(separator.join(map(str, rows)))
            found, _, stderr = run("verify", "a.txt")
            if exit_code is None:
                exit_code = 0 if fastqueens.is_solution(rows) else 2
            assert (found, hint in " ".join(stderr.split())) == (exit_code, is_told), (n, rows)
            assert exit_code == 2 or hint not in run("verify", "-q", "a.txt")[2]
            assert run("verify", "a.txt", "-n", str(len(rows)))[0] in (exit_code, 2)


def test_several_files_get_a_line_each(boards):
    Path("one.txt").write_text(RIGHT)
    Path("bad\x1b.txt").write_text(WRONG)
    Path("words.txt").write_text("Solution: none")
    Path("column.txt").write_text(TRANSPOSED)
    files = ["one.txt", "right.txt", "bad\x1b.txt", "wrong.txt", "column.txt"]
    exit_code, stdout, _ = boards("verify", *files)
    lines = stdout.splitlines()
    assert (exit_code, len(lines)) == (1, 5)
    assert "\x1b" not in stdout
    for line, named in zip(
        lines,
        [
            ["one.txt", "Solved", "5 queens"],
            ["right.txt", "Solved", "2 boards"],
            ["Not solved", "5 queens", "10 attacking pairs", "column 0, row 0"],
            ["wrong.txt", "Not solved", "3 boards", "2 different", "Board 2", "10 attacking pairs"],
            ["column.txt", "Not solved", "4 queens", "share a column"],
        ],
        strict=True,
    ):
        check_names(line, *named)
    exit_code, stdout, _ = boards("verify", "one.txt", "words.txt", "missing.txt", "right.txt")
    assert (exit_code, len(stdout.splitlines())) == (2, 4)
    check_names(stdout.splitlines()[1], "words.txt", "line 1")
    check_names(stdout.splitlines()[2], "missing.txt", "no such file")
    assert boards("verify", "one.txt", "right.txt", "-q") == (0, "", "")
    exit_code, stdout, stderr = boards("verify", "one.txt", "missing.txt", "-q")
    assert (exit_code, stdout) == (2, "")
    check_names(stderr, "missing.txt", "no such file")
    found = json.loads(boards("verify", "one.txt", "right.txt", "words.txt", "column.txt", "--json")[1])
    assert [answer["file"] for answer in found] == ["one.txt", "right.txt", "words.txt", "column.txt"]
    assert (found[0]["solved"], len(found[1]["boards"]), found[3]["solved"]) == (True, 2, False)
    check_names(found[2]["error"], "words.txt")


def test_show_draws_several_boards(boards):
    stdout = boards("show", "right.txt")[1]
    check_names(stdout, "Board 1 of 2", "Board 2 of 2")
    assert (stdout.count("Q"), fastqueens.read_boards("right.txt").shape) == (10, (2, 5))
    one = boards("show", "right.txt", "--pick", "2")[1]
    assert one in stdout
    assert "Board" not in one


def test_a_terminal_shows_the_first_boards(run):
    for count, rest in ((10, 0), (11, 1)):
        np.save("s.npy", np.tile([1, 3, 0, 2], (count, 1)))
        assert run("show", "s.npy")[1].count("Board ") == count
        terminal, side_of_process = open_terminal()
        with running("show", "s.npy", stdout=side_of_process) as process:
            os.close(side_of_process)
            assert process.wait(TIMEOUT) == 0
            shown = read_until(terminal, rb"1 more board" if rest else rb"Board 10 of 10").decode()
        os.close(terminal)
        assert shown.count("Board ") == count - rest
        assert ("--pick" in shown) == (rest > 0)


def test_a_picture_shows_one_board(boards):
    before = sorted(os.listdir())
    exit_code, _, stderr = boards("show", "right.txt", "-o", "p.png")
    assert exit_code == 2
    check_names(stderr, "right.txt", "2 boards", "--pick")
    assert sorted(os.listdir()) == before
    assert boards("show", "right.txt", "--pick", "2", "-o", "p.png")[0] == 0
    one = boards("show", "--board", f"[{RIGHT}] [{WRONG}]".replace("0 1 2 3 4", "0 1 2 4 4"), "--pick", "2")
    assert one == boards("show", "--board", "0 1 2 4 4")


def test_what_is_refused(boards):
    Path("four.json").write_text('{"n": 4, "blocked": [[0, 0]]}')
    Path("picture").write_bytes(b"\x89PNG\r\n\x1a\n")
    Path("ones.txt").write_text("2\n4\n1\n3\n")
    for words, named in {
        "show right.txt --pick 0": ["--pick must be 1 or 2", "not 0"],
        "show --pick 1 --instance four.json": ["--pick", "FILE"],
        "show --board [0,2,1],[1,2,0] -o p.png": ["--board", "2 boards", "--pick"],
        "verify right.txt --board 0": ["FILE", "--board"],
        "verify": ["'FILE'", "--board"],
        "solve --file right.txt": ["right.txt", "2 boards"],
        "verify picture": ["is a picture, not a board"],
        "verify ones.txt": ["--rows-from 1"],
        "solve --board 2,4,1,3": ["--board", "column 1", "--rows-from 1"],
    }.items():
        exit_code, stdout, stderr = boards(*words.split())
        assert (exit_code, stdout) == (2, ""), words
        check_names(" ".join(stderr.split()), *named)


def test_rows_from_auto_decides_for_each_file(run):
    for name, text in (
        ("zero.txt", "1 3 0 2"), ("one.txt", "2 4 1 3"), ("both.txt", "1 2 3 1"), ("drawn.txt", "q..\n.q.\n..q\n"),
        ("squares.csv", "column,row\n1,2\n1,4\n3,1\n4,3\n"),
    ):  # fmt: skip
        Path(name).write_text(text)
    exit_code, stdout, _ = run(
        "verify", "--rows-from", "auto", "zero.txt", "one.txt", "drawn.txt", "squares.csv", "both.txt"
    )
    assert exit_code == 2
    lines = stdout.splitlines()
    for line, named in zip(lines, [0, 1, 0, 1, "--rows-from 0 or 1"], strict=True):
        check_names(line, f"Rows count from {named}" if isinstance(named, int) else named)
    found = json.loads(run("verify", "--rows-from", "auto", "--json", "one.txt", "squares.csv", "zero.txt")[1])
    assert [(each["rows_from"], each["solved"]) for each in found] == [(1, True), (1, False), (0, True)]
    assert found[1]["first_attack"] == [[0, 2], [0, 4]]
    exit_code, stdout, _ = run("verify", "--rows-from", "auto", "one.txt", "--queen", "0,2", "--block", "3,4")
    assert exit_code == 0
    check_names(stdout, "1 fixed queen", "1 blocked square")
    assert run("show", "--rows-from", "auto", "one.txt")[0] == 2


def test_ignored_text_is_named_unless_quiet(run):
    Path("a.txt").write_text(". Q . .\n. . . Q\nQ . . .\n. . Q .\nH value: 0\n")
    for words in (
        "verify a.txt",
        "show a.txt",
        "solve --file a.txt --seed 1",
        "poster a.txt --size A6 --dpi 30 -o p.png",
    ):
        exit_code, _, stderr = run(*words.split())
        assert exit_code == 0
        check_names(stderr, "a.txt, line 5: 'H value: 0'")
        assert "line 5" not in run(*words.split(), "-q")[2]


def test_a_drawing_with_some_queens_can_be_completed(run):
    drawn = "Start:\n_ _ _ _\n_ _ _ _\nQ _ _ _\n_ _ _ _\n"
    for text in (drawn, drawn.replace("_", "0").replace("Q", "1")):
        Path("a.txt").write_text(text)
        for words in ("solve --file a.txt", "show a.txt", "verify a.txt"):
            exit_code, _, stderr = run(*words.split())
            assert exit_code == 2
            check_names(stderr, "1 queen", "4 rows", "solve 4 --queens-file")
        exit_code, stdout, stderr = run("solve", "4", "--queens-file", "a.txt", "-o", "-")
        assert (exit_code, stdout) == (0, "2\n0\n3\n1\n")
        check_names(stderr, "line 1: 'Start:'")
        exit_code, _, stderr = run("solve", "5", "--queens-file", "a.txt")
        assert exit_code == 2
        check_names(stderr, "1 board of 4 rows", "5 rows")
