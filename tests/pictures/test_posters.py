"""Posters: their contents, counted in pixels, and the command."""

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
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from PIL import Image, ImageColor
from scipy import ndimage

import fastqueens
from fastqueens.check.density import bin_board
from fastqueens.core import memory
from fastqueens.core.errors import InputError, NotEnoughMemoryError
from fastqueens.files.boards import write_board
from fastqueens.pictures.density import shades
from fastqueens.pictures.lettering import BOLD, TEXT, TITLE, capitals, text_outline, text_width, wrapped
from fastqueens.pictures.posters import STYLES, making, poster
from fastqueens.pictures.posters.effects import glow_image, line_colors, lines_image, lines_of_queens
from fastqueens.pictures.posters.layout import places_of
from fastqueens.pictures.posters.paper import paper
from fastqueens.pictures.posters.sheet import Box, Sheet, resized
from fastqueens.pictures.posters.styles import contrast, most_queens, queen_size
from fastqueens.pictures.posters.subject import title_of
from fastqueens.pictures.saving import MOST_IN_NOTEBOOK, save_picture
from fastqueens.pictures.style import FONTS, QUEEN

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def thousand():
    return fastqueens.solve(1000, seed=1).queens


def board_within_frame(image):
    """Return the pixels of a classic poster's board, True for ink: the inside of its frame, the largest shape."""
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
    image = poster(thousand, size="A2", dpi=300)
    assert image.size == (4961, 7016)
    board = board_within_frame(image)
    assert abs(board.shape[0] - board.shape[1]) <= 1
    assert_holds(board, thousand)


@pytest.mark.parametrize("n", [4, 8, 20])
def test_a_chessboard_holds_its_queens(n):
    queens = fastqueens.solve(n, seed=2).queens
    board = board_within_frame(poster(queens, size="A4", dpi=100))
    centres = (np.arange(n) + 0.5) * board.shape[0] / n
    # Her body is below the middle of the square; nothing else on the board is dark.
    body = (centres + 0.1 * board.shape[0] / n).astype(int)
    inked = board[body][:, centres.astype(int)]
    assert np.array_equal(inked, np.arange(n)[:, None] == queens)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("n", [8, 64, 65, 200, 1000])
def test_all_queens_have_one_size_and_none_leaves_the_board(style, n):
    # Queens in all corners, and next to each other.
    queens = np.append(np.arange(n - 2), [n - 1, 0])
    figure = poster(queens, size="A1", style=style, vector=True)
    shapes = [shape for shape in figure.axes[0].collections if len(shape.get_offsets()) == n]
    (outline,) = shapes[-1].get_paths()
    size = queen_size(n, is_open=False) * np.diff(shapes[-1].get_offsets()[:2, 0])[0]
    assert outline.get_extents().width <= size + 1e-9
    board = layout_of(queens, size="A1", style=style)[0]
    middles = np.asarray(shapes[-1].get_offsets())
    for low, high, places in ((board.left, board.right, middles[:, 0]), (board.bottom, board.top, middles[:, 1])):
        assert low - 1e-9 <= places.min() - size / 2
        assert places.max() + size / 2 <= high + 1e-9


@pytest.mark.parametrize("vector", [False, True])
def test_lines_and_the_space_around_queens_leave_blocked_squares_whole(tmp_path, vector):
    # Next to queens, and on their lines.
    squares = [(0, 0), (1, 1), (1, 3), (7, 7), (4, 2)]
    queens = fastqueens.solve(8, blocked=squares, seed=1)
    image = poster(queens, style="lines", size="A4", dpi=100, vector=vector)
    if vector:
        image.savefig(tmp_path / "lines.png", dpi=100)
        image = Image.open(tmp_path / "lines.png").convert("RGB")
    board = layout_of(queens.queens, size="A4", dpi=100, style="lines")[0]
    pixels, square, height = np.asarray(image), board.width / 8 / 25.4 * 100, 297 / 25.4 * 100
    for column, row in squares:
        left, top = board.left / 25.4 * 100 + column * square, height - board.top / 25.4 * 100 + row * square
        inside = pixels[int(top + 2) : int(top + square - 2), int(left + 2) : int(left + square - 2)]
        assert (inside == ImageColor.getrgb(STYLES["lines"].theme.blocked)).all()


@pytest.mark.parametrize("n", [65, 90, 100, 101, 102, 200, 400])
def test_no_two_crowns_of_a_solution_touch(n):
    queens = fastqueens.solve(n, seed=1).queens.astype(int)
    width, height = QUEEN.get_extents().size * queen_size(n)
    across, down = (np.abs(np.subtract.outer(places, places)) for places in (np.arange(n), queens))
    assert ((across > width) | (down > height) | np.eye(n, dtype=bool)).all()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
