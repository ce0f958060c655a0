"""Posters: their contents, counted in pixels and shapes, their words, and the command."""

import base64
import functools
import io
import itertools
import os
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from errors import check_error, check_names
from matplotlib.colors import to_rgb
from PIL import Image
from pypdf import PdfReader
from scipy import ndimage

import fastqueens
from fastqueens._run import memory
from fastqueens.densities import bin_board
from fastqueens.errors import InputError, NotEnoughMemoryError
from fastqueens.pictures import weave
from fastqueens.pictures.density import shades
from fastqueens.pictures.drawing import poster
from fastqueens.pictures.figure import MOST_IN_NOTEBOOK, TEXT, TITLE, text_width
from fastqueens.pictures.layout import Line, board_box
from fastqueens.pictures.palettes import PALETTES, STYLES, palette_of, theme_of
from fastqueens.pictures.paper import paper
from fastqueens.pictures.poster_words import edition, statement_of
from fastqueens.pictures.posters import queen_size
from fastqueens.pictures.saving import save_picture
from fastqueens.pictures.sheet import Sheet, outline
from fastqueens.pictures.themes import contrast

REPOSITORY = Path(__file__).parents[2]

#: A board of 60 pixels.
WHOLE = weave.Place(0, 0, 60.0)

#: A solution and a board with attacks.
PEACE, WAR = [0, 4, 7, 5, 2, 6, 1, 3], [0, 4, 7, 5, 2, 6, 3, 1]


@pytest.fixture(scope="module")
def thousand():
    return fastqueens.solve(1000, seed=1, mix=5).queens


def pixels_of(*arguments, **look):
    return np.asarray(poster(*arguments, **look).convert("RGB")).astype(int)


def is_near(pixels, color, by=8):
    return np.abs(pixels - np.round(255 * np.array(to_rgb(color)))).max(axis=-1) < by


# Weave


def test_the_poster_of_a_thousand_queens_is_full_of_ink(thousand):
    pixels = pixels_of(thousand, size="A3", dpi=300)
    ink = 1 - is_near(pixels[:3508], PALETTES["riso"].paper, 25).mean()
    assert 0.6 <= ink <= 0.95
    assert is_near(pixels[3510:3600], PALETTES["riso"].paper, 2).all()


@pytest.mark.parametrize("n", [1, 4, 12, 50, 300])
def test_shapes_are_where_the_threads_of_queens_are(n):
    queens = fastqueens.solve(n, seed=2).queens
    axes = poster(queens, size="A5", vector=True, bleed=3).axes[-1]
    points = np.random.default_rng(n).uniform(-0.2, n + 0.2, (200, 2))
    half, columns = weave.width_of(n) / 2, np.arange(n)
    for name, along, lines in (
        ("rising", points.sum(axis=1), columns + queens + 1),
        ("falling", points[:, 0] - points[:, 1], columns - queens),
    ):
        bands = [patch.get_path() for patch in axes.patches if patch.get_gid() == f"blended-{name}"]
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


@pytest.mark.parametrize(("palette", "mode"), [("riso", "multiply"), ("night", "screen")])
def test_vector_graphics_print_one_ink_over_the_other(tmp_path, palette, mode):
    figure = poster(30, seed=1, palette=palette, size="A5", vector=True)
    save_picture(figure, tmp_path / "p.pdf")
    (page,) = PdfReader(tmp_path / "p.pdf").pages
    states = [state.get_object() for state in page["/Resources"]["/ExtGState"].values()]
    blended = [state for state in states if "/BM" in state]
    assert {state["/BM"] for state in blended} == {f"/{mode.capitalize()}"}
    assert all(float(state["/ca"]) == float(state["/CA"]) == 1 for state in blended)
    save_picture(figure, tmp_path / "p.svg")
    drawn = (tmp_path / "p.svg").read_text()
    found = re.findall(r'<g id="blended-(\w+)" style="mix-blend-mode: (\w+)"', drawn)
    assert found == [("rising", mode), ("falling", mode)]
    assert "opacity: 0.9" not in drawn


