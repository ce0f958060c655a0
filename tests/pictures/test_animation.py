"""Animations of climbs: boards, attacks and curve, found in the pixels of the frames."""

import os
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from errors import check_error
from figures import near, queens_in
from matplotlib.colors import to_hex
from PIL import Image

import fastqueens
from fastqueens.checking import attacking_pairs
from fastqueens.classroom.algorithms import Limits
from fastqueens.classroom.animations import animate, search_of
from fastqueens.classroom.climbing import climb
from fastqueens.pictures.animation import _Moment, _moments, _Stage
from fastqueens.pictures.figure import house_style
from fastqueens.pictures.frames import layout_of
from fastqueens.pictures.palettes import PALETTES
from fastqueens.pictures.roles import LIGHT, blend
from fastqueens.pictures.weave import Cloth, Place

SMALL = (400, 240)

RISO, NIGHT = PALETTES["riso"], PALETTES["night"]

#: The colours of frames are among 256.
TOLERANCE = 8


@pytest.fixture
def run(run):
    return partial(run, "animate")


@pytest.fixture(scope="module")
def film():
    """Return an animation of 31 queens, which restarts, and its moments."""
    done = climb(31, algorithm="min-conflicts", seed=1, limits=Limits(restarts=None))
    return animate(done, size=(300, 340), seconds=3), moments_of(done, 3000)


def moments_of(done, milliseconds):
    return _moments(search_of(done), milliseconds)


def is_colour(image, colour, tolerance=TOLERANCE):
    return near(image.convert("RGB"), colour, tolerance + 0.5)


def board_in(done, size):
    return layout_of(done.n, size, is_film=False).board


def boards_seen(animation):
    """Return the boards on which all queens are at rest, without repetitions in a row."""
    n, boards = animation.climb.n, []
    for frame in animation.frames:
        board = queens_in(frame.crop(board_in(animation.climb, animation.size)).convert("RGB"), n)
        if None not in board and board not in boards[-1:]:
            boards.append(board)
    return boards


def curves_of(done, moments, size=(480, 480)):
    """Yield the points of the curve, and the point of the dot, that each moment shows."""
    with house_style("light"):
        stage = _Stage(search_of(done), size, "", None)
        for moment in moments:
            stage.draw_curve(moment, "red")
            *_, line, dot = stage.curve.lines
            yield line.get_xydata(), dot.get_xydata()[0].tolist()


def curve_of(done, moment):
    """Return the points of the curve that a moment shows."""
    ((points, _),) = curves_of(done, [moment])
    return points


# Boards, attacks and the curve


@pytest.mark.parametrize(
    ("algorithm", "n", "seed"),
    [
        ("steepest", 8, 3),
        ("min-conflicts", 8, 1),
        pytest.param("sideways", 8, 3, marks=pytest.mark.gate),
        pytest.param("steepest", 15, 1, marks=pytest.mark.gate),
    ],
)
def test_every_board_that_changes_the_cost_is_shown_in_order(algorithm, n, seed):
    done = climb(n, algorithm=algorithm, seed=seed)
    costs, looks = done.trace.pairs.tolist(), [look.queens.tolist() for look in done.looks()]
    expected = [look for look, cost, earlier in zip(looks, costs, [None, *costs], strict=False) if cost != earlier]
    assert len(expected) > 2
    assert boards_seen(animate(done, size=(600, 400))) == expected


def test_a_plateau_is_one_frame():
    done = climb(6, algorithm="min-conflicts", seed=1, limits=Limits(restarts=None))
    assert done.steps > 100
    assert len(moments_of(done, 12000)) < 15


def test_restarts_are_shown_and_the_best_board_at_the_end():
    """The best board is shown even if the last attempt was worse."""
    runs = [climb(8, algorithm="steepest", seed=seed, limits=Limits(restarts=1)) for seed in range(20)]
    worse = next(done for done in runs if [*done.looks()][-1].cost > done.cost)
    for done in (worse, climb(8, algorithm="steepest", seed=5, limits=Limits(restarts=None))):
        assert done.restarts
        boards = boards_seen(animate(done, size=SMALL))
        assert all(start in boards for start in done.moves.first_boards.tolist())
        assert boards[-1] == done.queens.tolist()


