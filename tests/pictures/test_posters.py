"""Posters: their contents, counted in pixels and shapes."""

import base64
import io
import re

import numpy as np
import pytest
from errors import check_error
from matplotlib.colors import to_rgb
from PIL import Image
from scipy import ndimage

import fastqueens
from fastqueens.densities import bin_board
from fastqueens.errors import NotEnoughMemoryError
from fastqueens.pictures import weave
from fastqueens.pictures.density import shades
from fastqueens.pictures.palettes import PALETTES, STYLES, palette_of, theme_of
from fastqueens.pictures.poster_boards import queen_size
from fastqueens.pictures.posters import poster

#: A board of 60 pixels.
WHOLE = weave.Place(0, 0, 60.0)

#: A solution and a board with attacks.
PEACE, WAR = [0, 4, 7, 5, 2, 6, 1, 3], [0, 4, 7, 5, 2, 6, 3, 1]


def pixels_of(*arguments, **look):
    return np.asarray(poster(*arguments, **look).image.convert("RGB")).astype(int)


def figure_of(*arguments, **look):
    """Return the shapes of a poster as a figure."""
    return poster(*arguments, **look).drawn("p.svg")


def is_near(pixels, color, by=8):
    return np.abs(pixels - np.round(255 * np.array(to_rgb(color)))).max(axis=-1) < by


# Weave


def test_the_poster_of_a_thousand_queens_is_full_of_ink():
    pixels = pixels_of(fastqueens.solve(1000, seed=1, mix=5), size="A5", dpi=300)
    ink = 1 - is_near(pixels[:1748], PALETTES["riso"].paper, 25).mean()
    assert 0.6 <= ink <= 0.98
    assert is_near(pixels[1750:1790], PALETTES["riso"].paper, 2).all()


@pytest.mark.parametrize("n", [1, 12, 100])
def test_shapes_are_where_the_threads_of_queens_are(n):
    queens = fastqueens.solve(n, seed=2).queens
    axes = figure_of(queens, size="A5", bleed=3).axes[-1]
    points = np.random.default_rng(n).uniform(-0.2, n + 0.2, (200, 2))
    half, columns = weave.width_of(n) / 2, np.arange(n)
    for name, along, lines in (
        ("rising", points.sum(axis=1), columns + queens + 1),
        ("falling", points[:, 0] - points[:, 1], columns - queens),
    ):
        bands = [patch.get_path() for patch in axes.patches if patch.get_gid() == name]
        apart = np.abs(along[:, None] - lines).min(axis=1)
        is_clear = np.abs(apart - half) > 1e-3
        inside = np.array([any(band.contains_point(point) for band in bands) for point in points])
        assert np.array_equal(inside[is_clear], (apart < half)[is_clear])
    dots = axes.collections[-1]
    centres = np.asarray(dots.get_offsets())
    assert np.array_equal(centres, np.column_stack((columns, queens)) + 0.5)
    # No queen is cut, and threads run on to the edges of the bleed.
    reach = dots.get_paths()[0].get_extents().width / 2
    trim = 3 * n * (1 + weave.dot_of(n)) / 148
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    edges = np.array([left + trim - centres[:, 0].min(), top + trim - centres[:, 1].min()])
    assert (edges <= 1e-6 - reach).all()
    assert right - trim - centres[:, 0].max() >= reach - 1e-6
    assert bottom - centres[:, 1].max() >= reach - 1e-6


def test_shapes_and_pixels_are_the_same_picture():
    """The overlap of two inks is a layer of its own, so a program that draws shapes needs no blend modes."""
    for queens, palette in ((PEACE, "riso"), (PEACE, "night"), (WAR, "riso"), (fastqueens.solve(60, seed=1), "moss")):
        made = poster(queens, palette=palette, size="100x100mm", dpi=127)
        file = io.BytesIO()
        made.drawn("p.svg").savefig(file, format="png", dpi=127)
        with Image.open(file) as image:
            shapes = np.asarray(image.convert("RGB")).astype(int)
        assert np.abs(shapes - np.asarray(made.image)).mean() < 4, (len(made.queens), palette)


def test_red_lines_are_seen_between_dots_that_touch(tmp_path):
    red = PALETTES["riso"].attack
    pixels = pixels_of([10] * 30, size="A4", dpi=100)
    side = 826 / (1 + weave.dot_of(30))
    row = pixels[round((826 - side) / 2 + 10.5 * side / 30)]
    assert 0.1 < is_near(row, red, 30).mean() < 0.5
    axes = figure_of([10] * 30, size="A5").axes[-1]
    ring, dot = axes.collections[-2:]
    (level,) = (patch for patch in axes.patches if patch.get_gid() is None)
    assert ring.get_zorder() < level.get_zorder() < dot.get_zorder()


