"""Words on posters: what they say, and their places on sheets of all sizes."""

import functools
import itertools
import re
import string

import numpy as np
import pytest
from errors import check_error

import fastqueens
from fastqueens.errors import InputError
from fastqueens.pictures import figure, poster_boards
from fastqueens.pictures.figure import BOLD, TEXT, TITLE, extents, house_style, outline
from fastqueens.pictures.layout import Line, arranged, board_box
from fastqueens.pictures.paper import paper
from fastqueens.pictures.poster_words import number_of_solutions, statement_of
from fastqueens.pictures.posters import poster
from fastqueens.pictures.sheet import Sheet, placed

PEACE = [0, 4, 7, 5, 2, 6, 1, 3]


def layout_of(queens, **options):
    """Return the place of the board, and all lines of text on a poster, without its pixels."""
    made = poster(queens, **{"size": "A4", **options})
    lines = []
    with pytest.MonkeyPatch.context() as patch, house_style():
        patch.setattr(poster_boards, "write_words", lambda sheet, words: lines.extend(arranged(sheet.paper, words)[0]))
        poster_boards.draw_poster(Sheet(made.paper, vector=True), made._subject, made.style, made.palette)
    return board_box(made.paper, is_bled=made.style == "weave"), lines


def words_of(queens, **options):
    """Return all words of a poster."""
    return " ".join(line.text for line in layout_of(queens, **options)[1]).replace("\xa0", " ")


PEACEFUL = "No two share a row, a column or a diagonal."
SHARED = "Red lines are shared by several queens."


def test_a_poster_says_what_it_shows(subtests):
    for pairs, mark, words in [
        (0, "dot", f"Every thread is one queen\u2019s diagonal, every dot a queen. {PEACEFUL}"),
        (0, "silk", f"Every queen owns two threads, finer than this print can show. {PEACEFUL}"),
        (
            0,
            "lens",
            f"Every queen owns two threads, finer than this print can show, so look through the lenses. {PEACEFUL}",
        ),
        (0, "queen", f"Every crown is a queen. {PEACEFUL}"),
        (1, "queen", f"Two queens attack each other. {SHARED}"),
        (None, "silk", f"Some queens attack each other. {SHARED}"),
        (435, "dot", f"435 pairs of queens attack each other. {SHARED}"),
    ]:
        with subtests.test(words=words):
            said = " ".join(statement_of(mark, pairs)).replace("\xa0", " ")
            assert said.strip() == words


def test_the_colophon_names_the_solutions_and_the_seed():
    result = fastqueens.solve(1000, seed=7, mix=2)
    said = words_of(result)
    assert "fastqueens, n = 1,000" in said
    assert "One of about 10^2,158^ solutions. Seed 7." in said
    assert "sweeps" not in said
    assert "Seed" not in words_of(result.queens)
    assert "Seed 3." in words_of(8, seed=3)
    assert "solutions" not in words_of(8, seed=3)
    assert "With 1 fixed queen." in words_of(fastqueens.solve(fastqueens.make_instance(8, [(1, 3)]), seed=1))


def test_the_number_of_solutions_is_near_an_estimate():
    for n in (30, 1000):
        sentence = number_of_solutions(n).replace("\xa0", " ")
        found = re.fullmatch(r"One of about (?:(\d) \u00d7 )?10\^([\d,]+)\^ solutions\.", sentence)
        estimate = fastqueens.estimate(n, seed=1, replicas=16)
        said = np.log(int(found[1] or 1)) + int(found[2].replace(",", "")) * np.log(10)
        assert said == pytest.approx(estimate.log_count, abs=0.35), n


def test_a_title_replaces_the_number():
    assert words_of(PEACE).startswith("8 queens ")
    titled = words_of(PEACE, title="One\nTwo $x_")
    assert titled.startswith("One Two $x_ Every thread")
    assert "n = 8" in titled
    assert words_of(PEACE, title="").startswith("Every thread")


