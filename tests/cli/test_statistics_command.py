"""``fastqueens statistics``, its files, and the pictures of statistics."""

import io
import json
import os
import re
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from figures import texts_in_view

import fastqueens
from fastqueens import InputError, NotEnoughMemoryError
from fastqueens.core import memory
from fastqueens.files.boards import write_board
from fastqueens.files.samples import read_sample_boards, write_samples
from fastqueens.pictures.statistics import limit_shape_picture
from fastqueens.pictures.style import AROUND_EVEN


@pytest.fixture(scope="module")
def eights():
    return np.array(list(fastqueens.all_solutions(8)))


def axes_of(figure):
    return {axes.get_title(loc="left"): axes for axes in figure.axes if axes.get_title(loc="left")}


def test_one_board(run):
    queens = fastqueens.solve(5000, seed=1).queens
    write_board("q.npy", queens)
    found = fastqueens.statistics(queens, 10)
    exit_code, stdout, stderr = run("statistics", "q.npy", "-k", "10")
    assert (exit_code, stderr) == (0, "")
    assert stdout.startswith("5,000 queens in 10 x 10 cells.\n")
    for measured in (found.corner, found.edge_middle, found.centre, found.longest_diagonals):
        numbers = f"{measured.value:.4f} ± {measured.error:.4f}"
        assert re.search(rf"{re.escape(numbers)} +{measured.limit:.4f}\n", stdout)
    assert f"Chi-square per cell, compared with the limit shape: {found.chi_square_per_cell:.3f}.\n" in stdout
    assert "\nIndependent queens, one in each row and column, have 0.81 ± 0.13.\n" in stdout
    assert max(map(len, stdout.splitlines())) <= 80
    assert run("statistics", "q.npy", "-q") == (0, "", "")


def test_what_sample_writes_can_be_read(run):
    assert run("sample", "10", "--count", "40", "--seed", "1", "-o", "s.npz", "-q") == (0, "", "")
    boards = fastqueens.sample(10, 40, seed=1)
    stdout = run("statistics", "s.npz", "--json", "-q")[1]
    assert json.loads(stdout) == json.loads(json.dumps(fastqueens.statistics(boards).as_dict()))


@pytest.mark.parametrize("rows_from", ["0", "1"])
def test_samples_as_text_can_be_read(run, rows_from, monkeypatch):
    assert run("sample", "10", "--count", "40", "--seed", "1", "-o", "s.txt", "-q", "--rows-from", rows_from)[0] == 0
    expected = json.loads(json.dumps(fastqueens.statistics(fastqueens.sample(10, 40, seed=1)).as_dict()))
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(Path("s.txt").read_bytes())))
    for name in ("s.txt", "-"):
        exit_code, stdout, stderr = run("statistics", name, "--json", "-q", "--rows-from", rows_from)
        assert (exit_code, stderr) == (0, "")
        assert json.loads(stdout) == expected


def test_a_file_of_samples_tells_from_which_number_rows_count(run):
    run("sample", "10", "--count", "40", "--seed", "1", "-o", "s.npz", "--rows-from", "1")
    for options in ([], ["--rows-from", "1"]):
        assert run("statistics", "s.npz", *options)[1].startswith("40 boards of 10 queens")


def test_boards_of_different_sizes_are_refused(run):
    Path("s.txt").write_text("1 3 0 2\n0 1\n")
    message = "s.txt: line 2 has 2 rows, and line 1 has 4; boards of one size are needed"
    assert run("statistics", "s.txt") == (2, "", f"Error: {message}\n")
    assert "a single board is needed" in run("verify", "s.txt")[2]


def test_samples(run, eights):
    np.savez("s.npz", boards=eights, other=np.arange(3))
    stdout = run("statistics", "s.npz", "--symmetrise")[1]
    assert stdout.startswith("92 boards of 8 queens in 8 x 8 cells, averaged over the symmetries of the square.\n")
    exit_code, stdout, stderr = run("statistics", "s.npz", "--json", "--symmetrise", "--reach", "3", "-k", "4")
    assert exit_code == 0
    found = fastqueens.statistics(eights, 4, symmetrised=True)
    assert json.loads(stdout) == json.loads(json.dumps(found.as_dict()))
    assert "92 boards" in stderr


def test_rows_count_as_asked(run, monkeypatch):
    write_board("q.txt", [1, 3, 0, 2], rows_from=1)
    write_samples("s.npz", np.array([[1, 3, 0, 2]]), rows_from=1)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"2\n4\n1\n3\n")))
    expected = json.loads(json.dumps(fastqueens.statistics([1, 3, 0, 2]).as_dict()))
    for name in ("q.txt", "s.npz", "-"):
        exit_code, stdout, stderr = run("statistics", name, "--rows-from", "1", "--json", "-q")
        assert (exit_code, stderr) == (0, "")
        assert json.loads(stdout) == expected