@pytest.mark.parametrize("suffix", ["pdf", "svg", "png"])
def test_a_vector_poster_writes_the_same_to_a_path_and_to_a_file(tmp_path, suffix):
    figure, file = poster(30, seed=1, size="A6", vector=True), io.BytesIO()
    figure.savefig(tmp_path / f"p.{suffix}", dpi=50)
    figure.savefig(file, format=suffix, dpi=50)
    assert file.getvalue() == (tmp_path / f"p.{suffix}").read_bytes()
    if suffix == "png":
        with Image.open(file) as image:
            assert np.array_equal(image.convert("RGB"), poster(30, seed=1, size="A6", dpi=50).convert("RGB"))


def test_red_lines_are_seen_between_dots_that_touch(tmp_path):
    red = PALETTES["riso"].attack
    pixels = pixels_of([10] * 30, size="A4", dpi=100)
    side = 826 / (1 + weave.dot_of(30))
    row = pixels[round((826 - side) / 2 + 10.5 * side / 30)]
    assert 0.1 < is_near(row, red, 30).mean() < 0.5
    axes = poster([10] * 30, size="A5", vector=True).axes[-1]
    ring, dot = axes.collections[-2:]
    (level,) = (patch for patch in axes.patches if patch.get_gid() is None)
    assert ring.get_zorder() < level.get_zorder() < dot.get_zorder()


@pytest.mark.parametrize(("n", "is_image"), [(19_999, False), (20_000, False), (20_001, True)])
def test_large_weaves_are_an_image_in_vector_graphics(n, is_image):
    figure = poster(fastqueens.solve(n, seed=1), size="A5", dpi=50, vector=True)
    assert bool(figure.axes[0].images) == is_image
    assert any(patch.get_gid() for axes in figure.axes for patch in axes.patches) != is_image


def test_the_image_in_vector_graphics_is_a_jpeg_of_all_pixels(tmp_path):
    queens = fastqueens.solve(20_001, seed=1).queens
    look = {"size": "A5", "dpi": 200, "bleed": 3}
    expected = np.asarray(poster(queens, **look).convert("RGB"))[:1000].astype(int)
    figure = poster(queens, vector=True, **look)
    figure.savefig(tmp_path / "p.pdf")
    figure.savefig(tmp_path / "p.svg")
    (page,) = PdfReader(tmp_path / "p.pdf").pages
    (image,) = (item for item in page["/Resources"]["/XObject"].values() if item["/Subtype"] == "/Image")
    data = re.search(
        r'preserveAspectRatio="none" xlink:href="data:image/jpeg;base64,([^"]+)"', (tmp_path / "p.svg").read_text()
    )
    # In a PDF of matplotlib, the first row of an image is at the bottom.
    for content, is_turned in ((image.get_object()._data, True), (base64.b64decode(data[1]), False)):
        with Image.open(io.BytesIO(content)) as found:
            pixels = np.asarray(found).astype(int)
        pixels = pixels[::-1] if is_turned else pixels
        assert pixels.shape[1] == expected.shape[1] == 1213
        assert np.abs(pixels[:1000] - expected).mean() < 12


def test_a_weave_shows_an_instance():
    constraints = {"blocked": [(0, 0), (7, 7)], "excluded_sums": [5], "excluded_differences": [-2]}
    result = fastqueens.solve(fastqueens.make_instance(8, [(1, 6)], **constraints), seed=1)
    axes = poster(result, size="A5", vector=True).axes[-1]
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


def test_too_many_queens_for_a_weave_are_refused(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 4 * 10**8)
    queens = np.append(np.arange(0, 5_000_000, 2), np.arange(1, 5_000_000, 2))
    with check_error(NotEnoughMemoryError, "5,000,000 queens", "night"):
        poster(queens, size="A6", dpi=20)
    assert poster(queens, size="A6", dpi=20, style="night")


# Palettes


