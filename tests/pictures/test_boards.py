"""Pictures of small boards: queens, attacks, marks and costs of moves, found in their pixels."""

import re
from pathlib import Path

import naive
import numpy as np
import pytest
from figures import near, on_board, pixels, queens_in
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.collections import LineCollection
from PIL import Image
from scipy import ndimage

import fastqueens
from fastqueens.classroom.moves import best_moves
from fastqueens.pictures.boards import board_picture, move_costs_picture
from fastqueens.pictures.chessboard import dot_size, neighbours_on_lines
from fastqueens.pictures.roles import LIGHT

REPOSITORY = Path(fastqueens.__file__).parents[1]

TEXTBOOK = [4, 5, 6, 3, 4, 5, 6, 5]


def costs_of(board):
    """Return the picture of the costs of all moves."""
    costs = fastqueens.move_costs(board)
    return move_costs_picture(board, costs, best_moves(np.array(board), costs))


def queens_seen(figure):
    image, side = on_board(figure, pixels(figure))
    return queens_in(image, len(image) // side)


# Queens


def test_every_queen_stands_on_its_square():
    for n, origin in ((15, "lower"), (30, "upper")):
        queens = fastqueens.solve(n, seed=n).queens
        seen = queens if origin == "upper" else n - 1 - queens
        assert queens_seen(board_picture(queens, origin=origin)) == seen.tolist(), (n, origin)


def test_squares_are_whole_pixels():
    for n in (1, 3, 7, 30, 63, 64):
        figure = board_picture(np.zeros(n, int), attacks=False)
        width, height = figure.figure.get_size_inches() * 100
        assert (round(width) - width, round(height) - height) == pytest.approx((0, 0), abs=1e-9), n
        x, y, side, _ = figure.axes[0].get_position().bounds
        for pixel in (x * width, y * height, side * width / n):
            assert pixel == pytest.approx(round(pixel), abs=1e-6), n


# Attacks


@given(st.integers(1, 12).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n)))
def test_neighbours_are_the_attacking_pairs_with_no_queen_between(queens):
    def between(one, other):
        step = (queens[other] - queens[one]) // (other - one)
        return any(queens[column] == queens[one] + step * (column - one) for column in range(one + 1, other))

    expected = [pair for pair in naive.attacking_pairs(queens) if not between(*pair)]
    assert sorted(map(tuple, neighbours_on_lines(np.array(queens)).tolist())) == sorted(expected)


def test_lines_run_from_queen_to_queen():
    figure = board_picture(TEXTBOOK)
    *_, lines = (artist for artist in figure.axes[0].collections if isinstance(artist, LineCollection))
    ends = [tuple(map(tuple, segment)) for segment in lines.get_segments()]
    pairs = neighbours_on_lines(np.array(TEXTBOOK)).tolist()
    assert sorted(ends) == sorted(tuple((c + 0.5, 7 - TEXTBOOK[c] + 0.5) for c in pair) for pair in pairs)


# Marks, coordinates, title and caption