def test_fine_threads_are_an_image_of_all_pixels_in_vector_graphics(tmp_path):
    for n, has_shapes in ((150, True), (180, False), (2000, False)):
        made = poster(n, seed=1, size="A6", bleed=3, dpi=100)
        made.save(tmp_path / "p.svg")
        drawn = (tmp_path / "p.svg").read_text()
        assert ('id="overlap"' in drawn) == ("<image" not in drawn) == has_shapes, n
    data = re.search(r'xlink:href="data:image/png;base64,([^"]+)"', drawn)
    with Image.open(io.BytesIO(base64.b64decode(data[1]))) as image:
        pixels = np.asarray(image.convert("RGB"))
    expected = np.asarray(made.image)[: len(pixels)]
    assert len(pixels) == round(108 / 25.4 * 100)
    assert np.array_equal(pixels, expected)


def test_a_weave_shows_an_instance():
    constraints = {"blocked": [(0, 0), (7, 7)], "excluded_sums": [5], "excluded_differences": [-2]}
    result = fastqueens.solve(fastqueens.make_instance(8, [(1, 6)], **constraints), seed=1)
    axes = figure_of(result, size="A5").axes[-1]
    shown = [np.asarray(shapes.get_offsets()).tolist() for shapes in axes.collections]
    assert [[0.5, 0.5], [7.5, 7.5]] in shown
    assert [[1.5, 6.5]] in shown
    pixels = pixels_of(result, size="A4", dpi=100)
    square = 826 / (1 + weave.dot_of(8)) / 8
    edge = (826 - 8 * square) / 2

    def at(column, row):
        return pixels[int(edge + (row + 0.5) * square), int(edge + (column + 0.5) * square)]

    ink = PALETTES["riso"].ink
    assert is_near(at(0, 0), ink)
    assert is_near(at(7, 7), ink)
    # Dashes are in the middle of squares on excluded diagonals.
    assert all(is_near(at(column, 5 - column), ink) for column in range(6))
    assert all(is_near(at(column, column - 2), ink) for column in range(2, 8))
    marked = {*enumerate(result.queens.tolist()), (0, 0), (7, 7)}
    plain = [(c, r) for c in range(8) for r in range(8) if c + r != 5 and r - c != -2 and (c, r) not in marked]
    assert sum(is_near(at(*square), ink) for square in plain) < len(plain) / 2


def test_too_many_queens_for_a_weave_are_refused(leave_memory):
    leave_memory(4 * 10**8)
    queens = np.append(np.arange(0, 5_000_000, 2), np.arange(1, 5_000_000, 2))
    with check_error(NotEnoughMemoryError, "5,000,000 queens", "night"):
        poster(queens, size="A6", dpi=20)
    assert poster(queens, size="A6", dpi=20, style="night")


# Night and plain