@pytest.mark.parametrize(
    ("colors", "named"),
    [
        ("rizo", ("'rizo'", "riso", "linen", "white,navy")),
        ("white", ("'white'", "with commas")),
        ("white,navy,red,green", ("with commas",)),
        ("white,#fffffe", ("#fffffe", "1.0:1", "3:1")),
        ("black,navy", ("navy", "1.31:1", "3:1")),
        (3, ("3", "name")),
        ("#808080,black,white", ("1.0:1", "darker", "lighter")),
        ("white,navy,yellow", ("yellow", "1.07:1")),
        ("white,#959595", ("#959595", "2.99:1", "3:1")),
        ("white,navy,#ffffee", ("#ffffee", "1.5:1")),
    ],
)
def test_palettes_that_cannot_be_read_or_seen_are_refused(colors, named):
    with check_error(InputError, "palette", *named):
        palette_of(colors, "weave")


def test_own_colors_are_the_paper_and_the_inks():
    two = palette_of("white, navy", "weave")
    assert (two.paper, two.rising, two.falling, two.shines) == ("#ffffff", "#000080", "#000080", False)
    three = palette_of("#101010,gold,#ff8800", "plain")
    assert (three.paper, three.rising, three.falling, three.shines) == ("#101010", "#ffd700", "#ff8800", True)
    with check_error(InputError, "night", "moss"):
        palette_of("moss", "night")


@pytest.mark.parametrize(
    "colors", ["red,white", "tab:blue,black", "#808080,white", "#e4002b,gold,white", "green,white", "white,#808080"]
)
def test_inks_darken_a_paper_or_light_it_up(colors):
    assert share_of_threads(colors) > 0.2


def share_of_threads(colors):
    """Return the share of the pixels of a weave, without its dots, that can be told apart from the paper."""
    look = palette_of(colors, "weave")
    pixels = weave.Cloth(np.array([1, 3, 0, 2]), look._replace(dot=look.paper, ink=look.paper), 60, 60, WHOLE).pixels()
    found, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    apart = [contrast(_hex(color), look.paper) >= 1.4 for color in found]
    return counts[apart].sum() / counts.sum()


@pytest.mark.parametrize("seed", range(60))
def test_no_colors_give_a_blank_poster(seed):
    random = np.random.default_rng(seed)
    colors = ",".join(_hex(random.integers(0, 256, 3)) for _ in range(random.integers(2, 4)))
    try:
        palette = palette_of(colors, "weave")
    except InputError:
        # One of the inks hardly shows, whether inks darken the paper or light it up.
        paper, *inks = (np.array(to_rgb(color)) for color in colors.split(","))
        for printed in ([ink * paper for ink in inks], [1 - (1 - ink) * (1 - paper) for ink in inks]):
            found = [contrast(_hex(np.round(255 * color).astype(int)), colors[:7]) for color in printed]
            assert min(found) < 1.51 or max(found) < 3.01
        return
    assert share_of_threads(colors) > 0.2
    assert contrast(palette.ink, palette.paper) > 3.9


def _hex(color):
    return "#{:02x}{:02x}{:02x}".format(*color)


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
    assert board.sum() == pytest.approx(n * np.pi / 4 * (size * square) ** 2, rel=0.1)


def test_a_thousand_queens_are_dots_of_one_size_each_in_her_square(thousand):
    image = poster(thousand, size="A2", style="plain", dpi=300)
    assert image.size == (4961, 7016)
    board = board_within_frame(image)
    assert abs(board.shape[0] - board.shape[1]) <= 1
    assert_holds(board, thousand)


@pytest.mark.parametrize("n", [4, 8, 20])
def test_a_chessboard_holds_its_queens(n):
    queens = fastqueens.solve(n, seed=2).queens
    board = board_within_frame(poster(queens, size="A4", style="plain", dpi=100))
    centres = (np.arange(n) + 0.5) * board.shape[0] / n
    # Her body is below the middle of the square; nothing else on the board is dark.
    body = (centres + 0.1 * board.shape[0] / n).astype(int)
    inked = board[body][:, centres.astype(int)]
    assert np.array_equal(inked, np.arange(n)[:, None] == queens)