def test_a_marked_queen_is_framed():
    plain, side = on_board(figure := board_picture([1, 3, 0, 2]), pixels(figure))
    marked, _ = on_board(figure := board_picture([1, 3, 0, 2], marked={2}), pixels(figure))
    assert near(plain[-side // 2, side // 2], LIGHT.square, 2), "the lower left corner is dark"
    columns, rows = np.meshgrid(np.arange(4 * side) // side, np.arange(4 * side) // side)
    is_changed = (plain != marked).any(axis=2)
    assert set(zip(columns[is_changed].tolist(), rows[is_changed].tolist(), strict=True)) == {(2, 0)}
    # There is also a frame, for people who do not see the colour.
    middle = marked[side // 2, 2 * side : 3 * side]
    assert near(middle[np.newaxis], LIGHT.note)[0, : side // 5].any()
    # It touches neither the queen nor hides the square.
    square = marked[:side, 2 * side : 3 * side]
    _, parts = ndimage.label(near(square, LIGHT.note, 60))
    assert parts == 2 + 1, "a frame, a crown and its base"
    assert near(square, LIGHT.paper, 2).mean() > 0.4


def test_coordinates():
    for options, lowest_first in (({}, "3210"), ({"origin": "lower", "rows_from": 1}, "1234")):
        axes = board_picture([1, 3, 0, 2], **options).axes[0]
        labels = dict(zip(axes.get_yticks(), (label.get_text() for label in axes.get_yticklabels()), strict=True))
        assert [labels[height + 0.5] for height in range(4)] == list(lowest_first)
        assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "1", "2", "3"]
    axes = board_picture(range(30), attacks=False, rows_from=1).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == [str(row) for row in range(2, 31, 2)]


def test_title_and_caption():
    figure = board_picture(TEXTBOOK, marked=[1, 2], title="Before")
    assert figure.axes[0].get_title(loc="left") == "Before"
    words = "n = 8, 17 attacking pairs, 8 conflicting queens, 2 marked queens"
    assert figure.caption == words
    assert board_picture([0]).axes[0].get_title(loc="left") == "1 queen"
    assert board_picture([0]).caption == "n = 1, no queen attacks another"


# Costs of moves


def test_every_cost_stands_on_its_square():
    axes = costs_of(TEXTBOOK).axes[0]
    written = {(int(x), 7 - int(y)): text.get_text() for text in axes.texts for x, y in [text.get_position()]}
    sizes = {text.get_fontsize() for text in axes.texts}
    assert min(sizes) >= 0.7 * max(sizes), "also the numbers below queens can be read"
    for column, row in np.ndindex(8, 8):
        moved = [*TEXTBOOK[:column], row, *TEXTBOOK[column + 1 :]]
        assert written.pop((column, row)) == str(len(naive.attacking_pairs(moved)))
    assert not written


def test_no_queen_hides_a_cost():
    axes = costs_of(TEXTBOOK).axes[0]
    side = axes.get_position().width * axes.figure.get_figwidth() * 72 / 8
    *_, queens = axes.collections
    (outline,) = queens.get_paths()
    places = {(int(x), int(y)): outline.get_extents().translated(x, y) for x, y in queens.get_offsets()}
    assert len(places) == 8
    for text in axes.texts:
        (x, y), half = text.get_position(), 0.36 * text.get_fontsize() / side  # digits are 0.72 of their size high
        queen = places.get((int(x), int(y)))
        if queen is not None:
            assert int(y) < y - half
            assert y + half < queen.y0
            assert queen.y1 < int(y) + 1


def test_the_best_moves_are_filled_and_no_others():
    figure = costs_of(TEXTBOOK)
    _, best, _ = figure.axes[0].collections
    corners = sorted(map(tuple, np.floor(best.get_offsets()).astype(int).tolist()))
    places = [(1, 0), (1, 2), (4, 1), (4, 7), (5, 0), (5, 2), (6, 1), (6, 7)]
    assert corners == sorted((column, 7 - row) for column, row in places)
    assert figure.caption == "n = 8, 17 attacking pairs, 8 best moves to 12"


# Boards of any size, and notebooks


@pytest.mark.parametrize(("n", "origin"), [(65, "upper"), (100, "lower"), (401, "lower"), (3000, "upper")])
def test_large_boards_are_dots_of_one_size_within_the_frame(n, origin):
    queens = np.append(np.arange(n - 2), [n - 1, 0])
    axes = board_picture(queens, attacks=False, origin=origin).axes[0]
    *_, dots = axes.collections
    (outline,) = dots.get_paths()
    assert outline.get_extents().width == pytest.approx(dot_size(n))
    heights = n - 1 - queens if origin == "upper" else queens
    assert np.array_equal(dots.get_offsets(), np.column_stack((np.arange(n), heights)) + 0.5)
    for low, high in (axes.get_xlim(), axes.get_ylim()):
        assert low <= 0.5 - dot_size(n) / 2
        assert n - 0.5 + dot_size(n) / 2 <= high


def test_a_picture_is_a_board_up_to_50_000_queens_and_a_density_above():
    caption = "n = 50,000, no queen attacks another"
    assert fastqueens.picture(fastqueens.solve(50_000, seed=1).queens).caption == caption
    density = fastqueens.picture(np.arange(50_001), title="Many")
    assert density.caption == "n = 50,001. Every queen is counted: the cells add up to 50,001."
    assert density.axes[0].get_title(loc="left") == "Many"
    options = {"marked": [1], "origin": "lower", "rows_from": 1, "title": "Four"}
    assert np.array_equal(
        pixels(fastqueens.picture([1, 3, 0, 2], **options)), pixels(board_picture([1, 3, 0, 2], **options))
    )
    assert queens_seen(fastqueens.solve(8, seed=1).picture()) == fastqueens.solve(8, seed=1).queens.tolist()


# fastqueens show -o


@pytest.fixture
def run(run):
    Path("q.txt").write_text("".join(f"{row}\n" for row in TEXTBOOK))
    return run


def test_the_command_draws_a_picture(run):
    exit_code, stdout, stderr = run("show", "q.txt", "-o", "q.png")
    assert (exit_code, stderr) == (0, "")
    assert re.fullmatch(r"Wrote q\.png \(.* kB\)\.\n8 queens, 17 attacking pairs, 8 conflicting queens\.\n", stdout)
    with Image.open("q.png") as picture:
        assert picture.size == (1412, 1496)


@pytest.mark.parametrize(
    ("options", "lines", "texts"),
    [
        (["--rows-from", "1"], 2, {"8": 1}),
        (["--move-costs"], 3, {"12": 8}),
    ],
)
def test_options_of_the_picture(run, options, lines, texts):
    exit_code, stdout, _ = run("show", "q.txt", "-o", "q.svg", *options)
    drawn = Path("q.svg").read_text()
    assert (exit_code, stdout.count("\n")) == (0, lines)
    assert {text: drawn.count(f"<!-- {text} -->") for text in texts} == texts
    assert ("8 best moves, which lead to 12 attacking pairs: " in stdout) == ("--move-costs" in options)
