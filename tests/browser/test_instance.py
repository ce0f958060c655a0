"""Fixed queens, blocked squares and excluded diagonals on the page of ``fastqueens explore``, in a real browser."""

import numpy as np
from pages import pixels

import fastqueens
from fastqueens.explorer.page import course_data
from fastqueens.instance import make_instance
from fastqueens.pictures.roles import LIGHT

BLOCKED, NOTE, RED = (tuple(bytes.fromhex(colour[1:])) for colour in (LIGHT.blocked, LIGHT.note, LIGHT.attack))


#: Where a mark is on its square, as shares of the side from the middle, and its colour.
MARKS = {
    "blocked": (-0.45, 0.0, BLOCKED),
    "framed": (-0.45, 0.0, NOTE),
    "sum": (0.25, -0.25, NOTE),
    "difference": (0.25, 0.25, NOTE),
}


def marks(view, columns, rows):
    """Return the marks of each square that has any, as {(column, row): marks}."""
    scale = view.page.evaluate("explorer.view.scale")
    squares = [(column, row) for column in columns for row in rows]
    left, top = view.place(0, 0)
    places = [
        (left + (column + dx) * scale, top + (row + dy) * scale)
        for column, row in squares
        for dx, dy, _ in MARKS.values()
    ]
    found = {}
    for at, colour in enumerate(pixels(view, places)):
        square, (name, (*_, expected)) = squares[at // len(MARKS)], list(MARKS.items())[at % len(MARKS)]
        if max(abs(one - other) for one, other in zip(colour, expected, strict=True)) < 40:
            found.setdefault(square, set()).add(name)
    return found


def marks_of(instance, queens, columns, rows):
    """Return the marks that each square should have; a queen can hide the mark of a diagonal."""
    blocked, fixed = (
        {tuple(square) for square in squares.tolist()} for squares in (instance.blocked, instance.fixed.squares)
    )
    expected = {}
    for square in ((column, row) for column in columns for row in rows):
        column, row = square
        is_there = {
            "blocked": square in blocked,
            "framed": square in fixed,
            "sum": column + row in instance.excluded_sums and queens[column] != row,
            "difference": row - column in instance.excluded_differences and queens[column] != row,
        }
        if any(is_there.values()):
            expected[square] = {name for name in MARKS if is_there[name]}
    return expected


def test_everything_is_on_its_square(show):
    queens = np.array([4, 6, 0, 2, 7, 5, 3, 1], np.int32)
    instance = make_instance(
        8, [(1, 6)], blocked=[(0, 0), (2, 3), (7, 7)], excluded_sums=[13, 3], excluded_differences=[-5, 1]
    )
    view = show(queens, instance)
    view.until_text("verdict", "A solution that respects every constraint")
    view.settle()
    assert marks(view, range(8), range(8)) == marks_of(instance, queens, range(8), range(8))
    legend = [view.text(name) for name in ("instance-fixed", "instance-blocked", "instance-diagonals")]
    assert [text.strip() for text in legend] == ["1 fixed queen", "3 blocked squares", "4 excluded diagonals"]
    assert view.page.locator("#instance-hint").is_hidden()
    for square, words in (
        ((1, 6), "Queen in column 1, row 6 attacks no other queen. On the square: fixed queen."),
        ((7, 7), "attacking pairs. On the square: blocked square."),
        ((1, 2), "On the square: excluded diagonal c + r = 3, excluded diagonal r - c = 1."),
        ((7, 2), "On the square: excluded diagonal r - c = -5."),
        ((7, 1), "Queen in column 7, row 1 attacks no other queen."),
        ((3, 3), "attacking pairs."),
    ):
        view.page.mouse.click(*view.place(*square))
        view.until_text("message", f"column {square[0]}, row {square[1]}")
        assert view.text("message").endswith(words)
        view.settle()


def test_violations_are_red_and_named(show):
    queens = np.array([1, 3, 0, 2], np.int32)
    instance = make_instance(4, [(0, 2)], blocked=[(1, 3)], excluded_sums=[5])
    view = show(queens, instance)
    expected = "1 fixed queen missing, 1 queen on blocked squares, 1 queen on excluded diagonals"
    view.until(lambda: view.text("verdict") == expected)
    view.settle()
    assert view.page.evaluate("explorer.painter.dots.map(([, , isRed]) => isRed)") == [0, 1, 0, 1]
    red = pixels(view, [view.place(column, row + 0.15) for column, row in ((1, 3), (3, 2))])
    assert red == [RED, RED]
    assert [marks(view, [0], [row]) for row in (2, 1)] == [{(0, 2): {"framed"}}, {}]
    view.choose(1)
    assert view.text("message") == "Queen in column 1, row 3 attacks no other queen. On the square: blocked square."


def test_squares_are_drawn_once_they_are_large_enough(show):
    n = 3000
    rng = np.random.default_rng(1)
    queens = fastqueens.solve(n, seed=1).queens
    blocked = rng.integers(0, n, (20_000, 2))
    blocked = blocked[queens[blocked[:, 0]] != blocked[:, 1]]
    # The first difference diagonal above -1010 without a queen.
    excluded = int(np.setdiff1d(np.arange(-1010, -900), queens - np.arange(n))[0])
    fixed = [(2005, int(queens[2005]))]
    instance = make_instance(n, fixed, blocked=blocked, excluded_differences=[excluded])
    view = show(queens, instance)
    view.until_text("verdict", "respects every constraint")
    view.settle()
    assert view.text("instance-hint") == "Zoom in to see them."
    assert view.page.locator("#instance-hint").is_visible()
    row = int(queens[2005])
    for at, zoom, columns, rows in (
        ((2000.5, 1000.5), 4, range(1985, 2015), range(990, 1010)),
        ((2005.5, row + 0.5), 5, [2005], [row]),
    ):
        view.look_at(*at, zoom)
        assert view.page.locator("#instance-hint").is_hidden()
        assert marks(view, columns, rows) == marks_of(instance, queens, columns, rows) != {}


def test_a_search_is_played_on_its_instance(show):
    result = fastqueens.solve(8, method="local", blocked=[(0, 0)], start="random", seed=1, trace="moves")
    data = course_data(result.trace, result.restarts, result.moves)
    view = show(result.moves.first_boards[0], result.instance, data=data)
    for entry in ("0", "Infinity"):
        view.page.evaluate(f"explorer._player.go({entry})")
        view.settle()
        assert marks(view, [0], [0]) == {(0, 0): {"blocked"}}


def test_a_phone_shows_the_legend_in_the_panel(show):
    window = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    view = show(np.array([1, 3, 0, 2], np.int32), make_instance(4, blocked=[(0, 0)], excluded_sums=[6]), **window)
    legend = view.page.locator("#instance")
    assert legend.is_visible()
    assert view.is_inside(legend)
