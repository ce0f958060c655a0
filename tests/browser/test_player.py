"""The player in a real browser: played, stepped, and compared with the recorded search."""

from itertools import repeat

import numpy as np
import pytest
from pages import Finger

import fastqueens
from fastqueens.explorer.page import course_data, page_in_one_file


def result_of(n, **options):
    return fastqueens.solve(n, trace="moves", **options)


@pytest.fixture
def play(look_at, tmp_path):
    """Open the page of a search."""

    def play(result, address="", **window):
        data = course_data(result.trace, result.restarts, result.moves)
        file = tmp_path / "page.html"
        file.write_bytes(page_in_one_file(result.moves.first_boards[0], "moves.npz", data))
        view = look_at(file.as_uri() + address, **window)
        view.until_text("step-text", "Step 0")
        return view

    return play


def rows(view):
    return view.page.evaluate("Array.from(explorer.board.rows)")


def show_entry(view, entry):
    view.page.evaluate(f"explorer._player.go({entry})")
    view.settle()


def boards_of(result):
    """The board after each entry of the trace."""
    steps, starts = iter(result.moves.steps.tolist()), iter(result.moves.first_boards.tolist())
    for entry in range(len(result.trace.pairs)):
        if entry == 0 or entry in result.restarts:
            queens = next(starts)
        else:
            column, _, row = next(steps)
            queens[column] = row
        yield queens.copy()


def with_restarts():
    runs = (result_of(6, seed=seed) for seed in range(100))
    return next(result for result in runs if 1 < len(result.restarts) < 6)


def climb_with(algorithm):
    return fastqueens.climb(8, algorithm=algorithm, limits=fastqueens.Limits(restarts=2), seed=5)