@pytest.mark.parametrize(("n", "algorithm"), [(8, "steepest"), (8, "annealing"), (40, "steepest")])
def test_board_counter_and_curve_are_of_the_same_step(n, algorithm):
    runs = [climb(n, algorithm=algorithm, seed=seed, limits=Limits(restarts=1)) for seed in range(2)]
    for done in runs:
        moments = moments_of(done, 3000)
        for moment, (_, (x, y)) in zip(moments, curves_of(done, moments), strict=True):
            assert (x, y) == (moment.look.step, moment.look.cost)
            assert attacking_pairs(moment.look.queens) == y
        assert (moment.look.queens == done.queens).all()


def test_no_line_joins_attempts():
    done = climb(8, algorithm="steepest", seed=4, limits=Limits(restarts=5))
    (restart,) = done.restarts
    *_, last = done.looks()
    points = curve_of(done, _Moment(last, len(done.trace.pairs) - 1, 0, is_end=True))
    (gap,) = np.flatnonzero(np.isnan(points[:, 0]))
    assert gap == restart
    assert points[gap - 1, 0] == points[gap + 1, 0], "a restart is not a step"
    assert np.delete(points[:, 1], gap).tolist() == done.trace.pairs.tolist()
    assert points[-1].tolist() == [done.steps, 0]


def test_a_column_of_pixels_of_the_curve_keeps_its_extremes():
    done = climb(20, algorithm="annealing", seed=1)
    assert done.steps > 2000
    *_, last = done.looks()
    points = curve_of(done, _Moment(last, done.steps, 0, is_end=True))
    assert len(points) <= 4 * 240
    assert points[:, 1].max() == done.trace.pairs.max()
    assert points[0].tolist() == [0, done.initial_cost]


def test_attacks_are_drawn_and_a_solution_has_none():
    done = climb(8, algorithm="min-conflicts", seed=1)
    animation, box = animate(done, size=SMALL), board_in(done, SMALL)
    first, last = (is_colour(animation.frames[index].crop(box), LIGHT.attack).any() for index in (0, -1))
    assert (done.initial_cost > 0, first, last) == (True, True, False)


def test_all_frames_share_a_palette_with_the_colours_of_the_pictures():
    animation = animate(climb(8, algorithm="steepest", seed=3), size=SMALL)
    assert {frame.mode for frame in animation.frames} == {"P"}
    assert len({tuple(frame.getpalette()) for frame in animation.frames}) == 1
    touched = to_hex(blend(LIGHT.note, LIGHT.square, 0.6))
    for colour in (LIGHT.paper, LIGHT.square, LIGHT.ink, LIGHT.attack, LIGHT.soft, touched):
        assert any(is_colour(frame, colour).any() for frame in animation.frames)


@pytest.mark.parametrize("size", [(400, 240), (400, 600)])
def test_words_are_smaller_if_they_do_not_fit(size):
    """No ink is in the margins, which are white below and next to a chessboard."""
    done = climb(5, algorithm="steepest", seed=1)
    left, _, _, bottom = board_in(done, size)
    (width, height), is_wide = size, size[0] > size[1]
    frame = animate(done, size=size, seconds=3, title=2 * "Mine and the other moves of mine ").frames[0]
    seen = is_colour(frame.crop((0, 0, left, height) if is_wide else (0, bottom + 2, width, height)), LIGHT.ink, 100)
    assert seen.any()
    assert not seen[:, [*range(8), *range(-8, 0)]].any()


# Films


