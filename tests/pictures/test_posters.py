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
from PIL import Image, ImageColor
from scipy import ndimage

import fastqueens
from fastqueens._run import memory
from fastqueens.densities import bin_board
from fastqueens.errors import InputError, NotEnoughMemoryError
from fastqueens.pictures import drawing
from fastqueens.pictures.density import shades
from fastqueens.pictures.drawing import poster
from fastqueens.pictures.figure import MOST_IN_NOTEBOOK, TITLE, text_width
from fastqueens.pictures.paper import paper
from fastqueens.pictures.posters import queen_size
from fastqueens.pictures.saving import save_picture
from fastqueens.pictures.sheet import Line, Sheet, arranged, outline
from fastqueens.pictures.themes import STYLES, contrast

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
@pytest.mark.parametrize("n", [64, 65, 1000])
def test_all_queens_have_one_size_and_none_leaves_the_board(style, n):
    # Queens in all corners, and next to each other.
    queens = np.append(np.arange(n - 2), [n - 1, 0])
    axes = poster(queens, size="A4", style=style, vector=True).axes[-1]
    shapes = [shape for shape in axes.collections if len(shape.get_offsets()) == n]
    (outline,) = shapes[-1].get_paths()
    size = queen_size(n)
    assert outline.get_extents().width <= size + 1e-9
    middles = np.asarray(shapes[-1].get_offsets())
    assert (np.diff(middles[:, 0]) == 1).all()
    for low, high in (axes.get_xlim(), axes.get_ylim()):
        assert low - 1e-9 <= middles.min() - size / 2
        assert middles.max() + size / 2 <= high + 1e-9
    figure, place = axes.figure, axes.get_position()
    board = layout_of(queens, size="A4", style=style)[0]
    width, height = (side * 25.4 for side in figure.get_size_inches())
    drawn_at = place.x0 * width, place.y0 * height, place.x1 * width, place.y1 * height
    # The frame of classic is around the squares.
    assert drawn_at == pytest.approx(board.extents, abs=0.5)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
def test_every_style_fills_the_paper_to_the_pixel(style, orientation):
    result = fastqueens.solve(100, seed=1, start="random")
    options = {"style": style, "orientation": orientation, "seed": 1, "steps": result.steps}
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


@pytest.mark.parametrize("style", STYLES)
def test_a_density_holds_every_queen(style):
    queens = fastqueens.solve(200_000, seed=1).queens
    (image,) = poster(queens, vector=True, style=style, size="A4", dpi=60).axes[0].images
    shown = np.asarray(image.get_array())
    bins = bin_board(queens, len(shown))
    assert bins.squares.sum() == 200_000
    assert np.array_equal(shown, shades(bins.density(), STYLES[style].density))
    assert 100 <= 200_000 / len(shown) ** 2 <= 125


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


@pytest.mark.parametrize(("style", "n"), [*((style, 30) for style in STYLES), ("classic", 100_001), ("modern", 10**6)])
def test_a_vector_poster_is_on_paper_of_its_size_and_color(tmp_path, style, n):
    queens = fastqueens.solve(n, seed=1).queens
    save_picture(poster(queens, style=style, size="100x200mm", bleed=3, vector=True), tmp_path / "p.svg")
    drawn = (tmp_path / "p.svg").read_text()
    width, height = (side / 25.4 * 72 for side in (106, 206))
    assert f'width="{width:.6f}pt" height="{height:.6f}pt"' in drawn
    background = re.search(r'<g id="patch_1">\s*<path [^>]*style="fill: (#\w+)', drawn)
    assert background[1] == STYLES[style].paper
    assert ("<image" in drawn) == (n > 30)


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
    assert {recipe["style"] for recipe in recipes} == set(STYLES)
    assert {f"{recipe['name']}.png" for recipe in recipes} == {path.name for path in folder.glob("previews/*.png")}
    monkeypatch.setattr(render, "HERE", tmp_path)
    small = {**recipes[0], "n": 50, "size": "A4", "dpi": 50, "preview": 100}
    assert render.render(small) == (413, 585)
    for folder, size in (("previews", (100, 142)), ("rendered", (413, 585))):
        with Image.open(tmp_path / folder / "thousand-classic.png") as image:
            assert image.size == size


def layout_of(queens, **options):
    """Return the place of the board and all lines of text on a poster, without its pixels."""
    said, boards = [], []

    def note(*arguments):
        found = arranged(*arguments)
        boards.append(found[0])
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "arranged", note)
        patch.setattr(Sheet, "write", lambda sheet, line: said.append(line))
        poster(queens, vector=True, **{"size": "A4", **options})
    return boards[0], said


def words_of(queens, **options):
    """Return everything that a poster says, line by line."""
    return [line.text for line in layout_of(queens, **options)[1]]


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
def test_a_poster_says_whether_queens_attack_each_other(queens, words):
    assert " ".join(words_of(queens, seed=1, steps=2)) == " ".join(words)