def test_every_style_fills_the_paper_to_the_pixel(style, orientation):
    result = fastqueens.solve(100, seed=1, trace=True, start="random")
    options = {"style": style, "orientation": orientation, "trace": result.trace, "seed": 1, "steps": result.steps}
    image = poster(result.queens, size="A4", dpi=60, bleed=3, margin=15, **options)
    expected = (510, 716) if orientation == "portrait" else (716, 510)
    assert image.size == expected
    assert image.info["dpi"] == (60, 60)
    pixels = np.asarray(image.convert("RGB")).astype(int)
    background = pixels[0, 0]
    # Margin and bleed, 18 mm, have the paper's colour, except for a line's width; the lights of "modern" shine 10 mm
    # into the margin.
    edge = 18 if style == "modern" else 40
    for strip in (pixels[:edge], pixels[-edge:], pixels[:, :edge], pixels[:, -edge:]):
        assert (strip == background).all()
    assert (pixels != background).any()


@pytest.mark.parametrize("style", [style for style in STYLES if style != "lines"])
def test_a_density_holds_every_queen(style):
    queens = fastqueens.solve(200_000, seed=1).queens
    (image,) = poster(queens, vector=True, style=style, size="A4", dpi=60).axes[0].images
    shown = np.asarray(image.get_array())
    bins = bin_board(queens, len(shown))
    assert bins.squares.sum() == 200_000
    assert np.array_equal(shown, shades(bins.density(), STYLES[style].theme.density))
    assert 100 <= 200_000 / len(shown) ** 2 <= 125


@pytest.mark.parametrize("style", ["infographic", "limit-shape"])
@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
def test_every_queen_is_a_grain_as_long_as_there_are_four_pixels_for_her(style, orientation):
    n, options = 60_000, {"style": style, "size": "A4", "dpi": 100, "orientation": orientation}
    queens = fastqueens.solve(n, seed=1, mix=5).queens
    sheet = Sheet(paper("A4", dpi=100, orientation=orientation), STYLES[style].theme, vector=False)
    left, upper, right, lower = sheet.pixel_edges(layout_of(queens, **options)[0])
    image = np.asarray(poster(queens, **options)).astype(int)[upper:lower, left:right]
    is_ink = np.abs(image - ImageColor.getrgb(STYLES[style].theme.ink)).max(axis=2) < 110
    expected = np.zeros(is_ink.shape, bool)
    height, width = ((side - 2) / n for side in is_ink.shape)
    expected[(1 + (queens + 0.5) * height).astype(int), (1 + (np.arange(n) + 0.5) * width).astype(int)] = True
    assert is_ink[expected].all()
    assert not is_ink[~ndimage.binary_dilation(expected)].any()


def test_grains_and_densities_keep_the_character_of_a_style():
    board = fastqueens.solve(100_000, seed=1, mix=2)
    for dpi in (60, 100):
        looks = {
            style: poster(board, style=style, size="A4", dpi=dpi) for style in ("classic", "modern", "limit-shape")
        }
        assert [image.mode for image in looks.values()] == ["L", "RGB", "RGB"]
        assert np.asarray(looks["modern"]).mean() < 80


def test_lines_are_refused_if_they_would_run_together(run):
    sheet = paper("A4", dpi=100)
    most = most_queens("lines", sheet)
    poster(range(most), style="lines", size="A4", dpi=100)
    with check_error(InputError, "lines", f"{most + 1:,}", f"{most:,}", "classic"):
        poster(range(most + 1), style="lines", size="A4", dpi=100)
    # Before a board is solved.
    code, _, stderr = run("poster", "4e9", "--style", "lines", "-o", "p.png")
    assert code == 2
    check_names(stderr, "4,000,000,000", "classic", "limit-shape")


def test_a_density_has_fixed_colours_around_an_even_share():
    """On any board an even share is paper, or dark on a dark poster, fewer queens are blue, and more orange."""
    limit_shape, modern = (STYLES[name].theme for name in ("limit-shape", "modern"))
    first, second = shades(np.array([[0.4, 1.0, 1.6], [0.0, 1.0, 2.0]]), limit_shape.density)
    assert np.array_equal(first, second)
    assert first[1] == pytest.approx(255 * np.array(to_rgb(limit_shape.paper)), abs=2)
    dark = shades(np.array([[0.5, 1.0, 1.5]]), modern.density)[0]
    for blue, _, orange in (first.astype(int), dark.astype(int)):
        assert blue[2] > blue[0] + 50
        assert orange[0] > orange[2] + 50
    blue, even, orange = dark.astype(int)
    assert even.max() < 80
    assert blue.sum() > 2 * even.sum() < orange.sum()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [("30", ["limit-shape", 64]), ("200", ["mixed"]), ("60000", ["mixed"]), ("q.txt", ["--mix"])],
)
def test_the_style_limit_shape_mixes_and_says_so(run, arguments, named):
    write_board("q.txt", fastqueens.solve(200, seed=1).queens)
    command = f"poster {arguments} --style limit-shape -o p.png --size A4 --dpi 40 --caption".split()
    code, _, stderr = run(*command)
    assert code == 0
    check_names(stderr, *named)
    assert "mixed" not in run(*command, "-q")[2]