@pytest.mark.parametrize("size", [(300, 340), (500, 250)])
def test_a_film_shows_the_weave_of_each_board_with_rising_inks(size):
    """A wide film has the middle of the board, and a card that hides a part of it."""
    done = climb(31, algorithm="min-conflicts", seed=1, limits=Limits(restarts=None))
    animation, moments, layout = (
        animate(done, size=size, seconds=3),
        moments_of(done, 3000),
        layout_of(31, size, is_film=True),
    )
    (left, top, right, bottom), (x, y, end, _) = layout.cloth, layout.board
    place, strengths = Place(x - left, y - top, end - x), []
    assert len(animation.frames) == len(moments)
    for frame, moment in zip(animation.frames, moments, strict=True):
        seen = np.asarray(frame.convert("RGB").crop(layout.cloth))[: layout.card[1] or bottom].astype(int)
        differences = []
        for eighth in range(1, 9):
            cloth = Cloth(moment.look.queens, RISO, right - left, bottom - top, place, eighth / 8)
            differences.append(np.abs(seen - cloth.pixels()[: len(seen)]).mean())
        assert min(differences) < TOLERANCE / 2
        strengths.append((1 + np.argmin(differences)) / 8)
    assert strengths == sorted(strengths)
    assert (strengths[0], strengths[-3], strengths[-1]) == (1 / 8, 7 / 8, 1)


def test_red_disappears_with_the_last_attack(film):
    animation, moments = film
    cloth = layout_of(31, animation.size, is_film=True).cloth
    red = [is_colour(frame.crop(cloth), RISO.attack, 30).any() for frame in animation.frames]
    assert red == [moment.look.cost > 0 for moment in moments]


def test_the_last_red_line_of_a_thousand_queens_can_be_seen_on_a_phone():
    done = climb(1000, algorithm="min-conflicts", seed=1, limits=Limits(restarts=None))
    animation = animate(done, size=(1080, 1080), seconds=3)
    assert moments_of(done, 3000)[-3].look.cost == 1
    frame = (
        animation.frames[-3].crop(layout_of(1000, (1080, 1080), is_film=True).cloth).convert("RGB").resize((390, 336))
    )
    assert is_colour(frame, RISO.attack, 60).mean(axis=1).max() > 0.8