def test_title_and_caption_are_options():
    facts = "seed 7 · 5 steps · mixed for 3 sweeps"
    options = {"seed": 7, "steps": 5, "sweeps": 3}
    plain = words_of([1, 3, 0, 2], **options)
    assert facts not in plain
    assert facts in words_of([1, 3, 0, 2], caption=True, **options)
    titled = words_of([1, 3, 0, 2], caption=True, title="One\nTwo $x_", **options)
    assert {"One", "Two $x_", f"n = 4 · {facts}"} <= set(titled)
    untitled = " ".join(words_of([1, 3, 0, 2], title="", **options))
    assert untitled == " ".join(plain).replace("4 Queens ", "", 1)


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
    return outline(Line(text, 0, 0, 1, "black", font)).get_extents().extents


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
def test_nothing_overlaps_and_nothing_is_cut(boards, size, title):
    sheet = paper(size)
    for board, caption in zip(boards, (False, True, True), strict=True):
        place, lines = layout_of(board, size=size, title=TITLES[title], caption=caption)
        boxes = [tuple(place.extents), *map(extents, lines)]
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
        assert len(titled) <= 8
        assert place.width >= (0.15 if size == "A6" else 0.25) * min(sheet.width, sheet.height)
        others = [line.size for line in lines if line not in titled]
        assert titled[0].size >= 1.99 * max(others)


@pytest.mark.parametrize("size", SHEETS)
def test_the_board_is_large_and_the_words_are_near(size):
    """The board is nearly as wide as the sheet allows; words hang below it, or begin at the left margin."""
    sheet = paper(size)
    board, lines = layout_of(range(8), size=size)
    inside = min(sheet.width, sheet.height) - 2 * sheet.margin
    assert board.width >= (0.75 if size == "50x50cm" else 0.85 if size == "40x50cm" else 0.95) * inside
    boxes = np.array([board.extents, *map(extents, lines)])
    left, top, right = boxes[:, 0].min(), boxes[:, 3].max(), boxes[:, 2].max()
    assert sheet.height - top == pytest.approx(sheet.margin, abs=0.15 * sheet.margin)
    if sheet.height >= sheet.width:
        assert boxes[1:, 0] == pytest.approx(board.x0, abs=0.01)
        assert 0.5 < (board.y0 - boxes[1:, 3].max()) / Sheet(sheet, vector=True).unit < 0.8
    else:
        assert left == pytest.approx(sheet.width - right, abs=0.15 * sheet.margin)


def test_a_title_that_does_not_fit_is_refused():
    with check_error(InputError, "too long"):
        poster(range(4), size="A6", dpi=40, title=500 * "word ")


@pytest.mark.parametrize(
    ("style", "bleed", "marks"), [("classic", 0, 0), ("classic", 3, 0), ("modern", 3, 0), ("classic", 3, 8)]
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


@pytest.mark.parametrize(("style", "n"), [("classic", 60_000), ("modern", 8)])
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


# Attacks, colours, crop marks


@pytest.mark.parametrize("style", STYLES)
def test_attacks_are_drawn_in_one_accent_colour(style):
    accent = np.array(ImageColor.getrgb(STYLES[style].attack))

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
    assert (np.abs(image - ImageColor.getrgb(STYLES["classic"].attack)).max(axis=2) < 60).sum() > 1000
    assert poster(fastqueens.solve(n, seed=1), size="A4", dpi=120).mode == "L"


@pytest.mark.parametrize("style", STYLES)
def test_a_poster_in_two_colours_has_only_their_mixtures(style):
    image = poster(100, seed=1, style=style, size="A5", dpi=60, color="#800000", background="white")
    red, green, blue = np.moveaxis(np.asarray(image.convert("RGB")).astype(int), 2, 0)
    assert image.getpixel((0, 0)) == (255, 255, 255)
    assert np.abs(green - blue).max() <= 3
    assert np.abs((255 - red) * 2 - (255 - green)).max() <= 6
    assert poster(100, seed=1, style=style, size="A5", dpi=60, color="black", background="white").mode == "L"


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


def test_crop_marks_are_outside_the_bleed():
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


# Paper


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"size": "a1"}, {"width": 594, "height": 841, "margin": 49.5, "pixels": (7016, 9933)}),
        ({"size": "Letter"}, {"width": 215.9, "height": 279.4}),
        ({"size": "50 X 70 cm"}, {"width": 500, "height": 700}),
        ({"size": "300.5\u00d7200mm"}, {"width": 300.5, "height": 200}),
        ({"size": "24x36in", "orientation": "landscape"}, {"width": 914.4, "height": 609.6}),
        ({"size": "30x20cm", "orientation": "portrait"}, {"width": 200}),
        ({"dpi": 254, "bleed": "3mm"}, {"width": 210, "height": 297, "bleed": 3, "pixels": (2160, 3030)}),
        ({"bleed": "0.125in"}, {"bleed": 3.175}),
        *(({"margin": margin}, {"margin": length}) for margin, length in (("12", 12), (0, 0), ("1.5cm", 15))),
        ({"dpi": np.int64(300)}, {"pixels": (2480, 3508), "dpi": 300}),
    ],
)
def test_paper_has_the_size_orientation_margin_and_bleed_that_are_asked_for(arguments, expected):
    sheet = paper(**{"size": "A4", **arguments})
    for name, value in expected.items():
        assert getattr(sheet, name) == pytest.approx(value)
    assert type(sheet.dpi) is int