def test_figures_between_carets_are_raised_except_in_titles():
    for font, is_raised in ((TEXT, True), (TITLE, False)):
        sheet = Sheet(paper("A5"), vector=True)
        sheet.write(Line("10^2^ x", 30, 50, 10, font))
        bottoms = [patch.get_path().get_extents().y0 for patch in sheet.axes.patches]
        assert len(bottoms) == (3 if is_raised else 1)
        assert (max(bottoms) > 53) == is_raised


def test_large_numbers_are_as_large_as_small_ones():
    """A number that is too wide for its column takes the whole width, and the statement begins below it."""
    sizes = {}
    for n in (8, 1000, 10**6, 10**7):
        lines = layout_of(range(n), dpi=20)[1]
        sizes[n] = [line.size for line in lines[:2]]
        bold = next(line for line in lines if line.font is BOLD)
        assert (bold.y < lines[0].y) == (n >= 10**6)
    assert sizes[8] == sizes[1000] == sizes[10**6] == sizes[10**7]


def test_a_statement_has_no_widow():
    for size, orientation in (("A2", "portrait"), ("A2", "landscape"), ("A3", "portrait")):
        for style, n in (("weave", 300), ("plain", 8)):
            lines = layout_of(n, seed=1, size=size, orientation=orientation, style=style)[1]
            statement = [line for line in lines if line.size == pytest.approx(11.2 / 500 * paper(size).width)]
            *_, longest, last = sorted(edges(line)[2] - line.x for line in statement if line.font is TEXT) or [0, 0, 0]
            assert last <= longest * 1.6
            assert all(len(line.text.split()) > 1 for line in statement), [line.text for line in statement]


def test_a_square_has_a_statement_in_one_line():
    lines = layout_of(300, seed=1, size="50x50cm")[1]
    statement = [line for line in lines if line.text.startswith(("Every thread", "every dot"))]
    assert len({(line.y, line.size) for line in statement}) == 1
    assert statement[0].font is BOLD
    assert edges(statement[0])[2] < statement[1].x


def test_a_title_has_one_font_with_all_its_letters():
    for title, name in [
        ("F\u00fcr \u00c9lodie & \u0141ukasz", "Fraunces of fastqueens"),
        ("N\u1eef ho\u00e0ng c\u1edd vua", "DejaVu Serif"),
        ("N\u01b0\u0303 hoa\u0300ng", "DejaVu Serif"),
        ("\u0392\u03b1\u03c3\u03af\u03bb\u03b9\u03c3\u03c3\u03b5\u03c2", "DejaVu Serif"),
        ("\u041a\u043e\u0440\u043e\u043b\u0435\u0432\u044b", "DejaVu Serif"),
    ]:
        lines = layout_of(PEACE, title=title)[1]
        (font,) = {tuple(line.font.get_family()) for line in lines if line.font not in (TEXT, BOLD)}
        assert font[0] == name, title
    for title in ("\u5973\u738b", "\U0001f451"):
        with check_error(InputError, "cannot contain", title[0]):
            poster(PEACE, title=title)


def test_letters_that_matplotlib_does_not_join_are_refused(monkeypatch):
    monkeypatch.setattr(figure, "_SHAPES_TEXT", False)
    for title in ("\u0645\u0644\u0643\u0627\u062a", "\u05e9\u05dc\u05d5\u05dd", "x\u0331"):
        with check_error(InputError, "cannot contain", "matplotlib 3.11"):
            poster(PEACE, title=title)


#: Sheets of all layouts; similar ones, with all boards and titles, are for the gate.
SHEETS = ["A6", "A4", "50x50cm", "20x80cm", "90x30cm", "letter"]
SIMILAR = ["A5", "A3", "A1", "A0", "100x100mm", "tabloid", "40x50cm", "50x40cm", "65x50cm"]

TITLES = {
    "short": None,
    "one word": "Donaudampfschifffahrtsgesellschaft",
    "long": "For Anna and Ben on their wedding day, from all the queens",
    "longer": "A long title that says that a hundred queens stand on one board in peace",
}


