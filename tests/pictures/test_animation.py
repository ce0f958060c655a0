"""Animations of climbs: boards, attacks and curve, found in the pixels of the frames."""

import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from errors import check_error
from figures import near, queens_in
from PIL import Image

import fastqueens
from fastqueens._run import memory as machine
from fastqueens.classroom.climbing import climb
from fastqueens.classroom.rules import Limits
from fastqueens.pictures.animation import _layout, animate, write_animation
from fastqueens.pictures.themes import LIGHT

REPOSITORY = Path(fastqueens.__file__).parents[1]

SMALL = (400, 240)


@pytest.fixture
def run(run):
    return partial(run, "animate")


def is_colour(image, colour, tolerance=3):
    return near(image.convert("RGB"), colour, tolerance + 0.5)


def board_of(first_frame):
    """Return the box of the board on all frames, found by the colours of its squares, without its frame."""
    squares = is_colour(first_frame, LIGHT.dark_square) | is_colour(first_frame, LIGHT.light_square)
    columns, rows = (np.flatnonzero(squares.sum(axis) > 60) for axis in (0, 1))
    return tuple(map(int, (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)))


def queens_seen(frame, n):
    return queens_in(frame.crop(_layout(frame.size, n).board).convert("RGB"), n)


def boards_seen(animation, n):
    """Return the boards on which all queens are at rest, without repetitions in a row."""
    boards = []
    for frame in animation.frames:
        board = queens_seen(frame, n)
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
    assert boards_seen(animate(done, size=(600, 400)), n) == expected


def test_origin_turns_the_board_over():
    done = climb(board=[0, 3, 1, 5, 2, 4], rule="steepest", seed=1)
    boards = boards_seen(animate(done, size=SMALL, origin="lower"), 6)
    assert boards[0] == [5, 2, 4, 0, 3, 1]
    assert boards[-1] == (5 - done.queens).tolist()


def test_restarts_are_shown_and_the_best_board_at_the_end():
    """Even if the last attempt was worse."""
    runs = [climb(8, rule="steepest", seed=seed, limits=Limits(restarts=1)) for seed in range(20)]
    worse = next(done for done in runs if [*done.looks()][-1].cost > done.cost)
    for done in (worse, climb(8, rule="steepest", seed=5, limits=Limits(restarts=None))):
        assert done.restarts
        boards = boards_seen(animate(done, size=SMALL), 8)
        assert all(start in boards for start in done.moves.first_boards.tolist())
        assert boards[-1] == done.queens.tolist()


def test_attacks_are_drawn_and_a_solution_has_none():
    done = climb(8, rule="min-conflicts", seed=1)
    animation = animate(done, size=SMALL)
    box = board_of(animation.frames[0])
    first, last = (is_colour(animation.frames[index].crop(box), LIGHT.attack).any() for index in (0, -1))
    assert (done.initial_cost > 0, first, last) == (True, True, False)


def test_all_frames_share_a_palette_with_the_colours_of_the_pictures():
    animation = animate(climb(8, rule="steepest", seed=3), size=SMALL)
    assert {frame.mode for frame in animation.frames} == {"P"}
    assert len({tuple(frame.getpalette()) for frame in animation.frames}) == 1
    for colour in (LIGHT.paper, LIGHT.light_square, LIGHT.dark_square, LIGHT.ink, LIGHT.attack, LIGHT.best):
        assert any(is_colour(frame, colour, 0).any() for frame in animation.frames)


def test_words_are_smaller_if_they_do_not_fit():
    """No ink is in the margins."""
    for size in ((400, 240), (240, 240), (400, 600)):
        frame = animate(8, seed=1, size=size, title=9 * "Mine and the other moves of mine ").frames[0]
        margin = min(size) // 24 - 2
        for box in ((0, 0, size[0], margin), (size[0] - margin, 0, *size), (0, 0, margin, size[1])):
            assert not is_colour(frame.crop(box), LIGHT.ink, 60).any()


# Time and size


@pytest.mark.parametrize(
    ("rule", "n", "seconds", "limits"),
    [
        ("steepest", 1, 12, Limits()),
        ("min-conflicts", 40, 3, Limits()),
        ("annealing", 12, 12, Limits()),
        ("steepest", 20, 5, Limits(restarts=30)),
        ("sideways", 12, 60, Limits(restarts=3)),
    ],
)
def test_it_stays_within_its_time(rule, n, seconds, limits):
    done = climb(n, rule=rule, limits=limits, seed=4)
    animation = animate(done, size=(240, 240), seconds=seconds)
    assert 0 < animation.seconds <= seconds
    assert all(duration >= 20 and duration % 10 == 0 for duration in animation.durations)
    assert len(animation.frames) == len(animation.durations)


@pytest.mark.parametrize("size", [(240, 240), (960, 540), (300, 700), (1001, 501)])
def test_sizes(size):
    animation = animate(climb(8, rule="steepest", seed=1), size=size)
    assert {animation.size, *(frame.size for frame in animation.frames)} == {size}
    left, top, right, bottom = board_of(animation.frames[0])
    assert abs((right - left) - (bottom - top)) <= 1, "next to the frame, colours are mixed"
    assert right - left >= min(size) / 2 - 4