def test_everything_asked_for_is_written(run, eights):
    np.savez("s.npz", boards=eights)
    assert run("statistics", "s.npz", "-o", "t.npz", "--plot", "t.png", "-q") == (0, "", "")
    assert sorted(os.listdir()) == ["s.npz", "t.npz", "t.png"]
    with np.load("t.npz") as content:
        assert np.array_equal(content["density"], fastqueens.statistics(eights).density)
        assert int(content["count"]) == 92
    assert run("statistics", "s.npz", "-o", "t.csv", "-q") == (0, "", "")
    assert Path("t.csv").read_text().startswith("statistic,i,j,value,error,limit\nn,,,8,,\ncount,,,92,,\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.npy"], "none.npy: no such file"),
        (["none.npz"], "none.npz: no such file"),
        (["q.txt", "-k", "5"], "k is 5: on a board of 4 it goes from 1 to 4"),
        (["q.txt", "--reach", "4"], "reach is 4: on a board of 4 it goes from 0 to 3"),
        (["q.txt", "-o", "s.json"], "s.json: unknown suffix '.json'; use .npz or .csv"),
        (["none.npy", "-o", "s.txt"], "s.txt: unknown suffix"),
        (["none.npy", "--plot", "s.npz"], "s.npz: unknown suffix"),
        (["q.txt", "-o", "none/s.csv"], "the folder"),
        (["s.npz", "--rows-from", "1"], "s.npz: boards[0, 2] holds 0; rows go from 1 to 4"),
        (["trace.npz"], "trace.npz: boards is missing; the array boards is needed, of shape (boards, n)"),
        (["one.npz"], "one.npz: boards has shape (4,); the array boards is needed, of shape (boards, n)"),
        (["empty.npz"], "empty.npz: boards has shape (0, 4)"),
        (["floats.npz"], "floats.npz: boards holds float64; integers are needed"),
        (["off.npz"], "off.npz: boards[1, 2] holds 4; rows go from 0 to 3"),
        (["broken.npz"], "broken.npz: it cannot be read as .npz"),
        ([], "Missing argument 'FILE'"),
    ],
)
def test_bad_input_is_refused_before_anything_is_written(run, arguments, message):
    write_board("q.txt", [1, 3, 0, 2])
    for name, array in {
        "one": np.arange(4), "empty": np.zeros((0, 4), int), "floats": np.zeros((2, 4)),
        "off": np.array([[0, 1, 2, 3], [0, 1, 4, 3]]), "s": np.array([[1, 3, 0, 2]]),
    }.items():  # fmt: skip
        np.savez(f"{name}.npz", boards=array)
    np.savez("trace.npz", pairs=np.arange(3))
    Path("broken.npz").write_bytes(b"PK\x03\x04 and nothing else")
    there = sorted(os.listdir())
    exit_code, stdout, stderr = run("statistics", *arguments)
    assert (exit_code, stdout) == (2, "")
    assert message in stderr
    assert sorted(os.listdir()) == there


def test_samples_that_do_not_fit_into_memory_are_refused(tmp_path, monkeypatch):
    np.savez_compressed(tmp_path / "s.npz", boards=np.zeros((200, 100_000), np.int64))
    monkeypatch.setattr(memory, "available_memory", lambda: 10**8)
    with pytest.raises(NotEnoughMemoryError, match=r"unpacking .*s.npz needs 160 MB"):
        read_sample_boards(tmp_path / "s.npz")
    with pytest.raises(InputError, match=r"unknown suffix '.npy'; use .npz"):
        read_sample_boards(tmp_path / "s.npy")


# Pictures


def test_the_picture_shows_the_statistics(eights):
    found = fastqueens.statistics(eights)
    panels = axes_of(found.plot(title="Eight"))
    assert list(panels) == ["Density", "Limit shape", "Difference", "Diagonals with a queen", "Pairs of queens"]
    for name, values in (("Density", found.density), ("Limit shape", found.density_limit)):
        (image,) = panels[name].images
        assert np.array_equal(image.get_array(), values)
        assert image.get_cmap() == AROUND_EVEN
        assert (image.norm.vmin, image.norm.vmax) == pytest.approx((0.4, 1.6))
        assert image.get_extent() == [0, 8, 8, 0]
    assert np.array_equal(panels["Difference"].images[0].get_array(), found.residuals)
    drawn = [bars[0].get_ydata() for bars in panels["Diagonals with a queen"].containers]
    assert np.array_equal(drawn, found.occupancy)
    limit = panels["Diagonals with a queen"].lines[0]
    drawn_at = panels["Diagonals with a queen"].containers[0][0].get_xdata()
    assert drawn_at.tolist() == [*(np.arange(1, 8) / 8), 15.5 / 16]  # half of the last cell is beyond the longest
    assert np.interp(drawn_at, *limit.get_data()) == pytest.approx(found.occupancy_limit, abs=0.01)
    pairs = panels["Pairs of queens"].images[0].get_array()
    assert np.array_equal(pairs.data, found.pairs)
    apart = np.abs(np.arange(-7, 8))
    assert np.array_equal(pairs.mask, (apart[:, None] == apart) | (apart == 0) | (apart[:, None] == 0))