def test_the_style_limit_shape_mixes_a_board_that_is_solved():
    said = " ".join(words_of(200, style="limit-shape", seed=1, caption=True))
    assert "mixed until it was like them" in said
    assert "mixed for 5 sweeps" in said
    board = fastqueens.solve(200, seed=1)
    assert "was not mixed" in " ".join(words_of(board, style="limit-shape"))
    look = {"style": "limit-shape", "size": "A4", "dpi": 40}
    assert poster(200, seed=1, **look) == poster(fastqueens.solve(200, seed=1, mix=5), **look)
    assert poster(200, seed=1, **look) != poster(board, **look)


@pytest.mark.parametrize(("n", "options", "sweeps"), [(9_999, "", 0), (10_000, "", 5), (10_000, "--queen 0,0", 0)])
def test_large_boards_that_are_solved_are_mixed(run, monkeypatch, n, options, sweeps):
    drawn = []
    monkeypatch.setattr("fastqueens.cli.pictures.draw_poster", lambda _out, _path, result, **_: drawn.append(result))
    said = run(*f"poster {n} {options} --seed 1 -o p.png".split())[1]
    assert drawn[0].sweeps == sweeps
    assert ("mixed for 5 sweeps" in said) == (sweeps > 0)
    look = {"size": "A4", "dpi": 40, "caption": True}
    instance = drawn[0].instance if options else None
    assert poster(n, instance=instance, seed=1, **look) == poster(drawn[0], **look)


@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
def test_small_boards_in_the_style_limit_shape_are_drawn_queen_by_queen(orientation):
    options = {"size": "A4", "style": "limit-shape", "orientation": orientation}
    figure = poster(fastqueens.solve(100, seed=1).queens, vector=True, **options)
    (limit_shape,) = figure.axes[0].images
    assert limit_shape.get_zorder() < min(shapes.get_zorder() for shapes in figure.axes[0].collections)
    assert len(figure.axes[0].collections[-1].get_offsets()) == 100


def test_the_density_of_a_poster_is_drawn_cell_by_cell():
    queens = np.concatenate([np.arange(90_000), np.full(90_000, 135_000)])
    image = poster(queens, size="A4", dpi=50, margin=0, title="", style="infographic")
    board = layout_of(queens, size="A4", dpi=50, margin=0, title="", style="infographic")[0]
    left, upper, right, _ = Sheet(paper("A4", dpi=50), STYLES["infographic"].theme, vector=False).pixel_edges(board)
    side = right - left
    board = np.asarray(image).astype(int)[upper : upper + side, left:right]
    place = (np.array([[0.1, 0.1], [0.4, 0.4], [0.75, 0.6], [0.75, 0.95], [0.9, 0.2], [0.2, 0.9]]) * side).astype(int)
    is_orange = board[..., 0] > board[..., 2] + 30
    more = [is_orange[max(0, r - 12) : r + 12, max(0, c - 12) : c + 12].any() for r, c in place]
    assert more == [True, True, True, True, False, False]


@pytest.mark.parametrize(("style", "n"), [*((style, 30) for style in STYLES), ("classic", 100_000), ("modern", 10**6)])
def test_a_vector_poster_is_on_paper_of_its_size_and_color(tmp_path, style, n):
    queens = fastqueens.solve(n, seed=1).queens
    save_picture(poster(queens, style=style, size="100x200mm", bleed=3, vector=True), tmp_path / "p.svg")
    drawn = (tmp_path / "p.svg").read_text()
    width, height = (side / 25.4 * 72 for side in (106, 206))
    assert f'width="{width:.6f}pt" height="{height:.6f}pt"' in drawn
    background = re.search(r'<g id="patch_1">\s*<path [^>]*style="fill: (#\w+)', drawn)
    assert background[1] == STYLES[style].theme.paper
    assert ("<image" in drawn) == (n > 30)


def test_the_command_writes_the_resolution_into_the_file(run):
    write_board("q.txt", fastqueens.solve(50, seed=1).queens)
    for source in (["q.txt"], ["50", "--seed", "1"]):
        assert run("poster", *source, "-o", "p.png", "--size", "20x30cm", "--dpi", "100", "-q") == (0, "", "")
        with Image.open("p.png") as image:
            assert image.size == (787, 1181)
            assert image.info["dpi"] == pytest.approx((100, 100), abs=0.01)
    assert sorted(os.listdir()) == ["p.png", "q.txt"]


def test_small_squares_are_pale():
    greys = [np.unique(np.asarray(poster(n, seed=1, size="A4", dpi=150)), return_counts=True) for n in (8, 30, 64)]
    # The two most frequent colours are those of paper and of dark squares.
    dark = [int(values[np.argsort(counts)[-2]]) for values, counts in greys]
    assert 200 < dark[0] < dark[1] < dark[2] < 255


def test_a_poster_of_too_many_queens_says_so_on_stderr(run):
    code, stdout, stderr = run("poster", "1e5", "--seed", "1", "-o", "p.png", "--size", "A4", "--dpi", "60")
    assert (code, stdout.splitlines()[0]) == (0, "Solved: 100,000 queens, seed 1, mixed for 5 sweeps.")
    check_names(stderr, "100,000 queens")