@pytest.mark.parametrize("style", ["night", "plain"])
@pytest.mark.parametrize("n", [30, 31, 64, 65, 1000])
def test_all_queens_have_one_size_and_none_leaves_the_board(style, n):
    # Queens in all corners, and next to each other.
    queens = np.append(np.arange(n - 2), [n - 1, 0])
    axes = poster(queens, size="A4", style=style, vector=True).axes[-1]
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


@pytest.mark.parametrize("style", ["night", "plain"])
def test_a_density_holds_every_queen(style):
    queens = fastqueens.solve(200_000, seed=1).queens
    (image,) = poster(queens, vector=True, style=style, size="A4", dpi=60).axes[0].images
    shown = np.asarray(image.get_array())
    bins = bin_board(queens, len(shown))
    assert bins.squares.sum() == 200_000
    assert np.array_equal(shown, shades(bins.density(), theme_of(palette_of(None, style), style).density))
    assert 100 <= 200_000 / len(shown) ** 2 <= 125


@pytest.mark.parametrize("n", [20, 64])
def test_a_night_has_no_squares(n):
    pixels = pixels_of(n, seed=1, style="night", size="A5", dpi=60)
    assert 0.2 < is_near(pixels, "#0d1230", 2).mean() < 0.97
    # Glows have no edges.
    assert np.abs(np.diff(pixels[:, :, 2], axis=1)).mean() < 3


# All styles


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
def test_every_style_fills_the_paper_to_the_pixel(style, orientation):
    image = poster(100, seed=1, style=style, size="A4", dpi=60, bleed=3, orientation=orientation)
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

    def share(queens):
        return is_near(pixels_of(queens, style=style, size="A5", dpi=100), red).sum()

    assert share(PEACE) == 0
    assert share(WAR) > 50


@pytest.mark.parametrize("n", [5_000, 60_000])
def test_the_queens_of_many_attacks_have_the_accent_colour(n):
    queens = np.arange(n) // 2 * 2
    pixels = pixels_of(queens, style="plain", size="A4", dpi=120)
    assert is_near(pixels, "#e4002b", 60).sum() > 1000
    assert poster(fastqueens.solve(n, seed=1), style="plain", size="A4", dpi=120).mode == "L"


@pytest.mark.parametrize(("n", "options", "sweeps"), [(9_999, "", 0), (10_000, "", 5), (10_000, "--queen 0,0", 0)])
def test_large_boards_that_are_solved_are_mixed(run, monkeypatch, n, options, sweeps):
    drawn = []
    monkeypatch.setattr("fastqueens.cli.pictures.draw_poster", lambda _out, _path, result, **_: drawn.append(result))
    said = run(*f"poster {n} {options} --seed 1 -o p.png".split())[1]
    assert drawn[0].sweeps == sweeps
    assert ("mixed for 5 sweeps" in said) == (sweeps > 0)
    look = {"size": "A4", "dpi": 40}
    instance = drawn[0].instance if options else None
    assert poster(n, instance=instance, seed=1, **look) == poster(drawn[0], **look)


@pytest.mark.parametrize(("style", "n"), [*((style, 30) for style in STYLES), ("plain", 100_001), ("night", 10**6)])
def test_a_vector_poster_is_on_paper_of_its_size_and_color(tmp_path, style, n):
    queens = fastqueens.solve(n, seed=1).queens
    save_picture(poster(queens, style=style, size="100x200mm", bleed=3, vector=True), tmp_path / "p.svg")
    drawn = (tmp_path / "p.svg").read_text()
    width, height = (side / 25.4 * 72 for side in (106, 206))
    assert f'width="{width:.6f}pt" height="{height:.6f}pt"' in drawn
    background = re.search(r'<g id="patch_1">\s*<path [^>]*style="fill: (#\w+)', drawn)
    assert background[1] == theme_of(palette_of(None, style), style).paper
    assert ("<image" in drawn) == (n > 30 or style == "night")