def test_half_of_a_film_is_for_the_last_tenth_of_the_boards_that_change_the_cost():
    done = climb(1000, algorithm="min-conflicts", seed=1, limits=Limits(restarts=None))
    *action, rest = moments_of(done, 12000)
    total = sum(moment.milliseconds for moment in action)
    changes = np.flatnonzero(np.diff(done.trace.pairs))
    late = sum(moment.milliseconds for moment in action if moment.look.step > changes[9 * len(changes) // 10])
    assert (rest.milliseconds, rest.is_end) == (2000, True)
    assert total == pytest.approx(12000, abs=100)
    assert late / total == pytest.approx(0.5, abs=0.03)


def test_boards_from_31_queens_on_are_films():
    for n, theme, paper in ((30, "light", LIGHT.paper), (31, "light", RISO.paper), (31, "dark", NIGHT.paper)):
        done = climb(n, algorithm="steepest", seed=1, limits=Limits(max_steps=1))
        frame = animate(done, size=(240, 240), seconds=3, theme=theme).frames[0]
        assert is_colour(frame.crop((0, 236, 30, 240)), paper).all()


# Time and size


def test_it_stays_within_its_time(subtests):
    for algorithm, n, seconds, limits in [
        ("steepest", 1, 12, Limits()),
        ("min-conflicts", 40, 3, Limits()),
        ("min-conflicts", 300, 3, Limits(restarts=None)),
        ("annealing", 12, 12, Limits()),
        ("annealing", 40, 60, Limits()),
        ("steepest", 20, 5, Limits(restarts=30)),
        ("sideways", 12, 60, Limits(restarts=3)),
    ]:
        done = climb(n, algorithm=algorithm, limits=limits, seed=4)
        moments = moments_of(done, 1000 * seconds)
        durations = [moment.milliseconds for moment in moments]
        with subtests.test(algorithm=algorithm, n=n):
            assert 2 < sum(durations) / 1000 <= seconds + 2.2
            assert all(duration >= 50 and duration % 50 == 0 for duration in durations)
            assert moments[0].look.is_start
            assert [moment.entry for moment in moments[:-1]] == sorted(moment.entry for moment in moments[:-1])


def test_steps_on_a_chessboard_take_the_same_time():
    moments = moments_of(climb(8, algorithm="sideways", seed=4), 12000)
    assert len({moment.milliseconds for moment in moments[1:-2]}) == 1


@pytest.mark.parametrize(
    ("size", "share"),
    [((480, 480), 0.8), ((501, 401), 0.8), ((960, 540), 0.94), ((640, 480), 0.94), ((300, 700), 0.94)],
)
def test_the_board_is_large_in_every_size(size, share):
    """A chessboard fills the smaller side but for a margin."""
    done = climb(5, algorithm="min-conflicts", seed=5)
    animation = animate(done, size=size)
    assert {animation.size, *(frame.size for frame in animation.frames)} == {size}
    left, top, right, bottom = board_in(done, size)
    assert right - left == bottom - top >= share * min(size) - 8
    squares = is_colour(animation.frames[0], LIGHT.square)
    columns, rows = (np.flatnonzero(squares.sum(axis) > 60) for axis in (0, 1))
    assert (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1) == pytest.approx((left, top, right, bottom), abs=3)


# Files


@pytest.fixture(scope="module")
def short():
    """Return an animation of few frames."""
    return animate(5, seed=5, size=(240, 240))


@pytest.mark.parametrize("name", ["climb.gif", "climb.webp"])
def test_a_small_file_plays_what_the_animation_holds(tmp_path, name):
    animation = animate(climb(8, algorithm="steepest", seed=3), size=SMALL)
    animation.save(tmp_path / name)
    assert (tmp_path / name).stat().st_size < 15_000 * len(animation.frames)
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


def fake_ffmpeg(monkeypatch, folder, script):
    """Let a shell script be the only ffmpeg."""
    (folder / "bin").mkdir()
    program = folder / "bin/ffmpeg"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin")


needs_sh = pytest.mark.skipif(os.name == "nt", reason="the script is for a POSIX shell")


@needs_sh
def test_ffmpeg_gets_all_frames_as_often_as_they_last(monkeypatch, tmp_path, short):
    """The script copies its input into the file that its last argument names."""
    fake_ffmpeg(monkeypatch, tmp_path, 'for last; do :; done; cat > "$last"')
    short.save(tmp_path / "climb.mp4")
    counts = [milliseconds // 50 for milliseconds in short.durations]
    expected = b"".join(frame.convert("RGB").tobytes() * k for frame, k in zip(short.frames, counts, strict=True))
    assert len(short.frames) > 2
    assert (tmp_path / "climb.mp4").read_bytes() == expected
    assert sum(counts) / 20 == short.seconds


@needs_sh
@pytest.mark.parametrize("reads", ["cat > /dev/null", ""])
def test_a_failure_of_ffmpeg_is_reported_and_nothing_is_written(monkeypatch, tmp_path, reads, short):
    fake_ffmpeg(monkeypatch, tmp_path, f'{reads}\necho first >&2; echo "Unknown encoder" >&2; exit 3')
    earlier = tmp_path / "earlier.mp4"
    earlier.write_bytes(b"earlier")
    for path in (tmp_path / "climb.mp4", earlier):
        with check_error(fastqueens.InputError, "ffmpeg", "exit code 3", "Unknown encoder"):
            short.save(path)
    assert {path.name for path in tmp_path.iterdir()} == {"bin", "earlier.mp4"}
    assert earlier.read_bytes() == b"earlier"


def test_a_missing_ffmpeg_is_reported_before_the_climb(monkeypatch, run):
    monkeypatch.setenv("PATH", "")
    exit_code, _, stderr = run("1000", "-o", "film.mp4")
    assert exit_code == 2
    assert all(words in stderr for words in ("film.mp4", "ffmpeg", "install", ".webp"))
    assert list(Path().iterdir()) == []


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
def test_a_video_has_the_frames(tmp_path):
    path, picture = tmp_path / "climb.mp4", tmp_path / "frame.png"
    animation = animate(6, seed=1, size=(301, 241))
    animation.save(path)
    subprocess.run(["ffmpeg", "-loglevel", "error", "-i", path, "-frames:v", "1", picture], check=True)
    with Image.open(picture) as seen:
        expected = np.asarray(animation.frames[0].convert("RGB"))[:240, :300].astype(int)
        assert np.abs(np.asarray(seen.convert("RGB")) - expected).mean() < 5


# Bad input


def test_progress_counts_frames_and_a_stop_ends_the_drawing():
    heard, done = [], climb(5, algorithm="min-conflicts", seed=5)
    found = animate(done, size=(240, 240), progress=lambda *state: heard.append(state))
    frames = len(found.frames)
    assert heard == [("drawing", number, frames) for number in range(1, frames + 1)]
    with check_error(fastqueens.Stopped, "drawing", re.compile(r"\d+ %")):
        animate(done, size=(240, 240), stop=lambda: True)


def test_too_little_memory_is_reported(leave_memory):
    done = climb(100, algorithm="min-conflicts", seed=1)
    leave_memory(10**6)
    with check_error(fastqueens.NotEnoughMemoryError, "1,920 x 1,920 pixels", "MB"):
        animate(done, size=(1920, 1920))


# fastqueens.animate


def test_n_or_a_climb_is_animated():
    done = climb(4, algorithm="steepest", seed=0)
    assert animate(done, size=SMALL).climb is done
    solved = animate(5, seed=5, size=SMALL).climb
    assert (solved.solved, solved.algorithm, solved.n) == (True, "min-conflicts", 5)
    other = animate(6, algorithm="steepest", seed=1, limits=Limits(restarts=2), size=SMALL).climb
    assert (other.algorithm, other.seed, other.limits.restarts) == ("steepest", 1, 2)


def test_a_climb_of_several_queens_at_a_time_is_refused():
    with check_error(fastqueens.InputError, "genetic does not move one queen at a time", "steepest"):
        animate(climb(8, algorithm="genetic", seed=1))


# fastqueens animate


@pytest.mark.parametrize("source", [["--board", "0 0 1 2 4"], ["--file", "q.txt"]])
def test_it_starts_from_the_board_of_the_user(run, source):
    Path("q.txt").write_text("0\n0\n1\n2\n4\n")
    arguments = ("--algorithm", "steepest", "--seed", "1", "--size", "400x240", "-o", "climb.webp")
    exit_code, stdout, _ = run(*source, *arguments)
    assert (exit_code, stdout.count("\n")) == (0, 2)
    assert stdout.startswith("5 queens by steepest, seed 1: ")
    with Image.open("climb.webp") as picture:
        frame = picture.convert("RGB")
    board = board_in(climb(board=[0, 0, 1, 2, 4], algorithm="steepest", seed=1), SMALL)
    assert queens_in(frame.crop(board), 5) == [0, 0, 1, 2, 4]


def test_restarts_are_limited(run):
    """The algorithm does not solve 3 queens, so it restarts as often as it may."""
    for restarts, words in (("0", "1 step."), ("1", " and 1 restart."), ("2", " and 2 restarts.")):
        options = ("--algorithm", "steepest", "--restarts", restarts, "--size", "240x240", "-o", "a.gif")
        said = run("3", "--seed", "1", *options)[1]
        assert words in said


def test_sizes_have_names(run):
    for name, size in (("wide", (1920, 1080)), ("tall", (1080, 1920)), ("square", (1080, 1080))):
        assert run("4", "--seed", "3", "--seconds", "3", "--size", name, "-o", "a.gif", "-q") == (0, "", "")
        with Image.open("a.gif") as picture:
            assert picture.size == size