SEARCHES = {
    "solve": lambda: result_of(12, start="random", seed=3),
    "solve, restarts": with_restarts,
    "steepest, restarts": lambda: climb_with("steepest"),
    "min-conflicts, queens that stay": lambda: climb_with("min-conflicts"),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_every_entry_shows_its_board_its_pairs_and_the_costs_of_the_move(play, name):
    """There by the number of the entry, back by the button, and with jumps."""
    result = SEARCHES[name]()
    restarts, steps = list(result.restarts), result.moves.steps.tolist()
    assert (len(restarts) > 1) == ("restarts" in name)
    assert "stay" not in name or sum(before == after for _, before, after in steps) > 1
    view = play(result)
    assert view.page.evaluate("explorer.painter.hasCosts") is False
    view.page.click("#costs")
    boards = list(boards_of(result))
    last = len(boards) - 1
    there = sorted({*range(0, last + 1, max(1, last // 20)), *restarts, *(entry - 1 for entry in restarts), last})
    back, jumps = range(last - 1, max(last - 16, -1), -1), (last // 2, last, 1, 0, last)
    for entry, has_button in [*zip(there, repeat(False)), *zip(back, repeat(True)), *zip(jumps, repeat(False))]:
        if has_button:
            view.page.click("#back")
            view.settle()
        else:
            view.page.evaluate(f"explorer._player.go({entry})")
        assert rows(view) == boards[entry]
        pairs = int(result.trace.pairs[entry])
        assert view.page.evaluate("explorer.board.pairs") == pairs
        step = entry - sum(restart <= entry for restart in restarts)
        told = f"{pairs:,} attacking pair{'' if pairs == 1 else 's'}."
        if entry == 0:
            expected = f"the first board; {told}"
        elif entry in restarts:
            expected = f"restart {restarts.index(entry) + 1} with a new board; {told}"
        else:
            column, before, after = steps[step - 1]
            rows_told = f"the queen stays in row {after}" if before == after else f"row {before} to {after}"
            expected = f"column {column}, {rows_told}; {result.trace.pairs[entry - 1]:,} → {told}"
        assert view.text("step-text") == f"Step {step:,} of {len(steps):,}: {expected}"
        assert view.page.get_attribute("#scrubber", "aria-valuetext") == view.text("step-text")
        assert view.page.input_value("#scrubber") == str(entry)
        first = view.page.evaluate("(step) => explorer._player.course.entryOf(step)", step)
        assert first == entry - (entry in restarts)
        if not has_button:
            continue
        view.settle()
        costs = {one["column"]: one["costs"] for one in view.page.evaluate("explorer.painter.costs")}
        assert [costs[at] for at in range(len(boards[0]))] == fastqueens.move_costs(np.array(boards[entry])).T.tolist()


def test_single_steps_by_button_curve_and_key_wherever_the_focus_is(play):
    result = result_of(30, start="random", seed=2)
    view = play(result)
    boards = list(boards_of(result))
    view.page.click("#forward")
    column, before, after = result.moves.steps[0].tolist()
    assert f"column {column}, row {before} to {after}; " in view.text("step-text")
    for focus, key, entry in (
        (None, ".", 2), (None, "Space", 3), ("map", ",", 2), ("map", ".", 3), ("scrubber", ",", 2),
        ("scrubber", "ArrowRight", 3), ("scrubber", "ArrowDown", 2), ("scrubber", "ArrowUp", 3), ("speed", ".", 3),
        ("scrubber", "Home", 0), ("scrubber", "End", -1),
    ):  # fmt: skip
        if focus:
            view.page.focus(f"#{focus}")
        view.page.keyboard.press(key)
        assert rows(view) == boards[entry]
    assert view.text("step-text").endswith(" 0 attacking pairs.")
    view.page.focus("#scrubber")
    view.page.keyboard.press("Home")
    for button, entry in (("forward", 1), ("forward", 2), ("back", 1)):
        view.page.click(f"#{button}")
        assert rows(view) == boards[entry]


def test_it_plays_to_the_end_and_lifts_the_queen(play):
    result = result_of(8, start="random", seed=6)
    assert 2 < result.steps < 60
    view = play(result)
    speeds = view.page.evaluate("[...document.getElementById('speed').options].map((option) => option.text)")
    assert speeds == ["Slow", "Normal", "Fast"]
    view.page.focus("#map")
    view.page.keyboard.press("Space")
    assert view.page.get_attribute("#play", "aria-label") == "Pause"
    lifted = []

    def is_lifted():
        moving = view.page.evaluate("explorer.painter.moving")
        lifted.append(moving and moving["lift"] > 0.5)
        return lifted[-1]

    view.until(is_lifted)
    view.page.click("#play")
    assert view.page.get_attribute("#play", "aria-label") == "Play"
    view.page.select_option("#speed", label="Fast")
    view.page.click("#play")
    view.until(lambda: view.page.get_attribute("#play", "aria-label") == "Play")
    assert rows(view) == result.queens.tolist()
    assert view.text("step-text").startswith(f"Step {result.steps} of {result.steps}: ")


def test_a_queen_in_the_air_shows_who_attacks_the_square_below(play):
    result = result_of(30, start="random", seed=2)
    view = play(result)
    boards = list(boards_of(result))

    def attackers(queens, column):
        others = [(other, row) for other, row in enumerate(queens) if other != column]
        row = queens[column]
        return [list(one) for one in others if one[1] == row or abs(one[1] - row) == abs(one[0] - column)]

    for entry in range(1, 10):
        column = int(result.moves.steps[entry - 1][0])
        show_entry(view, entry)
        moving = view.page.evaluate("explorer.painter.moving")
        assert (moving["row"], moving["attackers"]) == (boards[entry][column], attackers(boards[entry], column))


def test_the_address_of_a_search_leads_back_to_the_view(play):
    result = result_of(100, start="random", seed=2)
    view = play(result, "#at=20,30,5&queen=7")
    view.until_text("message", "column 7,")
    view.settle()
    assert view.zoom == pytest.approx(5)
    assert view.place(19.5, 29.5) == pytest.approx((640, 400), abs=1)
    view.page.click("#forward")
    view.page.click("#forward")
    view.until(lambda: view.page.url.endswith("&queen=7&step=2"))
    view.page.reload()
    view.until_text("step-text", "Step 2 of")
    view.settle()
    assert rows(view) == list(boards_of(result))[2]
    for address, step in (("#step=5", 5), ("#", 0), ("#queen=3&step=99999999999999999999", result.steps)):
        view.page.evaluate("(address) => { location.hash = address; }", address)
        view.until_text("step-text", f"Step {step} of")


def middle(view, element):
    box = view.page.locator(element).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def place_on_scrubber(view, entry):
    box, last = view.page.locator("#scrubber").bounding_box(), view.page.evaluate("explorer._player.course.last")
    margin = view.page.evaluate("CURVE_MARGIN")
    return box["x"] + margin + (box["width"] - 2 * margin) * entry / last, box["y"] + box["height"] / 2


@pytest.mark.parametrize("window", [(1280, 720), (390, 844), (844, 390)], ids=str)
def test_a_drag_over_the_curve_leads_to_the_step_below_the_pointer(play, window):
    result = with_restarts()
    boards, last = list(boards_of(result)), len(result.trace.pairs) - 1
    view = play(result, viewport=dict(zip(("width", "height"), window, strict=True)), has_touch=window[0] < 1000)
    entries = [last // 3, last // 2, result.restarts[0], 0, last, 5]
    assert view.page.locator("#scrubber").bounding_box()["height"] >= 40
    finger = Finger(view)
    for at, entry in enumerate(entries):
        place = place_on_scrubber(view, entry)
        if window[0] < 1000:
            finger.send("touchMove" if at else "touchStart", place)
        else:
            view.page.mouse.move(*place, steps=3)
            if at == 0:
                assert rows(view) == boards[0]
                view.page.mouse.down()
        view.until(lambda entry=entry: view.page.input_value("#scrubber") == str(entry))
        assert rows(view) == boards[entry]
    if window[0] < 1000:
        finger.up()
    else:
        view.page.mouse.up()
        view.page.mouse.move(*place_on_scrubber(view, last))
    assert rows(view) == boards[5]


def test_the_curve_shows_every_attempt_and_does_not_join_them(play):
    """There is ink half-way between two entries, but none between the last board of an attempt and the next one."""
    result = with_restarts()
    view = play(result)
    drawn = view.page.evaluate("""() => {
      const { width, height } = curve, { data } = curve.getContext("2d").getImageData(0, 0, width, height);
      const isInk = (at) => data[at] > 120 && data[at + 1] < 60 && data[at + 3] > 60;
      return Array.from({ length: width }, (_, x) =>
        Array.from({ length: height }, (_, y) => isInk(4 * (y * width + x))));
    }""")
    ink = np.array(drawn)
    last, pairs = len(result.trace.pairs) - 1, result.trace.pairs
    x = 6 + (ink.shape[0] - 12) * np.arange(last + 1) / last
    y = ink.shape[1] - 2 - (ink.shape[1] - 4) * pairs / pairs.max()
    for entry in range(1, last + 1):
        middle = ink[round((x[entry - 1] + x[entry]) / 2)]
        if entry in result.restarts:
            assert not middle.any()
        else:
            at = round((y[entry - 1] + y[entry]) / 2)
            assert middle[max(0, at - 2) : at + 3].any()


def test_a_search_on_a_million_queens_is_played(play):
    result = result_of(1_000_000, seed=1)
    view = play(result)
    view.page.focus("#scrubber")
    view.page.keyboard.press("End")
    view.until(lambda: view.text("step-text").endswith(" 0 attacking pairs."))
    assert view.text("step-text").startswith(f"Step {result.steps} of {result.steps}: ")
    total = "explorer.board.rows.reduce((sum, row, column) => sum + row * (column % 997), 0)"
    columns = np.arange(len(result.queens)) % 997
    assert view.page.evaluate(total) == int((result.queens * columns).sum())
