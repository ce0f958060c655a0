"""Animations of climbs: boards, attacks and curve, found in the pixels of the frames."""

import itertools
import os
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from errors import check_error, check_names
from figures import near
from PIL import Image
from processes import process
from scipy import ndimage

import fastqueens
from fastqueens import InputError
from fastqueens.classroom.climbing import Limits, climb
from fastqueens.cli import picture_options
from fastqueens.core import memory as machine
from fastqueens.core.arguments import RULES
from fastqueens.pictures.animation import animate_climb, write_animation
from fastqueens.pictures.style import ATTACK, BEST, DARK_SQUARE, INK, LIGHT_SQUARE, PAPER

REPOSITORY = Path(fastqueens.__file__).parents[1]

SMALL = (400, 240)


@pytest.fixture
def run(run):
    return partial(run, "animate")


def is_colour(image, colour, tolerance=3):
    return near(image.convert("RGB"), colour, tolerance + 0.5)


def board_of(first_frame):
    """Return the box of the board on all frames, found by the colours of its squares."""
    squares = is_colour(first_frame, DARK_SQUARE) | is_colour(first_frame, LIGHT_SQUARE)
    columns, rows = (np.flatnonzero(squares.sum(axis) > 20) for axis in (0, 1))
    return tuple(map(int, (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)))


def queens_seen(frame, box, n):
    """Return the row of the queen in each column, None for a column without a queen at rest."""
    dark = is_colour(frame.crop(box), INK, 40)
    side = dark.shape[0] // n
    labels, _ = ndimage.label(dark)
    sizes = np.bincount(labels.ravel())
    rows = [None] * n
    for label, (y, x) in enumerate(ndimage.find_objects(labels), 1):
        if sizes[label] > side * side / 10:
            column = (x.start + x.stop) // 2 // side
            assert rows[column] is None
            rows[column] = (y.start + y.stop) // 2 // side
    return rows


def boards_seen(animation, n):
    """Return the boards on which all queens are at rest, without repetitions in a row."""
    box = board_of(animation.frames[0])
    boards = []
    for frame in animation.frames:
        board = queens_seen(frame, box, n)
        if None not in board and board not in boards[-1:]:
            boards.append(board)
    return boards


# Boards, attacks and the curve


@pytest.mark.parametrize(
    ("rule", "n", "seed"),
    [
        ("steepest", 8, 3),
        ("min-conflicts", 8, 1),
        pytest.param("sideways", 8, 3, marks=pytest.mark.gate),
        pytest.param("steepest", 15, 1, marks=pytest.mark.gate),
    ],
)
def test_every_board_of_a_climb_is_shown_in_order(rule, n, seed):
    done = climb(n, rule=rule, seed=seed)
    looks = [look.queens.tolist() for look in done.looks()]
    assert len(looks) > 2
    expected = [board for board, earlier in zip(looks, [None, *looks], strict=False) if board != earlier]
    assert boards_seen(animate_climb(done, size=(600, 400)), n) == expected


def test_origin_turns_the_board_over():
    done = climb(board=[0, 3, 1, 5, 2, 4], rule="steepest", seed=1)
    boards = boards_seen(animate_climb(done, size=SMALL, origin="lower"), 6)
    assert boards[0] == [5, 2, 4, 0, 3, 1]
    assert boards[-1] == (5 - done.queens).tolist()


def test_restarts_are_shown():
    done = climb(8, rule="steepest", seed=5, limits=Limits(restarts=None))
    assert done.restarts
    boards = boards_seen(animate_climb(done, size=(600, 400)), 8)
    for start in done.moves.first_boards:
        assert start.tolist() in boards
    assert boards[-1] == done.queens.tolist()


def test_the_last_board_is_the_best_one_even_if_a_later_attempt_was_worse():
    for seed in range(20):
        done = climb(8, rule="steepest", seed=seed, limits=Limits(restarts=1))
        *_, last = done.looks()
        if last.cost > done.cost:
            break
    assert last.cost > done.cost
    assert boards_seen(animate_climb(done, size=(600, 400)), 8)[-1] == done.queens.tolist()


def test_attacks_are_drawn_and_a_solution_has_none():
    done = climb(8, rule="min-conflicts", seed=1)
    animation = animate_climb(done, size=SMALL)
    box = board_of(animation.frames[0])
    first, last = (is_colour(animation.frames[index].crop(box), ATTACK).any() for index in (0, -1))
    assert (done.initial_cost > 0, first, last) == (True, True, False)