def test_a_poster_that_does_not_fit_into_memory_is_refused(run, monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 400_000_000)
    code, _, stderr = run("poster", "8", "--size", "A0", "-o", "p.png")
    assert code == 2
    check_names(stderr, "A0", "300 dpi", "9,933 x 14,043 pixels", "1,416 MB", "400 MB")
    assert os.listdir() == []
    with pytest.raises(NotEnoughMemoryError):
        poster([0])
    assert run("poster", "8", "--size", "A0", "-o", "p.pdf")[0] == 0
    with check_error(InputError, "A0 at 2400 dpi", 65_535):
        poster([0], size="A0", dpi=2400)


def test_the_gallery_is_rendered_from_its_recipes(monkeypatch, tmp_path):
    folder = REPOSITORY / "posters"
    monkeypatch.syspath_prepend(folder)
    import render

    recipes = tomllib.loads((folder / "gallery.toml").read_text())["poster"]
    assert len(recipes) == 12
    assert {recipe.get("style", "weave") for recipe in recipes} == set(STYLES)
    names = {f"{recipe['name']}{part}.jpg" for recipe in recipes for part in ("", "-detail")}
    assert names == {path.name for path in folder.glob("previews/*.jpg")}
    monkeypatch.setattr(render, "HERE", tmp_path)
    assert render.render({"name": "small", "n": 50, "seed": 1, "size": "A4", "dpi": 150}) == (1240, 1754)
    for name, size in (("previews/small.jpg", (700, 990)), ("rendered/small.png", (1240, 1754))):
        with Image.open(tmp_path / name) as image:
            assert image.size == size


# Words


def layout_of(queens, **options):
    """Return the place of the board, and all lines of text on a poster, without its pixels."""
    options = {"size": "A4", "vector": True, **options}
    said = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sheet, "write", lambda sheet, line: said.append(line))
        poster(queens, **options)
    size = paper(options["size"], orientation=options.get("orientation"))
    return board_box(size, is_bled=options.get("style", "weave") == "weave"), said


def words_of(queens, **options):
    """Return all words of a poster."""
    return " ".join(line.text for line in layout_of(queens, **options)[1]).replace("\xa0", " ")


PEACEFUL = "No two share a row, a column or a diagonal."


@pytest.mark.parametrize(
    ("queens", "mark", "words"),
    [
        ([0], "dot", "Alone on her board, she attacks nobody."),
        (PEACE, "dot", f"Every thread is one queen\u2019s diagonal, every dot a queen. {PEACEFUL}"),
        (PEACE, "silk", f"Every queen owns two threads, finer than this print can show. {PEACEFUL}"),
        (PEACE, "queen", PEACEFUL),
        ([0, 0], "dot", "Two queens attack each other. On so small a board, that cannot be avoided."),
        ([1, 3, 0, 3], "queen", "Two queens attack each other."),
        (range(30), "dot", "435 pairs of queens attack each other. Red lines are shared by several queens."),
    ],
)
def test_a_poster_says_what_it_shows(queens, mark, words):
    is_solution = len(queens) == 1 or queens is PEACE
    said = " ".join(statement_of(queens, mark, is_solution=is_solution)).replace("\xa0", " ")
    assert said.strip() == words


def test_the_colophon_names_seed_sweeps_and_edition():
    result = fastqueens.solve(1000, seed=7, mix=2)
    said = words_of(result)
    assert "fastqueens, n = 1,000" in said
    assert "No. 7 of about 10^2,158^ solutions. Seed 7, 2 sweeps of mixing." in said
    assert "Seed" not in words_of(result.queens)
    assert "Seed 3." in words_of(8, seed=3)
    assert "With 1 fixed queen." in words_of(fastqueens.solve(fastqueens.make_instance(8, [(1, 3)]), seed=1))


