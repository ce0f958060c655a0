"""Small boards changed by hand, in a real browser: dragged, clicked, and compared with counting pair by pair."""

import re
from itertools import combinations

import numpy as np
import pytest
from pages import Finger, pixels

import fastqueens
from fastqueens.explorer.page import course_data
from fastqueens.instance import make_instance
from fastqueens.pictures.roles import LIGHT

DESKTOP = {"viewport": {"width": 1280, "height": 720}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


def attack(one, other):
    return one[1] == other[1] or abs(one[0] - other[0]) == abs(one[1] - other[1])


def pairs_of(queens):
    return sum(attack(*pair) for pair in combinations(enumerate(queens), 2))


def attacking(queens):
    """The columns of queens that attack another."""
    found = [pair for pair in combinations(enumerate(queens), 2) if attack(*pair)]
    return sorted({column for pair in found for column, _ in pair})


def costs_of(queens):
    """The pairs after moving the queen of each column to each row."""
    return [[pairs_of([*queens[:c], row, *queens[c + 1 :]]) for row in range(len(queens))] for c in range(len(queens))]


def counted(value, noun):
    return f"{value} {noun}{'' if value == 1 else 's'}"


def verdict_of(queens):
    return counted(pairs_of(queens), "attacking pair") if pairs_of(queens) else "A solution"


def rows(view):
    return view.page.evaluate("Array.from(explorer.board.rows)")


def wrong(view):
    view.settle()
    attacked = "(column) => explorer.board.linesOf(column).attackers.length > 0"
    return view.page.evaluate(f"[...explorer.board.rows.keys()].filter({attacked})")


class Mouse:
    def __init__(self, view):
        self.down, self.move, self.up = self._down, view.page.mouse.move, view.page.mouse.up
        self._page = view.page

    def _down(self, x, y):
        self._page.mouse.move(x, y)
        self._page.mouse.down()


def check_board(view, queens, words=""):
    """Compare everything that the page says of a board with the board."""
    assert rows(view) == queens
    assert wrong(view) == attacking(queens)
    assert view.text("verdict") == verdict_of(queens)
    assert view.text("queens") == f"Rows of the queens, by column: {', '.join(map(str, queens))}."
    assert view.text("message").startswith(words)
    assert view.page.evaluate("document.getElementById('reset').disabled") == (not words)
    view.page.wait_for_timeout(250)
    assert view.page.url.endswith(f"rows={','.join(map(str, queens))}") == bool(words)


@pytest.mark.parametrize(("window", "tool"), [(DESKTOP, Mouse), (PHONE, Finger)], ids=["mouse", "finger"])
def test_a_queen_is_dragged_and_everything_follows(show, window, tool):
    """On each row on the way, and after letting go; the board stays where it is."""
    rng = np.random.default_rng(5)
    n = 8
    queens = rng.integers(0, n, n).tolist()
    view = show(np.array(queens, np.int32), **window)
    view.until_text("verdict", verdict_of(queens))
    window_before, hand = view.page.evaluate("explorer.view"), tool(view)
    for _ in range(3):
        column = int(rng.integers(n))
        first, path, before = queens[column], rng.permutation(n)[:4].tolist(), pairs_of(queens)
        hand.down(*view.place(column, first))
        for row in path:
            x, y = view.place(column, row)
            # A queen stays in its column, wherever the hand goes.
            hand.move(x + 30, y + 3)
            now = [*queens[:column], row, *queens[column + 1 :]]
            view.until(lambda view=view, now=now: rows(view) == now)
            view.settle()
            moving = view.page.evaluate("explorer.painter.moving")
            assert moving["column"] == column
            assert [c for c, _ in moving["attackers"]] == [
                c for c in range(n) if c != column and attack((c, now[c]), (column, row))
            ]
            assert wrong(view) == attacking(now)
        rows_told = f"row {first} to {path[-1]}"
        if first == path[-1]:
            rows_told = f"the queen stays in row {first}"
        queens[column] = path[-1]
        told = f"column {column}, {rows_told}; {before} → {counted(pairs_of(queens), 'attacking pair')}."
        hand.up()
        if first != path[-1]:
            check_board(view, queens, f"By hand: {told}")
        assert view.page.evaluate("explorer.painter.moving") is None
        assert view.page.evaluate("explorer.view") == window_before
        assert view.page.evaluate("explorer.painter.chosen") is None


def test_reset_and_going_back_by_hand_lead_to_the_board_of_the_file(show):
    queens = [0, 4, 7, 5, 2, 6, 1, 1]
    view = show(np.array(queens, np.int32), **DESKTOP)
    view.until_text("verdict", "2 attacking pairs")
    view.page.drag_and_drop("#map", "#map", **drag(view, (7, 1), (7, 3)))
    check_board(view, [*queens[:7], 3], "By hand: column 7, row 1 to 3; 2 → 0 attacking pairs.")
    view.page.click("#reset")
    check_board(view, queens)
    for row, after in ((3, 0), (1, 2)):
        view.page.drag_and_drop("#map", "#map", **drag(view, (7, rows(view)[7]), (7, row)))
        assert pairs_of(rows(view)) == after
    check_board(view, queens)


def drag(view, square, goal):
    places = [dict(zip("xy", view.place(*at), strict=True)) for at in (square, goal)]
    return {"source_position": places[0], "target_position": places[1], "steps": 7}


def test_a_square_tells_what_attacks_it_and_a_queen_which_it_attacks(show):
    rng = np.random.default_rng(2)
    queens = rng.integers(0, 10, 10).tolist()
    view = show(np.array(queens, np.int32), **DESKTOP)
    view.settle()
    costs = costs_of(queens)
    for column, row in [*rng.integers(0, 10, (12, 2)).tolist(), (3, queens[3])]:
        view.page.mouse.click(*view.place(column, row))
        is_empty = queens[column] != row
        attackers = [[c, r] for c, r in enumerate(queens) if c != column and attack((c, r), (column, row))]
        if is_empty:
            attacked = counted(len(attackers), "queen") if attackers else "no queen"
            cost = f"{pairs_of(queens)} → {counted(costs[column][row], 'attacking pair')}."
            told = f"Square in column {column}, row {row}: attacked by {attacked}. A move there: {cost}"
        else:
            attacked = counted(len(attackers), "other queen") if attackers else "no other queen"
            told = f"Queen in column {column}, row {row} attacks {attacked}."
        view.until(lambda told=told: view.text("message") == told)
        assert view.page.evaluate("explorer.painter.chosen.attackers") == attackers
        assert view.page.evaluate("explorer.painter.chosen.isEmpty") == is_empty
        view.page.wait_for_timeout(250)
        assert ("queen=" in view.page.url) == (not is_empty)


def test_the_costs_of_all_moves_or_of_a_column_are_those_of_counting(show):
    rng = np.random.default_rng(3)
    for n in (1, 5, 9):
        queens = rng.integers(0, n, n).tolist()
        view = show(np.array(queens, np.int32), **DESKTOP)
        assert view.page.evaluate("explorer.painter.costs") is None
        view.page.focus("#map")
        view.page.keyboard.press("m")
        assert view.is_pressed("costs")
        view.settle()
        expected = [{"column": c, "costs": costs} for c, costs in enumerate(costs_of(queens))]
        assert view.page.evaluate("explorer.painter.costs") == expected
        view.choose(0)
        assert view.page.evaluate("explorer.painter.costs") == expected[:1]


# On the first board, every move adds attacking pairs; on the second, one move removes the last.
@pytest.mark.parametrize("queens", [[3, 6, 2, 7, 1, 4, 0, 5], [0, 4, 7, 5, 2, 6, 1, 2]])
def test_rings_mark_the_moves_of_least_cost(queens, show):
    view = show(np.array(queens, np.int32), **DESKTOP)
    view.page.focus("#map")
    view.page.keyboard.press("m")
    view.settle()
    moves = [(c, r, cost) for c, costs in enumerate(costs_of(queens)) for r, cost in enumerate(costs) if r != queens[c]]
    least, scale = min(cost for _, _, cost in moves), view.page.evaluate("explorer.view.scale")
    places = [(x, y - 0.42 * scale) for x, y in (view.place(column, row) for column, row, _ in moves)]
    note = tuple(bytes.fromhex(LIGHT.note[1:]))
    is_marked = [np.abs(np.subtract(pixel, note)).max() < 40 for pixel in pixels(view, places)]
    assert is_marked == [cost == least for _, _, cost in moves]


def test_arrow_keys_move_the_chosen_queen(show):
    queens = [3, 0, 2, 2, 4]
    view = show(np.array(queens, np.int32), **DESKTOP)
    view.choose(4)
    view.page.focus("#map")
    for key, column, row in (
        ("ArrowDown", 4, 4), ("ArrowUp", 4, 3), ("ArrowUp", 4, 2), ("ArrowRight", 0, 3), ("ArrowLeft", 4, 2),
        ("ArrowLeft", 3, 2), ("ArrowDown", 3, 3),
    ):  # fmt: skip
        view.page.keyboard.press(key)
        view.until_text("message", f"Queen in column {column}, row {row}")
        queens[column] = row
        assert rows(view) == queens
    told = f"column 3, row 2 to 3; {pairs_of([*queens[:3], 2, 2])} → {pairs_of(queens)} attacking pairs."
    view.page.keyboard.press("Escape")
    check_board(view, queens, f"By hand: {told}")
    before = view.page.evaluate("explorer.view.top")
    view.page.keyboard.press("Shift+ArrowDown")
    view.until(lambda: view.page.evaluate("explorer.view.top") != before)
    assert rows(view) == queens


def test_the_verdict_on_a_changed_board_names_what_the_instance_asks_for(show):
    instance = make_instance(4, [(0, 1), (3, 0)], blocked=[(1, 0)], excluded_sums=[5], excluded_differences=[-2])
    view = show(np.array([1, 3, 0, 2], np.int32), instance, **DESKTOP)
    view.until_text("verdict", "1 fixed queen missing, 2 queens on excluded diagonals")
    for column, row in ((3, 0), (1, 0), (0, 3)):
        view.page.drag_and_drop("#map", "#map", **drag(view, (column, rows(view)[column]), (column, row)))
    assert rows(view) == [3, 0, 0, 0]
    assert wrong(view) == [0, 1, 2, 3]
    violated = "1 fixed queen missing, 1 queen on blocked squares, 1 queen on excluded diagonals"
    assert view.text("verdict") == f"{counted(pairs_of(rows(view)), 'attacking pair')}, {violated}"


def test_larger_boards_and_tiny_squares_are_not_for_hands(show):
    for n in (30, 31):
        queens = fastqueens.solve(n, seed=1).queens
        view = show(queens, **DESKTOP)
        view.until_text("verdict", "A solution")
        assert view.page.locator("#hands").is_visible() == (n == 30)
        view.look_at(n / 2, n / 2, 4)
        at = view.place(12, int(queens[12]))
        Mouse(view).down(*at)
        view.page.mouse.move(at[0] + 60, at[1] + 40, steps=5)
        view.page.mouse.up()
        assert rows(view) == queens.tolist()


def test_a_second_finger_lets_the_queen_go_and_zooms(show):
    queens = [0, 4, 7, 5, 2, 6, 1, 3]
    view = show(np.array(queens, np.int32), **PHONE)
    view.until_text("verdict", "A solution")
    zoom, hand = view.zoom, Finger(view)
    one, moved, other = view.place(3, 5), view.place(3, 3), view.place(6, 3)
    hand.down(*one)
    hand.move(*moved)
    view.until(lambda: rows(view)[3] == 3)
    hand.send("touchStart", moved, other)
    for away in (10, 30, 60):
        hand.send("touchMove", (moved[0] - away, moved[1]), (other[0] + away, other[1]))
    hand.send("touchEnd")
    view.settle()
    assert rows(view) == [*queens[:3], 3, *queens[4:]]
    assert view.page.evaluate("explorer.painter.moving") is None
    assert view.zoom > zoom + 0.3


@pytest.fixture
def play(show):
    def play(result, **window):
        data = course_data(result.trace, result.restarts, result.moves)
        return show(result.moves.first_boards[0], data=data, **window)

    return play


def test_a_search_is_left_by_hand_and_taken_up_again(play):
    result = fastqueens.climb(8, algorithm="sideways", seed=3)
    steps = result.moves.steps.tolist()
    view = play(result, **DESKTOP)
    view.page.click("#forward")
    view.settle()
    queens, text = rows(view), view.text("step-text")
    state = view.text("verdict")
    row = (queens[2] + 3) % 8
    view.page.drag_and_drop("#map", "#map", **drag(view, (2, queens[2]), (2, row)))
    now = [*queens[:2], row, *queens[3:]]
    told = f"column 2, row {queens[2]} to {row}; {pairs_of(queens)} → {counted(pairs_of(now), 'attacking pair')}."
    check_board(view, now, f"By hand: {told}")
    assert view.text("step-text") == f"After step 1. By hand: {told}"
    view.page.click("#reset")
    view.settle()
    assert (rows(view), view.text("step-text"), view.text("verdict")) == (queens, text, state)
    for button, step in (("forward", 2), ("back", 1)):
        view.page.drag_and_drop("#map", "#map", **drag(view, (2, rows(view)[2]), (2, 7 - rows(view)[2])))
        view.page.click(f"#{button}")
        board = result.moves.first_boards[0].tolist()
        for column, _, after in steps[:step]:
            board[column] = after
        assert rows(view) == board
        view.settle()
        assert view.text("verdict") == verdict_of(board)
        assert view.text("step-text").startswith(f"Step {step} of")


def test_taking_a_queen_pauses_the_search(play):
    result = fastqueens.climb(8, algorithm="sideways", seed=3)
    view = play(result, **DESKTOP)
    view.page.select_option("#speed", label="Slow")
    view.page.click("#play")
    view.until(lambda: (view.page.evaluate("explorer.painter.moving") or {}).get("lift", 0) > 0.3)
    column = next(c for c in range(8) if c != result.moves.steps[0][0])
    view.page.drag_and_drop(
        "#map", "#map", **drag(view, (column, rows(view)[column]), (column, 7 - rows(view)[column]))
    )
    assert view.page.get_attribute("#play", "aria-label") == "Play"
    step = int(re.match(r"After step (\d+)\. By hand", view.text("step-text"))[1])
    board = result.moves.first_boards[0].tolist()
    for moved, _, after in result.moves.steps.tolist()[:step]:
        board[moved] = after
    board[column] = 7 - board[column]
    assert rows(view) == board