def test_the_moving_queen_is_lifted_in_its_column():
    done = climb(board=[0, 0, 1, 2, 4], rule="steepest", seed=1)
    column, _, _ = done.moves.steps[0]
    animation = animate_climb(done, size=(600, 400))
    left, top, right, bottom = board_of(animation.frames[0])
    side = (right - left) // 5
    moving = is_colour(animation.frames[3].crop((left, top, right, bottom)), BEST)
    assert set((np.nonzero(moving)[1] // side).tolist()) >= {column}
    assert abs(np.nonzero(moving)[1].mean() - (column + 0.5) * side) < side / 10
    assert queens_seen(animation.frames[3], (left, top, right, bottom), 5)[column] is None


def test_the_curve_grows_and_does_not_shrink():
    animation = animate_climb(climb(8, rule="sideways", seed=3), size=SMALL)
    right = board_of(animation.frames[0])[2]
    drawn = [is_colour(frame.crop((right, 0, *SMALL)), BEST).sum() for frame in animation.frames]
    # The dot at the end of the curve covers a varying part of it.
    assert all(later > earlier - 10 for earlier, later in itertools.pairwise(drawn))
    assert drawn[-1] > 2 * drawn[0]


def test_all_frames_share_a_palette_with_the_colours_of_the_pictures():
    animation = animate_climb(climb(8, rule="steepest", seed=3), size=SMALL)
    assert {frame.mode for frame in animation.frames} == {"P"}
    assert len({tuple(frame.getpalette()) for frame in animation.frames}) == 1
    for colour in (PAPER, LIGHT_SQUARE, DARK_SQUARE, INK, ATTACK, BEST):
        assert any(is_colour(frame, colour, 0).any() for frame in animation.frames)


# Time and size


@pytest.mark.parametrize(
    ("rule", "n", "seconds", "limits"),
    [
        ("steepest", 1, 12, Limits()),
        ("min-conflicts", 8, 12, Limits()),
        ("min-conflicts", 8, 3, Limits()),
        ("min-conflicts", 40, 12, Limits()),
        ("annealing", 12, 12, Limits()),
        ("steepest", 20, 5, Limits(restarts=30)),
        ("sideways", 12, 60, Limits(restarts=3)),
    ],
)
def test_it_stays_within_its_time(rule, n, seconds, limits):
    done = climb(n, rule=rule, limits=limits, seed=4)
    animation = animate_climb(done, size=(240, 240), seconds=seconds)
    assert 0 < animation.seconds <= seconds
    assert all(duration >= 20 and duration % 10 == 0 for duration in animation.durations)
    assert len(animation.frames) == len(animation.durations)


@pytest.mark.parametrize("size", [(240, 240), (960, 540), (300, 700), (1001, 501)])
def test_sizes(size):
    animation = animate_climb(climb(8, rule="steepest", seed=1), size=size)
    assert {animation.size, *(frame.size for frame in animation.frames)} == {size}
    left, top, right, bottom = board_of(animation.frames[0])
    assert right - left == bottom - top >= min(size) / 2
    assert (right - left) % 8 == 0


# Files


@pytest.mark.parametrize(("name", "least_frames"), [("climb.gif", 20), ("climb.webp", 20)])
def test_a_file_plays_what_the_animation_holds(tmp_path, name, least_frames):
    animation = animate_climb(climb(8, rule="steepest", seed=3), size=SMALL)
    write_animation(tmp_path / name, animation)
    with Image.open(tmp_path / name) as file:
        assert (file.size, file.info["loop"]) == (SMALL, 0)
        assert file.n_frames == len(animation.frames) >= least_frames
        milliseconds = 0
        for index, frame in enumerate(animation.frames):
            file.seek(index)
            file.load()
            milliseconds += file.info["duration"]
            assert np.array_equal(np.array(file.convert("RGB")), np.array(frame.convert("RGB")))
        assert milliseconds == 1000 * animation.seconds


@pytest.mark.gate
@pytest.mark.parametrize(("rule", "n"), [("min-conflicts", 8), ("annealing", 20)])
def test_files_are_small(tmp_path, rule, n):
    write_animation(tmp_path / "climb.gif", animate_climb(climb(n, rule=rule, seed=1)))
    assert (tmp_path / "climb.gif").stat().st_size < 2_000_000


def test_a_notebook_plays_it():
    html = animate_climb(climb(4, rule="min-conflicts", seed=1), size=SMALL)._repr_html_()
    assert html.startswith('<img src="data:image/gif;base64,R0lGOD')


# Bad input


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"size": (100, 300)}, ["width is 100", 240, "1920 pixels"]),
        ({"size": (300, 5000)}, ["height is 5000"]),
        ({"seconds": 2}, ["seconds is 2", "from 3 to 60"]),
        ({"seconds": float("nan")}, ["seconds is nan"]),
        ({"origin": "left"}, ["'left'", "upper", "lower"]),
    ],
)
def test_invalid_input_is_refused(options, named):
    with check_error(InputError, *named):
        animate_climb(climb(4, rule="steepest", seed=1), **options)