@functools.cache
def extents_of_shapes(text, font):
    """Return the edges of a text of size 1, cached because many sheets have the same texts."""
    return extents(placed(Line(text, 0, 0, 1, font))).extents


def edges(line):
    """Return the left, lower, right and upper edge of a line of text, from its shapes."""
    left, bottom, right, top = (line.size * edge for edge in extents_of_shapes(line.text, line.font))
    return line.x + left, line.y + bottom, line.x + right, line.y + top


BOARDS = {
    "solution": {"queens": 100, "seed": 1},
    "instance": {"queens": 100, "seed": 1, "instance": fastqueens.make_instance(100, [(1, 3)], excluded_sums=[0])},
    "attacks": {"queens": [1, 3, 0, 3]},
}


def test_the_outermost_points_of_letters_are_on_their_outlines():
    for font in (TEXT, BOLD, TITLE):
        letters = outline(string.ascii_letters + string.digits + ",.\u00d7\u2019", font)
        assert np.allclose(extents(letters), letters.get_extents(), atol=1e-6)


def check_layout(board, size, title):
    """Check that nothing overlaps, and that words keep away from the trim."""
    sheet = paper(size)
    safe = max(5, min(sheet.width, sheet.height) / 40)
    place, lines = layout_of(**BOARDS[board], size=size, title=TITLES[title])
    boxes = [*map(edges, lines)]
    for (left, _, right, top), line in zip(boxes, lines, strict=True):
        assert left >= safe - 0.01
        assert line.y >= safe - 0.01
        assert right <= sheet.width - safe + 0.01
        assert top <= sheet.height - safe + 0.01
    for one, other in itertools.combinations([tuple(place.extents), *boxes], 2):
        is_apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert is_apart, [line.text for line in lines]
    assert len([line for line in lines if line.font == TITLE]) <= 3


def test_nothing_overlaps_and_words_keep_away_from_the_trim(subtests):
    """The board with most words is on all sheets, and the others only on some."""
    cases = [*itertools.product(SHEETS, TITLES, ["instance"]), ("A4", "long", "attacks")]
    for size, title, board in cases:
        with subtests.test(size=size, title=title, board=board):
            check_layout(board, size, title)


@pytest.mark.gate
def test_nothing_overlaps_with_any_title_on_any_sheet(subtests):
    for size, title, board in itertools.product(SHEETS + SIMILAR, TITLES, BOARDS):
        with subtests.test(size=size, title=title, board=board):
            check_layout(board, size, title)


def test_small_sheets_have_no_colophon():
    for size, has_colophon in (("A4", True), ("A5", False), ("A1", True), ("A6", False)):
        assert ("Seed 1" in words_of(100, seed=1, size=size)) == has_colophon, size


def test_a_word_is_broken_only_if_no_smaller_type_helps():
    for size in ("A4", "40x30cm", "30x30cm"):
        said = layout_of(PEACE, title="Congratulations Schwiegermuttertage", size=size)[1]
        words = " ".join(line.text for line in said if line.font == TITLE)
        assert words == "Congratulations Schwiegermuttertage", size
    with check_error(InputError, "3 lines"):
        poster(PEACE, size="30x30cm", title="word " * 40)


def test_words_keep_off_the_board_on_wide_sheets():
    many = fastqueens.solve(10**6, seed=1)
    for size, board in itertools.product(("68x50cm", "64x50cm", "A3"), (8, many)):
        place, lines = layout_of(board, size=size, orientation="landscape")
        sheet = paper(size, orientation="landscape")
        is_wide = sheet.width / sheet.unit >= 680
        if is_wide:
            assert max(edges(line)[2] for line in lines) < place.x0 - 15 * sheet.unit, size
        number, noun = (line for line in lines if line.font == TITLE) if is_wide else lines[:2]
        assert noun.size < number.size, size


def test_a_title_that_does_not_fit_is_refused():
    with check_error(InputError, "too long"):
        poster(range(4), size="A6", dpi=40, title=500 * "word ")