# Files


@pytest.mark.parametrize("name", ["climb.gif", "climb.webp"])
def test_a_small_file_plays_what_the_animation_holds(tmp_path, name):
    animation = animate(climb(8, rule="steepest", seed=3), size=SMALL)
    write_animation(tmp_path / name, animation)
    assert (tmp_path / name).stat().st_size < 10_000 * len(animation.frames)
    with Image.open(tmp_path / name) as file:
        assert (file.size, file.info["loop"]) == (SMALL, 0)
        assert file.n_frames == len(animation.frames) >= 4
        milliseconds = 0
        for index, frame in enumerate(animation.frames):
            file.seek(index)
            file.load()
            milliseconds += file.info["duration"]
            assert np.array_equal(np.array(file.convert("RGB")), np.array(frame.convert("RGB")))
        assert milliseconds == 1000 * animation.seconds


# Bad input


def test_progress_counts_frames_and_a_stop_ends_the_drawing():
    heard = []
    found = animate(climb(8, seed=3), size=(320, 240), progress=lambda *state: heard.append(state))
    frames = len(found.frames)
    assert heard == [("drawing", done, frames) for done in range(1, frames + 1)]
    with check_error(fastqueens.Stopped, "drawing", "1 of"):
        animate(climb(8, seed=3), size=(320, 240), stop=lambda: True)


def test_too_little_memory_is_reported(monkeypatch):
    done = climb(8, rule="min-conflicts", seed=1)
    monkeypatch.setattr(machine, "available_memory", lambda: 10**6)
    with check_error(fastqueens.NotEnoughMemoryError, "1,920 x 1,920 pixels", re.compile(r"\d MB")):
        animate(done, size=(1920, 1920))


# fastqueens.animate


def test_n_a_board_an_instance_or_a_climb_is_animated(tmp_path):
    board, instance = [0, 0, 1, 2, 4], fastqueens.make_instance(5, blocked=[(0, 0)])
    done = climb(8, rule="sideways", seed=3)
    solved = animate(6, seed=1, size=SMALL).climb
    assert (solved.solved, solved.rule, solved.n) == (True, "min-conflicts", 6)
    started = animate(board, rule="steepest", seed=1, size=SMALL).climb
    assert (next(started.looks()).queens.tolist(), started.rule) == (board, "steepest")
    assert animate(instance=instance, seed=1, size=SMALL).climb.n == 5
    file = tmp_path / "climb.gif"
    animation = animate(done, size=SMALL, output=file)
    assert animation.climb is done
    write_animation(tmp_path / "same.gif", animate(done, size=SMALL))
    assert file.read_bytes() == (tmp_path / "same.gif").read_bytes()


@pytest.mark.parametrize(("restarts", "most"), [(0, 0), (1, 1)])
def test_restarts_are_limited(restarts, most):
    climbs = [animate(6, rule="steepest", seed=seed, restarts=restarts, size=SMALL).climb for seed in range(3)]
    assert max(len(each.restarts) for each in climbs) == most


@pytest.mark.parametrize(
    ("board", "options", "named"),
    [
        (41, {}, ["n is 41", "40"]),
        (8, {"rule": "genetic"}, ["'genetic'", "steepest"]),
        (8, {"instance": fastqueens.make_instance(9)}, ["n = 9", "8 queens"]),
        (8, {"output": "climb.png"}, ["climb.png", ".gif"]),
        (8, {"seconds": 61}, ["seconds is 61"]),
        (8, {"theme": "transparent"}, ["'transparent'", "light", "dark"]),
    ],
)
def test_what_cannot_be_animated_is_refused(monkeypatch, tmp_path, board, options, named):
    monkeypatch.chdir(tmp_path)
    with check_error(fastqueens.InputError, *named):
        animate(board, seed=1, **options)
    assert list(tmp_path.iterdir()) == []


# fastqueens animate


@pytest.mark.parametrize("source", [["--board", "0 0 1 2 4"], ["--file", "q.txt"]])
def test_it_starts_from_the_board_of_the_user(run, source):
    Path("q.txt").write_text("0\n0\n1\n2\n4\n")
    exit_code, stdout, _ = run(*source, "--rule", "steepest", "--seed", "1", "--size", "400x240", "-o", "climb.webp")
    assert (exit_code, stdout.count("\n")) == (0, 2)
    assert stdout.startswith("5 queens by steepest, seed 1: ")
    with Image.open("climb.webp") as picture:
        frame = picture.convert("RGB")
    assert queens_seen(frame, 5) == [0, 0, 1, 2, 4]


def test_steps_that_are_left_out_are_mentioned_unless_it_is_quiet(run):
    arguments = ("30", "--rule", "annealing", "--seed", "1", "-o", "climb.gif", "--seconds", "3", "--size", "240x240")
    assert "\nOnly 1 in 333 steps is shown; --seconds 60 shows more of them.\n" in run(*arguments)[1]
    assert run(*arguments, "-q")[1:] == ("", "")