def test_text_is_wrapped_into_lines_that_fit():
    lines = wrapped("a queen commands her row and her column", 20.0, 2.0)
    assert " ".join(lines) == "a queen commands her row and her column"
    assert len(lines) > 1
    assert all(text_width(line, 2.0) <= 20.0 for line in lines)


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
    monkeypatch.syspath_prepend(REPOSITORY / "posters")
    import render

    recipes = tomllib.loads((REPOSITORY / "posters" / "gallery.toml").read_text())["poster"]
    assert {recipe["style"] for recipe in recipes} == set(STYLES)
    monkeypatch.setattr(render, "HERE", tmp_path)
    small = {**recipes[0], "n": 50, "size": "A4", "dpi": 50, "preview": 100}
    assert render.render(small) == (413, 585)
    with Image.open(tmp_path / "previews" / "thousand-classic.png") as image:
        assert image.size == (100, 142)
    with Image.open(tmp_path / "rendered" / "thousand-classic.png") as image:
        drawn = np.asarray(image)
    with Image.open(tmp_path / "thousand-classic.png") as image:
        kept = np.asarray(image.convert("L"))
        assert image.info["dpi"] == pytest.approx((50, 50), abs=0.1)
    assert np.abs(kept.astype(int) - drawn).max() <= 255 / 15 / 2
    assert {0, 255} <= set(np.unique(kept))


@pytest.mark.gate
def test_the_gallery_is_complete_and_its_files_are_small(thousand):
    folder = REPOSITORY / "posters"
    recipes = tomllib.loads((folder / "gallery.toml").read_text())["poster"]
    expected = {folder / "previews" / f"{recipe['name']}.png" for recipe in recipes}
    expected |= {folder / f"{recipe['name']}.png" for recipe in recipes if recipe.get("kept")}
    there = {path for path in folder.rglob("*.png") if path.parent.name != "rendered"}
    assert there == expected
    assert max(path.stat().st_size for path in there) < 1_000_000
    with Image.open(folder / "thousand-classic.png") as image:
        assert image.size == (7016, 9933)
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
        board = board_within_frame(image.convert("L"))
    assert_holds(board, thousand)


def test_solve_and_poster_draw_the_same_poster(run):
    board = ["12", "--seed", "1"]
    for arguments in (["solve", *board, "--poster", "a.svg"], ["poster", *board, "-o", "b.svg"]):
        assert run(*arguments)[0] == 0
    assert Path("a.svg").read_bytes() == Path("b.svg").read_bytes()


def layout_of(queens, **options):
    """Return the place of the board and all lines of text on a poster, without its pixels."""
    said, boards = [], []

    def note(*arguments):
        found = places_of(*arguments)
        boards.append(found[0])
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "places_of", note)
        patch.setattr(Sheet, "write", lambda sheet, line: said.append(line))
        poster(queens, vector=True, **{"size": "A4", **options})
    return boards[0], said


def places_of_words(queens, **options):
    """Return the text, the left and the right edge, and the size of everything that a poster says."""
    said = layout_of(queens, **options)[1]
    return [(line.text, line.x, line.x + text_width(line.text, line.size, line.font), line.size) for line in said]


def words_of(queens, **options):
    """Return everything that a poster says, line by line."""
    return [place[0] for place in places_of_words(queens, **options)]


@pytest.mark.parametrize("style", ["classic", "modern", "lines", "limit-shape"])
@pytest.mark.parametrize(
    ("queens", "words"),
    [
        ([0], ["1 Queen", "Alone on her board, she attacks nobody."]),
        ([1, 3, 0, 2], ["4 Queens", "No two share a row, a column or a diagonal."]),
        ([0, 0], ["2 Queens", "Two queens attack each other. On so small a board, that cannot be avoided."]),
        ([1, 3, 0, 3], ["4 Queens", "Two queens attack each other."]),
        (range(30), ["30 Queens", "435 pairs of queens attack each other."]),
    ],
)
def test_a_poster_says_whether_queens_attack_each_other(style, queens, words):
    assert " ".join(words_of(queens, style=style, seed=1, steps=2)) == " ".join(words)


def test_titles_name_large_round_numbers():
    numbers = {1: "1 Queen", 1000: "1,000 Queens", 10**6: "1 Million Queens", 2_500_000: "2.5 Million Queens"}
    numbers |= {999_999: "999,999 Queens", 1_234_567: "1,234,567 Queens", 10**9: "1 Billion Queens"}
    assert {n: title_of(None, n) for n in numbers} == numbers


@pytest.mark.parametrize("style", STYLES)
def test_title_and_caption_are_options(style):
    facts = "seed 7 · 5 steps · mixed for 3 sweeps"
    options = {"style": style, "seed": 7, "steps": 5, "sweeps": 3}
    plain = words_of([1, 3, 0, 2], **options)
    assert facts not in plain
    assert facts in words_of([1, 3, 0, 2], caption=True, **options)
    titled = words_of([1, 3, 0, 2], caption=True, title="One\nTwo $x_", **options)
    assert {"One", "Two $x_", f"n = 4 · {facts}"} <= set(titled)
    untitled = " ".join(words_of([1, 3, 0, 2], title="", **options))
    assert untitled == " ".join(plain).replace("4 Queens ", "", 1)


