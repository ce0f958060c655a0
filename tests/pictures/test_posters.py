"""Posters: their contents, counted in pixels and shapes."""

import base64
import io
import itertools
import json
import re

import numpy as np
import pytest
from errors import check_error, check_names
from matplotlib.colors import to_rgb
from PIL import Image
from scipy import ndimage

import fastqueens
from fastqueens.errors import NotEnoughMemoryError
from fastqueens.pictures import weave
from fastqueens.pictures.layout import board_box
from fastqueens.pictures.lenses import lenses_on, queen_of
from fastqueens.pictures.palettes import PALETTES, STYLES, theme_of
from fastqueens.pictures.posters import poster
from fastqueens.pictures.roles import DARK, contrast, luminance

#: A board of 60 pixels.
WHOLE = weave.Place(0, 0, 60.0)

#: A solution and a board with attacks.
PEACE, WAR = [0, 4, 7, 5, 2, 6, 1, 3], [0, 4, 7, 5, 2, 6, 3, 1]


def pixels_of(*arguments, **look):
    return np.asarray(poster(*arguments, **look).image.convert("RGB")).astype(int)


def figure_of(*arguments, **look):
    """Return the shapes of a poster as a figure."""
    return poster(*arguments, **look).drawn("p.svg")[0]


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
        made.drawn("p.svg")[0].savefig(file, format="png", dpi=127)
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
    (level,) = (patch for patch in axes.patches if patch.get_gid() == "shared")
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


def test_larger_boards_are_finer_and_smoother():
    """At equal distances from the corners, the limit shape is the same, so only threads make pixels differ."""
    roughness = []
    for n in (5_000, 100_000, 2_000_000):
        board = pixels_of(n, seed=1, size="A5", dpi=100)[:350, :, 0]
        roughness.append(np.abs(np.diff(board.astype(float), axis=1)).mean())
    assert roughness[0] > 1.4 * roughness[1] > 1.4 * 1.4 * roughness[2]


def test_lenses_show_the_threads_of_one_queen(tmp_path):
    """The last lens shows threads and queens where a drawing of these columns alone has them."""
    n = 50_000
    made = poster(n, seed=1, size="A4", dpi=100)
    pixels, board = np.asarray(made.image), board_box(made.paper, is_bled=True)
    board = board.padded(-weave.dot_of(n) * board.width / (1 + weave.dot_of(n)) / 2)
    lens, column = lenses_on(board, n)[-1], queen_of(made.queens)
    square = lens.times * board.width / n
    x, y = (round(at / 25.4 * 100) for at in (lens.x, made.paper.height - lens.y))
    step, paper, ink = square / 25.4 * 100, PALETTES["riso"].paper, PALETTES["riso"].ink
    assert is_near(pixels[y, x], ink)
    sums, differences = (set((np.arange(n) + sign * made.queens).tolist()) for sign in (1, -1))
    row, checked = int(made.queens[column]), 0
    for across, down in itertools.product(range(-4, 5), repeat=2):
        is_rising = column + across + row + down in sums
        is_falling = column + across - row - down in differences
        seen = pixels[round(y + down * step), round(x + across * step)]
        if made.queens[column + across] != row + down and abs(across) + abs(down) > 1:
            expected = {(False, False): paper, (True, False): "#1c4a7b", (False, True): "#e85934"}
            if not (is_rising and is_falling):
                assert np.abs(seen - 255 * np.array(to_rgb(expected[is_rising, is_falling]))).max() < 40
                checked += 1
    assert checked > 20
    # The same pixels are in vector graphics.
    made.save(tmp_path / "p.svg")
    data = re.search(r'xlink:href="data:image/png;base64,([^"]+)"', (tmp_path / "p.svg").read_text())
    with Image.open(io.BytesIO(base64.b64decode(data[1]))) as image:
        assert np.array_equal(np.asarray(image.convert("RGB"))[y, x - 3 : x + 4], pixels[y, x - 3 : x + 4])


def test_night_glows():
    """In rendered pixels, dots are bright on everything, and both inks differ, in grey too."""
    for n in (8, 100, 1000):
        pixels = np.asarray(poster(n, seed=1, palette="night", size="A3", dpi=150).image)
        board = pixels[: pixels.shape[1]].reshape(-1, 3)
        colors, counts = np.unique(board @ np.array([1 << 16, 1 << 8, 1]), return_counts=True)
        found = {f"#{color:06x}" for color in colors[np.argsort(counts)[-5:]]}
        assert {DARK.paper, DARK.dot} <= found, n
        cloth = sorted(found - {DARK.paper, DARK.dot}, key=luminance)
        assert min(contrast(DARK.dot, color) for color in cloth) >= 4, n
        blue, orange, _ = cloth
        assert contrast(blue, orange) >= 1.5, n