def test_pairs_along_lines_are_drawn_if_there_are_some():
    found = fastqueens.statistics([[0, 1, 2, 3, 4]] * 40)
    pairs = axes_of(found.plot())["Pairs of queens"].images[0].get_array()
    assert not pairs.mask[2, 2]
    assert pairs[5, 5] == found.pairs[5, 5] > 1


@pytest.mark.parametrize(("count", "drawn"), [(1, False), (15, False), (16, True), (17, True)])
def test_pairs_are_drawn_if_there_are_enough_boards(count, drawn):
    """Independent queens have 1.02 pairs at each displacement, so 16 boards give an error of just below 1/4."""
    board = fastqueens.solve(1000, seed=1).queens
    panels = axes_of(fastqueens.statistics([board] * count).plot())
    assert ("Pairs of queens" in panels) == drawn


@pytest.mark.parametrize(("n", "count"), [(1, 1), (2, 1), (8, 40), (300_000, 1), (1000, 20)])
def test_no_text_overlaps_or_leaves_the_picture(n, count):
    symmetrised = n == 8
    boards = np.stack([np.random.default_rng(seed).permutation(n) for seed in range(count)])
    figure = fastqueens.statistics(boards, symmetrised=symmetrised).plot()
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in texts_in_view(figure) if text.get_text()]
    assert all(figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1 for box in boxes)
    assert all(figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1 for box in boxes)
    assert not [(one, other) for one, other in combinations(boxes, 2) if one.overlaps(other)]


def test_densities_stand_next_to_the_limit_on_one_scale():
    boards = {"Before": np.arange(64), "After": fastqueens.solve(64, seed=1).queens}
    figure = limit_shape_picture(boards, k=8, title="Mixing")
    panels = axes_of(figure)
    assert list(panels) == ["Before", "After", "Limit shape"]
    assert np.array_equal(panels["Before"].images[0].get_array(), 8 * np.eye(8))
    assert np.array_equal(panels["Limit shape"].images[0].get_array(), fastqueens.limit_density(8))
    assert {(axes.images[0].norm.vmin, axes.images[0].norm.vmax) for axes in panels.values()} == {(0.4, 1.6)}
    assert figure.get_suptitle() == "Mixing"
    for wrong in ({}, {name: [0] for name in "abcdef"}):
        with pytest.raises(InputError, match=f"there are {len(wrong)}; from 1 to 5 fit next to each other"):
            limit_shape_picture(wrong, k=1)
    with pytest.raises(InputError, match="cells is 65: on a board of 64"):
        limit_shape_picture(boards, k=65)


def test_more_is_darker_than_as_much_less_even_in_grey():
    """The middle is the lightest, and each end gets darker away from it."""
    colours = AROUND_EVEN(np.linspace(0, 1, 101))[:, :3] @ [0.299, 0.587, 0.114]
    assert colours.argmax() == 50
    assert (np.diff(colours[:51]) > 0).all()
    assert (np.diff(colours[50:]) < 0).all()
    assert (colours[51:] <= colours[:50][::-1] + 0.02).all()
    assert colours[-1] < colours[0] - 0.1


@pytest.mark.parametrize("output", ["s.npz", "../{folder}/s.npz"])
def test_the_boards_are_not_replaced(run, output):
    np.savez("s.npz", boards=np.array([[1, 3, 0, 2]]))
    before = Path("s.npz").read_bytes()
    name = output.format(folder=Path.cwd().name)
    exit_code, stdout, stderr = run("statistics", "s.npz", "-o", name)
    assert (exit_code, stdout, Path("s.npz").read_bytes()) == (2, "", before)
    assert f"Error: {name} is the file with the boards: write to another one." in stderr


@pytest.mark.parametrize(
    ("n", "boards", "options", "sentence"),
    [
        (499, 1, ["-k", "10"], "have about 0.81."),
        (500, 1, ["-k", "10"], "have 0.81 ± 0.13."),
        (49, 1, ["-k", "3"], "Random solutions of 49 queens themselves differ from the limit shape.\n"),
        (50, 1, ["-k", "3"], "have 0.44 ± 0.31."),
        (250, 2, ["-k", "10", "--symmetrise"], "have about 0.67."),
    ],
)
def test_what_chi_square_is_compared_with(run, n, boards, options, sentence):
    np.savez("s.npz", boards=np.tile(np.arange(n), (boards, 1)))
    stdout = run("statistics", "s.npz", *options)[1]
    assert sentence in stdout
    assert ("themselves differ" in stdout) == (n < 50)
