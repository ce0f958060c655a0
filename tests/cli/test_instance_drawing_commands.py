"""The commands that draw, with the options that state an instance: show, poster, animate, solve --poster."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import fastqueens
from fastqueens.pictures import style
from fastqueens.pictures.posters import STYLES

INFOGRAPHIC = STYLES["infographic"][1]


@pytest.fixture
def four(run):
    """A board of four queens, q.txt, and an instance that it solves, four.json."""
    Path("q.txt").write_text("1\n3\n0\n2\n")
    Path("four.json").write_text('{"n": 4, "fixed": [[1, 3]], "blocked": [[0, 0]], "excluded_sums": [6]}')
    return run


def has_colour(path, colour, least=20):
    with Image.open(path) as opened:
        image = np.asarray(opened.convert("RGB")).astype(int)
    red_green_blue = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return (np.abs(image - red_green_blue).max(axis=2) < 6).sum() >= least


# show


def test_show_draws_a_board_on_its_instance(four):
    exit_code, stdout, stderr = four("show", "q.txt", "--instance", "four.json", "--exclude-difference", "3")
    assert (exit_code, stderr) == (0, "")
    assert stdout == (
        "# . Q .\nQ . . .\n. . . Q\n\\ F . /\n"
        "F fixed queen, # blocked square, / \\ excluded diagonal\n"
        "4 queens, 0 attacking pairs, 0 conflicting queens.\n"
        "The instance has 1 fixed queen, 1 blocked square, 1 excluded sum diagonal and 1\n"
        "excluded difference diagonal: all respected.\n"
    )


def test_show_names_what_a_board_violates(four):
    exit_code, stdout, _ = four("show", "q.txt", "--queen", "1,1", "--block", "0,2", "--rows-from", "0")
    assert exit_code == 0
    assert stdout.splitlines()[:5] == [
        ". . Q .",
        "Q f . .",
        "# . . Q",
        ". Q . .",
        "# blocked square, f missing fixed queen",
    ]
    assert "The instance has 1 fixed queen and 1 blocked square: 1 fixed queen missing." in stdout


def test_show_without_an_instance_explains_nothing(four):
    assert four("show", "q.txt")[1] == (
        ". . Q .\nQ . . .\n. . . Q\n. Q . .\n4 queens, 0 attacking pairs, 0 conflicting queens.\n"
    )


def test_show_draws_an_instance_alone(four):
    exit_code, stdout, _ = four("show", "--instance", "four.json", "--origin", "lower")
    assert exit_code == 0
    assert stdout == (
        ". F . \\\n. . . .\n. . . .\n# . . .\nF fixed queen, # blocked square, \\ excluded diagonal\n"
        "n = 4, with 1 fixed queen, 1 blocked square and 1 excluded sum diagonal.\n"
    )
    Path("free.json").write_text('{"n": 2}')
    assert four("show", "--instance", "free.json")[1] == ". .\n. .\nn = 2.\n"


@pytest.mark.parametrize(("n", "is_drawn"), [(40, True), (41, False)])
def test_an_instance_that_is_too_wide_is_not_drawn(run, n, is_drawn):
    Path("wide.json").write_text(f'{{"n": {n}, "blocked": [[0, 0]]}}')
    stdout = run("show", "--instance", "wide.json")[1]
    assert ("The board is not drawn: it needs 81 columns, and the terminal has 80." in stdout) != is_drawn
    assert stdout.endswith(f"n = {n}, with 1 blocked square.\n")


@pytest.mark.parametrize("arguments", [["q.txt", "--instance", "four.json"], ["--instance", "four.json"]])
def test_show_draws_a_picture_of_an_instance(four, arguments):
    exit_code, stdout, _ = four("show", *arguments, "-o", "p.png")
    assert (exit_code, stdout.count("\n")) == (0, 2 if "q.txt" not in arguments else 4)
    assert has_colour("p.png", style.BLOCKED)
    assert has_colour("p.png", style.EXCLUDED)
    assert has_colour("p.png", style.BEST) == ("q.txt" in arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'FILE'; without it, an --instance FILE is needed."),
        (["--block", "0,0"], "the size of the board is not known"),
        (["--instance", "four.json", "--mark", "1", "-o", "p.png"], "--mark and --move-costs need a board"),
        (["--instance", "four.json", "--move-costs"], "--mark and --move-costs need a board"),
        (["q.txt", "--instance", "four.json", "--move-costs"], "--move-costs shows no instance"),
        (["-", "--instance", "-"], "FILE and --instance cannot both be read from stdin."),
        (["q.txt", "--first", "2"], "--first says how many diagonals of a file to exclude"),
        (["q.txt", "--block", "4,0"], "blocked square in column 4, row 0: columns go from 0 to 3"),
        (["five.txt", "--instance", "four.json"], "4"),
    ],
)
def test_show_refuses_contradictions(four, arguments, message):
    Path("five.txt").write_text("0\n2\n4\n1\n3\n")
    exit_code, stdout, stderr = four("show", *arguments)
    assert (exit_code, stdout) == (2, "")
    assert message in " ".join(stderr.split())
    assert not Path("p.png").exists()


def test_an_instance_from_stdin(four, monkeypatch):
    text = io.TextIOWrapper(io.BytesIO(b'{"n": 4, "blocked": [[0, 0]]}'))
    monkeypatch.setattr(sys, "stdin", text)
    assert four("show", "q.txt", "--instance", "-")[1].startswith("# . Q .\n")


# poster


@pytest.mark.parametrize(
    "arguments", [["q.txt", "--instance", "four.json"], ["--instance", "four.json"], ["4", "--block", "0,0"]]
)
def test_a_poster_of_an_instance(four, arguments):
    look = ["--size", "A4", "--dpi", "50", "--style", "infographic", "-q", "-o", "p.png"]
    assert four("poster", *arguments, *look) == (0, "", "")
    assert has_colour("p.png", INFOGRAPHIC.blocked)
    assert has_colour("p.png", INFOGRAPHIC.excluded) == ("--instance" in arguments)
    assert has_colour("p.png", INFOGRAPHIC.fixed, 600) == ("--instance" in arguments)


def test_solve_draws_the_instance_on_its_poster(four):
    assert four("solve", "--instance", "four.json", "--poster", "p.svg", "-q")[0] == 0
    assert four("solve", "4", "--poster", "free.svg", "-q")[0] == 0
    # The grey of blocked squares in "classic".
    assert ["#8c8c8c" in Path(name).read_text() for name in ("p.svg", "free.svg")] == [True, False]


def test_a_poster_needs_a_board(four):
    exit_code, _, stderr = four("poster", "--block", "0,0", "-o", "p.png")
    assert (exit_code, "Missing argument 'BOARD_OR_N'" in stderr) == (2, True)
    exit_code, _, stderr = four("poster", "-", "--instance", "-", "-o", "p.png")
    assert (exit_code, "BOARD_OR_N and --instance cannot both be read from stdin." in stderr) == (2, True)
    assert four("poster", "4", "--block", "0,1", "--block", "0,2", "-o", "p.png")[0] == 3
    assert not Path("p.png").exists()


# animate


@pytest.mark.gate
def test_an_animation_of_an_instance(four):
    exit_code, stdout, _ = four("animate", "--instance", "four.json", "--seed", "1", "-o", "a.gif")
    assert exit_code == 0
    assert stdout.startswith("4 queens by min-conflicts, seed 1")
    assert "Hill climbing does not respect the instance, and its last board has " in stdout
    assert has_colour("a.gif", style.BLOCKED)
    assert has_colour("a.gif", style.EXCLUDED)
    exit_code, stdout, _ = four("animate", "--board", "1 3 0 2", "--instance", "four.json", "-o", "b.gif")
    assert "its last board has no violation." in stdout
    assert four("animate", "--seed", "1", "-o", "c.gif", "--block", "0,0")[1].startswith("8 queens")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["5", "--instance", "four.json"], "4"),
        (["--block", "8,0"], "blocked square in column 8, row 0: columns go from 0 to 7"),
        (["--file", "-", "--instance", "-"], "--file and --instance cannot both be read from stdin."),
        (["--instance", "large.json"], "n is 41: an animation shows at most 40"),
    ],
)
def test_animate_refuses_contradictions(four, arguments, message):
    Path("large.json").write_text('{"n": 41}')
    exit_code, _, stderr = four("animate", *arguments, "-o", "a.gif")
    assert exit_code == 2
    assert message in " ".join(stderr.split())
    assert not Path("a.gif").exists()


# Instances in files, with more from options


def test_options_add_to_a_file(four):
    fastqueens.write_instance("more.json", fastqueens.make_instance(6, blocked=[(1, 1)], excluded_differences=[2]))
    more = ["--block", "0,0", "--queen", "2,3", "--exclude-sum", "9", "--exclude-difference", "-5"]
    lines = four("show", "--instance", "more.json", *more)[1].splitlines()
    assert lines[:6] == ["# . . . . \\", ". # . . . .", "\\ . . . . .", ". \\ F . . .", ". . \\ . . /", ". . . \\ / ."]