@pytest.mark.parametrize("n", [30, 100, 1000])
def test_the_number_of_solutions_is_near_an_estimate(n):
    found = re.fullmatch(r"No\. 5 of about (?:(\d) \u00d7 )?10\^([\d,]+)\^ solutions\.", edition(n, 5))
    estimate = fastqueens.estimate(n, seed=1, replicas=16)
    said = np.log(int(found[1] or 1)) + int(found[2].replace(",", "")) * np.log(10)
    assert said == pytest.approx(estimate.log_count, abs=0.35)


def test_an_edition_needs_the_formula_and_as_many_solutions():
    assert edition(29, 1) == edition(1, 1) == edition(30, 10**21) == ""
    assert edition(30, 10**20)


@pytest.mark.parametrize("size", ["A4", "A6", "30x30cm", "40x30cm"])
def test_the_gain_of_silk_is_printed_on_every_sheet(size):
    said = words_of(fastqueens.solve(20_000, seed=1), size=size, dpi=60, vector=False)
    assert re.search("Contrast of threads \u00d7 [1-9]", said)


def test_a_title_replaces_the_number():
    assert words_of(PEACE).startswith("8 queens ")
    titled = words_of(PEACE, title="One\nTwo $x_")
    assert titled.startswith("One Two $x_ Every thread")
    assert "n = 8" in titled
    assert words_of(PEACE, title="").startswith("Every thread")


@pytest.mark.parametrize(("text", "font", "is_raised"), [("10^2^ x", TEXT, True), ("10^2^ x", TITLE, False)])
def test_figures_between_carets_are_raised_except_in_titles(text, font, is_raised):
    sheet = Sheet(paper("A5"), vector=True)
    sheet.write(Line(text, 30, 50, 10, font))
    bottoms = [patch.get_path().get_extents().y0 for patch in sheet.axes.patches]
    assert len(bottoms) == (3 if is_raised else 1)
    assert (max(bottoms) > 53) == is_raised


def test_the_size_of_type_does_not_depend_on_the_number_of_letters():
    sizes = {n: [line.size for line in layout_of(n, seed=1)[1]][:2] for n in (8, 50, 1000)}
    assert sizes[8] == sizes[50] == sizes[1000]
    assert layout_of(10**6, seed=1)[1][0].size < sizes[8][0]


#: Similar posters are for the gate.
SHEETS = [
    *["A6", "A4", "50x50cm", "20x80cm", "90x30cm", "letter"],
    *(
        pytest.param(size, marks=pytest.mark.gate)
        for size in ("A5", "A3", "A1", "A0", "100x100mm", "tabloid", "40x50cm", "50x40cm", "65x50cm")
    ),
]

TITLES = {
    "short": None,
    "one word": "Donaudampfschifffahrtsgesellschaft",
    "long": "For Anna and Ben on their wedding day, from all the queens",
    "longer": "A long title that says that a hundred queens stand on one board in peace",
}


@functools.cache
def extents_of_shapes(text, font):
    """Return the edges of a text of size 1, cached because many sheets have the same texts."""
    return outline(Line(text, 0, 0, 1, font)).get_extents().extents


def extents(line):
    """Return the left, lower, right and upper edge of a line of text, from its shapes."""
    left, bottom, right, top = (line.size * edge for edge in extents_of_shapes(line.text, line.font))
    return line.x + left, line.y + bottom, line.x + right, line.y + top


@pytest.fixture(scope="module")
def boards():
    instance = fastqueens.make_instance(100, [(1, 3)], excluded_sums=[0])
    return [fastqueens.solve(100, seed=1), fastqueens.solve(instance, seed=1), [1, 3, 0, 3]]


@pytest.mark.parametrize("size", SHEETS)
@pytest.mark.parametrize("title", TITLES)
def test_nothing_overlaps_and_words_keep_away_from_the_trim(boards, size, title):
    sheet = paper(size)
    safe = max(5, min(sheet.width, sheet.height) / 40)
    for board in boards:
        place, lines = layout_of(board, size=size, title=TITLES[title])
        boxes = [*map(extents, lines)]
        for (left, _, right, top), line in zip(boxes, lines, strict=True):
            assert left >= safe - 0.01
            assert line.y >= safe - 0.01
            assert right <= sheet.width - safe + 0.01
            assert top <= sheet.height - safe + 0.01
        for one, other in itertools.combinations([tuple(place.extents), *boxes], 2):
            is_apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert is_apart, [line.text for line in lines]
        assert len([line for line in lines if line.font == TITLE]) <= 3


