"""Pictures of instances: blocked squares, excluded diagonals and fixed queens, found in their pixels."""

import numpy as np
import pytest
from figures import near, on_board, pixels

import fastqueens
from fastqueens.instance import make_instance
from fastqueens.pictures.boards import board_picture, instance_picture
from fastqueens.pictures.density import density_picture
from fastqueens.pictures.layout import board_box
from fastqueens.pictures.palettes import PALETTES, theme_of
from fastqueens.pictures.paper import paper
from fastqueens.pictures.poster_words import instance_words
from fastqueens.pictures.posters import poster
from fastqueens.pictures.roles import LIGHT

QUEENS = [4, 6, 0, 2, 7, 5, 3, 1]
INSTANCE = make_instance(
    8, [(1, 6)], blocked=[(0, 0), (2, 3), (7, 7)], excluded_sums=[5, 14], excluded_differences=[-2]
)

PLAIN = theme_of(PALETTES["riso"])


def squares_of(figure, n):
    """Return the squares of a picture as (n, n, side, side, 3) pixels, by row from the top and column."""
    board, side = on_board(figure, pixels(figure))
    return cut(board, (0, 0, n * side, n * side), n)


def cut(image, box, n):
    left, top, right, bottom = box
    side = (right - left) // n
    assert (right - left, bottom - top) == (side * n, side * n)
    board = image[top:bottom, left:right]
    return board.reshape(n, side, n, side, 3).swapaxes(1, 2)


def blocked_in(squares, colour=LIGHT.blocked):
    """Return the squares (column, row from the top) of which at least a third has the colour of blocked ones."""
    share = near(squares, colour, 25).mean(axis=(2, 3))
    return {(column, row) for row, column in np.argwhere(share > 0.33).tolist()}


def dashes_in(squares, colour=LIGHT.note, tolerance=60):
    """Return the squares (column, row from the top) with a dash that rises, and those with one that falls."""
    side = squares.shape[2]
    near_end = round(0.25 * side)
    found = []
    for row in (side - near_end, near_end):
        window = squares[:, :, row - 3 : row + 3, near_end - 3 : near_end + 3]
        found.append({(c, r) for r, c in np.argwhere(near(window, colour, tolerance).any(axis=(2, 3))).tolist()})
    return found


def expected_squares(instance, is_upper=True):
    """Return blocked squares, squares with rising and with falling dashes, counted from the top."""
    n = instance.n

    def seen(squares):
        return {(c, r if is_upper else n - 1 - r) for c, r in squares}

    squares = set(np.ndindex(n, n))
    sums = {(c, r) for c, r in squares if c + r in instance.excluded_sums}
    differences = {(c, r) for c, r in squares if r - c in instance.excluded_differences}
    rising, falling = (seen(sums), seen(differences)) if is_upper else (seen(differences), seen(sums))
    return seen(map(tuple, instance.blocked.tolist())), rising, falling


# Boards


@pytest.mark.parametrize(("n", "origin"), [(1, "upper"), (8, "upper"), (8, "lower"), (20, "lower")])
def test_blocked_squares_and_excluded_diagonals_are_where_they_should_be(n, origin):
    rng = np.random.default_rng(n)
    blocked = rng.integers(0, n, (n, 2)) if n > 1 else []
    instance = make_instance(n, blocked=blocked, excluded_sums=[n - 1, 2 * n - 2], excluded_differences=[1 - n, n // 2])
    squares = squares_of(instance_picture(instance, origin=origin), n)
    expected = expected_squares(instance, origin == "upper")
    assert blocked_in(squares) == expected[0]
    for found, dashes in zip(dashes_in(squares), expected[1:], strict=True):
        assert found == dashes


def test_a_board_that_respects_its_instance_has_no_conflict_in_its_picture():
    figure = board_picture([1, 3, 0, 2], instance=make_instance(4, [(1, 3)], blocked=[(0, 0)], excluded_sums=[6]))
    assert not near(squares_of(figure, 4), LIGHT.attack).any()
    assert figure.caption == (
        "n = 4, no queen attacks another; 1 fixed queen, 1 blocked square (filled) and 1 excluded sum diagonal (dashed)"
    )
    framed = near(squares_of(figure, 4), LIGHT.note, 10).any(axis=(2, 3))
    assert np.argwhere(framed).tolist() == [[3, 1], [3, 3]], "the fixed queen, and the dash"


def test_queens_where_none_may_stand_have_the_colour_of_conflicts():
    queens = [0, 5, 3, 2, 4, 6, 1, 7]
    figure = board_picture(queens, instance=INSTANCE)
    squares = squares_of(figure, 8)
    # Columns 0, 2 and 7 are on blocked squares; column 3 is on c + r = 5; column 7 is on c + r = 14 too.
    side = squares.shape[2]
    base = squares[np.array(queens), np.arange(8)][:, round(0.84 * side), side // 2]
    assert np.flatnonzero(near(base, LIGHT.attack, 10)).tolist() == [0, 2, 3, 7]
    words = "1 fixed queen missing, 3 queens on blocked squares, 3 queens on excluded diagonals"
    assert figure.caption.endswith(f"(dashed); {words}")
    # The frame of the missing fixed queen is empty.
    assert near(squares[6, 1], LIGHT.note, 10).any()
    assert not near(squares[6, 1], LIGHT.ink, 60).any()


# Large boards


def test_the_caption_of_a_density_says_what_is_asked_for_and_violated():
    queens = fastqueens.solve(1000, seed=1).queens
    for constraints, named in (
        ({"blocked": [(7, row) for row in range(999)]}, "squares: 1 queen on blocked squares; they are too"),
        ({"excluded_sums": [0]}, "1 excluded sum diagonal; they are too small to be drawn."),
    ):
        figure = density_picture(queens, instance=make_instance(1000, **constraints))
        assert named in figure.caption


# Posters


def poster_squares(instance):
    size = {"size": "A4", "dpi": 120}
    image = np.asarray(poster(QUEENS, instance=instance, style="plain", **size).image.convert("RGB"))
    sheet = paper(**size)
    box = board_box(sheet, is_bled=False)
    left, top, width = (round(edge / 25.4 * 120) for edge in (box.x0, sheet.height - box.y1, box.width))
    side = width // 8
    return cut(image, (left, top, left + 8 * side, top + 8 * side), 8)


def test_a_plain_poster_shows_an_instance():
    squares = poster_squares(INSTANCE)
    blocked, rising, falling = expected_squares(INSTANCE)
    assert blocked_in(squares, PLAIN.blocked) == blocked
    occupied = set(enumerate(QUEENS))
    for found, dashes in zip(dashes_in(squares, PLAIN.note, 30), (rising, falling), strict=True):
        assert found - occupied == dashes - occupied
    framed = near(squares[:, :, 1:4, 20:60], PLAIN.note, 40).mean(axis=(2, 3)) > 0.5
    assert np.argwhere(framed).tolist() == [[6, 1]]
    assert blocked_in(poster_squares(None), PLAIN.blocked) == set()


def test_a_poster_says_how_to_read_it():
    for instance, is_drawn, note in [
        (INSTANCE, False, "diagonal; 2 queens on excluded diagonals; they are too small to be drawn."),
        (
            INSTANCE,
            True,
            "1 excluded difference diagonal (dashed); 2 queens on excluded diagonals.",
        ),
        (make_instance(8, [(1, 6)]), True, "With 1 fixed queen."),
        (None, False, ""),
    ]:
        said = instance_words(np.array(QUEENS), instance, is_drawn=is_drawn)
        assert note in said
        assert bool(said) == bool(note)