@pytest.mark.parametrize("n", [1, 4, 8])
def test_an_infographic_without_a_search_has_no_words_about_one(n):
    result = fastqueens.solve(n, seed=1, trace=True, start="windowed")
    trace = result.trace if not result.trace.pairs[0] else None
    said = " ".join(words_of(result.queens, style="infographic", trace=trace))
    assert "search" not in said.lower()
    assert "diagonal" in said if n > 1 else "Alone on her board" in said


@pytest.mark.parametrize("size", ["A4", "letter", "tabloid"])
@pytest.mark.parametrize("n", [4, 1000])
def test_an_infographic_has_one_left_edge_and_figures_in_equal_columns(size, n):
    result = fastqueens.solve(n, seed=1, trace=True)
    board, _ = layout_of(result, size=size, style="infographic")
    said = places_of_words(result, size=size, style="infographic")
    assert min(left for _, left, _, _ in said) == pytest.approx(board.left)
    assert max(end for _, _, end, _ in said) <= 1.001 * board.right
    figures = [place[:3] for place in said if place[0] in (f"{n:,}", "16", "12", "60")]
    assert len(figures) == (2 if n == 4 else 3)
    between = np.diff([left for _, left, _ in figures])
    assert between == pytest.approx(np.full(len(between), between[0]))
    for (_, _, end), (_, left, _) in itertools.pairwise(figures):
        assert left - end >= 0.03 * board.width


#: Those like others are for the gate.
SHEETS = [
    *["A6", "A4", "50x50cm", "20x80cm", "90x30cm"],
    *(pytest.param(size, marks=pytest.mark.gate) for size in ("A5", "A3", "A1", "A0", "letter", "tabloid", "40x50cm")),
]

TITLES = {
    "short": None,
    "one word": "Donaudampfschifffahrtsgesellschaft",
    "long": "For Anna and Ben on their wedding day, from all the queens",
    "very long": "A very long title that says that a hundred queens stand on one board and that none of them attacks "
    "another, not along a row, not along a column and not along a diagonal, which is a little wonder",
}


@functools.cache
def extents_of_shapes(text, font):
    """Return the edges of a text whose size is 1: many sheets have the same."""
    return text_outline(text, 1, font)[0].get_extents().extents


def extents(line):
    """Return the left, lower, right and upper edge of a line of text, from its shapes."""
    left, bottom, right, top = (line.size * edge for edge in extents_of_shapes(line.text, line.font))
    if line.turned:
        return line.x - top, line.y + left, line.x - bottom, line.y + right
    return line.x + left, line.y + bottom, line.x + right, line.y + top


@pytest.fixture(scope="module")
def boards():
    instance = fastqueens.make_instance(100, [(1, 3)], excluded_sums=[0])
    constrained = fastqueens.solve(instance, seed=1, trace=True)
    return [fastqueens.solve(100, seed=1, trace=True, start="random"), constrained, [1, 3, 0, 3]]


@pytest.mark.parametrize("size", SHEETS)
@pytest.mark.parametrize("style", ["classic", "limit-shape", "infographic"])
@pytest.mark.parametrize("title", TITLES)
def test_nothing_overlaps_and_nothing_is_cut(boards, style, size, title):
    """The other styles have the places of "classic"; of "limit-shape", a note is below the board."""
    sheet = paper(size)
    for board, caption in zip(boards, (False, True, True), strict=True):
        place, lines = layout_of(board, style=style, size=size, title=TITLES[title], caption=caption)
        boxes = [(place.left, place.bottom, place.right, place.top), *map(extents, lines)]
        slack = 0.3 * sheet.margin
        for left, bottom, right, top in boxes:
            assert min(left, bottom) >= sheet.margin - slack
            assert right <= sheet.width - sheet.margin + slack
            assert top <= sheet.height - sheet.margin + slack
        for one, other in itertools.combinations(boxes, 2):
            is_apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert is_apart, (boxes.index(one), boxes.index(other), [line.text for line in lines])
        # Capital letters in Jost are 0.7 times as high as the size of the type: 7 points on A4, 5 on smaller sheets.
        side = min(sheet.width, sheet.height)
        assert min(line.size for line in lines) / 0.7 >= 0.98 * (5 if side < 200 else 7 * side / 210) * 25.4 / 72
        titled = [line for line in lines if line.font == TITLE and line.size == lines[0].size]
        assert len(titled) <= 4
        assert place.width >= (0.15 if size == "A6" else 0.25) * min(sheet.width, sheet.height)
        if style != "infographic":
            others = [line.size for line in lines if line not in titled]
            assert titled[0].size >= 1.99 * max(others)