@pytest.mark.parametrize(("size", "has_colophon"), [("A4", True), ("A5", False), ("A1", True), ("A6", False)])
def test_small_sheets_have_no_colophon(size, has_colophon):
    assert ("Seed 1" in words_of(100, seed=1, size=size)) == has_colophon


def test_a_word_is_broken_only_if_no_smaller_type_helps():
    assert "Schwiegermuttertage" in words_of(PEACE, title="Congratulations Schwiegermuttertage")
    said = layout_of(PEACE, title="Congratulations Schwiegermuttertage")[1]
    assert [line.text for line in said if line.font == TITLE] == ["Congratulations", "Schwiegermuttertage"]
    with check_error(InputError, "2 lines"):
        poster(PEACE, size="30x30cm", title="word " * 40)


@pytest.mark.parametrize("n", [8, 1000, 10**6])
@pytest.mark.parametrize("size", ["70x50cm", "68x50cm", "64x50cm", "letter", "A3"])
def test_words_keep_off_the_board_on_wide_sheets(n, size):
    place, lines = layout_of(n, seed=1, size=size, orientation="landscape")
    sheet = paper(size, orientation="landscape")
    boxes = [extents(line) for line in lines]
    if sheet.width / sheet.unit >= 680:
        assert max(box[2] for box in boxes) < place.x0 - 15 * sheet.unit
    number, noun = (
        (line for line in lines if line.font == TITLE) if size != "64x50cm" and size != "letter" else lines[:2]
    )
    assert noun.size < number.size


def test_a_title_that_does_not_fit_is_refused():
    with check_error(InputError, "too long"):
        poster(range(4), size="A6", dpi=40, title=500 * "word ")


# Files


@pytest.mark.parametrize(
    ("style", "bleed", "marks"), [("weave", 0, 0), ("plain", 3, 0), ("night", 3, 0), ("weave", 3, 8)]
)
def test_a_pdf_says_where_to_cut(run, style, bleed, marks):
    command = f"poster 12 --seed 1 --style {style} --size 100x200mm --bleed {bleed}mm -q -o p.pdf"
    assert run(*command.split(), *(["--crop-marks"] if marks else [])) == (0, "", "")
    # Read without the library that writes them.
    content = Path("p.pdf").read_bytes().decode("latin1")
    found = re.findall(r"/(MediaBox|TrimBox|BleedBox)\s*\[([^]]*)\]", content)
    cut = bleed + marks
    expected = {"MediaBox": [0, 0, 100 + 2 * cut, 200 + 2 * cut]}
    if cut:
        expected |= {"BleedBox": [marks, marks, 100 + 2 * cut - marks, 200 + 2 * cut - marks]}
        expected |= {"TrimBox": [cut, cut, 100 + cut, 200 + cut]}
    boxes = {name: [float(number) / 72 * 25.4 for number in numbers.split()] for name, numbers in found}
    assert boxes == {name: pytest.approx(box, abs=0.01) for name, box in expected.items()}


def test_letters_that_the_typeface_lacks_come_from_another_font():
    alone, mixed = (text_width(text, 1.0, TITLE) for text in ("\u0416", "a\u0416b"))
    assert mixed > text_width("a", 1.0, TITLE) + alone > alone > 0.5
    assert len(poster([0], size="A4", dpi=20, title="x \u0416 y").getcolors()) > 1


# Notebooks