def test_all_solutions_are_on_their_poster(run):
    """Every board is on the sheet once, in columns of turns and mirror images."""
    for n, count, columns in ((4, 2, 1), (5, 10, 2), (6, 4, 1), (7, 40, 6), (8, 92, 12)):
        made = poster(n, all=True, size="A3")
        assert {tuple(board) for board in made.queens.tolist()} == {
            tuple(b.tolist()) for b in fastqueens.all_solutions(n)
        }
        cells = [axes for axes in made.drawn("p.svg")[0].axes if axes.collections]
        assert len(cells) == len(made.queens) == count, n
        tops = max(round(axes.get_position().y1, 6) for axes in cells)
        first_row = [axes for axes in cells if round(axes.get_position().y1, 6) == tops]
        assert len(first_row) == columns * (1 if n > 6 else 2), n
        drawn = {tuple(np.asarray(axes.collections[-1].get_offsets())[:, 1] - 0.5) for axes in cells}
        assert drawn == {tuple(map(float, board)) for board in made.queens.tolist()}, n
    assert run("poster", "--all", "6", "--palette", "night", "--size", "A5", "-q", "-o", "p.pdf") == (0, "", "")
    for options, names in [
        ("8 --size A6", ["--size", "6.6 mm", "8 mm", "A5"]),
        ("11", ["4 to 10", "11"]),
        ("8 --seed 1", ["--seed", "no effect"]),
        ("8 --style plain", ["--style", "plain", "weaves"]),
        ("8 --queen 0,0", ["--queen", "no effect"]),
        ("", ["poster --all 8"]),
    ]:
        code, _, stderr = run("poster", "--all", *options.split(), "-o", "p.png")
        assert code == 2
        check_names(stderr, *names)


def test_a_weave_shows_an_instance():
    constraints = {"blocked": [(0, 0), (7, 7)], "excluded_sums": [5], "excluded_differences": [-2]}
    result = fastqueens.solve(fastqueens.make_instance(8, [(1, 6)], **constraints), seed=1)
    axes = figure_of(result, size="A5").axes[-1]
    shown = [np.asarray(shapes.get_offsets()).tolist() for shapes in axes.collections]
    assert [[0.5, 7.5], [7.5, 0.5]] in shown
    assert [[1.5, 1.5]] in shown
    pixels = pixels_of(result, size="A4", dpi=100)
    square = 826 / (1 + weave.dot_of(8)) / 8
    edge = (826 - 8 * square) / 2

    def at(column, row):
        return pixels[int(edge + (row + 0.5) * square), int(edge + (column + 0.5) * square)]

    ink, blocked = PALETTES["riso"].ink, theme_of(PALETTES["riso"]).blocked
    assert is_near(at(0, 0), blocked)
    assert is_near(at(7, 7), blocked)
    # Dashes are in the middle of squares on excluded diagonals.
    assert all(is_near(at(column, 5 - column), ink) for column in range(6))
    assert all(is_near(at(column, column - 2), ink) for column in range(2, 8))
    marked = {*enumerate(result.queens.tolist()), (0, 0), (7, 7)}
    plain = [(c, r) for c in range(8) for r in range(8) if c + r != 5 and r - c != -2 and (c, r) not in marked]
    assert sum(is_near(at(*square), ink) for square in plain) < len(plain) / 2
    # A queen on a blocked square is red.
    pixels = pixels_of([0, *result.queens[1:]], instance=result.instance, size="A4", dpi=100)
    assert is_near(at(0, 0), PALETTES["riso"].attack)


def test_too_many_queens_for_a_weave_are_refused(leave_memory):
    leave_memory(9 * 10**7)
    with check_error(NotEnoughMemoryError, "a weave of 10,000,000 queens", "100 MB", "90 MB"):
        poster(np.arange(10_000_000), size="A6", dpi=20)


# Plain


def board_within_frame(image):
    """Return the pixels of a plain poster's board, True for ink: the inside of its frame, the largest shape."""
    ink = np.asarray(image) < 150
    shapes, _ = ndimage.label(ink)
    sizes = [np.prod([side.stop - side.start for side in place]) for place in ndimage.find_objects(shapes)]
    frame = int(np.argmax(sizes)) + 1
    rows, columns = ndimage.find_objects(shapes)[frame - 1]
    middle = ink[(rows.start + rows.stop) // 2, columns]
    line = int(np.argmin(middle))  # how many pixels wide the frame is
    return ink[rows.start + line : rows.stop - line, columns.start + line : columns.stop - line]


@pytest.mark.parametrize("n", [4, 20])
def test_a_chessboard_holds_its_queens(n):
    queens = fastqueens.solve(n, seed=2).queens
    board = board_within_frame(poster(n, seed=2, size="A4", style="plain", dpi=100).image.convert("L"))
    centres = (np.arange(n) + 0.5) * board.shape[0] / n
    # Her body is below the middle of the square; nothing else on the board is dark.
    body = (centres + 0.1 * board.shape[0] / n).astype(int)
    inked = board[body][:, centres.astype(int)]
    assert np.array_equal(inked, np.arange(n)[:, None] == queens)


def test_more_queens_than_a_chessboard_holds_are_refused(run, stdin):
    for source in ("65", "-"):
        stdin(json.dumps([*range(65)]).encode())
        code, _, stderr = run("poster", source, "--style", "plain", "-o", "p.png")
        assert code == 2
        check_names(stderr, "--style", "64 queens", "65", "weave")


# All styles


@pytest.mark.parametrize(("style", "orientation"), [*((style, "portrait") for style in STYLES), ("weave", "landscape")])
def test_every_style_fills_the_paper_to_the_pixel(style, orientation):
    image = poster(60, seed=1, style=style, size="A4", dpi=60, bleed=3, orientation=orientation).image
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
    red = PALETTES["riso"].attack

    def count(queens):
        return is_near(pixels_of(queens, style=style, size="A6", dpi=100), red).sum()

    assert count(PEACE) == 0
    assert count(WAR) > 20


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