@pytest.mark.parametrize("size", SHEETS)
def test_the_board_is_large_and_the_sheet_is_full(size):
    """The board is nearly as wide as the sheet allows, and board and words reach all margins."""
    sheet = paper(size)
    board, lines = layout_of(range(8), size=size)
    inside = min(sheet.width, sheet.height) - 2 * sheet.margin
    assert board.width >= (0.75 if size == "50x50cm" else 0.85 if size == "40x50cm" else 0.98) * inside
    boxes = np.array([(board.left, board.bottom, board.right, board.top), *map(extents, lines)])
    left, bottom, right, top = *boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0)
    assert [bottom, sheet.height - top] == pytest.approx([sheet.margin] * 2, abs=0.15 * sheet.margin)
    assert left == pytest.approx(sheet.width - right, abs=0.15 * sheet.margin)
    # The words reach over most of a long sheet.
    words = boxes[1:]
    longest = max(words[:, 3].max() - words[:, 1].min(), words[:, 2].max() - words[:, 0].min())
    if size in ("20x80cm", "90x30cm"):
        assert longest >= 0.7 * (max(sheet.width, sheet.height) - 2 * sheet.margin - board.width)


def test_a_title_that_does_not_fit_is_refused():
    with check_error(InputError, "too long"):
        poster(range(4), size="A6", dpi=40, title=500 * "word ")


@pytest.mark.parametrize(("n", "seed", "is_plotted"), [(1, 1, False), (4, 1, False), (8, 5, False), (1000, 1, True)])
def test_an_infographic_has_no_plot_that_says_nothing(n, seed, is_plotted):
    result = fastqueens.solve(n, seed=seed, trace=True)
    options = {"style": "infographic", "trace": result.trace, "steps": result.steps}
    said = {text: (left, end) for text, left, end, _ in places_of_words(result.queens, **options)}
    assert ("Conflicts during the search" in said) == is_plotted
    if is_plotted:
        # The values are at the same side of the plot.
        assert said["0"][1] == pytest.approx(said["24"][1])