def test_boards_are_small():
    with check_error(InputError, "n is 41", 40):
        animate_climb(climb(41, seed=1))


def test_too_little_memory_is_reported(monkeypatch):
    done = climb(8, rule="min-conflicts", seed=1)
    monkeypatch.setattr(machine, "available_memory", lambda: 10**6)
    with check_error(fastqueens.NotEnoughMemoryError, "960 x 540 pixels", re.compile(r"\d MB")):
        animate_climb(done)


# fastqueens animate


def test_the_rules_are_those_of_the_library():
    (rule,) = (option for option in picture_options.animate.params if option.name == "rule")
    assert tuple(rule.type.choices) == tuple(RULES)


@pytest.mark.gate
def test_the_real_command_writes_a_gif(tmp_path):
    done = process(*["animate", "6", "--seed", "1", "--size", "400x240", "-o", "climb.gif"], cwd=tmp_path)
    assert [line for line in done.stderr.splitlines() if not line.startswith("First use of this command")] == []
    assert done.returncode == 0
    # With this seed the first attempt fails.
    expected = climb(6, rule="min-conflicts", seed=1, limits=Limits(restarts=None))
    words = f"solved after {expected.steps} steps and {len(expected.restarts)} restart"
    assert done.stdout.startswith(f"6 queens by min-conflicts, seed 1: {words}")
    with Image.open(tmp_path / "climb.gif") as picture:
        assert picture.size == (400, 240)
        assert picture.n_frames > 10


@pytest.mark.parametrize("source", [["--board", "0 0 1 2 4"], ["--file", "q.txt"]])
def test_it_starts_from_the_board_of_the_user(run, source):
    Path("q.txt").write_text("0\n0\n1\n2\n4\n")
    exit_code, stdout, _ = run(*source, "--rule", "steepest", "--seed", "1", "--size", "400x240", "-o", "climb.webp")
    assert (exit_code, stdout.count("\n")) == (0, 2)
    with Image.open("climb.webp") as picture:
        frame = picture.convert("RGB")
    assert queens_seen(frame, board_of(frame), 5) == [0, 0, 1, 2, 4]


@pytest.mark.parametrize(
    "arguments",
    [["6", "--restarts", "0"], ["--board", "0 0 0 0 0 0"], ["6", "--rule", "steepest"]],
)
def test_no_restarts_unless_they_are_allowed(run, arguments):
    for seed in range(4):
        _, stdout, _ = run(*arguments, "--seed", str(seed), "--size", "240x240", "-o", "climb.gif")
        assert "restart" not in stdout


def test_quiet_prints_nothing(run):
    assert run("4", "--seed", "1", "--size", "240x240", "-o", "climb.gif", "-q") == (0, "", "")


def test_steps_that_are_left_out_are_mentioned(run):
    arguments = ("30", "--rule", "annealing", "--seed", "1", "-o", "climb.gif", "--seconds", "3", "--size", "240x240")
    assert "\nOnly 1 in 333 steps is shown; --seconds 60 shows more of them.\n" in run(*arguments)[1]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("-o climb.mp4", ["climb.mp4", "'.mp4'", ".gif", ".webp"]),
        ("-o climb.git", [re.compile(r"\.gif\?")]),
        ("-o nowhere/climb.gif", ["nowhere/climb.gif"]),
        ("1e9 -o climb.gif", ["n is 1,000,000,000", 40]),
        (f"-o climb.gif --board {','.join(41 * '0')}", ["n is 41", 40]),
        ("0 -o climb.gif", ["n is 0"]),
        ("--size big -o climb.gif", ["'big'"]),
        ("--size 400.5x300 -o climb.gif", ["'400.5x300'"]),
        ("--size 10x10 -o climb.gif", ["width is 10"]),
        ("--seconds 100 -o climb.gif", ["seconds is 100.0"]),
        ("--board 0 --file q.txt -o climb.gif", ["--file", "--board"]),
        ("", ["-o climb.gif"]),
    ],
)
def test_bad_usage_is_reported_and_nothing_is_written(run, arguments, named):
    code, stdout, stderr = run(*arguments.split())
    assert (code, stdout, os.listdir()) == (2, "", [])
    check_names(stderr, *named)


def test_a_board_without_a_solution_is_not_climbed(run):
    code, stdout, stderr = run("3", "-o", "climb.gif")
    assert (code, stdout, os.listdir()) == (3, "", [])
    check_names(stderr, "n = 3")