@pytest.mark.parametrize(("style", "n"), [("weave", 60_000), ("night", 8)])
def test_a_notebook_stores_a_preview_and_the_file_has_all_pixels(tmp_path, style, n):
    image = poster(n, seed=1, style=style, size="A1", dpi=100)
    content, shown = image._repr_jpeg_()
    assert image._repr_png_() is None
    with Image.open(io.BytesIO(content)) as preview:
        assert 500 < preview.width < image.width
        assert preview.width / preview.height == pytest.approx(image.width / image.height, rel=0.01)
    assert len(content) <= MOST_IN_NOTEBOOK
    assert shown == {"width": 706}
    save_picture(image, tmp_path / "p.png")
    with Image.open(tmp_path / "p.png") as saved:
        assert saved.size == image.size == (2339, 3311)


def test_a_pdf_for_the_press_has_its_inks(run):
    command = "poster 30 --seed 1 --size A5 --bleed 3mm --crop-marks --cmyk -q -o p.pdf"
    assert run(*command.split()) == (0, "", "")
    reader = PdfReader("p.pdf")
    (page,) = reader.pages
    drawn = page.get_contents().get_data().decode("latin1")
    colors = set(re.findall(r"(?<![\d.])((?:[\d.]+\s+){1,4})(?:k|K|rg|RG|g|G)\b", drawn))
    # Paper; words, dots and crop marks; both inks.
    assert colors == {"0 0 0 0 ", "0 0 0 1 ", "0.94 0.74 0.17 0.04 ", "0 0.76 0.8 0 "}
    assert page["/Group"]["/CS"] == "/DeviceCMYK"
    assert all(item["/Subtype"] != "/Image" for item in page["/Resources"].get("/XObject", {}).values())
    (intent,) = reader.trailer["/Root"]["/OutputIntents"]
    assert intent["/OutputConditionIdentifier"] == "FOGRA39"
    assert run("poster", "30", "--palette", "white,#ff0000", "--size", "A5", "--cmyk", "-q", "-o", "own.pdf")[0] == 0
    assert "0 1 1 0 k" in PdfReader("own.pdf").pages[0].get_contents().get_data().decode("latin1")


def test_crop_marks_are_outside_the_bleed():
    look = {"size": "A5", "dpi": 254, "style": "night", "seed": 1, "bleed": 3}
    plain, marked = (np.asarray(poster(8, crop_marks=marks, **look)).astype(int) for marks in (False, True))
    assert (marked[80:-80, 80:-80] == plain).all()
    dark = np.argwhere(marked[:70].min(axis=2) < 250)
    assert {round(float(column), -1) for column in dark[:, 1] if 70 < column < 1630} == {110, 1590}
    with check_error(InputError, "bleed"):
        poster(8, crop_marks=True)


def test_a_pdf_has_a_title_and_an_author(run):
    for options, title in (([], "12 queens"), (["--title", "For\\nAnna"], "For Anna")):
        assert run("poster", "12", "--size", "A5", "-q", "-o", "p.pdf", *options)[0] == 0
        content = Path("p.pdf").read_bytes().decode("latin1")
        assert f"/Title ({title})" in content
        assert "/Author (fastqueens)" in content


# Paper


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"size": "a1"}, {"width": 594, "height": 841, "pixels": (7016, 9933)}),
        ({"size": "Letter"}, {"width": 215.9, "height": 279.4}),
        ({"size": "50 X 70 cm"}, {"width": 500, "height": 700}),
        ({"size": "300.5\u00d7200mm"}, {"width": 300.5, "height": 200}),
        ({"size": "24x36in", "orientation": "landscape"}, {"width": 914.4, "height": 609.6}),
        ({"size": "30x20cm", "orientation": "portrait"}, {"width": 200}),
        ({"dpi": 254, "bleed": "3mm"}, {"width": 210, "height": 297, "bleed": 3, "pixels": (2160, 3030)}),
        ({"bleed": "0.125in"}, {"bleed": 3.175}),
        ({"dpi": np.int64(300)}, {"pixels": (2480, 3508), "dpi": 300}),
    ],
)
def test_paper_has_the_size_orientation_and_bleed_that_are_asked_for(arguments, expected):
    sheet = paper(**{"size": "A4", **arguments})
    for name, value in expected.items():
        assert getattr(sheet, name) == pytest.approx(value)
    assert type(sheet.dpi) is int