def board_within_frame(image):
    """Return the pixels of a plain poster's board, True for ink: the inside of its frame, the largest shape."""
    ink = np.asarray(image) < 225
    shapes, _ = ndimage.label(ink)
    sizes = [np.prod([side.stop - side.start for side in place]) for place in ndimage.find_objects(shapes)]
    frame = int(np.argmax(sizes)) + 1
    rows, columns = ndimage.find_objects(shapes)[frame - 1]
    middle = ink[(rows.start + rows.stop) // 2, columns]
    line = int(np.argmin(middle))  # how many pixels wide the frame is
    return ink[rows.start + line : rows.stop - line, columns.start + line : columns.stop - line]


def assert_holds(board, queens):
    """Check that a board holds dots of one size at its queens, and no other ink."""
    n = len(queens)
    size = queen_size(n)
    square = board.shape[0] / (n + size)
    columns, rows = (((places + (1 + size) / 2) * square).astype(int) for places in (np.arange(n), queens))
    assert board[rows, columns].all()
    # Dots that touch neither each other nor the frame.
    shapes, _ = ndimage.label(board)
    sides = np.array([[side.stop - side.start for side in place] for place in ndimage.find_objects(shapes)])
    single = np.abs(sides - size * square).max(axis=1) < 2
    assert n * 0.9 < single.sum() <= len(sides) <= n
    assert board.sum() == pytest.approx(n * np.pi / 4 * (size * square) ** 2, rel=0.15)


def test_many_queens_are_dots_of_one_size_each_in_her_square():
    result = fastqueens.solve(300, seed=1, mix=5)
    board = board_within_frame(poster(result, size="A4", style="plain", dpi=300).image)
    assert abs(board.shape[0] - board.shape[1]) <= 1
    assert_holds(board, result.queens)


@pytest.mark.parametrize("n", [4, 20])
def test_a_chessboard_holds_its_queens(n):
    queens = fastqueens.solve(n, seed=2).queens
    board = board_within_frame(poster(n, seed=2, size="A4", style="plain", dpi=100).image)
    centres = (np.arange(n) + 0.5) * board.shape[0] / n
    # Her body is below the middle of the square; nothing else on the board is dark.
    body = (centres + 0.1 * board.shape[0] / n).astype(int)
    inked = board[body][:, centres.astype(int)]
    assert np.array_equal(inked, np.arange(n)[:, None] == queens)


@pytest.mark.parametrize(("style", "n"), [("night", 30), ("night", 31), ("plain", 64), ("plain", 65), ("plain", 300)])
def test_all_queens_have_one_size_and_none_leaves_the_board(style, n):
    # Queens in all corners, and next to each other.
    queens = np.append(np.arange(n - 2), [n - 1, 0])
    axes = figure_of(queens, size="A4", style=style).axes[-1]
    shapes = [shape for shape in axes.collections if len(shape.get_offsets()) == n]
    (outline,) = shapes[-1].get_paths()
    size = queen_size(n)
    assert outline.get_extents().width <= size + 1e-9
    is_crown = len(outline.vertices) > 60
    assert is_crown == (n <= (64 if style == "plain" else 30))
    middles = np.asarray(shapes[-1].get_offsets())
    assert (np.diff(middles[:, 0]) == 1).all()
    for low, high in (axes.get_xlim(), axes.get_ylim()):
        assert low - 1e-9 <= middles.min() - size / 2
        assert middles.max() + size / 2 <= high + 1e-9


def test_a_density_holds_every_queen():
    result = fastqueens.solve(200_000, seed=1)
    for style in ("night", "plain"):
        (image,) = figure_of(result, style=style, size="A4", dpi=60).axes[0].images
        shown = np.asarray(image.get_array())
        bins = bin_board(result.queens, len(shown))
        assert bins.squares.sum() == 200_000
        assert np.array_equal(shown, shades(bins.density(), theme_of(palette_of(None, style), style).density)), style
        assert 100 <= 200_000 / len(shown) ** 2 <= 125


def test_a_night_has_no_squares():
    for n in (20, 64):
        pixels = pixels_of(n, seed=1, style="night", size="A5", dpi=60)
        assert 0.2 < is_near(pixels, "#0d1230", 2).mean() < 0.97, n
        # Glows have no edges.
        assert np.abs(np.diff(pixels[:, :, 2], axis=1)).mean() < 3, n


# All styles


@pytest.mark.parametrize(("style", "orientation"), [*((style, "portrait") for style in STYLES), ("weave", "landscape")])
def test_every_style_fills_the_paper_to_the_pixel(style, orientation):
    image = poster(100, seed=1, style=style, size="A4", dpi=60, bleed=3, orientation=orientation).image
    assert image.size == ((510, 716) if orientation == "portrait" else (716, 510))
    assert image.info["dpi"] == (60, 60)
    pixels = np.asarray(image.convert("RGB")).astype(int)
    ground = pixels[-1, 0]
    assert (pixels != ground).any()
    # A weave reaches three edges of the bleed; others keep their margin.
    edges = {"top": pixels[0], "left": pixels[:, 0], "right": pixels[:, -1], "bottom": pixels[-1]}
    woven = {"portrait": {"top", "left", "right"}, "landscape": {"top", "right", "bottom"}}[orientation]
    for name, edge in edges.items():
        assert bool((edge != ground).any()) == (style == "weave" and name in woven), name


@pytest.mark.parametrize("style", STYLES)
def test_attacks_are_red(style):
    red = theme_of(palette_of(None, style), style).attack

    def count(queens):
        return is_near(pixels_of(queens, style=style, size="A6", dpi=100), red).sum()

    assert count(PEACE) == 0
    assert count(WAR) > 20


def test_the_queens_of_many_attacks_have_the_accent_colour():
    queens = np.arange(5000) // 2 * 2
    pixels = pixels_of(queens, style="plain", size="A4", dpi=60)
    assert is_near(pixels, "#e4002b", 60).sum() > 500
    assert poster(5000, seed=1, style="plain", size="A4", dpi=60).image.mode == "L"


@pytest.mark.parametrize(("n", "options", "sweeps"), [(9_999, "", 0), (10_000, "", 5), (10_000, "--queen 0,0", 0)])
def test_large_boards_that_are_solved_are_mixed(run, n, options, sweeps):
    """The command and the function of the library draw the same picture."""
    said = run(*f"poster {n} {options} --seed 1 --size A6 --dpi 40 -o p.png".split())[1]
    assert ("mixed for 5 sweeps" in said) == (sweeps > 0)
    instance = fastqueens.make_instance(n, [(0, 0)]) if options else None
    solved = fastqueens.solve(n if instance is None else instance, seed=1, mix=sweeps or None)
    look = {"size": "A6", "dpi": 40}
    with Image.open("p.png") as written:
        for expected in (poster(solved, **look), poster(n, instance=instance, seed=1, **look)):
            assert np.array_equal(written.convert("RGB"), expected.image.convert("RGB"))
