"""The commands that draw, with the options that state an instance: show, poster, solve --poster."""

from pathlib import Path

import numpy as np
import pytest
from errors import check_names
from PIL import Image

from fastqueens._run.arguments import PICTURE_STYLES
from fastqueens.pictures.palettes import PALETTES, theme_of
from fastqueens.pictures.roles import LIGHT

NIGHT = theme_of(PALETTES["night"])


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


@pytest.mark.parametrize(
    ("words", "drawing", "named"),
    [
        (
            "q.txt --instance four.json --exclude-difference 3",
            "# . Q .\nQ . . .\n. . . Q\n\\ F . /\nF fixed queen, # blocked square, / \\ excluded diagonal\n",
            ["4 queens", "1 fixed queen", "1 blocked square", "1 excluded sum diagonal", "all respected"],
        ),
        (
            "q.txt --queen 1,1 --block 0,2 --rows-from 0",
            ". . Q .\nQ f . .\n# . . Q\n. Q . .\n# blocked square, f missing fixed queen\n",
            ["1 fixed queen", "1 blocked square", "1 fixed queen missing"],
        ),
        ("q.txt", ". . Q .\nQ . . .\n. . . Q\n. Q . .\n4 queens", ["0 attacking pairs"]),
        (
            "--instance four.json --origin lower",
            ". F . \\\n. . . .\n. . . .\n# . . .\nF fixed queen, # blocked square, \\ excluded diagonal\n",
            ["n = 4", "1 fixed queen", "1 blocked square", "1 excluded sum diagonal"],
        ),
        ("--instance free.json", ". .\n. .\nn = 2.\n", []),
    ],
)
def test_show_draws_a_board_or_an_instance_and_names_what_is_violated(four, words, drawing, named):
    Path("free.json").write_text('{"n": 2}')
    exit_code, stdout, stderr = four("show", *words.split())
    assert (exit_code, stderr, stdout[: len(drawing)]) == (0, "", drawing)
    check_names(" ".join(stdout.split()), *named)


@pytest.mark.parametrize("arguments", [["q.txt", "--instance", "four.json"], ["--instance", "four.json"]])
def test_show_draws_a_picture_of_an_instance(four, arguments):
    exit_code, stdout, _ = four("show", *arguments, "-o", "p.png")
    assert (exit_code, stdout.count("\n")) == (0, 2 if "q.txt" not in arguments else 3)
    assert has_colour("p.png", LIGHT.blocked)
    assert has_colour("p.png", LIGHT.note)


def test_show_has_styles_and_sizes(run):
    run("random", "40", "--seed", "1", "-o", "q.txt")
    pictures = []
    for style in PICTURE_STYLES:
        assert run("show", "q.txt", "--style", style, "--size", "4x5in", "-o", "p.png")[0] == 0
        with Image.open("p.png") as image:
            assert image.size == (600, 750)
            pictures.append(image.tobytes())
    assert len({*pictures}) == 3
    assert run("show", "q.txt", "--size", "30x1m", "-o", "p.png")[0] == 2
    check_names(run("show", "q.txt", "--style", "dots")[2], "--style", "-o FILE")


@pytest.mark.parametrize("command", ["climb 8 --seed 1", "runtimes 10,20 --seeds 1", "statistics q.txt --what density"])
def test_plots_have_sizes(four, command):
    assert four(*command.split(), "--plot", "p.png", "--size", "84x60mm", "-q")[0] in (0, 1)
    with Image.open("p.png") as image:
        assert image.size == (496, 354)
    check_names(four(*command.split(" --what")[0].split(), "--size", "84x60mm")[2], "--size", "--plot FILE")


# poster


@pytest.mark.parametrize(
    "arguments", [["q.txt", "--instance", "four.json"], ["--instance", "four.json"], ["4", "--block", "0,0"]]
)
def test_a_poster_of_an_instance(four, arguments):
    look = ["--size", "A4", "--dpi", "50", "--palette", "night", "-q", "-o", "p.png"]
    assert four("poster", *arguments, *look) == (0, "", "")
    assert has_colour("p.png", NIGHT.blocked)
    with Image.open("p.png") as poster:
        poster.crop((0, 0, poster.width, poster.width)).save("board.png")
    assert has_colour("board.png", NIGHT.note) == ("--instance" in arguments)


def test_solve_draws_the_instance_on_its_poster(four):
    assert four("solve", "--instance", "four.json", "--poster", "p.svg", "-q")[0] == 0
    assert four("solve", "4", "--poster", "free.svg", "-q")[0] == 0
    assert ["stroke-dasharray" in Path(name).read_text() for name in ("p.svg", "free.svg")] == [True, False]


# Instances from options and files


def test_options_state_an_instance(four):
    """Rows can be numbered from one, but diagonals are numbered from zero: diagonal 0 alone is a constraint."""
    Path("ones.txt").write_text("2\n4\n1\n3\n")
    shown = [four("show", *words.split(), "--exclude-sum", "0")[1] for words in ("q.txt", "ones.txt --rows-from 1")]
    assert shown[0].startswith("/ . Q .\n")
    assert shown[0] == shown[1]
