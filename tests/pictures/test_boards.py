"""Pictures of small boards: queens, attacks, marks and costs of moves, found in their pixels."""

import re
from pathlib import Path

import naive
import numpy as np
import pytest
from figures import assert_texts_apart, near, on_board, pixels, queens_in
from PIL import Image
from scipy import ndimage

import fastqueens
from fastqueens.classroom.moves import best_moves
from fastqueens.pictures.boards import board_picture, move_costs_picture
from fastqueens.pictures.chessboard import dot_size
from fastqueens.pictures.roles import DARK, LIGHT, contrast

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
    for n in (1, 3, 7, 29, 30):
        figure = board_picture(np.zeros(n, int))
        width, height = figure.figure.get_size_inches() * 100
        assert (round(width) - width, round(height) - height) == pytest.approx((0, 0), abs=1e-9), n
        x, y, side, _ = figure.axes[0].get_position().bounds
        for pixel in (x * width, y * height, side * width / n):
            assert pixel == pytest.approx(round(pixel), abs=1e-6), n


@pytest.mark.parametrize(("n", "origin"), [(31, "upper"), (100, "lower"), (500, "upper")])
def test_larger_boards_have_a_dot_for_each_queen(n, origin):
    queens = fastqueens.solve(n, seed=n).queens
    figure = board_picture(queens, origin=origin)
    image, axes = pixels(figure), figure.axes[0]
    seen = queens if origin == "upper" else n - 1 - queens
    for heights, is_there in ((seen, True), ((seen + n // 2) % n, False)):
        places = axes.transData.transform(np.column_stack((np.arange(n), n - 1 - heights)) + 0.5)
        colours = image[(len(image) - places[:, 1]).astype(int), places[:, 0].astype(int)]
        dots = near(colours, LIGHT.dot if n == 500 else LIGHT.ink, 60)
        assert dots.all() if is_there else dots.mean() < 0.5


# Threads and shared lines


def middles(figure, n):
    """Return the colours in the middle of all squares, (n, n, 3) by row from the top and column."""
    board, side = on_board(figure, pixels(figure))
    return board[side // 2 :: side, side // 2 :: side][:n, :n]


@pytest.mark.parametrize("origin", ["upper", "lower"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_rising_threads_are_blue_and_falling_ones_vermilion(origin, theme):
    queens = np.array([1, 3, 0, 2, 9, 4, 7, 5, 8, 6])
    colours = middles(board_picture(queens, origin=origin, theme=theme), 10).astype(int)
    row, column = np.indices((10, 10))
    seen = queens if origin == "upper" else 9 - queens
    rising, falling = np.isin(row + column, seen + range(10)), np.isin(row - column, seen - range(10))
    warmth, is_free = colours[..., 0] - colours[..., 2], row != seen[column]
    # Lines with several queens are red.
    red = near(colours, (LIGHT if theme == "light" else DARK).attack, 30)
    blue, vermilion, none = (
        warmth[is_there & is_free & ~red].mean()
        for is_there in (rising & ~falling, falling & ~rising, ~rising & ~falling)
    )
    assert blue + 20 < none < vermilion - 20


def test_lines_that_queens_share_are_red_from_edge_to_edge():
    for queens in map(np.array, (TEXTBOOK, [0, 2, 4, 1, 3, 3], fastqueens.solve(30, seed=1).queens)):
        n = len(queens)
        row, column = np.indices((n, n))
        shared = np.zeros((n, n), bool)
        lines = (row, queens), (row + column, queens + range(n)), (row - column + n, queens - range(n) + n)
        for number, of_queens in lines:
            shared |= (np.bincount(of_queens, minlength=2 * n) > 1)[number]
        red, is_free = near(middles(board_picture(queens), n), LIGHT.attack, 30), row != queens[column]
        assert np.array_equal(red[is_free], shared[is_free])


def test_red_stands_out_from_squares_and_paper():
    for look in (LIGHT, DARK):
        assert min(contrast(look.attack, look.paper), contrast(look.attack, look.square)) >= 4


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
    # It does not touch the queen.
    square = marked[:side, 2 * side : 3 * side]
    _, parts = ndimage.label(near(square, LIGHT.note, 60))
    assert parts == 2 + 1, "a frame, a crown and its base"


def test_coordinates():
    for options, lowest_first in (({}, "3210"), ({"origin": "lower", "rows_from": 1}, "1234")):
        axes = board_picture([1, 3, 0, 2], **options).axes[0]
        labels = dict(zip(axes.get_yticks(), (label.get_text() for label in axes.get_yticklabels()), strict=True))
        assert [labels[height + 0.5] for height in range(4)] == list(lowest_first)
        assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "1", "2", "3"]
    axes = board_picture(range(30), rows_from=1).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == [str(row) for row in range(2, 31, 2)]


def test_title_and_caption():
    figure = board_picture(TEXTBOOK, marked=[1, 2], title="Before")
    assert figure.axes[0].get_title(loc="left") == "Before"
    words = "n = 8, 17 attacking pairs, 8 conflicting queens, 2 marked queens"
    assert figure.caption == words
    assert figure.axes[0].get_title(loc="right") == "17 attacking pairs"
    assert board_picture([0]).axes[0].get_title(loc="left") == "1 queen"
    assert board_picture([0]).axes[0].get_title(loc="right") == "solved"
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


@pytest.mark.parametrize(("n", "origin"), [(5, "lower"), (65, "upper"), (401, "lower"), (3000, "upper")])
def test_dots_have_one_size_within_the_frame(n, origin):
    queens = np.append(np.arange(n - 2), [n - 1, 0])
    axes = board_picture(queens, style="dots", origin=origin).axes[0]
    *_, dots = axes.collections
    (outline,) = dots.get_paths()
    assert outline.get_extents().width == pytest.approx(dot_size(n))
    heights = n - 1 - queens if origin == "upper" else queens
    assert np.array_equal(dots.get_offsets(), np.column_stack((np.arange(n), heights)) + 0.5)
    for low, high in (axes.get_xlim(), axes.get_ylim()):
        assert low <= 0.5 - dot_size(n) / 2
        assert n - 0.5 + dot_size(n) / 2 <= high


def test_a_board_of_any_size_is_a_weave_and_can_be_a_density():
    solved = fastqueens.picture(fastqueens.solve(100_003, seed=1).queens)
    assert solved.caption == "n = 100,003, no queen attacks another"
    assert np.ptp(pixels(solved, dpi=50)[100:300, 100:300]) > 100
    density = fastqueens.picture(np.arange(50_001), style="density", title="Many")
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
        assert picture.size == (1432, 1524)


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


@pytest.mark.parametrize("style", ["weave", "dots"])
def test_a_board_of_a_given_size_fills_it(style):
    """Its numbers do not touch, and dots are not hidden by their light edges."""
    figure = fastqueens.picture(fastqueens.solve(1000, seed=1).queens, style=style, size="84x84mm")
    assert_texts_apart(figure)
    assert figure.axes[0].get_position().width > 0.75
    dark = near(pixels(figure, dpi=150), LIGHT.ink, 60)
    assert dark.sum() > 1000