@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
def test_board_and_words_share_their_edges_and_the_margins(orientation):
    image = np.asarray(poster([2, 0, 3, 1], size="A4", dpi=60, margin=15, orientation=orientation)) < 128
    rows, columns = (np.nonzero(image.any(axis=axis))[0] for axis in (1, 0))
    margin = 15 / 25.4 * 60
    for first, last, side in ((rows[0], rows[-1], image.shape[0]), (columns[0], columns[-1], image.shape[1])):
        assert first == pytest.approx(margin, abs=3)
        assert side - 1 - last == pytest.approx(margin, abs=3)
    if orientation == "portrait":
        title = np.nonzero(image[len(image) * 3 // 4 :].any(axis=0))[0]
        assert title[[0, -1]] == pytest.approx(columns[[0, -1]], abs=2)


def test_the_glow_of_lights_has_no_rings():
    """From a light outwards, the glow never gets brighter, and no pixel is much darker than its neighbour."""
    box = Box(0.0, 0.0, 100.0, 100.0)
    image = glow_image(np.array([[50.0, 50.0]]), 4.0, np.array([[1.0, 0.5, 0.25]]), box, "#0d1230").astype(int)
    middle = len(image) // 2
    along = image[middle, middle:]
    assert (np.diff(along, axis=0) <= 0).all()
    assert np.abs(np.diff(along[:, 0])).max() < 0.2 * np.ptp(along[:, 0])
    assert (image[0] == [13, 18, 48]).all()
    larger = np.asarray(resized(image.astype(np.uint8), 2000, 2000, smooth=True)).astype(int)
    assert np.abs(np.diff(larger[1000], axis=0)).max() <= 4


def test_the_glow_stays_on_its_side_of_the_sheet():
    image = glow_image(np.array([[0.5, 79.5]]), 4.0, np.ones((1, 3)), Box(0.0, 0.0, 100.0, 80.0), "#000000").astype(int)
    assert np.unravel_index(image.sum(axis=2).argmax(), image.shape[:2]) == (0, 0)
    assert image[-1].max() == image[:, -1].max() == 0


@pytest.mark.parametrize(("n", "side"), [(8, 400), (30, 1000), (60, 1500)])
def test_the_image_of_lines_is_what_the_lines_would_give(n, side):
    queens = fastqueens.solve(n, seed=1).queens
    width = 0.16 * side / n
    theme = STYLES["lines"].theme
    drawn = lines_image(queens, side, width, theme)[..., :3].astype(int)
    figure = Figure(figsize=(side / 100, side / 100), dpi=100, facecolor="#faf8f3")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set(xlim=(0, side), ylim=(0, side))
    for segments, (color, alpha) in zip(
        lines_of_queens(queens, Box(0, 0, side, side)), line_colors(theme), strict=True
    ):
        lines = LineCollection(segments, colors=color, alpha=alpha, linewidths=width * 0.72, capstyle="butt")
        axes.add_collection(lines)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    expected = np.asarray(canvas.buffer_rgba())[..., :3].astype(int)
    assert drawn.shape == expected.shape
    difference = np.abs(drawn - expected)
    assert difference.mean() < 8
    blurred = [ndimage.uniform_filter(image.astype(float), (9, 9, 0)) for image in (drawn, expected)]
    assert np.abs(blurred[0] - blurred[1])[10:-10, 10:-10].max() < 25


@pytest.mark.gate
def test_lines_on_a1_make_a_small_file():
    file = io.BytesIO()
    poster(fastqueens.solve(1000, seed=1).queens, style="lines").save(file, "PNG")
    assert len(file.getvalue()) < 10_000_000


@pytest.mark.parametrize(("style", "bleed"), [*((style, 3) for style in STYLES), ("classic", 0)])
def test_a_pdf_says_where_to_cut(run, style, bleed):
    command = f"poster 12 --seed 1 --style {style} --size 100x200mm --bleed {bleed}mm -q -o"
    for name in ("p.pdf", "again.pdf"):
        assert run(*command.split(), name) == (0, "", "")
    assert Path("p.pdf").read_bytes() == Path("again.pdf").read_bytes()
    # Read without the library that writes them.
    found = re.findall(r"/(MediaBox|TrimBox|BleedBox)\s*\[([^]]*)\]", Path("p.pdf").read_bytes().decode("latin1"))
    boxes = {name: [float(number) / 72 * 25.4 for number in numbers.split()] for name, numbers in found}
    whole = pytest.approx([0, 0, 100 + 2 * bleed, 200 + 2 * bleed], abs=0.01)
    cut = {"BleedBox": whole, "TrimBox": pytest.approx([3, 3, 103, 203], abs=0.01)} if bleed else {}
    assert boxes == {"MediaBox": whole, **cut}


def test_progress_goes_on_while_a_poster_is_drawn():
    stages = []
    poster([1, 3, 0, 2], size="A4", dpi=30, progress=lambda stage, done, total: stages.append(stage))
    assert stages[-1] == "drawing"


def test_letters_that_the_typeface_lacks_come_from_another_font():
    assert text_width("Königin Łódź", 1.0, TITLE) > text_width("Königin", 1.0, TITLE)
    alone, mixed = (text_outline(text, 1.0, TITLE) for text in ("\u0416", "a\u0416b"))
    spare = FontProperties(family="DejaVu Sans")
    in_spare = text_outline("\u0416", capitals(1.0, spare), spare)
    assert alone[1] * capitals(1.0, TITLE) == pytest.approx(in_spare[1])
    assert mixed[1] > text_width("a", 1.0, TITLE) + alone[1] + text_width("b", 1.0, TITLE)
    assert len(poster([0], size="A4", dpi=20, title="x \u0416 y").getcolors()) > 1


def test_the_typefaces_come_with_their_licences():
    for font in (TITLE, TEXT, BOLD):
        family = Path(font_manager.findfont(font)).stem.split("-")[0]
        licence = (FONTS / f"OFL-{family}.txt").read_text()
        assert licence.startswith("Copyright ")
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert sum(file.stat().st_size for file in FONTS.iterdir()) < 500_000


# Notebooks


@pytest.mark.parametrize(
    ("style", "n"), [(style, n) for style in STYLES for n in (8, 1000, 60_000) if style != "lines" or n == 8]
)
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


def test_a_small_poster_is_not_enlarged():
    image = poster(4, size="60x40mm", dpi=100)
    content, shown = image._repr_jpeg_()
    with Image.open(io.BytesIO(content)) as preview:
        assert preview.size == image.size
    assert shown["width"] == image.width


# Attacks, colours, crop marks, previews


@pytest.mark.parametrize("style", STYLES)
def test_attacks_are_drawn_in_one_accent_colour(style):
    accent = np.array(ImageColor.getrgb(STYLES[style].theme.attack))

    def accented(queens):
        image = np.asarray(poster(queens, style=style, size="A5", dpi=100).convert("RGB")).astype(int)
        return int((np.abs(image - accent).max(axis=2) < 8).sum())

    # No queen attacks another; if two of them change rows, some do.
    assert accented([0, 4, 7, 5, 2, 6, 1, 3]) == 0
    assert accented([0, 4, 7, 5, 2, 6, 3, 1]) > 50


@pytest.mark.parametrize("n", [5_000, 60_000])
def test_the_queens_of_many_attacks_have_the_accent_colour(n):
    queens = np.arange(n) // 2 * 2
    image = np.asarray(poster(queens, size="A4", dpi=120)).astype(int)
    assert image.ndim == 3
    assert (np.abs(image - ImageColor.getrgb(STYLES["classic"].theme.attack)).max(axis=2) < 60).sum() > 1000
    assert poster(fastqueens.solve(n, seed=1), size="A4", dpi=120).mode == "L"


@pytest.mark.parametrize("style", STYLES)
def test_a_poster_in_two_colours_has_only_their_mixtures(style):
    n = 60 if style == "lines" else 100
    image = poster(n, seed=1, style=style, size="A5", dpi=60, color="#800000", background="white")
    red, green, blue = np.moveaxis(np.asarray(image.convert("RGB")).astype(int), 2, 0)
    assert image.getpixel((0, 0)) == (255, 255, 255)
    assert np.abs(green - blue).max() <= 3
    assert np.abs((255 - red) * 2 - (255 - green)).max() <= 6
    black = poster(n, seed=1, style=style, size="A5", dpi=60, black=True)
    assert black.mode == "L"


def test_colours_are_checked():
    with check_error(InputError, "color", "nvy"):
        poster([0], color="nvy")
    with check_error(InputError, "black", "background"):
        poster([0], black=True, background="red")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("given", ["white", "black", "#777777", "#fffffe", "red"])
def test_one_colour_chooses_the_other(style, given):
    """White queens on white paper are not what anybody wants to print."""
    for name in ("color", "background"):
        image = poster(20, seed=1, style=style, size="A6", dpi=40, **{name: given}).convert("RGB")
        paper = image.getpixel((0, 0))
        contrasts = [contrast(_hex(paper), _hex(color)) for _, color in image.getcolors(image.width * image.height)]
        assert max(contrasts) > 3, (name, paper)
        assert name == "color" or paper == ImageColor.getrgb(given)


def _hex(color):
    return "#{:02x}{:02x}{:02x}".format(*color)


@pytest.mark.parametrize(
    ("color", "background", "ratio"),
    [("#fffffe", "white", "1.0"), ("navy", "black", "1.31"), ("white", "#959595", "2.99"), ("white", "WHITE", "1.0")],
)
def test_two_colours_that_can_hardly_be_told_apart_are_refused(color, background, ratio):
    with check_error(InputError, repr(color), repr(background), f"{ratio}:1", "3:1"):
        poster([0], color=color, background=background)
    with check_error(InputError, repr(color), repr(background), f"{ratio}:1"):
        poster([0], color=color, background=background, preview=True)


def test_a_contrast_of_three_is_enough():
    assert poster([0], color="white", background="#949494", size="A6", dpi=40).size[0] > 0


def test_crop_marks_are_outside_the_bleed(run):
    assert (
        run(*["poster", "8", "--seed", "1", "--size", "A5", "--bleed", "3mm", "--crop-marks", "-q", "-o", "p.pdf"])[0]
        == 0
    )
    found = re.findall(r"/(MediaBox|TrimBox|BleedBox)\s*\[([^]]*)\]", Path("p.pdf").read_bytes().decode("latin1"))
    boxes = {name: [float(number) / 72 * 25.4 for number in numbers.split()] for name, numbers in found}
    assert boxes["MediaBox"] == pytest.approx([0, 0, 170, 232], abs=0.01)
    assert boxes["BleedBox"] == pytest.approx([8, 8, 162, 224], abs=0.01)
    assert boxes["TrimBox"] == pytest.approx([11, 11, 159, 221], abs=0.01)
    look = {"size": "A5", "dpi": 254, "style": "modern", "seed": 1, "bleed": 3}
    plain, marked = (np.asarray(poster(8, crop_marks=marks, **look)).astype(int) for marks in (False, True))
    assert (marked[80:-80, 80:-80] == plain).all()
    dark = np.argwhere(marked[:70].min(axis=2) < 250)
    assert {round(float(column), -1) for column in dark[:, 1] if 70 < column < 1630} == {110, 1590}
    with check_error(InputError, "bleed"):
        poster(8, crop_marks=True)


def test_a_pdf_has_a_title_and_an_author(run):
    for options, title in (([], "12 Queens"), (["--title", "For\\nAnna"], "For Anna")):
        assert run("poster", "12", "--size", "A5", "-q", "-o", "p.pdf", *options)[0] == 0
        content = Path("p.pdf").read_bytes().decode("latin1")
        assert f"/Title ({title})" in content
        assert "/Author (fastqueens)" in content


def test_a_preview_shows_all_styles(run):
    assert (
        run(*["poster", "1000", "--seed", "1", "--size", "A4", "--dpi", "60", "--preview", "-q", "-o", "p.png"])[0] == 0
    )
    with Image.open("p.png") as image:
        shown = np.asarray(image.convert("RGB")).astype(int)
    papers = {tuple(ImageColor.getrgb(STYLES[style].theme.paper)) for style in STYLES if style != "lines"}
    corners = {tuple(color) for color in shown.reshape(-1, 3)[::7].tolist()}
    assert papers <= corners
    assert {"classic", "modern", "infographic", "limit-shape"} <= set(labels_of_preview(1000, dpi=60))
    assert any(label.startswith("lines: for up to") for label in labels_of_preview(1000, dpi=60))
    assert "lines" in labels_of_preview(8, dpi=60)


def labels_of_preview(n, **options):
    said, write = [], Sheet.write
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sheet, "write", lambda sheet, line: said.append(line.text) or write(sheet, line))
        poster(n, seed=1, preview=True, size="A4", **options)
    return said


def test_an_infographic_tells_placing_repairing_and_mixing():
    result = fastqueens.solve(100, seed=1, start="random", trace=True, mix=5)
    said = " ".join(words_of(result, style="infographic"))
    assert f"placed at random: {result.initial_pairs} pairs" in said
    assert "Each step took a queen under attack" in said
    assert "5 sweeps of mixing" in said
    plain = " ".join(words_of(fastqueens.solve(100, seed=1, trace=True), style="infographic"))
    assert "placed column by column" in plain
    assert "mixing" not in plain
